/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels full, symmetric and pair of curvature: direct convolution over the extent.
 *
 *      U_s(y, x) = sum_{t in s} vals[t] w(y - iy[t], x - ix[t])
 *      F[s, c] = sum_{t in c} vals[t] U_s(iy[t], ix[t])
 *
 * w (2ny, 2nx), iy and ix (N), indptr (S+1), rows and vals (nnz), F (S, S) of the type of vals.
 *
 * full: U over the whole extent, nnz ny nx multiply-adds, then S nnz for the gather.
 *
 * symmetric: columns ranked by their first row ymin. The column of rank r needs U only from its
 * ymin down, inside the masked part of each row, since every column of a later rank begins there
 * or below; then F[c, s] = F[s, c]. f nnz ny nx multiply-adds and half of the gather. Where full
 * and symmetric both compute an element they give equal bits.
 *
 * pair: each entry adds only to rows below its own, and one half of it to its own row, which gives
 * A; F = A + A'. g nnz ny nx multiply-adds with g <= f, but the whole gather. It agrees with the
 * others up to rounding.
 *
 * Both sums are single chains in orders fixed by the mask (extent.h): U by x, then falling y; the
 * gather, and U of pair, row-major. float32 sums U in float32 and gathers in double.
 *
 * Limits: none but memory. A non-finite value makes its own row and column of F non-finite under
 * `full`; the others hand such data over.
 *
 * Source: F = M' W M of an interferometer as a convolution; ranking and work fraction are those of
 * PyAutoArray. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/columns.h"
#include "plugins/cpu/curvature/convolve.h"
#include "plugins/cpu/settings.h"

#include <math.h>
#include <string.h>

enum route { FULL, SYMMETRIC, PAIR };

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

static const hg_convolve *loops_of(const hg_cpu *cpu, const hgate_problem *problem)
{
    static const hg_convolve *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_convolve,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_convolve,
        [HG_ISA_AVX512] = hg_avx512_convolve,
#endif
    };
    return &by_isa[cpu->isa][problem->dtype == HGATE_F64];
}

/* ---- cost ---- */

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"columns", HG_K_CURVATURE_COLUMN},
                                   {"cells", HG_K_CURVATURE_CELL},
                                   {"gather", HG_K_CURVATURE_GATHER}};

/* Fields of U, one for each worker. */
static void *lay_out(hgate_scratch *scratch, const hgate_problem *problem, int workers,
                     hg_columns *columns)
{
    size_t size = real_size(problem);
    int64_t u_ld = hg_extent_u_ld(problem->dims[HGATE_DIM_CURVATURE_NX], size);
    hg_columns_lay_out(scratch, problem->dims, size, columns);
    return hgate_scratch_take(scratch, problem->dims[HGATE_DIM_CURVATURE_NY] * workers,
                              (size_t)u_ld * size);
}

static const hgate_curvature_facts *facts_of(const hgate_problem *problem)
{
    const hgate_curvature_facts *facts = problem->facts;
    return facts && facts->is_known ? facts : NULL;
}

static void fill_full(const hg_cpu *cpu, const hgate_problem *problem, hgate_estimate *est)
{
    const int64_t *dims = problem->dims;
    int workers = hg_cpu_threads(cpu, problem->threads);
    double columns = (double)dims[HGATE_DIM_CURVATURE_S],
           nnz = (double)dims[HGATE_DIM_CURVATURE_NNZ];
    est->terms[0] = 1.0;
    est->terms[1] = columns / workers;
    est->terms[2] =
        nnz * (double)dims[HGATE_DIM_CURVATURE_NY] * (double)dims[HGATE_DIM_CURVATURE_NX] / workers;
    est->terms[3] = columns * nnz / workers;
    hgate_scratch scratch = hgate_scratch_count();
    hg_columns unused;
    lay_out(&scratch, problem, workers, &unused);
    est->ws_host = scratch.bytes;
    est->prepared_bytes = hg_extent_bytes(problem);
}

static int estimate_full(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    fill_full(state, problem, est);
    return HGATE_OK;
}

/* M2 of the cost model: the whole estimate of `full`, times kappa f where that is below 1. */
static int estimate_symmetric(void *state, const hgate_problem *problem, const double *k,
                              hgate_estimate *est)
{
    const hg_cpu *cpu = state;
    const hgate_curvature_facts *facts = facts_of(problem);
    double kappa = cpu->symmetric_kappa > 0.0 ? cpu->symmetric_kappa : k[HG_K_CURVATURE_KAPPA];
    fill_full(state, problem, est);
    for (size_t i = 0; i < HGATE_LENGTH_OF(terms) && facts; i++)
        est->terms[i] *= fmin(1.0, kappa * facts->work_fraction);
    return HGATE_OK;
}

static int estimate_pair(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    const hgate_curvature_facts *facts = facts_of(problem);
    fill_full(state, problem, est);
    est->terms[2] *= facts ? facts->pair_fraction : 1.0;
    est->terms[3] *= 2.0;
    return HGATE_OK;
}

/* ---- refusals ---- */

#define supports_full NULL

static int supports_symmetric(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    const hgate_curvature_params *params = problem->params;
    const hgate_curvature_facts *facts = facts_of(problem);
    if (params->w_general)
        return hgate_refuse(
            reason, HGATE_REFUSE_FEATURE, NAN, NAN,
            "w_general: w need not be even, and only an even one gives a symmetric F");
    if (facts && !facts->vals_finite)
        return hgate_refuse(reason, HGATE_REFUSE_NOT_FINITE, NAN, NAN, "vals has a NaN or an Inf");
    return HGATE_OK;
}

static int supports_pair(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    if (!hg_setting_is(((const hg_cpu *)state)->host, "ops.curvature.exact_triangle", "false"))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "ops.curvature.exact_triangle is not false");
    return supports_symmetric(state, problem, reason);
}

/* ---- run ---- */

typedef struct work {
    enum route route;
    const hg_extent *extent;
    const hg_columns *columns;
    const hg_convolve *loops;
    size_t size;
    int64_t u_ld;
    char *u; /* one field for each worker */
    hg_reals f;
    int64_t first; /* of the ranks, or rows of F, that are worked on */
} work;

/* Address of offset (y, 0) of w. */
static const void *w_row(const work *w, int64_t y)
{
    const hg_extent *e = w->extent;
    return (const char *)e->w + (size_t)((y + e->ny - 1) * e->w_ld + e->nx - 1) * w->size;
}

/* U of a column, in the rows and cells that the route needs. */
static void convolve_column(const work *w, int64_t s, char *u)
{
    const hg_extent *e = w->extent;
    const hg_columns *c = w->columns;
    int64_t begin = c->m.indptr[s], n = c->m.indptr[s + 1] - begin;
    const void *value = (const char *)c->u_value + (size_t)begin * w->size;
    for (int64_t y = w->route == FULL ? 0 : c->ymin[s]; y < e->ny; y++) {
        int64_t lo = w->route == FULL ? 0 : e->x_first[y];
        int64_t hi = w->route == FULL ? e->nx : e->x_last[y] + 1;
        w->loops->row(w_row(w, y), c->u_offset + begin, value, n, 1.0, 0,
                      u + (size_t)(y * w->u_ld) * w->size, lo, hi);
    }
}

/* The same for pair: entries stand by row, so those above row y are a prefix, and those in it
 * follow. */
static void convolve_column_below(const work *w, int64_t s, char *u)
{
    const hg_extent *e = w->extent;
    const hg_columns *c = w->columns;
    int64_t begin = c->m.indptr[s], n = c->m.indptr[s + 1] - begin;
    const int64_t *offset = c->u_offset + begin;
    const char *value = (const char *)c->u_value + (size_t)begin * w->size;
    int64_t above = 0, end = 0; /* entries of rows < y, and of rows <= y */
    memset(u, 0, (size_t)(c->ymin[s] * w->u_ld) * w->size);
    for (int64_t y = c->ymin[s]; y < e->ny; y++, above = end) {
        char *u_row = u + (size_t)(y * w->u_ld) * w->size;
        int64_t lo = e->x_first[y], hi = e->x_last[y] + 1;
        while (end < n && offset[end] < (y + 1) * e->w_ld)
            end++;
        w->loops->row(w_row(w, y), offset, value, above, 1.0, 0, u_row, lo, hi);
        w->loops->row(w_row(w, y), offset + above, value + (size_t)above * w->size, end - above,
                      0.5, 1, u_row, lo, hi);
    }
}

static double gather(const work *w, const char *u, int64_t c)
{
    const hg_columns *m = w->columns;
    int64_t begin = m->m.indptr[c];
    return w->loops->gather(u, m->g_cell + begin, m->g_value + begin, m->m.indptr[c + 1] - begin);
}

/* One column, by rank: its row of F, and with symmetric the mirror image of it. */
static void do_rank(void *context, int64_t i, int worker)
{
    const work *w = context;
    const hg_columns *c = w->columns;
    int64_t n = c->m.n_columns, r = w->first + i, s = c->order[r];
    char *u = w->u + (size_t)(worker * w->extent->ny * w->u_ld) * w->size;
    if (w->route == PAIR)
        convolve_column_below(w, s, u);
    else
        convolve_column(w, s, u);
    for (int64_t q = w->route == SYMMETRIC ? r : 0; q < n; q++) {
        int64_t to = c->order[q];
        double sum = gather(w, u, to);
        hg_real_put(w->f, s * n + to, sum);
        if (w->route == SYMMETRIC)
            hg_real_put(w->f, to * n + s, sum);
    }
}

/* F = A + A', one row and the column below its diagonal. */
static void add_transpose(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    int64_t n = w->columns->m.n_columns, s = w->first + i;
    for (int64_t c = s; c < n; c++) {
        double sum = hg_real(w->f, s * n + c) + hg_real(w->f, c * n + s);
        hg_real_put(w->f, s * n + c, sum);
        hg_real_put(w->f, c * n + s, sum);
    }
}

/* Blocks of columns, so that progress is told from the calling thread. */
static int spread(const hg_cpu *cpu, work *w, int workers, hg_task_fn task, const hgate_run *run)
{
    int64_t n = w->columns->m.n_columns, block = 32 * (int64_t)workers;
    for (w->first = 0; w->first < n; w->first += block) {
        cpu->spread(workers, n - w->first < block ? n - w->first : block, task, w);
        int status = hgate_progress(run, n - w->first < block ? n : w->first + block, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

static int all_finite(hg_reals vals, int64_t n)
{
    for (int64_t t = 0; t < n; t++)
        if (!isfinite(hg_real(vals, t)))
            return 0;
    return 1;
}

static int run_route(enum route route, const hg_cpu *cpu, const hgate_problem *problem,
                     const void *prepared, hgate_run *run)
{
    const int64_t *dims = problem->dims;
    int workers = hg_cpu_threads(cpu, run->threads);
    hg_columns columns;
    hgate_scratch scratch = hgate_scratch_over(run);
    char *u = lay_out(&scratch, problem, workers, &columns);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);
    columns.m = (hg_csc){.n_rows = dims[HGATE_DIM_CURVATURE_N],
                         .n_columns = dims[HGATE_DIM_CURVATURE_S],
                         .nnz = dims[HGATE_DIM_CURVATURE_NNZ],
                         .indptr = hg_arg(problem, HGATE_CURVATURE_INDPTR),
                         .rows = hg_index_arg(problem, HGATE_CURVATURE_ROWS)};
    hg_reals vals = hg_real_arg(problem, HGATE_CURVATURE_VALS);
    int status = hg_csc_check(run->host, &columns.m);
    if (status != HGATE_OK)
        return status;
    if (route != FULL && !all_finite(vals, columns.m.nnz))
        return HGATE_RUN_PLAIN;
    hg_columns_fill(&columns, prepared, vals, route == PAIR);

    work w = {.route = route,
              .extent = prepared,
              .columns = &columns,
              .loops = loops_of(cpu, problem),
              .size = real_size(problem),
              .u_ld = hg_extent_u_ld(dims[HGATE_DIM_CURVATURE_NX], real_size(problem)),
              .u = u,
              .f = hg_real_arg(problem, HGATE_CURVATURE_F)};
    run->committed = 1;
    status = spread(cpu, &w, workers, do_rank, run);
    if (status == HGATE_OK && route == PAIR)
        status = spread(cpu, &w, workers, add_transpose, run);
    return status;
}

static int run_full(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    return run_route(FULL, state, problem, prepared, run);
}

static int run_symmetric(void *state, const hgate_problem *problem, const void *prepared,
                         hgate_run *run)
{
    return run_route(SYMMETRIC, state, problem, prepared, run);
}

static int run_pair(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    return run_route(PAIR, state, problem, prepared, run);
}

#define DIRECT_KERNEL(symbol, word)                                                                \
    HG_CPU_KERNEL(curvature_##symbol, .op = HGATE_OP_CURVATURE, .name = #symbol,                   \
                  .dtypes = HGATE_F32 | HGATE_F64, .plain = word,                                  \
                  .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,                               \
                  .supports = supports_##symbol, .estimate = estimate_##symbol,                    \
                  .prepare = hg_extent_prepare, .discard = hg_extent_discard, .run = run_##symbol)

DIRECT_KERNEL(full, NULL);
DIRECT_KERNEL(symmetric, "full");
DIRECT_KERNEL(pair, "full");
