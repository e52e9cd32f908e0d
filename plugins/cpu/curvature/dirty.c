/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of curvature_dirty: the dirty image by sums over visibilities, in vector lanes.
 *
 *      d_p = sum_k sigma_k^-2 (Re vis_k cos phi - Im vis_k sin phi)      phi = 2 pi (x_p u_k + y_p
 * v_k)
 *
 * uv (K, 2), sigma (K) or (K, 2), vis (K) complex, y and x (N) in radians, d (N); all of 64-bit
 * reals. Pixels may lie anywhere.
 *
 * Work: N K sines and cosines of about 35 operations each. Visibilities go through in chunks that
 * stay in the second-level cache for a block of pixels.
 *
 * Rounding: eight chains for each pixel, added in pairs; the same bits at every width and on any
 * number of threads. sigma = +Inf is weight 0.
 *
 * Source: adjoint of V_k = sum_p I_p exp(-2 pi i (x_p u_k + y_p v_k)) with weights sigma^-2. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/phasors.h"
#include "plugins/cpu/view.h"

#include <string.h>

enum { GROUP = HG_PHASOR_GROUP, PIXELS = 64, CHUNK = 4096 };

static const hgate_term terms[] = {
    {"call", HG_K_CALL}, {"waves", HG_K_CURVATURE_WAVE}, {"team", HG_K_TEAM}};

typedef struct work {
    int64_t n_vis, n_pixels;
    int64_t n; /* visibilities, rounded up to a group; those behind the last have weight 0 */
    double *u, *v, *re, *im;
    const double *y, *x;
    double *d;
    hg_waves_fn waves;
    int64_t first; /* of the blocks of pixels that are worked on */
} work;

hg_waves_fn hg_waves_of(int isa)
{
    static const hg_waves_fn by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_waves,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_waves,
        [HG_ISA_AVX512] = hg_avx512_waves,
#endif
    };
    return by_isa[isa];
}

static void lay_out(hgate_scratch *s, const hgate_problem *problem, work *w)
{
    w->n_vis = problem->dims[HGATE_DIM_CURVATURE_DIRTY_K];
    w->n_pixels = problem->dims[HGATE_DIM_CURVATURE_DIRTY_N];
    w->n = (w->n_vis + GROUP - 1) / GROUP * GROUP;
    w->u = hgate_scratch_take(s, w->n, sizeof(double));
    w->v = hgate_scratch_take(s, w->n, sizeof(double));
    w->re = hgate_scratch_take(s, w->n, sizeof(double));
    w->im = hgate_scratch_take(s, w->n, sizeof(double));
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    int workers = hg_cpu_threads(state, problem->threads);
    work w;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, problem, &w);
    est->terms[0] = 1.0;
    est->terms[1] = (double)w.n_vis * (double)w.n_pixels / workers;
    est->terms[2] = hg_cpu_teams(workers, 1.0);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static void take(work *w, const hgate_problem *problem)
{
    const DLTensor *sigma_arg = problem->args[HGATE_CURVATURE_DIRTY_SIGMA];
    const double *uv = hg_arg(problem, HGATE_CURVATURE_DIRTY_UV), *sigma = hg_data(sigma_arg);
    const double *vis = hg_arg(problem, HGATE_CURVATURE_DIRTY_VIS);
    int64_t step = sigma_arg->ndim == 2 ? 2 : 1;
    for (int64_t k = 0; k < w->n_vis; k++) {
        double weight = 1.0 / (sigma[k * step] * sigma[k * step]);
        w->u[k] = uv[2 * k];
        w->v[k] = uv[2 * k + 1];
        w->re[k] = weight * vis[2 * k];
        w->im[k] = weight * vis[2 * k + 1];
    }
    for (int64_t k = w->n_vis; k < w->n; k++)
        w->u[k] = w->v[k] = w->re[k] = w->im[k] = 0.0;
}

static void do_block(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    double sums[PIXELS][GROUP] = {{0}};
    int64_t begin = (w->first + i) * PIXELS;
    int64_t end = begin + PIXELS < w->n_pixels ? begin + PIXELS : w->n_pixels;
    for (int64_t k = 0; k < w->n; k += CHUNK) {
        int64_t n = w->n - k < CHUNK ? w->n - k : CHUNK;
        for (int64_t p = begin; p < end; p++)
            w->waves(w->u + k, w->v + k, w->re + k, w->im + k, w->x[p], w->y[p], n,
                     sums[p - begin]);
    }
    for (int64_t p = begin; p < end; p++) {
        const double *s = sums[p - begin];
        w->d[p] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    int workers = hg_cpu_threads(cpu, run->threads);
    work w = {.y = hg_arg(problem, HGATE_CURVATURE_DIRTY_Y),
              .x = hg_arg(problem, HGATE_CURVATURE_DIRTY_X),
              .d = hg_arg(problem, HGATE_CURVATURE_DIRTY_D),
              .waves = hg_waves_of(cpu->isa)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, problem, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature_dirty: workspace is too small");
    take(&w, problem);
    run->committed = 1;
    int64_t n = (w.n_pixels + PIXELS - 1) / PIXELS, some = 8 * (int64_t)workers;
    for (w.first = 0; w.first < n; w.first += some) {
        int64_t count = n - w.first < some ? n - w.first : some;
        cpu->spread(workers, count, do_block, &w);
        int status = hgate_progress(run, w.first + count, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

HG_CPU_KERNEL(curvature_dirty, .op = HGATE_OP_CURVATURE_DIRTY, .name = "direct",
              .dtypes = HGATE_F64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .estimate = estimate, .run = run);
