/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels window and gather of kirchhoff_adjoint: threads take tiles of the image. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/kirchhoff/adjoint.h"
#include "plugins/cpu/kirchhoff/filter.h"
#include "plugins/cpu/kirchhoff/reach.h"
#include "plugins/cpu/kirchhoff/work.h"
#include "plugins/cpu/view.h"

#include <math.h>

static const hg_adjoint_fn *const adjoint_fns[HG_ISA_COUNT] = HG_BY_ISA(adjoint);
static const hg_filter_fn *const filter_fns[HG_ISA_COUNT] = HG_BY_ISA(filter);

static const hgate_term window_terms[] = {HG_MIGRATION_TERM_LIST(WINDOW),
                                          {"reach32", HG_K_KIRCHHOFF_WINDOW_REACH_F32},
                                          {"reach64", HG_K_KIRCHHOFF_WINDOW_REACH_F64}};
static const hgate_term gather_terms[] = {HG_MIGRATION_TERM_LIST(GATHER)};

/* What the tasks of a run share. */
typedef struct work {
    const hg_tables *t;
    hg_adjoint_fn tiles;
    int64_t task_tiles; /* tiles of a task */
    hg_filter_fn filter;
    hg_wavelet wavelet;
    int with_windows;
    double alpha, beta;
    hg_reals data; /* of the caller, never written */
    hg_reals model;
    char *filtered; /* (ns, nr, nt) with a wavelet */
    char *padded;   /* room of each worker for a filter */
    size_t padded_bytes;
} work;

static void lay_out(hgate_scratch *scratch, int64_t traces, int64_t nt, int64_t nwav, int is_64,
                    int workers, work *w)
{
    w->padded_bytes = ((size_t)hg_filter_room(nt, nwav) * hg_real_bytes(is_64) + 63) / 64 * 64;
    w->filtered = hgate_scratch_take(scratch, nwav ? traces * nt : 0, hg_real_bytes(is_64));
    w->padded = hgate_scratch_take(scratch, nwav ? workers : 0, w->padded_bytes);
}

static int supports_window(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hg_cpu *cpu = state;
    int is_64 = problem->dtype == HGATE_F64;
    if (cpu->isa < (is_64 ? HG_ISA_AVX512 : HG_ISA_AVX2))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "windows of %s need the instruction set %s",
                            is_64 ? "float64" : "float32", is_64 ? "avx512" : "avx2");
    return hg_migration_supports(state, problem, reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    const int64_t *dims = problem->dims;
    hg_migration_count(cpu, problem, est);
    work w;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, dims[HGATE_DIM_KIRCHHOFF_NS] * dims[HGATE_DIM_KIRCHHOFF_NR],
            dims[HGATE_DIM_KIRCHHOFF_NT], dims[HGATE_DIM_KIRCHHOFF_NWAV],
            problem->dtype == HGATE_F64, hg_cpu_threads(cpu, problem->threads), &w);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* A window has as many samples as a register has lanes. The more samples pass from one image point
 * to the next, the fewer bricks fit in one, and the others gather. The tables tell how many; where
 * they are not at hand, samples over points along the longest side of the grid have to do. */
static double share_beyond_windows(const hg_cpu *cpu, const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    int lanes = hg_tables_lanes(cpu->isa, problem->dtype == HGATE_F64);
    double side = 1.0, share = hg_reach_share(problem, lanes);
    for (int d = HGATE_DIM_KIRCHHOFF_NX; d <= HGATE_DIM_KIRCHHOFF_NY; d++)
        side = fmax(side, (double)dims[d]);
    return share >= 0.0 ? share : fmin(1.0, (double)dims[HGATE_DIM_KIRCHHOFF_NT] / side / lanes);
}

static int estimate_window(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    int status = estimate(state, problem, k, est);
    double pairs = 0.0;
    for (int t = 1; t <= 4; t++)
        pairs += est->terms[t];
    est->terms[HG_MIGRATION_TERMS + (problem->dtype == HGATE_F64)] =
        pairs * share_beyond_windows(state, problem);
    return status;
}

static void correlate(void *context, int64_t trace, int worker)
{
    const work *w = context;
    size_t at = (size_t)trace * (size_t)w->t->nt * hg_real_bytes(w->t->is_64);
    w->filter(&w->wavelet, (const char *)w->data.data + at, w->t->nt,
              w->padded + (size_t)worker * w->padded_bytes, w->filtered + at);
}

/* model = alpha image + beta model for the points of some tiles. */
static void store_tiles(const work *w, int64_t tile, int64_t n, hg_reals image)
{
    const int64_t *point = w->t->point + tile * hg_tile_points(w->t);
    for (int64_t p = 0; p < n * hg_tile_points(w->t); p++) {
        if (point[p] < 0)
            continue;
        double value = w->alpha == 0.0 ? 0.0 : w->alpha * hg_real(image, p);
        if (w->beta != 0.0)
            value += w->beta * hg_real(w->model, point[p]);
        hg_real_put(w->model, point[p], value);
    }
}

static void migrate(void *context, int64_t task, int worker)
{
    (void)worker;
    const work *w = context;
    const hg_tables *t = w->t;
    double image[HG_TASK_POINTS] __attribute__((aligned(64)));
    int64_t tile = task * w->task_tiles, left = t->bricks.n_tiles - tile;
    int64_t n = left < w->task_tiles ? left : w->task_tiles;
    if (w->alpha != 0.0)
        w->tiles(t, tile, n, t->nwav ? w->filtered : w->data.data, w->with_windows, image);
    store_tiles(w, tile, n, (hg_reals){image, t->is_64});
}

/* Tiles of a task: as the option says, else so many that neighbours share windows and no thread
 * runs dry. */
static int64_t choose_tiles(const hg_tables *t, int threads)
{
    enum { AUTO_POINTS = 512, TASKS_PER_THREAD = 6 };
    int64_t n = (t->task_points ? t->task_points : AUTO_POINTS) / hg_tile_points(t);
    int64_t even = t->bricks.n_tiles / (TASKS_PER_THREAD * threads);
    if (!t->task_points && threads > 1 && n > even)
        n = even;
    return n > 1 ? n : 1;
}

/* model = alpha L' W' data + beta model,  W': correlation with the wavelet, if there is one
 *
 * data (ns, nr, nt), model (ni); tables as the plan packed them. The caller's data stay as they
 * are: correlated traces go to the workspace. Tiles are independent, so the bits do not depend on
 * the threads. alpha 0 only scales, beta 0 does not read model. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run,
               int with_windows)
{
    const hg_cpu *cpu = state;
    const hg_tables *t = prepared;
    int threads = hg_cpu_threads(cpu, run->threads);
    int64_t traces = t->source.n * t->receiver.n;
    work w = {.t = t,
              .tiles = adjoint_fns[t->isa][t->is_64],
              .task_tiles = choose_tiles(t, threads),
              .filter = filter_fns[t->isa][t->is_64],
              .wavelet = {t->wav, t->nwav, t->wavc, 1},
              .with_windows = with_windows,
              .alpha = problem->alpha_re,
              .beta = problem->beta_re,
              .data = hg_real_arg(problem, HGATE_KIRCHHOFF_DATA),
              .model = hg_real_arg(problem, HGATE_KIRCHHOFF_MODEL)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, traces, t->nt, t->nwav, t->is_64, hg_cpu_threads(cpu, problem->threads), &w);
    if (t->nwav && scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_adjoint: workspace is too small");

    if (t->nwav && w.alpha != 0.0)
        cpu->spread(threads, traces, correlate, &w);
    run->committed = 1;
    int64_t tasks = (t->bricks.n_tiles + w.task_tiles - 1) / w.task_tiles;
    return hg_spread_told(cpu, run, threads, tasks, migrate, &w);
}

static int run_window(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *execution)
{
    return run(state, problem, prepared, execution, 1);
}

static int run_gather(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *execution)
{
    return run(state, problem, prepared, execution, 0);
}

HG_CPU_KERNEL(kirchhoff_adjoint_window, .op = HGATE_OP_KIRCHHOFF_ADJOINT, .name = "window",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(window_terms),
              .terms = window_terms, .supports = supports_window, .estimate = estimate_window,
              .prepare = hg_tables_make, .discard = hg_tables_free, .run = run_window);

HG_CPU_KERNEL(kirchhoff_adjoint_gather, .op = HGATE_OP_KIRCHHOFF_ADJOINT, .name = "gather",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HG_MIGRATION_TERMS, .terms = gather_terms,
              .supports = hg_migration_supports, .estimate = estimate, .prepare = hg_tables_make,
              .discard = hg_tables_free, .run = run_gather);
