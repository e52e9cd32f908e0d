/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel scatter of kirchhoff_forward: threads take groups of traces, or parts of the image where
 * traces are few. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/kirchhoff/filter.h"
#include "plugins/cpu/kirchhoff/forward.h"
#include "plugins/cpu/kirchhoff/work.h"
#include "plugins/cpu/view.h"

#include <string.h>

/* Image points whose sums are made by themselves before they are added to a trace. Fixed, so that
 * the bits of a trace do not depend on who works on it. */
enum { BLOCK_POINTS = 32768 };
/* Buffers that a group of traces may fill: they should stay in the second-level cache. */
enum { GROUP_BYTES = 256 << 10, GROUP_TRACES = 64 };

static const hg_forward_fns *const forward_fns[HG_ISA_COUNT] = HG_BY_ISA(forward);
static const hg_filter_fn *const filter_fns[HG_ISA_COUNT] = HG_BY_ISA(filter);

static const hgate_term terms[] = {HG_MIGRATION_TERM_LIST(SCATTER)};

/* How a run is cut: groups of traces, blocks of tiles. */
typedef struct cut {
    int64_t ns, nr, nt, nwav;
    int is_64, workers;
    int64_t group_sources, group_receivers, groups_per_source, n_groups;
    int64_t n_tiles, block_tiles, n_blocks;
    int by_block; /* a task is one block of one group; else a group */
} cut;

/* What the tasks of a run share. */
typedef struct work {
    cut c;
    const hg_tables *t;
    const hg_forward_fns *fns;
    hg_filter_fn filter;
    hg_wavelet wavelet;
    double alpha, beta;
    hg_reals data;
    const void *input;      /* the model of the caller */
    char *model;            /* packed like the tables */
    unsigned char *is_zero; /* (tiles) */
    char *buffers;          /* of each worker: the copies of a group's traces */
    char *sums;             /* of each worker, or of each group and block */
    char *rows;             /* of each worker: a trace, and room for the filter */
    size_t buffer_bytes, sum_bytes, row_bytes, padded_at;
} work;

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a > 0 ? (a - 1) / b + 1 : 0;
}

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

/* Traces of a group: what fits the cache, and not so many that threads stay idle. A few sources
 * together read the receivers' tables once. */
static void cut_traces(cut *c)
{
    int64_t bytes = 2 * HG_PAIR_COPIES * c->nt * (int64_t)hg_real_bytes(c->is_64);
    int64_t traces = c->ns * c->nr, size = at_most(GROUP_BYTES / bytes, GROUP_TRACES);
    if (c->workers > 1)
        size = at_most(size, traces / (4 * c->workers));
    size = size < 1 ? 1 : size;
    c->group_sources = at_most(size >= 16 ? 4 : size >= 4 ? 2 : 1, c->ns > 0 ? c->ns : 1);
    c->group_receivers = at_most(size / c->group_sources, c->nr > 0 ? c->nr : 1);
    c->groups_per_source = ceil_div(c->nr, c->group_receivers);
    c->n_groups = ceil_div(c->ns, c->group_sources) * c->groups_per_source;
}

static cut cut_run(const hg_cpu *cpu, const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    cut c = {.ns = dims[HGATE_DIM_KIRCHHOFF_NS],
             .nr = dims[HGATE_DIM_KIRCHHOFF_NR],
             .nt = dims[HGATE_DIM_KIRCHHOFF_NT],
             .nwav = dims[HGATE_DIM_KIRCHHOFF_NWAV],
             .is_64 = problem->dtype == HGATE_F64,
             .workers = hg_cpu_threads(cpu, problem->threads)};
    hg_bricks b = hg_bricks_of(dims[HGATE_DIM_KIRCHHOFF_NY], dims[HGATE_DIM_KIRCHHOFF_NX],
                               dims[HGATE_DIM_KIRCHHOFF_NZ], hg_tables_lanes(cpu->isa, c.is_64));
    c.n_tiles = b.n_tiles;
    c.block_tiles = BLOCK_POINTS / (HG_TILE_BRICKS * b.lanes);
    c.n_blocks = ceil_div(c.n_tiles, c.block_tiles);
    cut_traces(&c);
    c.by_block = c.n_groups < c.workers && c.n_blocks > 1;
    return c;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void lay_out(hgate_scratch *scratch, int lanes, work *w)
{
    const cut *c = &w->c;
    size_t real = hg_real_bytes(c->is_64), group = (size_t)(c->group_sources * c->group_receivers);
    w->buffer_bytes = rounded(group * HG_PAIR_COPIES * 2 * (size_t)c->nt * real);
    w->sum_bytes = rounded(group * 2 * (size_t)c->nt * real);
    w->padded_at = rounded((size_t)c->nt * real);
    w->row_bytes = w->padded_at;
    if (c->nwav)
        w->row_bytes += rounded((size_t)hg_filter_room(c->nt, c->nwav) * real);
    w->model = hgate_scratch_take(scratch, c->n_tiles * HG_TILE_BRICKS * lanes, real);
    w->is_zero = hgate_scratch_take(scratch, c->n_tiles, 1);
    w->buffers = hgate_scratch_take(scratch, c->workers, w->buffer_bytes);
    w->sums = hgate_scratch_take(scratch, c->by_block ? c->n_groups * c->n_blocks : c->workers,
                                 w->sum_bytes);
    w->rows = hgate_scratch_take(scratch, c->workers, w->row_bytes);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    work w = {.c = cut_run(cpu, problem)};
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, hg_tables_lanes(cpu->isa, w.c.is_64), &w);
    hg_migration_count(cpu, problem, est);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* ---- tasks ---- */

static hg_traces traces_of(const cut *c, int64_t group)
{
    int64_t source = group / c->groups_per_source * c->group_sources;
    int64_t receiver = group % c->groups_per_source * c->group_receivers;
    return (hg_traces){source, at_most(c->group_sources, c->ns - source), receiver,
                       at_most(c->group_receivers, c->nr - receiver)};
}

/* Scatters one block for a group and puts or adds it to the group's sums. */
static void do_block(const work *w, int64_t group, int64_t block, int is_first, int worker,
                     char *sums)
{
    const cut *c = &w->c;
    hg_traces traces = traces_of(c, group);
    size_t one = 2 * (size_t)c->nt * hg_real_bytes(c->is_64);
    char *buffers = w->buffers + (size_t)worker * w->buffer_bytes;
    int64_t n = traces.n_sources * traces.n_receivers;
    memset(buffers, 0, (size_t)n * HG_PAIR_COPIES * one);
    w->fns->scatter(w->t, &traces, block * c->block_tiles,
                    at_most((block + 1) * c->block_tiles, c->n_tiles), w->model, w->is_zero,
                    buffers);
    for (int64_t i = 0; i < n; i++)
        w->fns->collect(buffers + (size_t)i * HG_PAIR_COPIES * one, c->nt, is_first,
                        sums + (size_t)i * one);
}

/* data = alpha W trace + beta data for each trace of a group. */
static void write_group(const work *w, int64_t group, const char *sums, int worker)
{
    const cut *c = &w->c;
    size_t real = hg_real_bytes(c->is_64);
    hg_traces traces = traces_of(c, group);
    char *row = w->rows + (size_t)worker * w->row_bytes;
    for (int64_t i = 0; i < traces.n_sources * traces.n_receivers; i++) {
        int64_t source = traces.source + i / traces.n_receivers;
        int64_t receiver = traces.receiver + i % traces.n_receivers;
        if (sums)
            w->fns->resolve(sums + (size_t)(2 * i * c->nt) * real, c->nt, row);
        if (sums && c->nwav)
            w->filter(&w->wavelet, row, c->nt, row + w->padded_at, row);
        w->fns->output(row, c->nt, sums ? w->alpha : 0.0, w->beta,
                       (char *)w->data.data + (size_t)((source * c->nr + receiver) * c->nt) * real);
    }
}

static void do_group(void *context, int64_t group, int worker)
{
    const work *w = context;
    char *sums = w->sums + (size_t)worker * w->sum_bytes;
    int64_t n_blocks = w->alpha != 0.0 ? w->c.n_blocks : 0;
    for (int64_t block = 0; block < n_blocks; block++)
        do_block(w, group, block, block == 0, worker, sums);
    write_group(w, group, n_blocks ? sums : NULL, worker);
}

static void do_part(void *context, int64_t task, int worker)
{
    const work *w = context;
    do_block(w, task / w->c.n_blocks, task % w->c.n_blocks, 1, worker,
             w->sums + (size_t)task * w->sum_bytes);
}

/* Adds the parts of a group in the order of the blocks. */
static void join_parts(void *context, int64_t group, int worker)
{
    const work *w = context;
    const cut *c = &w->c;
    char *sums = w->sums + (size_t)(group * c->n_blocks) * w->sum_bytes;
    int64_t n = 2 * c->group_sources * c->group_receivers * c->nt;
    for (int64_t block = 1; block < c->n_blocks; block++) {
        hg_reals to = {sums, c->is_64}, from = {sums + (size_t)block * w->sum_bytes, c->is_64};
        for (int64_t i = 0; i < n; i++)
            hg_real_put(to, i, hg_real(to, i) + hg_real(from, i));
    }
    write_group(w, group, sums, worker);
}

/* The model in the order of the tables, 0 where there is no point. */
static void pack_tile(void *context, int64_t tile, int worker)
{
    (void)worker;
    const work *w = context;
    const hg_tables *t = w->t;
    hg_reals packed = {w->model, t->is_64}, model = {(void *)w->input, t->is_64};
    int64_t points = hg_tile_points(t);
    int is_zero = 1;
    for (int64_t p = tile * points; p < (tile + 1) * points; p++) {
        double value = t->point[p] < 0 ? 0.0 : hg_real(model, t->point[p]);
        is_zero &= value == 0.0;
        hg_real_put(packed, p, value);
    }
    w->is_zero[tile] = (unsigned char)is_zero;
}

/* data = alpha W L model + beta data,  W: convolution with the wavelet, if there is one
 *
 * model (ni), data (ns, nr, nt); tables as the plan packed them. Tiles of zeros are left out, which
 * NaN is not. Each trace is summed by blocks of points in a fixed order, so its bits depend neither
 * on the threads nor on the other traces of the call. alpha 0 only scales, beta 0 does not read
 * data. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    const hg_cpu *cpu = state;
    const hg_tables *t = prepared;
    int threads = hg_cpu_threads(cpu, run->threads);
    work w = {.c = cut_run(cpu, problem),
              .t = t,
              .fns = &forward_fns[t->isa][t->is_64],
              .filter = filter_fns[t->isa][t->is_64],
              .wavelet = {t->wav, t->nwav, t->wavc, 0},
              .alpha = problem->alpha_re,
              .beta = problem->beta_re,
              .data = hg_real_arg(problem, HGATE_KIRCHHOFF_DATA),
              .input = hg_arg(problem, HGATE_KIRCHHOFF_MODEL)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, t->bricks.lanes, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_forward: workspace is too small");

    if (w.alpha != 0.0)
        cpu->spread(threads, t->bricks.n_tiles, pack_tile, &w);
    run->committed = 1;
    if (!w.c.by_block || w.alpha == 0.0)
        return hg_spread_told(cpu, run, threads, w.c.n_groups, do_group, &w);
    int status = hg_spread_told(cpu, run, threads, w.c.n_groups * w.c.n_blocks, do_part, &w);
    if (status == HGATE_OK)
        cpu->spread(threads, w.c.n_groups, join_parts, &w);
    return status;
}

HG_CPU_KERNEL(kirchhoff_forward_scatter, .op = HGATE_OP_KIRCHHOFF_FORWARD, .name = "scatter",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HG_MIGRATION_TERMS, .terms = terms,
              .supports = hg_migration_supports, .estimate = estimate, .prepare = hg_tables_make,
              .discard = hg_tables_free, .run = run);
