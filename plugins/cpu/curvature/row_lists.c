/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of M by image row, as the gather walks them. */
#include "plugins/cpu/curvature/row_lists.h"

#include <inttypes.h>
#include <string.h>

int hg_row_lists_can(const hgate_problem *problem, hgate_reason *reason)
{
    static const struct {
        const char *name;
        int dim;
    } counts[] = {{"nx", HGATE_DIM_CURVATURE_NX},
                  {"the number of columns", HGATE_DIM_CURVATURE_S},
                  {"the number of entries", HGATE_DIM_CURVATURE_NNZ}};
    for (size_t i = 0; i < HGATE_LENGTH_OF(counts); i++) {
        int64_t count = problem->dims[counts[i].dim];
        if (count > UINT32_MAX)
            return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)count, (double)UINT32_MAX,
                                "%s is %" PRId64 ", at most %" PRIu32, counts[i].name, count,
                                UINT32_MAX);
    }
    return HGATE_OK;
}

void hg_row_lists_lay_out(hgate_scratch *scratch, const int64_t *dims, hg_row_lists *l)
{
    int64_t ny = dims[HGATE_DIM_CURVATURE_NY], nnz = dims[HGATE_DIM_CURVATURE_NNZ];
    l->start = hgate_scratch_take(scratch, ny + 1, sizeof *l->start);
    l->segment = hgate_scratch_take(scratch, nnz, sizeof *l->segment);
    l->entry = hgate_scratch_take(scratch, ny, sizeof *l->entry);
    l->x = hgate_scratch_take(scratch, nnz, sizeof *l->x);
    l->value = hgate_scratch_take(scratch, nnz, sizeof *l->value);
    l->next = hgate_scratch_take(scratch, ny, sizeof *l->next);
    l->last = hgate_scratch_take(scratch, ny, sizeof *l->last);
}

/* Entries and segments of each row, counted: next[y] entries, start[y + 1] segments. */
static void count(hg_row_lists *l, const hg_columns *c, const hg_extent *e)
{
    const int64_t n = c->m.n_columns;
    memset(l->start, 0, (size_t)(e->ny + 1) * sizeof *l->start);
    memset(l->next, 0, (size_t)e->ny * sizeof *l->next);
    for (int64_t y = 0; y < e->ny; y++)
        l->last[y] = -1;
    for (int64_t s = 0; s < n; s++)
        for (int64_t i = c->m.indptr[s]; i < c->m.indptr[s + 1]; i++) {
            int64_t y = e->y[hg_index(c->m.rows, i)];
            l->next[y]++;
            l->start[y + 1] += l->last[y] != s;
            l->last[y] = s;
        }
}

/* Counts become places: next[y] of the next entry, last[y] of the last segment (none yet). */
static void place(hg_row_lists *l, const hg_extent *e)
{
    for (int64_t y = 0, entries = 0; y < e->ny; y++) {
        int64_t n = l->next[y];
        l->next[y] = l->entry[y] = entries;
        entries += n;
        l->start[y + 1] += l->start[y];
        l->last[y] = l->start[y] - 1;
    }
}

static void add(hg_row_lists *l, int64_t y, int64_t rank, int64_t x, double value)
{
    int64_t at = l->next[y]++;
    const hg_segment *before = l->last[y] < l->start[y] ? NULL : &l->segment[l->last[y]];
    if (!before || before->rank != rank)
        l->segment[++l->last[y]] = (hg_segment){.rank = (uint32_t)rank, .length = 0};
    l->segment[l->last[y]].length++;
    l->x[at] = (uint32_t)x;
    l->value[at] = value;
}

void hg_row_lists_fill(hg_row_lists *l, const hg_columns *c, const hg_extent *e)
{
    count(l, c, e);
    place(l, e);
    for (int64_t r = c->m.n_columns - 1; r >= 0; r--) {
        int64_t s = c->order[r];
        for (int64_t i = c->m.indptr[s]; i < c->m.indptr[s + 1]; i++) {
            int64_t t = c->sorted[i], p = hg_index(c->m.rows, t);
            add(l, e->y[p], r, e->x[p], hg_real(c->vals, t));
        }
    }
}
