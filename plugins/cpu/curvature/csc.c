/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping matrix M: checks that keep kernels inside of their arrays. */
#include "plugins/cpu/curvature/csc.h"

#include "headgate/plugin_util.h"

#include <inttypes.h>

int hg_csc_check(const hgate_host *host, const hg_csc *m)
{
    int64_t end = 0;
    for (int64_t s = 0; s <= m->n_columns; s++) {
        int64_t start = m->indptr[s];
        if (start < end || start > m->nnz || (s == 0 && start != 0))
            return hgate_fail(host, HGATE_EVALUE,
                              "indptr: element %" PRId64 " is %" PRId64
                              ", expected a rise from 0 to %" PRId64,
                              s, start, m->nnz);
        end = start;
    }
    if (end != m->nnz)
        return hgate_fail(host, HGATE_EVALUE,
                          "indptr: element %" PRId64 " is %" PRId64 ", expected %" PRId64,
                          m->n_columns, end, m->nnz);
    for (int64_t t = 0; t < m->nnz; t++) {
        int64_t row = hg_index(m->rows, t);
        if (row < 0 || row >= m->n_rows)
            return hgate_fail(host, HGATE_EVALUE,
                              "rows: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64, t,
                              row, m->n_rows - 1);
    }
    return HGATE_OK;
}
