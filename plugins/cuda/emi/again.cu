// SPDX-License-Identifier: BSD-3-Clause
// Kernel `again`: points of complex64 that warp, rows or block left because float32 does not hold
// their inverse, once more with the inverse in float64.
//
// M in float32 suffices: its error is u |B|, not u |B|^2. The kernel looks for the marks itself, so
// nothing is read back, listed or allocated; without marked points it reads a word a point.
#include "plugins/cuda/emi/again.h"
#include "plugins/cuda/emi/block_point.cuh"

// A block looks at as many points at a time as it has threads, far apart: left points may lie
// together.
static __global__ void __maxnreg__(hg_emi_again_registers) emi_again(const EmiArgs p)
{
    extern __shared__ double2 shared[];
    unsigned *const left = (unsigned *)shared; // a bit a point looked at
    void *const memory = shared + hg_emi_again_marks / sizeof *shared;
    const int64_t step = gridDim.x;
    for (int64_t first = blockIdx.x; first < p.points; first += step * blockDim.x) {
        const int64_t own = first + step * threadIdx.x;
        const unsigned ballot = __ballot_sync(~0u, own < p.points && is_left(p, own));
        if (threadIdx.x % 32 == 0)
            left[threadIdx.x / 32] = ballot;
        __syncthreads();
        for (unsigned i = 0; i < blockDim.x / 32; i++)
            for (unsigned bits = left[i]; bits; bits &= bits - 1) {
                const int64_t point = first + step * (32 * i + __ffs((int)bits) - 1);
                solve_point<double, float, float2>(p, point, memory);
                __syncthreads();
            }
        __syncthreads();
    }
}

extern "C" cudaError_t hg_emi_launch_again(const EmiArgs *args, int threads, int64_t blocks,
                                           cudaStream_t stream)
{
    const size_t bytes = (size_t)hg_emi_again_bytes(args->n, threads);
    const cudaError_t error =
        cudaFuncSetAttribute(emi_again, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    emi_again<<<(unsigned)blocks, threads, bytes, stream>>>(*args);
    return cudaGetLastError();
}
