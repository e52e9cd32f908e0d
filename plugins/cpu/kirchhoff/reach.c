/* SPDX-License-Identifier: BSD-3-Clause */
/* A look at the corners of a few bricks. */
#include "plugins/cpu/kirchhoff/reach.h"

#include "plugins/cpu/kirchhoff/bricks.h"
#include "plugins/cpu/kirchhoff/survey.h"

/* Each brick costs some sixteen reads, most of them from memory. */
enum { SAMPLES = 12 };

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

/* Whole samples between the earliest and the latest corner of a brick; a large number where one is
 * not finite. Tables are smooth, so the corners bound the rest well enough. */
static double span(const hg_survey *s, const hg_bricks *b, const hg_table *table, int64_t brick,
                   int64_t station)
{
    const int64_t from[3] = {brick % b->count[0] * b->brick[0],
                             brick / b->count[0] % b->count[1] * b->brick[1],
                             brick / b->count[0] / b->count[1] * b->brick[2]};
    double low = INFINITY, high = -INFINITY, sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        int64_t at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = at_most(from[axis] + (corner >> axis & 1 ? b->brick[axis] - 1 : 0),
                               b->size[axis] - 1);
        if (corner >> 2 && b->size[2] == 1)
            break;
        double time =
            hg_table_at(table, (at[2] * b->size[1] + at[1]) * b->size[0] + at[0], station);
        low = fmin(low, time);
        high = fmax(high, time);
        sum += time;
    }
    double samples = (high - low) / s->params->dt;
    return isfinite(sum) && samples < 1e6 ? floor(samples) : 1e6;
}

double hg_reach_share(const hgate_problem *problem, int lanes)
{
    const int64_t *dims = problem->dims;
    const hg_survey s = hg_survey_of(problem);
    const hg_bricks b = hg_bricks_of(dims[HGATE_DIM_KIRCHHOFF_NY], dims[HGATE_DIM_KIRCHHOFF_NX],
                                     dims[HGATE_DIM_KIRCHHOFF_NZ], lanes);
    int is_on_host = problem->space == HGATE_SPACE_HOST || problem->space == HGATE_SPACE_CUDA_HOST;
    if (!is_on_host || !s.trav_src.values.data || !s.trav_rec.values.data || s.ns < 1 || s.nr < 1 ||
        b.n_bricks < 1)
        return -1.0;
    int64_t n = at_most(b.n_bricks, SAMPLES);
    double share = 0.0;
    for (int64_t i = 0; i < n; i++) {
        int64_t brick = (2 * i + 1) * b.n_bricks / (2 * n);
        double samples = span(&s, &b, &s.trav_src, brick, i * 5 % s.ns) +
                         span(&s, &b, &s.trav_rec, brick, i * 7 % s.nr) + 3.0;
        share += samples < 2.0 * lanes ? 0.0 : samples < 4.0 * lanes ? 0.25 : 1.0;
    }
    return share / (double)n;
}
