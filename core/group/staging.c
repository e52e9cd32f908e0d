/* SPDX-License-Identifier: BSD-3-Clause */
/* Cutting two-dimensional copies into pieces. */
#include "core/group/staging.h"

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

hg_run hg_run_next(hg_run last, int64_t n_a, int64_t n_b, int64_t elements)
{
    hg_run next = {last.a, 1, last.b + last.n_b, 0};
    if (last.n_a == 0) {
        next.b = 0;
    } else if (next.b >= n_b) {
        next.a += last.n_a;
        next.b = 0;
    }
    if (next.a >= n_a || n_b <= 0) {
        return (hg_run){0, 0, 0, 0};
    }
    next.n_b = at_most(elements, n_b - next.b);
    if (next.b == 0 && next.n_b == n_b) {
        next.n_a = at_most(elements / n_b, n_a - next.a);
    }
    return next;
}
