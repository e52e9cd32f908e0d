/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a fused call works with. */
#ifndef HG_CUDA_VISIBILITY_FUSED_H
#define HG_CUDA_VISIBILITY_FUSED_H

#include "plugins/cuda/visibility/pairs.h"

typedef struct hg_vis_fused {
    int matprod;
    int64_t nant, nfeed, nax, nsrc, rows;
    int64_t n;     /* sources of the list, or as many as it can have */
    int64_t chunk; /* sources of a chunk, at most */
    int is_signed;
    hg_vis_selection selection;
    hg_vis_chunk part;      /* of the first chunk; the others differ in start and n */
    hg_vis_product product; /* of a split product only its sum */
    hg_split_chunk split;
    float *beam_bounds;
    hg_vis_pairs pairs;
    void *pair_sum;
    int64_t found[2]; /* positive ones up; all up */
} hg_vis_fused;

/* Takes the problem apart and lays out the workspace, or counts it. */
void hg_vis_fused_make(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                       hgate_scratch *scratch, hg_vis_fused *fused);
int hg_vis_fused_supports(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                          hgate_reason *reason);
void hg_vis_fused_estimate(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                           hgate_estimate *est);

#endif
