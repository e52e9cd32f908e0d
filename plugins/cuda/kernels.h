/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's kernels and constants, gathered from the families. A family adds its header here. */
#ifndef HG_CUDA_KERNELS_H
#define HG_CUDA_KERNELS_H

#include "plugins/cuda/curvature/curvature.h"
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/kirchhoff/kirchhoff.h"
#include "plugins/cuda/visibility/split_kernels.h"
#include "plugins/cuda/visibility/visibility.h"

/* X(KERNEL): objects of type hgate_kernel */
#define HG_CUDA_KERNELS(X)                                                                         \
    HG_CUDA_CURVATURE_KERNELS(X)                                                                   \
    HG_CUDA_EMI_KERNELS(X)                                                                         \
    HG_CUDA_KIRCHHOFF_KERNELS(X)                                                                   \
    HG_CUDA_SPLIT_KERNELS(X)                                                                       \
    HG_CUDA_VISIBILITY_KERNELS(X)

/* X(NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP): constants of the cost model */
#define HG_CUDA_CONSTANTS(X)                                                                       \
    HG_CUDA_COMMON_CONSTANTS(X)                                                                    \
    HG_CUDA_CURVATURE_CONSTANTS(X)                                                                 \
    HG_CUDA_EMI_CONSTANTS(X)                                                                       \
    HG_CUDA_KIRCHHOFF_CONSTANTS(X)                                                                 \
    HG_CUDA_SPLIT_CONSTANTS(X)                                                                     \
    HG_CUDA_VISIBILITY_CONSTANTS(X)

/* Rates that do not belong to one family; measured on an H200. */
#define HG_CUDA_COMMON_CONSTANTS(X)                                                                \
    X(launch, "s", 4e-6, 1e-7, 1e-3, "one kernel launch")                                          \
    X(stage_per_byte, "s/byte", 1.2e-10, 1e-12, 1e-7, "copy between host and device memory")

/* Index of a constant in the plugin's table: HG_CUDA_K_launch ... */
enum hg_cuda_constant {
#define HG_CUDA_INDEX(NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP) HG_CUDA_K_##NAME,
    HG_CUDA_CONSTANTS(HG_CUDA_INDEX)
#undef HG_CUDA_INDEX
        HG_CUDA_N_CONSTANTS
};

#endif
