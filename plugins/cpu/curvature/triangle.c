/* SPDX-License-Identifier: BSD-3-Clause */
/* The last pass over F: one triangle becomes the whole, or F = A + A'.
 *
 * In squares of F and their mirror images, so that both the rows that are read and the columns that
 * are written stay in the cache: S^2 elements read and written once. */
#include "plugins/cpu/curvature/triangle.h"

enum { SIDE = 64 };

typedef struct pass {
    hg_reals f;
    int64_t n;
    const int64_t *rank;
} pass;

static double both(const pass *p, int64_t a, int64_t b)
{
    if (!p->rank)
        return hg_real(p->f, a * p->n + b) + hg_real(p->f, b * p->n + a);
    return p->rank[b] > p->rank[a] ? hg_real(p->f, a * p->n + b) : hg_real(p->f, b * p->n + a);
}

/* One band of rows, from its diagonal on. */
static void do_band(void *context, int64_t i, int worker)
{
    (void)worker;
    const pass *p = context;
    int64_t top = i * SIDE, bottom = top + SIDE < p->n ? top + SIDE : p->n;
    for (int64_t left = top; left < p->n; left += SIDE) {
        int64_t right = left + SIDE < p->n ? left + SIDE : p->n;
        for (int64_t a = top; a < bottom; a++)
            for (int64_t b = left > a ? left : a; b < right; b++) {
                double value = both(p, a, b);
                hg_real_put(p->f, a * p->n + b, value);
                hg_real_put(p->f, b * p->n + a, value);
            }
    }
}

void hg_triangle_finish(const hg_cpu *cpu, int workers, hg_reals f, int64_t n, const int64_t *rank)
{
    pass p = {f, n, rank};
    cpu->spread(workers, (n + SIDE - 1) / SIDE, do_band, &p);
}
