// SPDX-License-Identifier: BSD-3-Clause
// model[point] = alpha (image_0 + image_1 + ...) + beta model[point], always in the same order: a
// warp has 32 places of every eighth image, the eight sums are added in turn.
#include "plugins/cuda/kirchhoff/adjoint.h"
#include "plugins/cuda/kirchhoff/launch.cuh"

enum { SLICES = 8, THREADS = 32 * SLICES };

template <class R> static __global__ void __launch_bounds__(THREADS) add_images(const hg_image a)
{
    __shared__ R sums[SLICES][32];
    const int lane = threadIdx.x % 32, slice = threadIdx.x / 32;
    const int64_t at = (int64_t)blockIdx.x * 32 + lane, places = a.n_tiles * HG_TILE;
    R sum = 0;
    for (int64_t part = slice; part < a.parts; part += SLICES)
        sum += ((const R *)a.images)[part * places + at];
    sums[slice][lane] = sum;
    __syncthreads();
    const int64_t point = slice == 0 ? a.point[at] : -1;
    if (point < 0)
        return;
    for (int s = 1; s < SLICES; s++)
        sum += sums[s][lane];
    R *to = (R *)a.model + point;
    const R value = (R)a.alpha * sum;
    *to = a.beta != 0.0 ? fma((R)a.beta, *to, value) : value;
}

extern "C" cudaError_t hg_kirchhoff_image(const hg_image *image, cudaStream_t stream)
{
    return launch(image->is_64 ? add_images<double> : add_images<float>,
                  image->n_tiles * (HG_TILE / 32), 1, THREADS, 0, stream, *image);
}
