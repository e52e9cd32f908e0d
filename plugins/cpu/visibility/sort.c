/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of a call in the order of the cells of the beam grid.
 *
 * Neighbours in the list then read the same nodes, which stay in the first-level cache. V changes
 * by rounding only. Two counting sorts, by column and then by row of the first beam's grid. */
#include "plugins/cpu/visibility/sort.h"

#include <string.h>

enum { BLOCK = 128 };

static int64_t longer_side(const hg_visibility_inputs *in)
{
    return in->beam.nza > in->beam.naz ? in->beam.nza : in->beam.naz;
}

void hg_sort_lay_out(hgate_scratch *scratch, const hg_visibility_inputs *in, hg_sources *sources)
{
    for (int i = 0; i < 2; i++)
        sources->cell[i] = hgate_scratch_take(scratch, in->nsrc, sizeof(hg_cell));
    sources->count = hgate_scratch_take(scratch, longer_side(in) + 1, sizeof(int64_t));
}

/* Cells of the sources at some places of the list. */
typedef struct search {
    const hg_visibility_inputs *in;
    const hg_visibility_lanes *lanes;
    hg_sources *sources;
} search;

static void find_cells(void *context, int64_t block, int worker)
{
    (void)worker;
    const search *f = context;
    const hg_sources *sources = f->sources;
    double unit[3][BLOCK] = {{0.0}}, az[BLOCK], za[BLOCK];
    int64_t start = block * BLOCK, left = sources->n_up - start, n = left < BLOCK ? left : BLOCK;
    for (int64_t s = 0; s < n; s++)
        for (int d = 0; d < 3; d++)
            unit[d][s] = hg_real(f->in->crd, d * f->in->nsrc + sources->up[start + s]);
    f->lanes->angles(n, unit[0], unit[1], unit[2], az, za);
    for (int64_t s = 0; s < n; s++) {
        hg_stencil at_za, at_az;
        hg_beam_stencils(&f->in->beam, 0, az[s], za[s], &at_za, &at_az);
        sources->cell[0][start + s] =
            (hg_cell){sources->up[start + s], (int32_t)at_za.node[0], (int32_t)at_az.node[0]};
    }
}

/* Stable, by column or by row. */
static void sort_by(const hg_cell *from, hg_cell *to, int64_t n, int by_row, int64_t *count,
                    int64_t values)
{
    memset(count, 0, (size_t)(values + 1) * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        count[(by_row ? from[i].row : from[i].column) + 1]++;
    for (int64_t v = 0; v < values; v++)
        count[v + 1] += count[v];
    for (int64_t i = 0; i < n; i++)
        to[count[by_row ? from[i].row : from[i].column]++] = from[i];
}

void hg_sort_sources(const hg_cpu *cpu, int threads, const hg_visibility_inputs *in,
                     const hg_visibility_lanes *lanes, hg_sources *sources)
{
    search f = {in, lanes, sources};
    cpu->spread(threads, (sources->n_up + BLOCK - 1) / BLOCK, find_cells, &f);
    const int64_t ends[] = {0, sources->n_plus, sources->n_up};
    for (int group = 0; group < 2; group++) {
        int64_t start = ends[group], n = ends[group + 1] - start;
        hg_cell *a = sources->cell[0] + start, *b = sources->cell[1] + start;
        sort_by(a, b, n, 0, sources->count, in->beam.naz);
        sort_by(b, a, n, 1, sources->count, in->beam.nza);
        for (int64_t i = 0; i < n; i++)
            sources->up[start + i] = a[i].source;
    }
}
