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
 * pair: each entry adds only to rows below its own, and one half of it to its own row, which is the
 * convolution with a w that is 0 for dy < 0 and halved for dy = 0. It gives A; F = A + A'.
 * g nnz ny nx multiply-adds with g <= f, but the whole gather. It agrees with the others up to
 * rounding.
 *
 * Both sums are single chains in orders fixed by the mask (extent.h): U by x, then falling y; the
 * gather row-major. float32 sums U in float32 and gathers in double. Eight columns go together,
 * four rows of the image at a time: U of a strip stays in the first-level cache, the eight rows of
 * F in the second.
 *
 * Limits: nx, S and nnz below 2^32. A non-finite value makes its own row and column of F non-finite
 * under `full`; the others hand such data over.
 *
 * Source: F = M' W M of an interferometer as a convolution; ranking and work fraction are those of
 * PyAutoArray. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/row_lists.h"
#include "plugins/cpu/curvature/runs.h"
#include "plugins/cpu/curvature/triangle.h"
#include "plugins/cpu/settings.h"

#include <math.h>
#include <string.h>

enum route { FULL, SYMMETRIC, PAIR };
enum { COLUMNS = HG_GATHER_COLUMNS };

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

static hg_strip_fn strip_of(int isa, int is_f64)
{
    static const hg_strip_fn *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_strip,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_strip,
        [HG_ISA_AVX512] = hg_avx512_strip,
#endif
    };
    return by_isa[isa][is_f64];
}

/* ---- cost ---- */

/* A vertical run of r entries costs r steps and what every run costs. Its number is not known
 * before M is looked at; columns that are compact have about as many as the root of their entries.
 * What is worked out about M first (entries) is one thread's work. */
#define TERMS(CELL)                                                                                \
    {                                                                                              \
        {"call", HG_K_CALL}, {"columns", HG_K_CURVATURE_COLUMN}, {"cells", HG_K_##CELL},           \
            {"gather", HG_K_CURVATURE_GATHER}, {"team", HG_K_TEAM},                                \
            {"cells_f32", HG_K_##CELL##_F32}, {"runs", HG_K_CURVATURE_RUN},                        \
            {"runs_f32", HG_K_CURVATURE_RUN_F32}, {"planes", HG_K_CURVATURE_PLANE},                \
            {"entries", HG_K_CURVATURE_ENTRY},                                                     \
    }
enum { CELLS = 2, GATHER = 3, CELLS_F32 = 5, RUNS = 6, RUNS_F32 = 7, PLANES = 8, ENTRIES = 9 };

static const hgate_term terms[] = TERMS(CURVATURE_CELL);
static const hgate_term symmetric_terms[] = TERMS(CURVATURE_SYMMETRIC_CELL);
#define full_terms terms
#define pair_terms terms

/* What each worker has for itself. */
typedef struct desk {
    void *u;       /* (COLUMNS, HG_STRIP_ROWS, u_ld): a strip of U of each column */
    double *cells; /* (nx, COLUMNS), and one group more: a row of it, cell by cell */
    double *block; /* (S, COLUMNS): F by rank */
    hg_run *below; /* pair: the runs of one column, cut */
} desk;

typedef struct work {
    enum route route;
    const hg_extent *extent;
    hg_columns columns;
    hg_runs runs;
    hg_row_lists rows;
    desk *desks;
    hg_strip_fn strip;
    const hg_gather *gather;
    size_t size;
    int64_t u_ld;
    hg_reals f;
    int64_t first; /* of the blocks that are worked on */
} work;

static void lay_out(hgate_scratch *scratch, enum route route, const hgate_problem *problem,
                    int workers, work *w)
{
    const int64_t *dims = problem->dims;
    int64_t nx = dims[HGATE_DIM_CURVATURE_NX], nnz = dims[HGATE_DIM_CURVATURE_NNZ];
    w->size = real_size(problem);
    w->u_ld = hg_extent_u_ld(nx, w->size);
    hg_columns_lay_out(scratch, dims, &w->columns);
    hg_runs_lay_out(scratch, dims, w->size, &w->runs);
    hg_row_lists_lay_out(scratch, dims, &w->rows);
    w->desks = hgate_scratch_take(scratch, workers, sizeof *w->desks);
    for (int i = 0; i < workers; i++) {
        desk d = {.u = hgate_scratch_take(scratch, COLUMNS * HG_STRIP_ROWS * w->u_ld, w->size),
                  .cells = hgate_scratch_take(scratch, nx + COLUMNS, COLUMNS * sizeof(double)),
                  .block = hgate_scratch_take(scratch, dims[HGATE_DIM_CURVATURE_S],
                                              COLUMNS * sizeof(double)),
                  .below = hgate_scratch_take(scratch, route == PAIR ? nnz : 0, sizeof(hg_run))};
        if (w->desks)
            w->desks[i] = d;
    }
}

static const hgate_curvature_facts *facts_of(const hgate_problem *problem)
{
    const hgate_curvature_facts *facts = problem->facts;
    return facts && facts->is_known ? facts : NULL;
}

/* share: of the work of `full`. */
static void fill(enum route route, double share, double gathers, const hg_cpu *cpu,
                 const hgate_problem *problem, hgate_estimate *est)
{
    const int64_t *dims = problem->dims;
    const int workers = hg_cpu_threads(cpu, problem->threads), is_f64 = problem->dtype == HGATE_F64;
    const double columns = (double)dims[HGATE_DIM_CURVATURE_S],
                 nnz = (double)dims[HGATE_DIM_CURVATURE_NNZ],
                 plane = (double)dims[HGATE_DIM_CURVATURE_NY] *
                         (double)dims[HGATE_DIM_CURVATURE_NX] * share / workers;
    est->terms[0] = 1.0;
    est->terms[1] = columns / workers;
    est->terms[is_f64 ? CELLS : CELLS_F32] = nnz * plane;
    est->terms[is_f64 ? RUNS : RUNS_F32] = sqrt(nnz * columns) * plane;
    est->terms[PLANES] = columns * plane;
    est->terms[ENTRIES] = nnz;
    est->terms[GATHER] = gathers * columns * nnz / workers;
    est->terms[4] = hg_cpu_teams(workers, 2.0);
    hgate_scratch scratch = hgate_scratch_count();
    work unused;
    lay_out(&scratch, route, problem, workers, &unused);
    est->ws_host = scratch.bytes;
    est->prepared_bytes = hg_extent_bytes(cpu, problem);
}

static int estimate_full(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    fill(FULL, 1.0, 1.0, state, problem, est);
    return HGATE_OK;
}

/* The share f of the work of `full`, at a rate of its own. Where gates.curvature.symmetric_kappa is
 * a number, or nothing was measured, the host takes the time of `full` times kappa f instead. */
static int estimate_symmetric(void *state, const hgate_problem *problem, const double *k,
                              hgate_estimate *est)
{
    (void)k;
    const hgate_curvature_facts *facts = facts_of(problem);
    const double f = facts ? facts->work_fraction : 1.0;
    fill(SYMMETRIC, f, f, state, problem, est);
    return HGATE_OK;
}

static int estimate_pair(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    const hgate_curvature_facts *facts = facts_of(problem);
    fill(PAIR, facts ? facts->pair_fraction : 1.0, 2.0, state, problem, est);
    return HGATE_OK;
}

/* ---- refusals ---- */

static int supports_full(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    return hg_row_lists_can(problem, reason);
}

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
    return hg_row_lists_can(problem, reason);
}

static int supports_pair(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    if (!hg_setting_is(((const hg_cpu *)state)->host, "ops.curvature.exact_triangle", "false"))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "ops.curvature.exact_triangle is not false");
    return supports_symmetric(state, problem, reason);
}

/* ---- run ---- */

/* Address of row dy = 0 of w, column dx = 0; pair has a w that is 0 above. */
static const char *w_origin(const work *w)
{
    const hg_extent *e = w->extent;
    int64_t row = w->route == PAIR ? 0 : e->ny - 1;
    const char *from = w->route == PAIR ? e->w_half : e->w;
    return from + (size_t)(row * e->w_ld + e->nx - 1) * w->size;
}

/* U of one column in the four rows from y0 on. */
static void convolve(const work *w, const desk *d, int64_t s, int64_t y0, int64_t lo, int64_t hi,
                     void *u)
{
    const hg_extent *e = w->extent;
    const hg_run *run = w->runs.run + w->runs.start[s];
    int64_t n = w->runs.start[s + 1] - w->runs.start[s];
    if (w->route == PAIR) {
        n = hg_runs_below(&w->runs, s, y0, e, d->below);
        run = d->below;
    }
    w->strip(w_origin(w) + (size_t)(y0 * e->w_ld) * w->size, e->w_ld, run, n, w->runs.value, u,
             w->u_ld, lo, hi);
}

/* The masked cells of the rows y0 ... y1 - 1, none: lo >= hi. */
static void span(const hg_extent *e, int64_t y0, int64_t y1, int64_t *lo, int64_t *hi)
{
    *lo = e->nx;
    *hi = 0;
    for (int64_t y = y0; y < y1; y++) {
        *lo = e->x_first[y] < *lo ? e->x_first[y] : *lo;
        *hi = e->x_last[y] + 1 > *hi ? e->x_last[y] + 1 : *hi;
    }
}

/* Four rows of U of the columns of ranks r0 ... r1 - 1, added to their block of F. A column that
 * begins below them keeps what is there (symmetric): no column that it meets has an entry in these
 * rows. */
static void do_strip(const work *w, const desk *d, int64_t r0, int64_t r1, int64_t y0)
{
    const hg_extent *e = w->extent;
    const hg_columns *c = &w->columns;
    const int64_t y1 = y0 + HG_STRIP_ROWS < e->ny ? y0 + HG_STRIP_ROWS : e->ny;
    const int64_t step = HG_STRIP_ROWS * w->u_ld;
    int64_t lo = 0, hi = e->nx;
    if (w->route != FULL)
        span(e, y0, y1, &lo, &hi);
    for (int64_t r = r0; r < r1 && lo < hi; r++)
        if (w->route != SYMMETRIC || c->ymin[c->order[r]] < y1)
            convolve(w, d, c->order[r], y0, lo, hi,
                     (char *)d->u + (size_t)((r - r0) * step) * w->size);
    for (int64_t y = y0; y < y1; y++) {
        if (e->x_last[y] < 0)
            continue;
        const hg_segment *segment = w->rows.segment;
        w->gather->interleave((char *)d->u + (size_t)((y - y0) * w->u_ld) * w->size, step,
                              e->x_first[y], e->x_last[y] + 1, d->cells);
        w->gather->row(d->cells, segment + w->rows.start[y], segment + w->rows.start[y + 1],
                       w->route == SYMMETRIC ? r0 : 0, w->rows.x + w->rows.entry[y],
                       w->rows.value + w->rows.entry[y], d->block);
    }
}

/* Eight columns, by rank: their rows of F. */
static void do_block(void *context, int64_t i, int worker)
{
    const work *w = context;
    const hg_columns *c = &w->columns;
    const desk *d = &w->desks[worker];
    int64_t n = c->m.n_columns, r0 = (w->first + i) * COLUMNS;
    int64_t r1 = r0 + COLUMNS < n ? r0 + COLUMNS : n;
    memset(d->block, 0, (size_t)n * COLUMNS * sizeof *d->block);
    for (int64_t y = w->route == FULL ? 0 : c->ymin[c->order[r0]]; y < w->extent->ny;
         y += HG_STRIP_ROWS)
        do_strip(w, d, r0, r1, y);
    for (int64_t r = r0; r < r1; r++)
        for (int64_t q = w->route == SYMMETRIC ? r : 0; q < n; q++)
            hg_real_put(w->f, c->order[r] * n + c->order[q], d->block[q * COLUMNS + r - r0]);
}

/* A few blocks at a time, so that progress is told from the calling thread. */
static int do_blocks(const hg_cpu *cpu, work *w, int workers, const hgate_run *run)
{
    int64_t n = (w->columns.m.n_columns + COLUMNS - 1) / COLUMNS, some = 8 * (int64_t)workers;
    for (w->first = 0; w->first < n; w->first += some) {
        int64_t count = n - w->first < some ? n - w->first : some;
        cpu->spread(workers, count, do_block, w);
        int status = hgate_progress(run, w->first + count, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

static int run_route(enum route route, const hg_cpu *cpu, const hgate_problem *problem,
                     const void *prepared, hgate_run *run)
{
    int workers = hg_cpu_threads(cpu, run->threads), is_f64 = problem->dtype == HGATE_F64;
    work w = {.route = route,
              .extent = prepared,
              .strip = strip_of(cpu->isa, is_f64),
              .gather = hg_gather_of(cpu->isa, is_f64),
              .f = hg_real_arg(problem, HGATE_CURVATURE_F)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, route, problem, workers, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);
    int status = hg_columns_take(run->host, problem, &w.columns);
    if (status != HGATE_OK)
        return status;
    if (route != FULL && !hg_columns_are_finite(&w.columns))
        return HGATE_RUN_PLAIN;
    hg_columns_rank(&w.columns, w.extent);
    hg_columns_sort(&w.columns, w.extent->row_major);
    hg_row_lists_fill(&w.rows, &w.columns, w.extent);
    hg_columns_sort(&w.columns, w.extent->run_major);
    hg_runs_fill(&w.runs, &w.columns, w.extent);

    run->committed = 1;
    status = do_blocks(cpu, &w, workers, run);
    if (status == HGATE_OK && route != FULL)
        hg_triangle_finish(cpu, workers, w.f, w.columns.m.n_columns,
                           route == SYMMETRIC ? w.columns.rank : NULL);
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
                  .n_terms = HGATE_LENGTH_OF(terms), .terms = symbol##_terms,                      \
                  .supports = supports_##symbol, .estimate = estimate_##symbol,                    \
                  .prepare = hg_extent_prepare, .discard = hg_extent_discard, .run = run_##symbol)

DIRECT_KERNEL(full, NULL);
DIRECT_KERNEL(symmetric, "full");
DIRECT_KERNEL(pair, "full");
