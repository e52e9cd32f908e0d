/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel fft of kirchhoff_convolve: each trace by two transforms.
 *
 *      out = inverse(transform(in) times spectrum of wav), adjoint: times its conjugate
 *
 * wav (nwav), in and out (n, nt), zeros outside. The wavelet lies around 0, tap q at q - wavc; taps
 * that reach no sample, further than nt-1 from 0, are left out. With a before 0 and b behind it a
 * period of nt + max(a, b) keeps what is wanted apart from what comes around. Transforms are in
 * double for both types: the error is some epsilons of float64 times |wav| |in| of the trace,
 * spread evenly, so that quiet samples of a float32 trace keep their digits beside loud ones. A
 * trace that is not finite all over, or any trace with such a wavelet, is summed term by term: only
 * what a NaN touches becomes one.
 *
 * Work: two real transforms of the period per trace. Limits: a period below 2^31. Source: discrete
 * convolution theorem. */
#include "plugins/cpu-fftw/convolve_fft.h"

#include "plugins/cpu-fftw/constants.h"
#include "plugins/cpu-fftw/lines.h"
#include "plugins/cpu-fftw/period.h"
#include "plugins/cpu-fftw/transforms.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/convolve.h"
#include "plugins/cpu/kirchhoff/work.h"

#include <math.h>
#include <string.h>

static const hg_lines *const lines_fns[HG_ISA_COUNT] = HG_BY_ISA(lines);

static const hgate_term terms[] = {{"call", HG_FFTW_K_CALL},
                                   {"plan", HG_FFTW_K_CONVOLVE_PLAN},
                                   {"points", HG_FFTW_K_CONVOLVE},
                                   {"team", HG_FFTW_K_TEAM}};

/* What a plan keeps: transforms of the period. */
typedef struct prepared {
    const hgate_host *host;
    hg_transforms transforms;
} prepared;

typedef struct work {
    const hg_transforms *transforms;
    const hg_lines *lines;
    int64_t nt, nwav, wavc, period, bins_ld, reals_ld;
    int64_t first; /* of the traces that are worked on */
    int adjoint, is_direct;
    hg_reals wav, in, out;
    double *spectrum;     /* (bins_ld) complex, scaled */
    double *reals, *bins; /* of each worker */
} work;

/* 0: too long for FFTW's integers. */
static int64_t period_of(int64_t nt, int64_t nwav, int64_t wavc)
{
    int64_t behind = nwav - 1 - wavc, reach = wavc > behind ? wavc : behind;
    if (nt > INT32_MAX / 4)
        return 0;
    reach = reach < nt - 1 ? reach : nt - 1;
    return hg_period(nt > 0 ? nt + reach : 1);
}

static work work_of(const hgate_problem *problem)
{
    const hgate_kirchhoff_setup *setup = problem->params;
    work w = {.nt = problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT],
              .nwav = problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV],
              .wavc = setup->wavc,
              .adjoint = setup->adjoint};
    w.period = period_of(w.nt, w.nwav, w.wavc);
    w.bins_ld = (w.period / 2 + 1 + 15) / 16 * 16;
    w.reals_ld = (w.period + 15) / 16 * 16;
    return w;
}

static void lay_out(hgate_scratch *scratch, int workers, work *w)
{
    w->spectrum = hgate_scratch_take(scratch, w->bins_ld, 2 * sizeof(double));
    w->reals = hgate_scratch_take(scratch, workers * w->reals_ld, sizeof(double));
    w->bins = hgate_scratch_take(scratch, workers * 2 * w->bins_ld, 2 * sizeof(double));
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    if (work_of(problem).period == 0)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, NAN, NAN,
                            "trace and wavelet are too long for the integers of FFTW");
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    int workers = hg_cpu_threads(state, problem->threads);
    work w = work_of(problem);
    double period = (double)w.period;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, workers, &w);
    est->terms[0] = 1.0;
    est->terms[1] = 1.0;
    est->terms[2] = (double)problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N] * period *
                    log2(period + 1.0) / workers;
    est->terms[3] = hg_cpu_teams(workers, 1.0);
    est->ws_host = scratch.bytes;
    est->prepared_bytes = sizeof(prepared);
    return HGATE_OK;
}

static int prepare(void *state, const hgate_problem *problem, const hgate_run *run, void **out)
{
    (void)state;
    prepared *p = run->host->alloc(run->host, sizeof *p, _Alignof(prepared));
    if (!p)
        return hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff_convolve: no memory for a plan");
    p->host = run->host;
    if (!hg_transforms_make(&p->transforms, 1, work_of(problem).period, 1)) {
        hg_transforms_free(&p->transforms, 1);
        run->host->free(run->host, p);
        return hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff_convolve: FFTW made no plan");
    }
    *out = p;
    return HGATE_OK;
}

static void discard(void *state, void *object)
{
    (void)state;
    prepared *p = object;
    hg_transforms_free(&p->transforms, 1);
    p->host->free(p->host, p);
}

/* n numbers as double with zeros behind; 0 where one is not finite. */
static int take(hg_reals from, int64_t at, int64_t n, double *to, int64_t room)
{
    double bad = 0.0;
    for (int64_t j = 0; j < n; j++) {
        to[j] = hg_real(from, at + j);
        bad += 0.0 * to[j];
    }
    memset(to + n, 0, (size_t)(room - n) * sizeof *to);
    return bad == 0.0;
}

static void sum_trace(const work *w, int64_t at)
{
    for (int64_t n = 0; n < w->nt; n++)
        hg_real_put(w->out, at + n,
                    (w->adjoint ? hg_correlate_at : hg_convolve_at)(w->wav, w->nwav, w->wavc, w->in,
                                                                    at, w->nt, n));
}

static void do_trace(void *context, int64_t trace, int worker)
{
    const work *w = context;
    double *reals = w->reals + worker * w->reals_ld;
    double *bins = w->bins + 4 * worker * w->bins_ld, *product = bins + 2 * w->bins_ld;
    int64_t at = (w->first + trace) * w->nt;
    if (w->is_direct || !take(w->in, at, w->nt, reals, w->period)) {
        sum_trace(w, at);
        return;
    }
    w->transforms->calls->forward_row(w->transforms, reals, bins);
    w->lines->multiply(bins, w->spectrum, 0, 0, product, w->period / 2 + 1);
    w->transforms->calls->backward_row(w->transforms, product, reals);
    for (int64_t n = 0; n < w->nt; n++)
        hg_real_put(w->out, at + n, reals[n]);
}

/* The wavelet's spectrum over the period; the transforms are not scaled. */
static void make_spectrum(work *w)
{
    double bad = 0.0;
    memset(w->reals, 0, (size_t)w->period * sizeof *w->reals);
    memset(w->spectrum, 0, (size_t)w->bins_ld * 2 * sizeof *w->spectrum);
    for (int64_t q = 0; q < w->nwav; q++) {
        double tap = hg_real(w->wav, q);
        int64_t at = q - w->wavc;
        bad += 0.0 * tap;
        if (at > -w->nt && at < w->nt)
            w->reals[at < 0 ? at + w->period : at] = tap;
    }
    w->is_direct = !(bad == 0.0);
    w->transforms->calls->forward_row(w->transforms, w->reals, w->spectrum);
    for (int64_t j = 0; j <= w->period / 2; j++) {
        w->spectrum[2 * j] /= (double)w->period;
        w->spectrum[2 * j + 1] /= w->adjoint ? -(double)w->period : (double)w->period;
    }
}

/* In portions, so that progress is told from the calling thread. */
static int do_traces(const hg_cpu *cpu, work *w, int64_t n, hgate_run *run)
{
    enum { PORTIONS = 32 };
    int64_t some = run->progress ? n / PORTIONS + 1 : n;
    for (w->first = 0; w->first < n; w->first += some) {
        int64_t count = n - w->first < some ? n - w->first : some;
        cpu->spread(hg_cpu_threads(cpu, run->threads), count, do_trace, w);
        int status = hgate_progress(run, w->first + count, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

static int run(void *state, const hgate_problem *problem, const void *object, hgate_run *run)
{
    const hg_cpu *cpu = state;
    const prepared *p = object;
    work w = work_of(problem);
    w.transforms = &p->transforms;
    w.lines = &lines_fns[cpu->isa][1];
    w.wav = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_WAV);
    w.in = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_IN);
    w.out = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_OUT);
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, hg_cpu_threads(cpu, problem->threads), &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_convolve: workspace is too small");
    make_spectrum(&w);
    run->committed = 1;
    return do_traces(cpu, &w, problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N], run);
}

const hgate_kernel hg_fftw_convolve = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_CONVOLVE,
    .name = "fft",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_THREADED,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .prepare = prepare,
    .discard = discard,
    .run = run,
};
