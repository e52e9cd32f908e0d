/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call works out about its M: the rank of each column, and its entries in a fixed order. */
#ifndef HG_CURVATURE_COLUMNS_H
#define HG_CURVATURE_COLUMNS_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/curvature/csc.h"
#include "plugins/cpu/curvature/extent.h"

typedef struct hg_columns {
    hg_csc m;
    hg_reals vals;
    int64_t *ymin;  /* first row of each column; ny where it is empty */
    int64_t *order; /* columns by rising ymin; ties keep their order */
    int64_t *rank;  /* inverse of order */
    /* Entries of column s in the order of the last sort, at indptr[s] ... indptr[s+1] - 1. */
    int64_t *sorted;
    /* scratch of the sorting */
    int64_t *slot_entry, *slot_column, *start, *next;
} hg_columns;

/* Takes M from the arguments. EVALUE where it would lead a kernel out of its arrays. */
int hg_columns_take(const hgate_host *host, const hgate_problem *problem, hg_columns *columns);
/* Cuts the arrays from a workspace. */
void hg_columns_lay_out(hgate_scratch *scratch, const int64_t *dims, hg_columns *columns);
void hg_columns_rank(hg_columns *columns, const hg_extent *extent);
/* Sorts the entries of every column by the rank of their pixels (extent.h); equal pixels keep the
 * order of the entries. */
void hg_columns_sort(hg_columns *columns, const int64_t *pixel_rank);
/* Whether no value is a NaN or an Inf. */
int hg_columns_are_finite(const hg_columns *columns);

#endif
