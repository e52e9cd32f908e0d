// SPDX-License-Identifier: BSD-3-Clause
// U in float64.
#include "plugins/cuda/curvature/convolve.cuh"

extern "C" cudaError_t hg_curvature_convolve_f64(const CurvatureExtent *extent,
                                                 const CurvatureColumns *columns,
                                                 const CurvatureChunk *chunk,
                                                 enum CurvatureRoute route, cudaStream_t stream)
{
    return start_route<double>(*extent, *columns, *chunk, route, stream);
}
