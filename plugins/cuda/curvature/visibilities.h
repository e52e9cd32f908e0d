/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels over visibilities read and leave, as C and CUDA both see it. */
#ifndef HG_CUDA_CURVATURE_VISIBILITIES_H
#define HG_CUDA_CURVATURE_VISIBILITIES_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* sigma (K) or (K, 2) by sigma_step; faults: first bad element of each array, ~0 before. */
typedef struct CurvatureVisibilities {
    int64_t count;
    const double *uv, *sigma;
    int sigma_step;
} CurvatureVisibilities;

enum {
    HG_FAULT_UV,
    HG_FAULT_SIGMA,
    HG_FAULT_SIGMA_PAIR,
    HG_FAULT_VIS,
    HG_FAULT_Y,
    HG_FAULT_X,
    HG_N_FAULTS
};

/* ---- w by products */
typedef struct CurvatureOffsets {
    int ny, nx, is_f64;
    double pix;
    int64_t first, count;            /* visibilities of this chunk */
    double *row_cos, *row_sin;       /* (count, ny): sigma^-2 cos and sin of dy */
    double *column_cos, *column_sin; /* (count, nx): of dx */
    double *cos_part, *sin_part;     /* (ny, nx) */
    void *w;                         /* (2ny, 2nx) */
} CurvatureOffsets;

/* ---- dirty image */
typedef struct CurvatureDirty {
    const double *vis; /* (K, 2): real and imaginary parts */
    const double *y, *x;
    int64_t n_pixels;
    int n_slices;  /* of the visibilities */
    double *parts; /* (n_slices, n_pixels) unless there is one slice */
    double *d;
} CurvatureDirty;

/* ---- data vector */
typedef struct CurvatureProduct {
    int64_t n_rows, nnz, n_columns;
    const void *d, *vals, *rows;
    const int64_t *indptr;
    int rows_are_64, is_f64;
    void *D;
} CurvatureProduct;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t hg_curvature_look_at_visibilities(const CurvatureVisibilities *visibilities,
                                              const CurvatureDirty *dirty,
                                              unsigned long long *faults, cudaStream_t stream);
cudaError_t hg_curvature_phasors(const CurvatureVisibilities *visibilities,
                                 const CurvatureOffsets *offsets, cudaStream_t stream);
cudaError_t hg_curvature_store_offsets(const CurvatureOffsets *offsets, cudaStream_t stream);
cudaError_t hg_curvature_dirty(const CurvatureVisibilities *visibilities,
                               const CurvatureDirty *dirty, cudaStream_t stream);
/* faults (2): first bad element of indptr and rows */
cudaError_t hg_curvature_look_at_columns(const CurvatureProduct *product,
                                         unsigned long long *faults, cudaStream_t stream);
cudaError_t hg_curvature_data_vector(const CurvatureProduct *product, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
#endif
