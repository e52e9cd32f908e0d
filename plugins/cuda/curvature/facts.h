/* SPDX-License-Identifier: BSD-3-Clause */
/* What the counting of work fractions reads and leaves, as C and CUDA both see it. */
#ifndef HG_CUDA_CURVATURE_FACTS_H
#define HG_CUDA_CURVATURE_FACTS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Whole numbers, so that the order of additions has no say. */
typedef struct CurvatureCounts {
    unsigned long long by_column; /* sum of nnz_s tail(ymin_s) */
    unsigned long long by_entry;  /* sum of tail(iy_t) */
    unsigned long long wild;      /* elements of the index arrays that point nowhere */
    unsigned long long not_finite;
} CurvatureCounts;

typedef struct CurvatureCounting {
    int ny, nx, n_columns;
    int64_t n_pixels, nnz;
    const void *iy, *ix, *rows, *vals;
    const int64_t *indptr;
    int iy_is_64, ix_is_64, rows_are_64, is_f64;
    int2 *spans;               /* (ny) */
    unsigned long long *tails; /* (ny + 1): masked span of the rows from y on */
    CurvatureCounts *counts;
} CurvatureCounting;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t hg_curvature_count(const CurvatureCounting *counting, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
#endif
