/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches that make a plan's tables from the caller's. */
#ifndef HG_CUDA_KIRCHHOFF_PACK_H
#define HG_CUDA_KIRCHHOFF_PACK_H

#include "plugins/cuda/kirchhoff/order.h"
#include "plugins/cuda/kirchhoff/tables.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One side of the survey as the caller has it. */
typedef struct hg_pack_side {
    const void *trav, *amp, *ang; /* amp and ang NULL: kinematic */
    int64_t step_point, step_station;
    double start;    /* seconds taken off the times */
    const void *vel; /* of the receivers: 2 / vel goes into their weights */
    int64_t n_vel;
} hg_pack_side;

typedef struct hg_pack {
    hg_cuda_tables tables;
    hg_order order;
    hg_pack_side source, receiver;
    double dt;
    double angle[2]; /* limits */
    const void *tap; /* NULL: the default taper */
    int64_t n_tap;
    int tap_is_64;
} hg_pack;

/* What a plan learns from its tables. */
typedef struct hg_pack_facts {
    unsigned long long width_sum; /* of the widest pair of stations of each tile */
    int32_t width_most;
} hg_pack_facts;

/* point, depth, both sides, wav; facts in device memory, cleared before. */
cudaError_t hg_kirchhoff_pack(const hg_pack *pack, hg_pack_facts *facts, const void *wav,
                              cudaStream_t stream);

/* A rule about the elements of an array, and where the first one breaks it. */
typedef struct hg_scan {
    const void *data;
    int64_t count;
    int is_64;
    int skips_nonfinite;
    double least, most;
} hg_scan;

/* Lowers *first to the index of the first element outside [least, most]; device memory. */
cudaError_t hg_kirchhoff_scan(const hg_scan *scan, unsigned long long *first, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
