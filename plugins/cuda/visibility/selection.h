/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of the selection of sources. */
#ifndef HG_CUDA_VISIBILITY_SELECTION_H
#define HG_CUDA_VISIBILITY_SELECTION_H

#include "headgate/plugin_util.h"
#include "plugins/cuda/visibility/launch.h"

static inline void hg_vis_lay_out_selection(hgate_scratch *scratch, hg_vis_selection *s)
{
    for (int i = 0; i < 2; i++) {
        s->key[i] = hgate_scratch_take(scratch, s->nsrc, sizeof(uint32_t));
        s->order[i] = hgate_scratch_take(scratch, s->nsrc, sizeof(uint32_t));
    }
    s->count = hgate_scratch_take(scratch, hg_vis_selection_counts(s->nsrc), sizeof(int));
    s->found = hgate_scratch_take(scratch, 2, sizeof(int64_t));
}

#endif
