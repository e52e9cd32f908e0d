/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of kirchhoff_convolve: traces filtered one by one. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/kirchhoff/filter.h"
#include "plugins/cpu/kirchhoff/work.h"
#include "plugins/cpu/view.h"

static const hg_filter_fn *const filter_fns[HG_ISA_COUNT] = HG_BY_ISA(filter);

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"products", HG_K_KIRCHHOFF_WAVELET_TERM},
                                   {"samples", HG_K_KIRCHHOFF_SAMPLE},
                                   {"team", HG_K_TEAM}};

/* What the tasks of a run share. */
typedef struct work {
    hg_filter_fn filter;
    hg_wavelet wavelet;
    int64_t nt;
    size_t real;
    const char *in;
    char *out;
    char *padded; /* room of each worker */
    size_t padded_bytes;
} work;

static void lay_out(hgate_scratch *scratch, int64_t nt, int64_t nwav, int workers, work *w)
{
    w->padded_bytes = ((size_t)hg_filter_room(nt, nwav) * w->real + 63) / 64 * 64;
    w->padded = hgate_scratch_take(scratch, workers, w->padded_bytes);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const int64_t *dims = problem->dims;
    int workers = hg_cpu_threads(state, problem->threads);
    double samples = (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N] *
                     (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT] / workers;
    work w = {.real = hg_real_bytes(problem->dtype == HGATE_F64)};
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT],
            dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV], workers, &w);
    est->terms[0] = 1.0;
    est->terms[1] = samples * (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV];
    est->terms[2] = samples;
    est->terms[3] = hg_cpu_teams(workers, 1.0);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static void filter_trace(void *context, int64_t trace, int worker)
{
    const work *w = context;
    size_t at = (size_t)(trace * w->nt) * w->real;
    w->filter(&w->wavelet, w->in + at, w->nt, w->padded + (size_t)worker * w->padded_bytes,
              w->out + at);
}

/* out[n] = sum_q wav[q] in[n - q + wavc], or the correlation sum_q wav[q] in[n + q - wavc]
 *
 * wav (nwav), in and out (n, nt) along the last axis, zeros outside; sums in the precision of the
 * traces. Work: nt nwav multiply-adds per trace. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const hgate_kirchhoff_setup *setup = problem->params;
    const int64_t *dims = problem->dims;
    int is_64 = problem->dtype == HGATE_F64;
    int64_t nwav = dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV];
    work w = {.filter = filter_fns[cpu->isa][is_64],
              .wavelet = {hg_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_WAV), nwav, setup->wavc,
                          setup->adjoint},
              .nt = dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT],
              .real = hg_real_bytes(is_64),
              .in = hg_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_IN),
              .out = hg_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_OUT)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, w.nt, nwav, hg_cpu_threads(cpu, problem->threads), &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_convolve: workspace is too small");
    run->committed = 1;
    return hg_spread_told(cpu, run, hg_cpu_threads(cpu, run->threads),
                          dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N], filter_trace, &w);
}

HG_CPU_KERNEL(kirchhoff_convolve_direct, .op = HGATE_OP_KIRCHHOFF_CONVOLVE, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .estimate = estimate, .run = run);
