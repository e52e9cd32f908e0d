/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of M by image row, as the gather walks them. */
#ifndef HG_CURVATURE_ROW_LISTS_H
#define HG_CURVATURE_ROW_LISTS_H

#include "plugins/cpu/curvature/columns.h"
#include "plugins/cpu/curvature/gather.h"

/* Row y has the segments start[y] ... start[y+1] - 1, one for each column that has entries there,
 * by falling rank: those of the ranks from r on are a prefix. */
typedef struct hg_row_lists {
    int64_t *start;       /* ny + 1 */
    hg_segment *segment;  /* nnz at most */
    int64_t *entry;       /* ny: first entry of each row */
    uint32_t *x;          /* nnz: cell of each entry in its row, rising in a segment */
    double *value;        /* nnz */
    int64_t *next, *last; /* scratch, ny each */
} hg_row_lists;

/* Whether cells, columns and entries can be counted in short words; for supports(). */
int hg_row_lists_can(const hgate_problem *problem, hgate_reason *reason);
void hg_row_lists_lay_out(hgate_scratch *scratch, const int64_t *dims, hg_row_lists *lists);
/* columns: ranked, and sorted by rows. */
void hg_row_lists_fill(hg_row_lists *lists, const hg_columns *columns, const hg_extent *extent);

#endif
