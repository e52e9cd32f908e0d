/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_wavelet: half or first derivative of a wavelet through its own discrete
 * spectrum. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/dot.h"

#include "headgate/plugin_util.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"terms", HG_K_REFERENCE_WAVELET_TERM}};

/* Workspace: the roots of unity and the filtered spectrum. */
typedef struct work {
    double complex *root;     /* (nwav): exp(2 pi i j / nwav) */
    double complex *spectrum; /* (nwav/2 + 1) */
} work;

static void lay_out(hgate_scratch *scratch, int64_t nwav, work *w)
{
    w->root = hgate_scratch_take(scratch, nwav, sizeof(double complex));
    w->spectrum = hgate_scratch_take(scratch, nwav / 2 + 1, sizeof(double complex));
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    int64_t nwav = problem->dims[HGATE_DIM_KIRCHHOFF_WAVELET_NWAV];
    hgate_scratch scratch = hgate_scratch_count();
    work w;
    lay_out(&scratch, nwav, &w);
    est->terms[0] = 1.0;
    est->terms[1] = (double)nwav * (double)nwav;
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* The index after `at` when walking the roots in steps of f < n. */
static int64_t step_root(int64_t at, int64_t f, int64_t n)
{
    return at < n - f ? at + f : at - (n - f);
}

/* sqrt(i w) = sqrt(w/2) (1 + i) in 2D, -i w in 3D, at frequency f of n. */
static double complex response(int ndim, int64_t f, int64_t n, double dt)
{
    double w = TWO_PI * (double)f / ((double)n * dt);
    return ndim == 2 ? CMPLX(sqrt(0.5 * w), sqrt(0.5 * w)) : CMPLX(0.0, -w);
}

/* wav_filtered = inverse DFT of (DFT of wav times the response)
 *
 * wav, wav_filtered (nwav). Length nwav without padding; the inverse is that of a real signal: it
 * takes the real part of the first and, for even nwav, of the middle frequency. Plain sums of
 * nwav^2 terms in double, since wavelets are short. Source: the 2D and 3D stationary-phase
 * corrections of the Kirchhoff integral. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t n = problem->dims[HGATE_DIM_KIRCHHOFF_WAVELET_NWAV];
    hg_reals wav = hg_real_arg(problem, HGATE_KIRCHHOFF_WAVELET_WAV);
    hg_reals out = hg_real_arg(problem, HGATE_KIRCHHOFF_WAVELET_WAV_FILTERED);
    hgate_scratch scratch = hgate_scratch_over(run);
    work w;
    lay_out(&scratch, n, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_wavelet: workspace is too small");

    for (int64_t j = 0; j < n; j++) {
        double angle = TWO_PI * (double)j / (double)n;
        w.root[j] = CMPLX(cos(angle), sin(angle));
    }
    for (int64_t f = 0; f <= n / 2; f++) {
        double complex sum = 0.0;
        for (int64_t j = 0, at = 0; j < n; j++, at = step_root(at, f, n))
            sum += hg_real(wav, j) * conj(w.root[at]);
        w.spectrum[f] = hg_times(sum, response(setup->ndim, f, n, setup->dt));
    }
    run->committed = 1;
    for (int64_t j = 0; j < n; j++) {
        double sum = creal(w.spectrum[0]);
        for (int64_t f = 1, at = j; f <= n / 2; f++, at = step_root(at, j, n)) {
            double weight = 2 * f == n ? 1.0 : 2.0; /* a frequency and its mirror image */
            double complex back = 2 * f == n ? CMPLX(creal(w.spectrum[f]), 0.0) : w.spectrum[f];
            sum += weight * creal(hg_times(back, w.root[at]));
        }
        hg_real_put(out, j, sum / (double)n);
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_wavelet = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_WAVELET,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
