/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call works out about its M: the rank of each column, and the entries in their fixed
 * orders. */
#ifndef HG_CURVATURE_COLUMNS_H
#define HG_CURVATURE_COLUMNS_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/curvature/csc.h"
#include "plugins/cpu/curvature/extent.h"

typedef struct hg_columns {
    hg_csc m;
    int64_t *ymin;  /* first row of each column; ny where it is empty */
    int64_t *order; /* columns by rising ymin; ties keep their order */
    int64_t *rank;  /* inverse of order */
    /* Entries t of column s stand at indptr[s] ... indptr[s+1] - 1 of these. */
    int64_t *u_offset; /* in the order of U: y * w_ld + x */
    void *u_value;     /* float or double */
    int64_t *g_cell;   /* in the order of the gather: y * u_ld + x */
    double *g_value;
    /* scratch of the sorting */
    int64_t *permutation, *slot_entry, *slot_column, *pixel_start, *column_next;
} hg_columns;

/* Cuts the arrays from a workspace. size: 4 or 8 bytes of a value. */
void hg_columns_lay_out(hgate_scratch *scratch, const int64_t *dims, size_t size,
                        hg_columns *columns);
/* Fills them; columns->m was checked. is_pair: U takes its entries in row-major order too. */
void hg_columns_fill(hg_columns *columns, const hg_extent *extent, hg_reals vals, int is_pair);

#endif
