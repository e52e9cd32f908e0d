/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of each column as vertical runs, in the order in which U adds them. */
#include "plugins/cpu/curvature/runs.h"

void hg_runs_lay_out(hgate_scratch *scratch, const int64_t *dims, size_t size, hg_runs *r)
{
    int64_t nnz = dims[HGATE_DIM_CURVATURE_NNZ];
    r->start = hgate_scratch_take(scratch, dims[HGATE_DIM_CURVATURE_S] + 1, sizeof *r->start);
    r->run = hgate_scratch_take(scratch, nnz, sizeof *r->run);
    r->value = hgate_scratch_take(scratch, nnz, size);
}

void hg_runs_fill(hg_runs *r, const hg_columns *c, const hg_extent *e)
{
    hg_reals value = {r->value, c->vals.is_64};
    int64_t n = 0;
    for (int64_t s = 0; s < c->m.n_columns; s++) {
        int64_t next_y = -1, x_before = -1;
        r->start[s] = n;
        for (int64_t i = c->m.indptr[s]; i < c->m.indptr[s + 1]; i++) {
            int64_t t = c->sorted[i], p = hg_index(c->m.rows, t);
            if (e->x[p] != x_before || e->y[p] != next_y)
                r->run[n++] = (hg_run){
                    .y = e->y[p], .offset = e->y[p] * e->w_ld + e->x[p], .first = i, .length = 0};
            r->run[n - 1].length++;
            x_before = e->x[p];
            next_y = e->y[p] - 1;
            hg_real_put(value, i, hg_real(c->vals, t));
        }
    }
    r->start[c->m.n_columns] = n;
}

/* Step i + j of a run of entries i over the rows y0 + j of a strip takes row y0 - y + i + j of w.
 * The steps of a negative row are skipped, and with them the entries that take part in no other. */
int64_t hg_runs_below(const hg_runs *r, int64_t s, int64_t y0, const hg_extent *e, hg_run *to)
{
    int64_t n = 0;
    for (int64_t k = r->start[s]; k < r->start[s + 1]; k++) {
        hg_run run = r->run[k];
        int64_t skip = run.y > y0 ? run.y - y0 : 0;
        int64_t cut = skip > HG_STRIP_ROWS - 1 ? skip - (HG_STRIP_ROWS - 1) : 0;
        if (cut >= run.length)
            continue;
        run.y -= cut;
        run.offset -= cut * e->w_ld;
        run.first += cut;
        run.length -= cut;
        run.skip = skip - cut;
        to[n++] = run;
    }
    return n;
}
