/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of each column as vertical runs, in the order in which U adds them. */
#ifndef HG_CURVATURE_RUNS_H
#define HG_CURVATURE_RUNS_H

#include "plugins/cpu/curvature/columns.h"
#include "plugins/cpu/curvature/convolve.h"

typedef struct hg_runs {
    int64_t *start; /* S + 1: runs of column s are start[s] ... start[s+1] - 1 */
    hg_run *run;    /* nnz at most */
    void *value;    /* nnz, float or double: by x, then falling y */
} hg_runs;

/* size: 4 or 8 bytes of a value. */
void hg_runs_lay_out(hgate_scratch *scratch, const int64_t *dims, size_t size, hg_runs *runs);
/* columns: sorted by runs. */
void hg_runs_fill(hg_runs *runs, const hg_columns *columns, const hg_extent *extent);
/* The runs of column s as rows below and at their entries see them, from row y0 on (kernel pair):
 * what adds nothing there is cut off. `to` has room for as many runs as the column has; the number
 * is returned. */
int64_t hg_runs_below(const hg_runs *runs, int64_t s, int64_t y0, const hg_extent *extent,
                      hg_run *to);

#endif
