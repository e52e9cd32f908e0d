/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel gemm of curvature_kernel: w from baselines by matrix products.
 *
 *      w(dy, dx) = sum_k sigma_k^-2 cos(2 pi (dx b_k - dy a_k)) = C(dy, dx) + S(dy, dx)
 *      a_k = pix v_k, b_k = pix u_k
 *      C = sum_k [sigma_k^-2 cos(2 pi dy a_k)] [cos(2 pi dx b_k)], S the same with sines
 *      w(dy, -dx) = C - S,   w(-dy, -dx) = w(dy, dx)
 *
 * uv (K, 2) and sigma (K) or (K, 2) float64; w (2ny, 2nx) float32 or float64, computed in float64;
 * row ny and column nx are 0.
 *
 * Work: two products ny x nx of inner length K, 4 ny nx K operations, and (ny + nx) K sines and
 * cosines. Visibilities go through in chunks (ops.curvature.kernel_chunk), so memory is bounded.
 *
 * Rounding: within 1e-13 w(0, 0) of the plain sum. Rows are worked on in fixed blocks, so the
 * result does not depend on the number of threads.
 *
 * Source: cosine of a difference. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/phasors.h"
#include "plugins/cpu/settings.h"
#include "plugins/cpu/view.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { ROW_BLOCK = 64, DEFAULT_CHUNK = 4096 };

hg_phasors_fn hg_phasors_of(int isa)
{
    static const hg_phasors_fn by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_phasors,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_phasors,
        [HG_ISA_AVX512] = hg_avx512_phasors,
#endif
    };
    return by_isa[isa];
}

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"phasors", HG_K_CURVATURE_PHASOR},
                                   {"flop", HG_K_CURVATURE_KERNEL_FLOP},
                                   {"stores", HG_K_CURVATURE_KERNEL_STORE},
                                   {"team", HG_K_TEAM}};

typedef struct work {
    int64_t n_vis, ny, nx, chunk;
    int64_t n; /* visibilities of this chunk, rounded up to a group; those behind the last have
                  weight 0 */
    const double *uv, *sigma;
    int64_t sigma_step;
    double pix;
    hg_phasors_fn phasors;
    hg_reals w;
    double *a, *b, *weight;          /* chunk */
    double *column_cos, *column_sin; /* (nx, chunk): factors of dx */
    double *row_cos, *row_sin;       /* (ROW_BLOCK, chunk) for each worker: factors of dy */
    double *cos_part, *sin_part;     /* (ny, nx): C and S */
} work;

static int64_t chunk_of(const hgate_host *host, int64_t n_vis)
{
    int64_t chunk = hg_setting_integer(host, "ops.curvature.kernel_chunk", DEFAULT_CHUNK);
    chunk = chunk < 1 ? 1 : chunk > INT_MAX - HG_PHASOR_GROUP ? INT_MAX - HG_PHASOR_GROUP : chunk;
    chunk = n_vis < chunk ? n_vis : chunk;
    return (chunk + HG_PHASOR_GROUP - 1) / HG_PHASOR_GROUP * HG_PHASOR_GROUP;
}

static void lay_out(hgate_scratch *s, const hgate_host *host, const hgate_problem *problem,
                    int workers, work *w)
{
    const int64_t *dims = problem->dims;
    w->n_vis = dims[HGATE_DIM_CURVATURE_KERNEL_K];
    w->ny = dims[HGATE_DIM_CURVATURE_KERNEL_NY];
    w->nx = dims[HGATE_DIM_CURVATURE_KERNEL_NX];
    w->chunk = chunk_of(host, w->n_vis);
    size_t line = (size_t)w->chunk * sizeof(double);
    w->a = hgate_scratch_take(s, 1, line);
    w->b = hgate_scratch_take(s, 1, line);
    w->weight = hgate_scratch_take(s, 1, line);
    w->column_cos = hgate_scratch_take(s, w->nx, line);
    w->column_sin = hgate_scratch_take(s, w->nx, line);
    w->row_cos = hgate_scratch_take(s, (int64_t)ROW_BLOCK * workers, line);
    w->row_sin = hgate_scratch_take(s, (int64_t)ROW_BLOCK * workers, line);
    w->cos_part = hgate_scratch_take(s, w->ny, (size_t)w->nx * sizeof(double));
    w->sin_part = hgate_scratch_take(s, w->ny, (size_t)w->nx * sizeof(double));
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    int64_t nx = problem->dims[HGATE_DIM_CURVATURE_KERNEL_NX];
    if (nx > INT_MAX)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)nx, INT_MAX,
                            "extent of %lld columns, BLAS takes at most %d", (long long)nx,
                            INT_MAX);
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    int workers = hg_cpu_threads(cpu, problem->threads);
    work w;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, cpu->host, problem, workers, &w);
    double n_vis = (double)w.n_vis, ny = (double)w.ny, nx = (double)w.nx;
    est->terms[0] = 1.0;
    est->terms[1] = (ny + nx) * n_vis / workers;
    est->terms[2] = 4.0 * ny * nx * n_vis / workers;
    est->terms[3] = 4.0 * ny * nx;
    est->terms[4] = w.chunk > 0 ? hg_cpu_teams(workers, 2.0 * ceil(n_vis / (double)w.chunk)) : 0.0;
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static void take_chunk(work *w, int64_t first)
{
    int64_t count = w->n_vis - first < w->chunk ? w->n_vis - first : w->chunk;
    w->n = (count + HG_PHASOR_GROUP - 1) / HG_PHASOR_GROUP * HG_PHASOR_GROUP;
    for (int64_t k = 0; k < w->n; k++) {
        int is_there = k < count;
        double sigma = is_there ? w->sigma[(first + k) * w->sigma_step] : INFINITY;
        w->a[k] = is_there ? w->pix * w->uv[2 * (first + k) + 1] : 0.0;
        w->b[k] = is_there ? w->pix * w->uv[2 * (first + k)] : 0.0;
        w->weight[k] = 1.0 / (sigma * sigma);
    }
}

static void column_factors(void *context, int64_t dx, int worker)
{
    (void)worker;
    work *w = context;
    w->phasors(w->b, NULL, (double)dx, w->n, w->column_cos + dx * w->n, w->column_sin + dx * w->n);
}

/* Adds the chunk to a block of rows of C and S. */
static void row_block(void *context, int64_t block, int worker)
{
    work *w = context;
    int64_t first = block * ROW_BLOCK;
    int64_t rows = w->ny - first < ROW_BLOCK ? w->ny - first : ROW_BLOCK;
    double *row_cos = w->row_cos + worker * ROW_BLOCK * w->chunk;
    double *row_sin = w->row_sin + worker * ROW_BLOCK * w->chunk;
    for (int64_t i = 0; i < rows; i++)
        w->phasors(w->a, w->weight, (double)(first + i), w->n, row_cos + i * w->n,
                   row_sin + i * w->n);
    int m = (int)rows, nx = (int)w->nx, k = (int)w->n;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, nx, k, 1.0, row_cos, k, w->column_cos,
                k, 1.0, w->cos_part + first * w->nx, nx);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, nx, k, 1.0, row_sin, k, w->column_sin,
                k, 1.0, w->sin_part + first * w->nx, nx);
}

/* The four quadrants of w from C and S. */
static void store(const work *w)
{
    int64_t ny = w->ny, nx = w->nx, ld = 2 * nx;
    for (int64_t x = 0; x < ld; x++)
        hg_real_put(w->w, ny * ld + x, 0.0);
    for (int64_t dy = 0; dy < ny; dy++) {
        int64_t up = dy * ld, down = (dy > 0 ? 2 * ny - dy : 0) * ld;
        hg_real_put(w->w, up + nx, 0.0);
        hg_real_put(w->w, down + nx, 0.0);
        for (int64_t dx = 0; dx < nx; dx++) {
            double c = w->cos_part[dy * nx + dx], s = w->sin_part[dy * nx + dx];
            int64_t left = dx > 0 ? ld - dx : 0;
            hg_real_put(w->w, up + dx, c + s);
            hg_real_put(w->w, down + left, c + s);
            if (dy > 0 && dx > 0) {
                hg_real_put(w->w, up + left, c - s);
                hg_real_put(w->w, down + dx, c - s);
            }
        }
    }
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const DLTensor *sigma = problem->args[HGATE_CURVATURE_KERNEL_SIGMA];
    int workers = hg_cpu_threads(cpu, run->threads);
    work w = {.uv = hg_arg(problem, HGATE_CURVATURE_KERNEL_UV),
              .sigma = hg_data(sigma),
              .sigma_step = sigma->ndim == 2 ? 2 : 1,
              .pix = ((const hgate_curvature_params *)problem->params)->pix,
              .phasors = hg_phasors_of(cpu->isa),
              .w = hg_real_arg(problem, HGATE_CURVATURE_KERNEL_W)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, run->host, problem, workers, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature_kernel: workspace is too small");

    int status = HGATE_OK;
    memset(w.cos_part, 0, (size_t)(w.ny * w.nx) * sizeof(double));
    memset(w.sin_part, 0, (size_t)(w.ny * w.nx) * sizeof(double));
    workers = hg_blas_enter(run->host, workers);
    for (int64_t k = 0; k < w.n_vis && status == HGATE_OK; k += w.chunk) {
        take_chunk(&w, k);
        cpu->spread(workers, w.nx, column_factors, &w);
        cpu->spread(workers, (w.ny + ROW_BLOCK - 1) / ROW_BLOCK, row_block, &w);
        status = hgate_progress(run, k + w.n, w.n_vis > k + w.n ? w.n_vis : k + w.n);
    }
    hg_blas_leave(run->host);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    store(&w);
    return HGATE_OK;
}

HG_CPU_KERNEL(curvature_kernel_gemm, .op = HGATE_OP_CURVATURE_KERNEL, .name = "gemm",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .supports = supports, .estimate = estimate, .run = run);
