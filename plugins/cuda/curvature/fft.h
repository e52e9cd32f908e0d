/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the route by transforms, as C and CUDA both see them. */
#ifndef HG_CUDA_CURVATURE_FFT_H
#define HG_CUDA_CURVATURE_FFT_H

#include "plugins/cuda/curvature/arrays.h"

/* How the extent is cut: the entries of a block of height x width cells and all results fit a
 * period of ny + height - 1 by nx + width - 1. */
typedef struct CurvatureCut {
    int ny, nx;
    int rows, columns; /* blocks along y and x; 1 and 1: the whole extent */
    int height, width;
    int period_y, period_x, bins; /* bins = period_x / 2 + 1 */
} CurvatureCut;

/* In a plan. Complex numbers are float2 or double2. */
typedef struct CurvatureSpectra {
    CurvatureCut cut;
    int is_f64;
    void
        *spectra; /* (blocks, period_y, bins): of w as a block sees it, over the number of points */
    void *turn_y; /* (period_y): exp(-2 pi i n / period_y) */
    void *turn_x; /* (period_x) */
} CurvatureSpectra;

#ifdef __cplusplus
extern "C" {
#endif
/* Fills the tables; puts w of a block where its spectrum goes, as rows of 2 bins reals. */
cudaError_t hg_curvature_fft_tables(const CurvatureSpectra *spectra, cudaStream_t stream);
cudaError_t hg_curvature_fft_section(const CurvatureExtent *extent, const CurvatureSpectra *spectra,
                                     int block, cudaStream_t stream);
cudaError_t hg_curvature_fft_scale(const CurvatureSpectra *spectra, cudaStream_t stream);
/* Spectra of the U of a chunk: (batch, period_y, bins), zeros from count on. is_general: columns by
 * number, not by rank. */
cudaError_t hg_curvature_fft_forward(const CurvatureSpectra *spectra,
                                     const CurvatureColumns *columns, const CurvatureChunk *chunk,
                                     int batch, int is_general, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
#endif
