/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels fp16x3 and tf32x3 of visibility_gram, and the constants of their cost. */
#ifndef HG_CUDA_SPLIT_KERNELS_H
#define HG_CUDA_SPLIT_KERNELS_H

#include "plugins/cuda/runtime/state.h"

#define HG_CUDA_SPLIT_KERNELS(X)                                                                   \
    X(hg_cuda_gram_fp16x3)                                                                         \
    X(hg_cuda_gram_tf32x3)

extern const hgate_kernel hg_cuda_gram_fp16x3, hg_cuda_gram_tf32x3;

/* A step is one part of 64 x 64 elements over one block of columns (32 of fp16x3, 16 of tf32x3) on
 * one multiprocessor. Fitted to 40 sizes on one H200 (bench/device_gram.py), all within 15 %. */
#define HG_CUDA_SPLIT_CONSTANTS(X)                                                                 \
    X(visibility_split_launch, "s", 1.25e-6, 1e-7, 1e-3, "a launch that overlaps the one before")  \
    X(visibility_split_byte, "s/byte", 2.7e-13, 1e-14, 1e-9,                                       \
      "fp16x3, tf32x3: device memory read or written beside the product")                          \
    X(visibility_fp16x3_step, "s/step", 5.2e-7, 1e-8, 1e-4, "fp16x3: a part over 32 columns")      \
    X(visibility_tf32x3_step, "s/step", 4.75e-7, 1e-8, 1e-4, "tf32x3: a part over 16 columns")

#endif
