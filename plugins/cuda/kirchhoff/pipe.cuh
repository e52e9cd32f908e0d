// SPDX-License-Identifier: BSD-3-Clause
// Shared memory by its own addresses: bulk copies that one thread starts and barriers count
// (compute capability 9.0; elsewhere they do nothing, and the kernel that uses them is refused),
// reads, reductions.
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

// Reads of shared memory by its own 32-bit addresses, which a compiler would not fold so far.
static __device__ __forceinline__ void load_pair(unsigned address, float &a, float &b)
{
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(a) : "r"(address));
    asm volatile("ld.shared.f32 %0, [%1+4];" : "=f"(b) : "r"(address));
}

static __device__ __forceinline__ void load_pair(unsigned address, double &a, double &b)
{
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(a) : "r"(address));
    asm volatile("ld.shared.f64 %0, [%1+8];" : "=d"(b) : "r"(address));
}

static __device__ __forceinline__ void load_words(unsigned address, unsigned (&w)[1])
{
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(w[0]) : "r"(address));
}

static __device__ __forceinline__ void load_words(unsigned address, unsigned (&w)[2])
{
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "r"(address));
}

static __device__ __forceinline__ void load_words(unsigned address, unsigned (&w)[4])
{
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "r"(address));
}

// An integer is added to a word of shared memory; additions commute.
static __device__ __forceinline__ void reduce_shared(unsigned address, int value)
{
    asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
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
