// SPDX-License-Identifier: BSD-3-Clause
// The instructions of Hopper (sm_90a) that the product needs, each wrapped once.
#ifndef HG_CUDA_WGMMA_CUH
#define HG_CUDA_WGMMA_CUH

#include <stdint.h>

static __device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// ---- barriers that count arrivals and bytes

static __device__ __forceinline__ void barrier_open(uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals));
}

static __device__ __forceinline__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Arrives, and `bytes` of copies are to come before the phase ends.
static __device__ __forceinline__ void barrier_expect(uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

static __device__ __forceinline__ void barrier_wait(uint64_t *barrier, int phase)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(phase)
                 : "memory");
}

// Copy of contiguous memory, sizes and addresses in multiples of 16 bytes.
static __device__ __forceinline__ void bulk_copy(uint32_t to, const void *from, int bytes,
                                                 uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

// ---- named barriers of the two warpgroups

template <int THREADS> static __device__ __forceinline__ void turn_wait(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

template <int THREADS> static __device__ __forceinline__ void turn_give(int id)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

// ---- matrix products of a warpgroup

// Operand in shared memory: rows of 128 bytes, K contiguous, 128-byte swizzle, 1,024 bytes from
// eight rows to the next eight.
static __device__ __forceinline__ uint64_t operand(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

static __device__ __forceinline__ void wgmma_open()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void wgmma_close()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define HG_IN_OUT_4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define HG_IN_OUT_16(i) HG_IN_OUT_4(i), HG_IN_OUT_4(i + 4), HG_IN_OUT_4(i + 8), HG_IN_OUT_4(i + 12)
#define HG_WGMMA(SHAPE, TAIL)                                                                      \
    asm volatile("{\n"                                                                             \
                 ".reg .pred add;\n"                                                               \
                 "setp.ne.b32 add, %66, 0;\n"                                                      \
                 "wgmma.mma_async.sync.aligned." SHAPE " "                                         \
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "         \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "     \
                 "%31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "     \
                 "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, "     \
                 "%61, %62, %63}, %64, %65, add, 1, 1" TAIL ";\n"                                  \
                 "}\n"                                                                             \
                 : HG_IN_OUT_16(0), HG_IN_OUT_16(16), HG_IN_OUT_16(32), HG_IN_OUT_16(48)           \
                 : "l"(a), "l"(b), "r"(add))

// d = A B^T + (add ? d : 0): 64 rows of A by 128 rows of B over 32 bytes of each: 16 columns of
// fp16 or 8 of TF32. Thread t of the warpgroup holds rows 16 (t / 32) + t % 32 / 4 (+ 8) and
// columns 8 j + 2 (t % 4) (+ 1) in d[4 j] ... d[4 j + 3].
template <bool TF32>
static __device__ __forceinline__ void wgmma(float (&d)[64], uint64_t a, uint64_t b, int add)
{
    if (TF32)
        HG_WGMMA("m64n128k8.f32.tf32.tf32", "");
    else
        HG_WGMMA("m64n128k16.f32.f16.f16", ", 0, 0");
}

#undef HG_WGMMA
#undef HG_IN_OUT_16
#undef HG_IN_OUT_4

#endif
