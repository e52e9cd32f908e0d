/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_adjoint: migration, trace by trace. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/convolve.h"
#include "plugins/cpu/kirchhoff/survey.h"

#include <string.h>

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"pairs", HG_K_REFERENCE_KIRCHHOFF_PAIR},
                                   {"weights", HG_K_REFERENCE_KIRCHHOFF_WEIGHT},
                                   {"wavelet", HG_K_REFERENCE_CONVOLVE_TERM}};

/* Workspace: one correlated trace, the image in double. */
typedef struct work {
    double *trace;
    double *image;
} work;

static void lay_out(hgate_scratch *scratch, const hg_survey *s, work *w)
{
    w->trace = hgate_scratch_take(scratch, s->nt, sizeof(double));
    w->image = hgate_scratch_take(scratch, s->ni, sizeof(double));
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    hg_survey s = hg_survey_of(problem);
    double traces = (double)s.ns * (double)s.nr;
    est->terms[0] = 1.0;
    est->terms[1] = traces * (double)s.ni;
    est->terms[2] = s.is_dynamic ? traces * (double)s.ni : 0.0;
    est->terms[3] = traces * (double)s.nt * (double)s.nwav;
    hgate_scratch scratch = hgate_scratch_count();
    work w;
    lay_out(&scratch, &s, &w);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* The trace in double, correlated with the wavelet if there is one; data itself stays as it is. */
static void load_trace(const hg_survey *s, hg_reals data, int64_t pair, double *trace)
{
    for (int64_t n = 0; n < s->nt; n++)
        trace[n] = s->nwav ? hg_correlate_at(s->wav, s->nwav, s->params->wavc, data, pair * s->nt,
                                             s->nt, n)
                           : hg_real(data, pair * s->nt + n);
}

/* image[i] += g (trace[k] (1-f) + trace[k+1] f) over all image points. */
static void collect_points(const hg_survey *s, const double *trace, int64_t source,
                           int64_t receiver, double *image)
{
    for (int64_t i = 0; i < s->ni; i++) {
        double u = hg_sample(s, i, source, receiver);
        if (!hg_is_inside(u, s->nt))
            continue;
        int64_t k = (int64_t)u;
        double f = u - (double)k;
        double g = hg_weight(s, i, source, receiver);
        if (!isfinite(g))
            continue;
        image[i] += g * (trace[k] * (1.0 - f) + trace[k + 1] * f);
    }
}

/* model = alpha L' W' data + beta model,  W': correlation with the wavelet, if there is one
 *
 * data (ns, nr, nt), model (ni); tables as in kirchhoff.h. Index, fraction and weight are those of
 * the forward direction; the image is summed in double and rounded once. alpha 0 only scales, beta
 * 0 does not read model. Work: ns nr ni pairs. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    hg_survey s = hg_survey_of(problem);
    double alpha = problem->alpha_re, beta = problem->beta_re;
    hg_reals model = hg_real_arg(problem, HGATE_KIRCHHOFF_MODEL);
    hg_reals data = hg_real_arg(problem, HGATE_KIRCHHOFF_DATA);
    hgate_scratch scratch = hgate_scratch_over(run);
    work w;
    lay_out(&scratch, &s, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_adjoint: workspace is too small");

    int64_t n_pairs = alpha != 0.0 ? s.ns * s.nr : 0;
    memset(w.image, 0, (size_t)s.ni * sizeof *w.image);
    for (int64_t pair = 0; pair < n_pairs; pair++) {
        load_trace(&s, data, pair, w.trace);
        collect_points(&s, w.trace, pair / s.nr, pair % s.nr, w.image);
        int status = hgate_progress(run, pair + 1, n_pairs);
        if (status != HGATE_OK)
            return status;
    }
    run->committed = 1;
    for (int64_t i = 0; i < s.ni; i++) {
        double value = alpha * w.image[i];
        if (beta != 0.0)
            value += beta * hg_real(model, i);
        hg_real_put(model, i, value);
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_adjoint = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_ADJOINT,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
