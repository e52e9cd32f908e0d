/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled shapes of the row kernels, and their launch. */
#ifndef HG_CUDA_EMI_ROWS_H
#define HG_CUDA_EMI_ROWS_H

#include "plugins/cuda/emi/emi_args.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hg_emi_shape {
    int limit;                     /* most images */
    int points;                    /* of a block */
    int threads;                   /* of a block */
    int blocks;                    /* of a multiprocessor, that the registers are budgeted for */
    int64_t (*point_bytes)(int n); /* shared memory of a point */
    cudaError_t (*launch)(const EmiArgs *args, cudaStream_t stream);
} hg_emi_shape;

/* Closed form for one and two images. */
cudaError_t hg_emi_launch_closed(const EmiArgs *args, int is_wide, cudaStream_t stream);

/* Every shape is an object of its own in one of the rows_*.cu, since they take long to compile. */
#define HG_EMI_WARP_SHAPES(X) X(warp_12) X(warp_16) X(warp_20) X(warp_32)
#define HG_EMI_ROWS_SHAPES(X) X(rows_64) X(rows_96) X(rows_128) X(rows_160) X(rows_196)

#define HG_EMI_DECLARE(NAME) extern const hg_emi_shape hg_emi_##NAME;
HG_EMI_WARP_SHAPES(HG_EMI_DECLARE)
HG_EMI_ROWS_SHAPES(HG_EMI_DECLARE)
#undef HG_EMI_DECLARE

#ifdef __cplusplus
}
#endif
#endif
