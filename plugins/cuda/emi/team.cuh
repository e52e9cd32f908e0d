// SPDX-License-Identifier: BSD-3-Clause
// The threads that share one point: their barrier, sums over them.
#pragma once
#include "plugins/cuda/emi/registers.cuh"

// The lanes of this thread's team within its warp. Half warps name only themselves: they may part
// ways, since one may leave early while the other goes on.
template <int LANES> HG_INLINE unsigned lane_mask()
{
    static_assert(LANES == 32 || LANES == 16, "a team is a half warp, or whole warps");
    return LANES == 32 ? 0xffffffffu : 0xffffu << (threadIdx.x & 16);
}

// All threads of the team, also those that have no rows left: racecheck cannot follow a barrier of
// fewer warps than the block has.
template <int LANES, int WARPS> HG_INLINE void team_barrier()
{
    if (WARPS == 1)
        __syncwarp(lane_mask<LANES>());
    else
        __syncthreads();
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

// Sum of one value of every warp, in a fixed order.
template <int WARPS, class T> HG_INLINE T partials_sum(const T *partial)
{
    T t = partial[0];
    unrolled<WARPS - 1>([&](auto i) { t += partial[decltype(i)::value + 1]; });
    return t;
}

// A warp's share of a sum over the team. Of several warps each leaves four sums, in its first four
// lanes: adding them up behind the barrier takes less time than two more rounds of shuffles.
template <int LANES, int WARPS> HG_INLINE float warp_share(float a)
{
#pragma unroll
    for (int o = LANES / 2; o >= (WARPS == 1 ? 1 : 4); o >>= 1)
        a += __shfl_xor_sync(lane_mask<LANES>(), a, o);
    return a;
}

// Of complex numbers.
HG_INLINE float2 operator+(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

// Sum of the shares of all warps, in a fixed order; those without rows left have zeros there: a
// load that waits for a predicate takes longer than one too many.
template <int WARPS> HG_INLINE float shares_sum(const float (&shares)[WARPS][32])
{
    const float4 first = *(const float4 *)shares[0];
    float t = (first.x + first.y) + (first.z + first.w);
    unrolled<WARPS - 1>([&](auto i) {
        const float4 p = *(const float4 *)shares[decltype(i)::value + 1];
        t += (p.x + p.y) + (p.z + p.w);
    });
    return t;
}
