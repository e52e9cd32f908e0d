/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_forward: demigration, trace by trace. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/convolve.h"
#include "plugins/cpu/kirchhoff/survey.h"

#include <string.h>

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"pairs", HG_K_REFERENCE_KIRCHHOFF_PAIR},
                                   {"weights", HG_K_REFERENCE_KIRCHHOFF_WEIGHT},
                                   {"wavelet", HG_K_REFERENCE_CONVOLVE_TERM}};

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
    hgate_scratch_take(&scratch, s.nt, sizeof(double));
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* trace[k] += g model[i] (1-f), trace[k+1] += g model[i] f over all image points. */
static void spread_points(const hg_survey *s, hg_reals model, int64_t source, int64_t receiver,
                          double *trace)
{
    memset(trace, 0, (size_t)s->nt * sizeof *trace);
    for (int64_t i = 0; i < s->ni; i++) {
        double u = hg_sample(s, i, source, receiver);
        if (!hg_is_inside(u, s->nt))
            continue;
        int64_t k = (int64_t)u;
        double f = u - (double)k;
        double g = hg_weight(s, i, source, receiver);
        if (!isfinite(g))
            continue;
        double term = g * hg_real(model, i);
        trace[k] += term * (1.0 - f);
        trace[k + 1] += term * f;
    }
}

/* data = alpha W L model + beta data,  W: convolution with the wavelet, if there is one
 *
 * model (ni), data (ns, nr, nt); tables as in kirchhoff.h. Index, fraction and weight are computed
 * in double from the tables as stored, for both directions by the same expressions; the trace is
 * summed in double and rounded once. alpha 0 only scales, beta 0 does not read data. Work: ns nr ni
 * pairs. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    hg_survey s = hg_survey_of(problem);
    double alpha = problem->alpha_re, beta = problem->beta_re;
    hg_reals model = hg_real_arg(problem, HGATE_KIRCHHOFF_MODEL);
    hg_reals data = hg_real_arg(problem, HGATE_KIRCHHOFF_DATA);
    hgate_scratch scratch = hgate_scratch_over(run);
    double *trace = hgate_scratch_take(&scratch, s.nt, sizeof(double));
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_forward: workspace is too small");

    run->committed = 1;
    for (int64_t pair = 0; pair < s.ns * s.nr; pair++) {
        if (alpha != 0.0)
            spread_points(&s, model, pair / s.nr, pair % s.nr, trace);
        for (int64_t n = 0; n < s.nt; n++) {
            double value = 0.0;
            if (alpha != 0.0)
                value = alpha * (s.nwav ? hg_convolve_at(s.wav, s.nwav, s.params->wavc,
                                                         (hg_reals){trace, 1}, 0, s.nt, n)
                                        : trace[n]);
            if (beta != 0.0)
                value += beta * hg_real(data, pair * s.nt + n);
            hg_real_put(data, pair * s.nt + n, value);
        }
        int status = hgate_progress(run, pair + 1, s.ns * s.nr);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_forward = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_FORWARD,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
