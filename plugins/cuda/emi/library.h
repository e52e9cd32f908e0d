/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `library`: the steps between the calls of cuSOLVER and cuBLAS. Everything between input
 * and output is float64, matrices are column by column. */
#ifndef HG_CUDA_EMI_LIBRARY_H
#define HG_CUDA_EMI_LIBRARY_H

#include "plugins/cuda/emi/emi_args.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hg_emi_rule { hg_emi_adaptive, hg_emi_fixed, hg_emi_none, hg_emi_evd };

/* One chunk of points. */
typedef struct LibraryChunk {
    EmiArgs args;
    int is_wide; /* complex128 */
    int rule;    /* enum hg_emi_rule */
    int fallback_evd;
    const int64_t *index; /* which points of the problem, NULL: all of them */
    int64_t first, count; /* of the index, or of all points */
    double *a, *inverse;  /* (count, n, n) */
    double2 *m;           /* (count, n, n) */
    double *values;       /* (count, n) eigenvalues, ascending */
    double *beta;         /* (count) */
    int *state;           /* (count) point codes so far; negative: takes evd */
    int *pivots;          /* (count, n) */
    int *info_lu, *info_inverse, *info_values, *info_vectors; /* (count) */
    double **a_each, **inverse_each;
} LibraryChunk;

cudaError_t hg_emi_library_load(const LibraryChunk *chunk,
                                cudaStream_t stream); /* a = |Gamma|, checks */
cudaError_t hg_emi_library_regularize(const LibraryChunk *chunk,
                                      cudaStream_t stream); /* beta, state, a */
cudaError_t hg_emi_library_weigh(const LibraryChunk *chunk, cudaStream_t stream);  /* m */
cudaError_t hg_emi_library_finish(const LibraryChunk *chunk, cudaStream_t stream); /* outputs */

#ifdef __cplusplus
}
#endif
#endif
