/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a survey, the sample index of a pair and the weight of a pair: section by section
 * as in kirchhoff.h. */
#ifndef HG_CPU_SURVEY_H
#define HG_CPU_SURVEY_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/view.h"

#include <math.h>

/* A table of station by image point, in either layout. */
typedef struct hg_table {
    hg_reals values;
    int64_t step_point, step_station;
} hg_table;

static inline double hg_table_at(const hg_table *table, int64_t i, int64_t station)
{
    return hg_real(table->values, i * table->step_point + station * table->step_station);
}

/* What both directions read. Arrays without data are absent. */
typedef struct hg_survey {
    const hgate_kirchhoff_params *params;
    int64_t ns, nr, nt, nz, ni, nwav;
    int is_dynamic;
    int has_aperture;
    hg_table trav_src, trav_rec, amp_src, amp_rec, ang_src, ang_rec;
    hg_reals vel;
    int64_t n_vel; /* ni or 1 */
    hg_indices six, rix;
    hg_reals tap;
    int64_t n_tap; /* 0: the default taper */
    hg_reals wav;
} hg_survey;

static inline hg_table hg_survey_table(const hgate_problem *problem, int index, int64_t ni,
                                       int64_t n, int flags)
{
    int is_station_major = (flags & HGATE_KIRCHHOFF_STATION_MAJOR) != 0;
    return (hg_table){hg_real_arg(problem, index), is_station_major ? 1 : n,
                      is_station_major ? ni : 1};
}

static inline hg_survey hg_survey_of(const hgate_problem *problem)
{
    const hgate_kirchhoff_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int64_t ns = dims[HGATE_DIM_KIRCHHOFF_NS], nr = dims[HGATE_DIM_KIRCHHOFF_NR];
    int64_t ni = dims[HGATE_DIM_KIRCHHOFF_NI];
    int flags = params->flags;
    const DLTensor *vel = problem->args[HGATE_KIRCHHOFF_VEL];
    const DLTensor *tap = problem->args[HGATE_KIRCHHOFF_TAP];
    hg_survey s = {
        .params = params,
        .ns = ns,
        .nr = nr,
        .nt = dims[HGATE_DIM_KIRCHHOFF_NT],
        .nz = dims[HGATE_DIM_KIRCHHOFF_NZ],
        .ni = ni,
        .nwav = dims[HGATE_DIM_KIRCHHOFF_NWAV],
        .is_dynamic = (flags & HGATE_KIRCHHOFF_DYNAMIC) != 0,
        .trav_src = hg_survey_table(problem, HGATE_KIRCHHOFF_TRAV_SRC, ni, ns, flags),
        .trav_rec = hg_survey_table(problem, HGATE_KIRCHHOFF_TRAV_REC, ni, nr, flags),
        .amp_src = hg_survey_table(problem, HGATE_KIRCHHOFF_AMP_SRC, ni, ns, flags),
        .amp_rec = hg_survey_table(problem, HGATE_KIRCHHOFF_AMP_REC, ni, nr, flags),
        .ang_src = hg_survey_table(problem, HGATE_KIRCHHOFF_ANG_SRC, ni, ns, flags),
        .ang_rec = hg_survey_table(problem, HGATE_KIRCHHOFF_ANG_REC, ni, nr, flags),
        .vel = hg_real_arg(problem, HGATE_KIRCHHOFF_VEL),
        .n_vel = vel ? hgate_tensor_count(vel) : 0,
        .six = hg_index_arg(problem, HGATE_KIRCHHOFF_SIX),
        .rix = hg_index_arg(problem, HGATE_KIRCHHOFF_RIX),
        .tap = hg_real_arg(problem, HGATE_KIRCHHOFF_TAP),
        .n_tap = tap ? hgate_tensor_count(tap) : 0,
        .wav = hg_real_arg(problem, HGATE_KIRCHHOFF_WAV),
    };
    s.has_aperture = s.is_dynamic && s.six.data && s.rix.data && !isinf(params->aperture[0]);
    return s;
}

/* u = (trav_src + trav_rec - t0) / dt in samples. */
static inline double hg_sample(const hg_survey *s, int64_t i, int64_t source, int64_t receiver)
{
    double time = hg_table_at(&s->trav_src, i, source) + hg_table_at(&s->trav_rec, i, receiver);
    return (time - s->params->t0) / s->params->dt;
}

/* Whether a term exists; false for NaN. */
static inline int hg_is_inside(double u, int64_t nt)
{
    return u >= 0.0 && u < (double)(nt - 1);
}

/* A step of the default taper: 1, 1, then half a cosine down to 0 in 20 steps. */
static inline double hg_default_tap(int64_t j)
{
    if (j < 2)
        return 1.0;
    return j >= 20 ? 0.0 : 0.5 + 0.5 * cos(3.14159265358979323846 * (double)(j - 1) / 19.0);
}

/* T(a) for the limits lo <= hi: 1 below lo, 0 from hi on, a step of the taper between; 0 for NaN.
 */
static inline double hg_taper(const hg_survey *s, double a, const double limits[2])
{
    double lo = limits[0], hi = limits[1];
    if (a < lo)
        return 1.0;
    if (!(a < hi))
        return 0.0;
    int64_t last = s->n_tap ? s->n_tap - 1 : 20;
    int64_t j = (int64_t)floor((double)last * (a - lo) / (hi - lo));
    j = j > last ? last : j;
    return s->n_tap ? hg_real(s->tap, j) : hg_default_tap(j);
}

/* Factor of the offset aperture: offset in grid steps over depth in grid steps. */
static inline double hg_offset_factor(const hg_survey *s, int64_t i, int64_t source,
                                      int64_t receiver)
{
    double offset = fabs((double)hg_index(s->six, source) - (double)hg_index(s->rix, receiver));
    double ratio = offset / (double)(i % s->nz + 1);
    if (s->params->offset_taper == HGATE_OFFSET_TAPER_UNIT)
        return ratio < s->params->aperture[1] ? 1.0 : 0.0;
    return hg_taper(s, ratio, s->params->aperture);
}

/* g of a pair: 1, or dynamic 2 cos((qs - qr)/2) as ar / vel T(|qs|) T(|qr|) T(offset). Where a
 * table entry is not finite neither is g, and the term does not exist. */
static inline double hg_weight(const hg_survey *s, int64_t i, int64_t source, int64_t receiver)
{
    if (!s->is_dynamic)
        return 1.0;
    double qs = hg_table_at(&s->ang_src, i, source), qr = hg_table_at(&s->ang_rec, i, receiver);
    double g = 2.0 * cos(0.5 * (qs - qr)) * hg_table_at(&s->amp_src, i, source) *
               hg_table_at(&s->amp_rec, i, receiver) / hg_real(s->vel, s->n_vel == 1 ? 0 : i);
    g *= hg_taper(s, fabs(qs), s->params->angle) * hg_taper(s, fabs(qr), s->params->angle);
    if (s->has_aperture)
        g *= hg_offset_factor(s, i, source, receiver);
    return g;
}

#endif
