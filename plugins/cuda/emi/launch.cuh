// SPDX-License-Identifier: BSD-3-Clause
// One compiled shape of the row kernels: size and launch behind plain functions.
#pragma once
#include "plugins/cuda/emi/rows.cuh"
#include "plugins/cuda/emi/rows.h"

template <class S> static int64_t shape_bytes(int n)
{
    return point_bytes<S>(n);
}

template <class S> static cudaError_t shape_launch(const EmiArgs *args, cudaStream_t stream)
{
    const int64_t bytes = point_bytes<S>(args->n) * S::POINTS;
    const int64_t blocks = (args->points + S::POINTS - 1) / S::POINTS;
    const cudaError_t error =
        cudaFuncSetAttribute(emi_rows<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    emi_rows<S><<<(unsigned)blocks, S::THREADS, (size_t)bytes, stream>>>(*args);
    return cudaGetLastError();
}

template <class S> constexpr hg_emi_shape shape_row()
{
    return {S::LIMIT, S::POINTS, S::THREADS, S::BLOCKS, shape_bytes<S>, shape_launch<S>};
}
