// SPDX-License-Identifier: BSD-3-Clause
// The threads that share one point: barriers of those still at work, sums over them.
#pragma once
#include "plugins/cuda/emi/registers.cuh"

// The lanes of this thread's team within its warp. Half warps name only themselves: they may part
// ways, since one may leave early while the other goes on.
template <int LANES> HG_INLINE unsigned lane_mask()
{
    static_assert(LANES == 32 || LANES == 16, "a team is a half warp, or whole warps");
    return LANES == 32 ? 0xffffffffu : 0xffffu << (threadIdx.x & 16);
}

// Barriers: 0 for all warps of the team, which are the block then; 1 for those that still have
// rows, 2 for the two warps of the spectrum. Who has left waits at barrier 0, which the others do
// not use until the end of the phase: as soon as one has left, they are fewer than the team.
//
// racecheck reports accesses on both sides of a barrier 0 in shapes of 96 threads and more, down to
// team_flags(), where nothing but __syncthreads() stands between one write and its reads: those
// reports are the tool's.
template <int LANES, int WARPS> HG_INLINE void team_barrier(int warps)
{
    if (WARPS == 1)
        __syncwarp(lane_mask<LANES>());
    else if (warps == WARPS)
        __syncthreads();
    else
        asm volatile("bar.sync 1, %0;" ::"r"(warps * 32) : "memory");
}

// For the end of a phase that warps have left early.
template <int LANES, int WARPS> HG_INLINE void team_barrier_end()
{
    if (WARPS == 1)
        __syncwarp(lane_mask<LANES>());
    else
        __syncthreads();
}

HG_INLINE void pair_barrier()
{
    asm volatile("bar.sync 2, 64;" ::: "memory");
}

// Sum, maximum over LANES neighbouring lanes (16 or 32), the same result in all of them.
template <int LANES, class T> HG_INLINE T lanes_sum(T a)
{
#pragma unroll
    for (int o = LANES / 2; o; o >>= 1)
        a += __shfl_xor_sync(lane_mask<LANES>(), a, o);
    return a;
}

template <int LANES> HG_INLINE float lanes_max(float a)
{
#pragma unroll
    for (int o = LANES / 2; o; o >>= 1)
        a = fmaxf(a, __shfl_xor_sync(lane_mask<LANES>(), a, o));
    return a;
}

template <int LANES> HG_INLINE unsigned lanes_or(unsigned a)
{
#pragma unroll
    for (int o = LANES / 2; o; o >>= 1)
        a |= __shfl_xor_sync(lane_mask<LANES>(), a, o);
    return a;
}

// Sum of the partial sums of the warps still at work, in a fixed order.
template <int WARPS, class T> HG_INLINE T partials_sum(const T *partial, int active)
{
    T t = partial[0];
    unrolled<WARPS - 1>([&](auto i) {
        constexpr int m = decltype(i)::value + 1;
        if (m < active)
            t += partial[m];
    });
    return t;
}
