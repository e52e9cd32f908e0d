// SPDX-License-Identifier: BSD-3-Clause
// model[point] = alpha (image_0 + image_1 + ... in order) + beta model[point], one thread a place.
#include "plugins/cuda/kirchhoff/adjoint.h"
#include "plugins/cuda/kirchhoff/launch.cuh"

enum { THREADS = 256 };

template <class R> static __global__ void __launch_bounds__(THREADS) add_images(const hg_image a)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t point = a.point[at], places = a.n_tiles * HG_TILE;
    if (point < 0)
        return;
    R sum = 0;
    for (int64_t part = 0; part < a.parts; part++)
        sum += ((const R *)a.images)[part * places + at];
    R *to = (R *)a.model + point;
    const R value = (R)a.alpha * sum;
    *to = a.beta != 0.0 ? fma((R)a.beta, *to, value) : value;
}

extern "C" cudaError_t hg_kirchhoff_image(const hg_image *image, cudaStream_t stream)
{
    return launch(image->is_64 ? add_images<double> : add_images<float>,
                  image->n_tiles * (HG_TILE / THREADS), 1, THREADS, 0, stream, *image);
}
