/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of ds_temp_coh as the kernels of the CPU see it. */
#ifndef HG_TEMP_COH_H
#define HG_TEMP_COH_H

#include "plugins/cpu/view.h"

typedef struct hg_temp_coh_call {
    int64_t n, n_points, n_pairs;
    int is_full; /* coh (P, n, n), otherwise a column for each pair */
    const int32_t
        *pairs; /* (n_pairs, 2), only where the layout is not full; NULL: i < j, row by row
                 */
    hg_reals coh, phase, t_coh;
} hg_temp_coh_call;

#endif
