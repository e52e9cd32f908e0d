// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of the family share: launches with one struct, dynamic shared memory, element
// types.
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

template <class Args>
static inline cudaError_t launch(void (*kernel)(Args), int64_t blocks, int64_t rows, int threads,
                                 size_t shared, cudaStream_t stream, const Args &args)
{
    if (blocks <= 0 || rows <= 0)
        return cudaSuccess;
    kernel<<<dim3((unsigned)blocks, (unsigned)rows), threads, shared, stream>>>(args);
    return cudaGetLastError();
}

// What a launch asked for.
static __device__ __forceinline__ void *dynamic_shared()
{
    extern __shared__ __align__(128) char memory[];
    return memory;
}

// Numbers side by side that are read and written with 16 bytes at a time.
template <class R> struct alignas(16) Four {
    R v[4];
};

static inline __host__ __device__ int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}
