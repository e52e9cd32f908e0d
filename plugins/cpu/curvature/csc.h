/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping matrix M: N rows (pixels), S columns (source pixels), entries column by column. */
#ifndef HG_CURVATURE_CSC_H
#define HG_CURVATURE_CSC_H

#include "plugins/cpu/view.h"

typedef struct hg_csc {
    int64_t n_rows, n_columns, nnz;
    const int64_t *indptr; /* n_columns + 1 */
    hg_indices rows;       /* nnz */
} hg_csc;

/* Refuses what would lead a kernel out of its arrays: indptr that does not rise from 0 to nnz, rows
 * outside [0, N). The host checks the same in calls with check = values; this holds for check =
 * none too. */
int hg_csc_check(const hgate_host *host, const hg_csc *m);

#endif
