/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole split product, complex64 in: planes and product of each chunk of columns, workspace. */
#ifndef HG_CUDA_SPLIT_PLAN_H
#define HG_CUDA_SPLIT_PLAN_H

#include "plugins/cuda/runtime/state.h"
#include "plugins/cuda/visibility/split_gram.h"

/* What a product costs, in the units of the constants. */
typedef struct hg_split_work {
    double launches;
    double bytes; /* of device memory read or written beside the product itself */
    double steps; /* of the busiest multiprocessor, see hg_split_tiles.makespan */
} hg_split_work;

typedef struct hg_split_plan {
    int kind, path, slots; /* slots: thread blocks that run at a time */
    int64_t M, K;
    int64_t chunk;        /* columns whose planes are kept at a time */
    hg_split_tiles tiles; /* of a whole chunk */
    hg_split_tiles rest;  /* of the last one */
    size_t blocks_bytes, bounds_bytes, slots_bytes;
} hg_split_plan;

/* Path for this device and the option `tensor_cores` (auto, wgmma, mma); -1: refused, with the
 * reason. */
int hg_split_path(const hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason);

/* 0, or -1 where a count does not fit. */
int hg_split_plan_make(hg_split_plan *plan, const hg_cuda_device *device, int path, int kind,
                       int64_t M, int64_t K);

static inline size_t hg_split_plan_bytes(const hg_split_plan *plan)
{
    return plan->blocks_bytes + plan->bounds_bytes + plan->slots_bytes;
}

hg_split_work hg_split_plan_work(const hg_split_plan *plan, int reads_V);

/* V = alpha Z Z^H + beta V (is_conj: its transpose), Z (M, ld), in `memory` of
 * hg_split_plan_bytes(), aligned to 128 bytes; the device is current. */
cudaError_t hg_split_plan_run(const hg_split_plan *plan, const void *Z, int64_t ld, void *V,
                              double alpha, double beta, int is_conj, void *memory,
                              cudaStream_t stream);

#endif
