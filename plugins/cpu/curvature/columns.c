/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call works out about its M: the rank of each column, and the entries in their fixed
 * orders. */
#include "plugins/cpu/curvature/columns.h"

#include <string.h>

void hg_columns_lay_out(hgate_scratch *scratch, const int64_t *dims, size_t size, hg_columns *c)
{
    int64_t n = dims[HGATE_DIM_CURVATURE_N], columns = dims[HGATE_DIM_CURVATURE_S];
    int64_t ny = dims[HGATE_DIM_CURVATURE_NY], nnz = dims[HGATE_DIM_CURVATURE_NNZ];
    int64_t keys = n > ny ? n : ny; /* the counters serve both sorts */
    c->ymin = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->order = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->rank = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->u_offset = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->u_value = hgate_scratch_take(scratch, nnz, size);
    c->g_cell = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->g_value = hgate_scratch_take(scratch, nnz, sizeof(double));
    c->permutation = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->slot_entry = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->slot_column = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->pixel_start = hgate_scratch_take(scratch, keys + 2, sizeof(int64_t));
    c->column_next = hgate_scratch_take(scratch, columns, sizeof(int64_t));
}

/* Sorts the entries of every column by the rank of their pixels; equal pixels keep the order of the
 * entries. Two transpositions: entries by pixel, then back to columns. */
static void sort_entries(hg_columns *c, const int64_t *pixel_rank)
{
    const hg_csc *m = &c->m;
    int64_t *start = c->pixel_start;
    memset(start, 0, (size_t)(m->n_rows + 1) * sizeof *start);
    for (int64_t t = 0; t < m->nnz; t++)
        start[pixel_rank[hg_index(m->rows, t)] + 1]++;
    for (int64_t p = 0; p < m->n_rows; p++)
        start[p + 1] += start[p];
    for (int64_t s = 0; s < m->n_columns; s++) {
        c->column_next[s] = m->indptr[s];
        for (int64_t t = m->indptr[s]; t < m->indptr[s + 1]; t++) {
            int64_t slot = start[pixel_rank[hg_index(m->rows, t)]]++;
            c->slot_entry[slot] = t;
            c->slot_column[slot] = s;
        }
    }
    for (int64_t slot = 0; slot < m->nnz; slot++)
        c->permutation[c->column_next[c->slot_column[slot]]++] = c->slot_entry[slot];
}

static void rank_columns(hg_columns *c, const hg_extent *e)
{
    const hg_csc *m = &c->m;
    int64_t *start = c->pixel_start;
    memset(start, 0, (size_t)(e->ny + 2) * sizeof *start);
    for (int64_t s = 0; s < m->n_columns; s++) {
        int64_t ymin = e->ny;
        for (int64_t t = m->indptr[s]; t < m->indptr[s + 1]; t++) {
            int64_t y = e->y[hg_index(m->rows, t)];
            ymin = y < ymin ? y : ymin;
        }
        c->ymin[s] = ymin;
        start[ymin + 1]++;
    }
    for (int64_t y = 0; y <= e->ny; y++)
        start[y + 1] += start[y];
    for (int64_t s = 0; s < m->n_columns; s++) {
        c->rank[s] = start[c->ymin[s]]++;
        c->order[c->rank[s]] = s;
    }
}

static void take_u(hg_columns *c, const hg_extent *e, hg_reals vals)
{
    hg_reals value = {c->u_value, vals.is_64};
    for (int64_t i = 0; i < c->m.nnz; i++) {
        int64_t t = c->permutation[i], p = hg_index(c->m.rows, t);
        c->u_offset[i] = e->y[p] * e->w_ld + e->x[p];
        hg_real_put(value, i, hg_real(vals, t));
    }
}

static void take_gather(hg_columns *c, const hg_extent *e, hg_reals vals)
{
    int64_t u_ld = hg_extent_u_ld(e->nx, vals.is_64 ? sizeof(double) : sizeof(float));
    for (int64_t i = 0; i < c->m.nnz; i++) {
        int64_t t = c->permutation[i], p = hg_index(c->m.rows, t);
        c->g_cell[i] = e->y[p] * u_ld + e->x[p];
        c->g_value[i] = hg_real(vals, t);
    }
}

void hg_columns_fill(hg_columns *c, const hg_extent *e, hg_reals vals, int is_pair)
{
    rank_columns(c, e);
    sort_entries(c, e->row_major);
    take_gather(c, e, vals);
    if (!is_pair)
        sort_entries(c, e->run_major);
    take_u(c, e, vals);
}
