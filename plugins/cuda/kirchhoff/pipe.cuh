// SPDX-License-Identifier: BSD-3-Clause
// Copies from device memory to shared memory that one thread starts and barriers in shared memory
// count: compute capability 9.0. Elsewhere these do nothing and the kernels that use them are
// refused.
#pragma once
#include <stdint.h>

typedef uint64_t Barrier;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HG_PIPE(...) asm volatile(__VA_ARGS__)
#else
#define HG_PIPE(...)
#endif

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void barrier_init(Barrier *barrier, unsigned arrivals)
{
    HG_PIPE("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
            : "memory");
}

// After all inits, before the block's threads use the barriers.
static __device__ __forceinline__ void barrier_init_fence()
{
    HG_PIPE("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void barrier_arrive(Barrier *barrier)
{
    HG_PIPE("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Arrives, and has the phase wait for so many bytes of copies.
static __device__ __forceinline__ void barrier_expect(Barrier *barrier, unsigned bytes)
{
    HG_PIPE("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
            "r"(bytes)
            : "memory");
}

// Waits until the phase of this parity is over.
static __device__ __forceinline__ void barrier_wait(Barrier *barrier, unsigned parity)
{
    unsigned is_over = 1;
    do {
        HG_PIPE("{\n\t.reg .pred p;\n\t"
                "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                "selp.u32 %0, 1, 0, p;\n\t}"
                : "=r"(is_over)
                : "r"(shared_address(barrier)), "r"(parity)
                : "memory");
    } while (!is_over);
}

// Both addresses and the size are multiples of 16 bytes.
static __device__ __forceinline__ void bulk_copy(void *to, const void *from, unsigned bytes,
                                                 Barrier *barrier)
{
    HG_PIPE("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared_address(to)),
            "l"(from), "r"(bytes), "r"(shared_address(barrier))
            : "memory");
}
