// SPDX-License-Identifier: BSD-3-Clause
// Kernel `block`: regularized EMI with packed triangles in shared memory, float32 and float64.
//
// It needs the least shared memory per image, so it reaches the most images; each element goes
// through shared memory about three times a Householder step, which bounds it: about n^3 (4 real,
// 8 complex) words through 128 bytes a clock.
#include "plugins/cuda/emi/block_point.cuh"

template <class R, class C>
static __global__ void __maxnreg__(hg_emi_block_registers) emi_block(const EmiArgs p)
{
    extern __shared__ double2 shared[];
    solve_point<R, R, C>(p, blockIdx.x, shared);
}

template <class R, class C>
static cudaError_t launch(const EmiArgs *args, int threads, cudaStream_t stream)
{
    const int64_t bytes = hg_emi_block_bytes(args->n, threads, (int)sizeof(R));
    const cudaError_t error = cudaFuncSetAttribute(
        emi_block<R, C>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    emi_block<R, C><<<(unsigned)args->points, threads, (size_t)bytes, stream>>>(*args);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_emi_launch_block(const EmiArgs *args, int is_wide, int threads,
                                           cudaStream_t stream)
{
    return is_wide ? launch<double, double2>(args, threads, stream)
                   : launch<float, float2>(args, threads, stream);
}
