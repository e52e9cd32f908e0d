/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping matrix M: checks that keep kernels inside of their arrays. */
#include "plugins/cpu/curvature/csc.h"

#include <inttypes.h>
#include <stdio.h>

static int refuse_column(const hgate_host *host, const hg_csc *m, int64_t s)
{
    char text[160];
    snprintf(text, sizeof text,
             "indptr: column %" PRId64 " is [%" PRId64 ", %" PRId64
             "), expected a rising part of [0, %" PRId64 ")",
             s, m->indptr[s], m->indptr[s + 1], m->nnz);
    return host->error(host, HGATE_EVALUE, text);
}

static int refuse_row(const hgate_host *host, const hg_csc *m, int64_t t)
{
    char text[128];
    snprintf(text, sizeof text, "rows: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64,
             t, hg_index(m->rows, t), m->n_rows - 1);
    return host->error(host, HGATE_EVALUE, text);
}

int hg_csc_check(const hgate_host *host, const hg_csc *m)
{
    int64_t end = 0;
    for (int64_t s = 0; s < m->n_columns; s++) {
        if (m->indptr[s] != end || m->indptr[s + 1] < end || m->indptr[s + 1] > m->nnz)
            return refuse_column(host, m, s);
        end = m->indptr[s + 1];
    }
    if (end != m->nnz)
        return m->n_columns > 0 ? refuse_column(host, m, m->n_columns - 1)
                                : host->error(host, HGATE_EVALUE, "indptr: no column, but entries");
    for (int64_t t = 0; t < m->nnz; t++)
        if (hg_index(m->rows, t) < 0 || hg_index(m->rows, t) >= m->n_rows)
            return refuse_row(host, m, t);
    return HGATE_OK;
}
