/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility: horizon cut, beam, phase, Z and product in one call, all in double. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/antenna.h"
#include "plugins/cpu/visibility/dot.h"
#include "plugins/cpu/visibility/hermitian.h"
#include "plugins/cpu/visibility/inputs.h"
#include "plugins/cpu/visibility/phase.h"
#include "plugins/cpu/visibility/sources.h"
#include "plugins/matprod.h"

#include <string.h>

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"elements", HG_K_REFERENCE_FUSED_ELEMENT},
                                   {"products", HG_K_REFERENCE_DOT_TERM}};

/* Workspace of a run. */
typedef struct work {
    hg_sources sources;
    double *crd;         /* (chunk, 3) */
    double *amp;         /* (chunk) */
    double complex *Z;   /* (nant nfeed, nax chunk), complex128 whatever the call's precision */
    double complex *sum; /* the lower triangle by rows, or (npairs, nfeed, nfeed) */
    int64_t n_sums;
} work;

static void lay_out(hgate_scratch *scratch, const hg_visibility_inputs *in, int64_t chunk, work *w)
{
    int64_t M = in->nant * in->nfeed;
    w->n_sums = in->npairs < 0 ? M * (M + 1) / 2 : in->npairs * in->nfeed * in->nfeed;
    w->sources.chunk = chunk;
    w->sources.up = hgate_scratch_take(scratch, in->nsrc, sizeof(int64_t));
    w->crd = hgate_scratch_take(scratch, 3 * chunk, sizeof(double));
    w->amp = hgate_scratch_take(scratch, chunk, sizeof(double));
    w->Z = hgate_scratch_take(scratch, M * in->nax * chunk, sizeof(double complex));
    w->sum = hgate_scratch_take(scratch, w->n_sums, sizeof(double complex));
}

/* Z of complex128 in one chunk stays below 16 MiB. 1 where not even one source fits: run() says so.
 */
static int64_t chunk_of(const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    hgate_visibility_chunk_info info;
    size_t needed;
    if (hg_sources_plan(problem, 1, &info, &needed) != HGATE_OK || info.chunk < 1)
        return 1;
    int64_t most = (1 << 20) / (dims[HGATE_DIM_VISIBILITY_NANT] * dims[HGATE_DIM_VISIBILITY_NFEED] *
                                dims[HGATE_DIM_VISIBILITY_NAX]) +
                   1;
    return info.chunk < most ? info.chunk : most;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    hg_visibility_inputs in = hg_visibility_inputs_of(problem);
    int64_t chunk = chunk_of(problem);
    hgate_scratch scratch = hgate_scratch_count();
    work w;
    lay_out(&scratch, &in, chunk, &w);
    double columns = (double)in.nax * (double)in.nsrc;
    est->terms[0] = 1.0;
    est->terms[1] = (double)in.nant * (double)in.nfeed * columns;
    est->terms[2] = (double)w.n_sums * columns;
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    const hgate_visibility_params *params = problem->params;
    return hg_matprod_admits(params->matprod, HGATE_MATPROD_AUTO, reason);
}

/* Directions and amplitudes of a chunk; the sign of a negative flux is the chunk's. */
static void load_chunk(const hg_visibility_inputs *in, work *w, hg_chunk chunk)
{
    for (int64_t s = 0; s < chunk.n; s++) {
        int64_t source = w->sources.up[chunk.start + s];
        for (int d = 0; d < 3; d++)
            w->crd[3 * s + d] = hg_real(in->crd, d * in->nsrc + source);
        w->amp[s] = hg_amplitude(chunk.sign * hg_real(in->flux, source), in->params);
    }
}

/* beam value of one plane, with its root where that was asked for. */
static int plane_value(const hgate_host *host, const hg_visibility_inputs *in, int64_t b,
                       int64_t axis, int64_t feed, const hg_stencil at[2], int64_t source,
                       double complex *value)
{
    *value = hg_beam_value(&in->beam, b, axis, feed, at[0], at[1]);
    if (!in->params->sqrt_power)
        return HGATE_OK;
    if (creal(*value) < 0.0 && in->params->check >= HGATE_CHECK_VALUES)
        return hg_beam_negative(host, b, axis, feed, source);
    *value = CMPLX(sqrt(creal(*value)), 0.0);
    return HGATE_OK;
}

/* Rows of Z of antenna a: Z[(a,f),(x,s)] = beam[b,f,x](s) exp(i phase(a,s)) amp[s]. */
static int fill_antenna(const hgate_host *host, const hg_visibility_inputs *in, work *w,
                        hg_chunk chunk, int64_t a)
{
    int64_t b = hg_beam_of(in->beam_idx, in->nbeam, a), K = in->nax * chunk.n;
    hg_antenna antenna = hg_antenna_of(in, a);
    for (int64_t s = 0; s < chunk.n; s++) {
        const double *n = w->crd + 3 * s;
        hg_stencil at[2];
        hg_beam_stencils(&in->beam, b, hg_azimuth(n[0], n[1]), hg_zenith_angle(n[0], n[1], n[2]),
                         &at[0], &at[1]);
        double complex phase = hg_antenna_phase(in, &antenna, n);
        for (int64_t feed = 0; feed < in->nfeed; feed++)
            for (int64_t axis = 0; axis < in->nax; axis++) {
                double complex value;
                int status = plane_value(host, in, b, axis, feed, at,
                                         w->sources.up[chunk.start + s], &value);
                if (status != HGATE_OK)
                    return status;
                w->Z[(a * in->nfeed + feed) * K + axis * chunk.n + s] =
                    w->amp[s] * hg_times(value, phase);
            }
    }
    return HGATE_OK;
}

/* sum += sign Z Z^H of a chunk, for the lower triangle or for the blocks of the pairs. */
static void add_products(const hg_visibility_inputs *in, work *w, hg_chunk chunk)
{
    int64_t M = in->nant * in->nfeed, K = in->nax * chunk.n;
    hg_reals Z = {w->Z, 1};
    double complex *sum = w->sum;
    if (in->npairs < 0) {
        for (int64_t i = 0; i < M; i++)
            for (int64_t j = 0; j <= i; j++)
                *sum++ += chunk.sign * hg_dot(Z, i * K, Z, j * K, K);
        return;
    }
    for (int64_t p = 0; p < in->npairs; p++)
        for (int64_t a = 0; a < in->nfeed; a++)
            for (int64_t b = 0; b < in->nfeed; b++) {
                hg_block_rows rows =
                    hg_block_element(hg_index(in->pairs, 2 * p), hg_index(in->pairs, 2 * p + 1), a,
                                     b, in->nfeed, in->params->convention);
                *sum++ += chunk.sign * hg_dot(Z, rows.left * K, Z, rows.right * K, K);
            }
}

static void store(const hg_visibility_inputs *in, const work *w, double alpha, double beta)
{
    int64_t M = in->nant * in->nfeed;
    const double complex *sum = w->sum;
    if (in->npairs < 0)
        for (int64_t i = 0; i < M; i++)
            for (int64_t j = 0; j <= i; j++)
                hg_hermitian_put(in->V, M, i, j, *sum++, alpha, beta, in->params->convention);
    else
        for (int64_t at = 0; at < w->n_sums; at++)
            hg_pair_put(in->V, at, *sum++, alpha, beta);
}

/* V = alpha sum_k sign_k Z[i,k] conj(Z[j,k]) + beta V over the sources above the horizon
 *
 * Arrays as in visibility.h. Every number is computed in double from the inputs as stored and the
 * result is rounded once. Sources go in chunks so that Z stays small; V is written at the very end,
 * so a refused power beam leaves it as it was. Work: nant nfeed nax nsrc elements of Z, then the
 * products. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    hg_visibility_inputs in = hg_visibility_inputs_of(problem);
    hgate_visibility_chunk_info info;
    int status = hg_sources_plan_or_fail(run->host, problem, 1, &info);
    if (status == HGATE_OK)
        status = hg_visibility_check(run->host, &in);
    if (status != HGATE_OK)
        return status;
    hgate_scratch scratch = hgate_scratch_over(run);
    work w;
    lay_out(&scratch, &in, chunk_of(problem), &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility: workspace is too small");

    hg_sources_find(&w.sources, in.crd, in.flux, in.nsrc, in.is_signed);
    hg_sources_split(&w.sources, in.params->min_chunks);
    memset(w.sum, 0, (size_t)w.n_sums * sizeof *w.sum);
    for (int64_t start = 0; start < w.sources.n_up;) {
        hg_chunk chunk = hg_chunk_at(&w.sources, start);
        load_chunk(&in, &w, chunk);
        for (int64_t a = 0; a < in.nant; a++) {
            status = fill_antenna(run->host, &in, &w, chunk, a);
            if (status != HGATE_OK)
                return status;
        }
        add_products(&in, &w, chunk);
        start += chunk.n;
        status = hgate_progress(run, start, w.sources.n_up);
        if (status != HGATE_OK)
            return status;
    }
    run->committed = 1;
    store(&in, &w, problem->alpha_re, problem->beta_re);
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
