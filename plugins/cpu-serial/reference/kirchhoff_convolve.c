/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_convolve: traces convolved or correlated with a wavelet. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/convolve.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"terms", HG_K_REFERENCE_CONVOLVE_TERM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    double nt = (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT];
    double nwav = (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV];
    est->terms[0] = 1.0;
    est->terms[1] = (double)dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N] * nt * (nwav < nt ? nwav : nt);
    return HGATE_OK;
}

/* out[n] = sum_q wav[q] in[n - q + wavc], or the correlation sum_q wav[q] in[n + q - wavc]
 *
 * wav (nwav), in and out (n, nt) along the last axis, zeros outside. In double, rounded once. Work:
 * nt times the overlap of wavelet and trace, per trace. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t nwav = problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV];
    int64_t nt = problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_NT];
    int64_t traces = problem->dims[HGATE_DIM_KIRCHHOFF_CONVOLVE_N];
    hg_reals wav = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_WAV);
    hg_reals in = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_IN);
    hg_reals out = hg_real_arg(problem, HGATE_KIRCHHOFF_CONVOLVE_OUT);

    run->committed = 1;
    for (int64_t trace = 0; trace < traces; trace++)
        for (int64_t n = 0; n < nt; n++)
            hg_real_put(out, trace * nt + n,
                        (setup->adjoint ? hg_correlate_at : hg_convolve_at)(wav, nwav, setup->wavc,
                                                                            in, trace * nt, nt, n));
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_convolve = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_CONVOLVE,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
