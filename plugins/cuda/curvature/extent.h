/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan of curvature keeps on the device. */
#ifndef HG_CUDA_CURVATURE_EXTENT_H
#define HG_CUDA_CURVATURE_EXTENT_H

#include "plugins/cuda/curvature/arrays.h"
#include "plugins/cuda/runtime/state.h"

typedef struct hg_cuda_extent {
    CurvatureExtent device;
    void *memory;
    int device_id;
    void *stream;
} hg_cuda_extent;

/* Whether the extent, columns and entries can be counted in the kernels' words; for supports(). */
int hg_cuda_extent_can(const hgate_problem *problem, hgate_reason *reason);
size_t hg_cuda_extent_bytes(const hg_cuda_state *state, const hgate_problem *problem);

/* hgate_kernel.prepare and .discard. EVALUE for a pixel outside of the extent or, at check level
 * values, a w that is not finite or not even. */
int hg_cuda_extent_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                           void **prepared);
void hg_cuda_extent_discard(void *state, void *prepared);

/* Whether ops.curvature.exact_triangle permits `pair`. */
bool hg_cuda_permits_pair(const hg_cuda_state *state);

#endif
