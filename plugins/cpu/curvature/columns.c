/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call works out about its M: the rank of each column, and its entries in a fixed order. */
#include "plugins/cpu/curvature/columns.h"

#include <math.h>
#include <string.h>

int hg_columns_take(const hgate_host *host, const hgate_problem *problem, hg_columns *c)
{
    const int64_t *dims = problem->dims;
    c->m = (hg_csc){.n_rows = dims[HGATE_DIM_CURVATURE_N],
                    .n_columns = dims[HGATE_DIM_CURVATURE_S],
                    .nnz = dims[HGATE_DIM_CURVATURE_NNZ],
                    .indptr = hg_arg(problem, HGATE_CURVATURE_INDPTR),
                    .rows = hg_index_arg(problem, HGATE_CURVATURE_ROWS)};
    c->vals = hg_real_arg(problem, HGATE_CURVATURE_VALS);
    return hg_csc_check(host, &c->m);
}

int hg_columns_are_finite(const hg_columns *c)
{
    for (int64_t t = 0; t < c->m.nnz; t++)
        if (!isfinite(hg_real(c->vals, t)))
            return 0;
    return 1;
}

void hg_columns_lay_out(hgate_scratch *scratch, const int64_t *dims, hg_columns *c)
{
    int64_t n = dims[HGATE_DIM_CURVATURE_N], columns = dims[HGATE_DIM_CURVATURE_S];
    int64_t ny = dims[HGATE_DIM_CURVATURE_NY], nnz = dims[HGATE_DIM_CURVATURE_NNZ];
    int64_t keys = n > ny ? n : ny; /* the counters serve both sorts */
    c->ymin = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->order = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->rank = hgate_scratch_take(scratch, columns, sizeof(int64_t));
    c->sorted = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->slot_entry = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->slot_column = hgate_scratch_take(scratch, nnz, sizeof(int64_t));
    c->start = hgate_scratch_take(scratch, keys + 2, sizeof(int64_t));
    c->next = hgate_scratch_take(scratch, columns, sizeof(int64_t));
}

void hg_columns_rank(hg_columns *c, const hg_extent *e)
{
    const hg_csc *m = &c->m;
    int64_t *start = c->start;
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

/* Two transpositions: entries by pixel, then back to columns. */
void hg_columns_sort(hg_columns *c, const int64_t *pixel_rank)
{
    const hg_csc *m = &c->m;
    int64_t *start = c->start;
    memset(start, 0, (size_t)(m->n_rows + 1) * sizeof *start);
    for (int64_t t = 0; t < m->nnz; t++)
        start[pixel_rank[hg_index(m->rows, t)] + 1]++;
    for (int64_t p = 0; p < m->n_rows; p++)
        start[p + 1] += start[p];
    for (int64_t s = 0; s < m->n_columns; s++) {
        c->next[s] = m->indptr[s];
        for (int64_t t = m->indptr[s]; t < m->indptr[s + 1]; t++) {
            int64_t slot = start[pixel_rank[hg_index(m->rows, t)]]++;
            c->slot_entry[slot] = t;
            c->slot_column[slot] = s;
        }
    }
    for (int64_t slot = 0; slot < m->nnz; slot++)
        c->sorted[c->next[c->slot_column[slot]]++] = c->slot_entry[slot];
}
