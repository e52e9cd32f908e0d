/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `scatter` and `atomic` of kirchhoff_forward: how the work is cut, what it costs, how it
 * is started. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/kirchhoff/filter.h"
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/work.h"

#include <math.h>

/* ---- scatter: how it is cut ---- */

/* Images of so few tiles are one segment; the segments of others have tiles enough for the cost of
 * adding one to a trace. */
enum { ONE_SEGMENT = 96, LEAST_SEGMENT = 32, POINTS_A_SAMPLE = 16 };
/* With fewer groups of traces than this, segments are spread over blocks. */
enum { GROUPS = 512 };
#define MOST_SPLIT_BYTES ((double)(INT64_C(1) << 30))
/* Shared memory: of the device for what the compiler places, of a block for windows, of its traces
 * for two blocks to live together. */
enum { STATIC = 2048, LEAST_WINDOWS = 16384, MOST_WINDOWS = 49152, MOST_TRACES = 131072 };

static int64_t divide(int64_t a, int64_t b)
{
    return a > 0 ? (a - 1) / b + 1 : 0;
}

/* One word keeps a number to 2^-22 of the largest one of its tile. The error that is allowed grows
 * with the root of the number of points and with the samples that times span, and so may the range
 * of numbers that share a scale. More words leave room for weights that vary. */
static hg_fixed_point fixed_point(const hg_migration_sizes *s)
{
    const double root = sqrt((double)s->ni), half = (double)s->nt / 2.0;
    const double slack = root + (half < 4.0 * root ? half : 4.0 * root);
    const int most = s->is_dynamic ? 8 : 12;
    const int range = 2 + (int)floor(log2(slack > 1.0 ? slack : 1.0));
    return (hg_fixed_point){.words = 1 + s->is_dynamic + 2 * s->is_64,
                            .range = range > most ? most : range};
}

/* Everything but memory; by the sizes and the device. */
static hg_scatter cut(const hg_cuda_device *device, const hg_migration_sizes *s)
{
    hg_scatter a = {.fixed = fixed_point(s), .segment_tiles = s->n_tiles, .segments = 1};
    const int64_t traces = HG_SOURCES_AT_ONCE * HG_RECEIVERS_AT_ONCE * s->nt * (int64_t)s->real;
    const int64_t groups = divide(s->ns, HG_SOURCES_AT_ONCE) * divide(s->nr, HG_RECEIVERS_AT_ONCE);
    if (s->n_tiles > ONE_SEGMENT) {
        a.segment_tiles = divide(POINTS_A_SAMPLE * s->nt, HG_TILE);
        if (a.segment_tiles < LEAST_SEGMENT)
            a.segment_tiles = LEAST_SEGMENT;
        a.segments = divide(s->n_tiles, a.segment_tiles);
    }
    a.is_split = a.segments > 1 && groups < GROUPS &&
                 (double)a.segments * (double)s->traces * (double)s->nt * (double)s->real <=
                     MOST_SPLIT_BYTES;
    a.has_rows = traces > MOST_TRACES || traces + LEAST_WINDOWS + STATIC > device->smem_optin;
    return a;
}

/* Windows of the plan, if the device has room for two sets of them. */
static void fit_windows(const hg_cuda_device *device, hg_scatter *a)
{
    const int64_t unit = 2 * HG_SOURCES_AT_ONCE * HG_RECEIVERS_AT_ONCE * a->fixed.words * 4;
    a->window = 0;
    int64_t room = device->smem_optin - STATIC - (int64_t)hg_kirchhoff_scatter_shared(a);
    room = (room < MOST_WINDOWS ? room : MOST_WINDOWS) / unit;
    a->window = (int)(a->tables.window < room ? a->tables.window : room);
}

/* ---- memory ---- */

/* Traces before the wavelet. */
static void *take_traces(hgate_scratch *scratch, const hg_migration_sizes *s)
{
    return hgate_scratch_take(scratch, s->nwav ? s->traces * s->nt : 0, s->real);
}

static void *lay_out(hgate_scratch *scratch, const hg_migration_sizes *s, hg_scatter *a)
{
    const int64_t places = s->n_tiles * HG_TILE, samples = s->traces * s->nt;
    a->model.tile = hgate_scratch_take(scratch, s->n_tiles, sizeof(hg_model_tile));
    a->model.main = hgate_scratch_take(scratch, places, s->real);
    a->model.odd_place = hgate_scratch_take(scratch, places, sizeof(int32_t));
    a->model.odd_value = hgate_scratch_take(scratch, places, s->real);
    a->rows = hgate_scratch_take(scratch,
                                 a->is_split   ? a->segments * samples
                                 : a->has_rows ? samples
                                               : 0,
                                 s->real);
    return take_traces(scratch, s);
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_migration_refuse(state, problem, reason);
}

static int estimate_scatter(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)k;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hg_scatter a = cut(hg_cuda_device_of(state, problem), &s);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &s, &a);
    hg_migration_count(problem, est);
    est->terms[7] +=
        2.0 * (double)(a.segments - 1) * (double)s.traces * (double)s.nt * (double)s.real;
    est->ws_device = scratch.bytes;
    return HGATE_OK;
}

static int estimate_atomic(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    (void)state, (void)k;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hgate_scratch scratch = hgate_scratch_count();
    take_traces(&scratch, &s);
    hg_migration_count(problem, est);
    est->ws_device = scratch.bytes;
    return HGATE_OK;
}

/* ---- launches; CUDA error codes ---- */

static int convolve(const hgate_problem *problem, const hg_cuda_tables *t, const void *traces,
                    void *stream)
{
    const hg_filter filter = {.wav = t->wav,
                              .in = traces,
                              .out = hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA),
                              .nwav = t->nwav,
                              .wavc = t->wavc,
                              .nt = t->nt,
                              .traces = t->source.n * t->receiver.n,
                              .alpha = problem->alpha_re,
                              .beta = problem->beta_re,
                              .is_64 = t->is_64};
    return (int)hg_kirchhoff_filter(&filter, stream);
}

/* Whether there is more to do than to scale data. */
static int is_needed(const hgate_problem *problem, const hg_cuda_tables *t)
{
    return problem->alpha_re != 0.0 && t->n_tiles > 0 && t->source.n > 0 && t->receiver.n > 0;
}

static int scale(const hgate_problem *problem, const hg_cuda_tables *t, void *stream)
{
    return hg_migration_scale(hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA),
                              t->source.n * t->receiver.n * t->nt, problem, stream);
}

static int start_scatter(const hgate_problem *problem, hg_scatter *a, void *traces, void *stream)
{
    const hg_cuda_tables *t = &a->tables;
    if (!is_needed(problem, t))
        return scale(problem, t, stream);
    a->data = t->nwav ? traces : hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA);
    a->alpha = t->nwav ? 1.0 : problem->alpha_re;
    a->beta = t->nwav ? 0.0 : problem->beta_re;
    int code =
        (int)hg_kirchhoff_pack_model(a, hgate_arg_data(problem, HGATE_KIRCHHOFF_MODEL), stream);
    if (!code)
        code = (int)hg_kirchhoff_scatter(a, stream);
    if (!code && a->is_split)
        code = (int)hg_kirchhoff_join(a, stream);
    return code || !t->nwav ? code : convolve(problem, t, traces, stream);
}

/* Sources of a block: few where there are few tiles. */
static int64_t sources_of_block(const hg_cuda_tables *t)
{
    enum { BLOCKS = 4096, MOST = 16 };
    const int64_t sources = t->source.n * t->n_tiles / BLOCKS;
    return sources < 1 ? 1 : sources > MOST ? MOST : sources;
}

static int start_atomic(const hgate_problem *problem, const hg_cuda_tables *t, void *traces,
                        void *stream)
{
    const int64_t samples = t->source.n * t->receiver.n * t->nt;
    if (!is_needed(problem, t) || !t->nwav) {
        const int code = scale(problem, t, stream);
        if (code || !is_needed(problem, t))
            return code;
    }
    int code = t->nwav ? (int)cudaMemsetAsync(traces, 0, (size_t)samples * (t->is_64 ? 8 : 4),
                                              (cudaStream_t)stream)
                       : 0;
    const hg_atomic atomic = {.tables = *t,
                              .model = hgate_arg_data(problem, HGATE_KIRCHHOFF_MODEL),
                              .data =
                                  t->nwav ? traces : hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA),
                              .alpha = t->nwav ? 1.0 : problem->alpha_re,
                              .sources = sources_of_block(t)};
    if (!code)
        code = (int)hg_kirchhoff_atomic(&atomic, stream);
    return code || !t->nwav ? code : convolve(problem, t, traces, stream);
}

/* ---- runs ---- */

/* data = alpha W L model + beta data,  W: convolution with the wavelet, if there is one
 *
 * model (ni), data (ns, nr, nt); tables as the plan packed them. alpha 0 only scales, beta 0 does
 * not read data. Everything is queued on the stream. */
static int run_scatter(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    const hg_migration_plan *plan = prepared;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    hg_scatter a = cut(device, &s);
    hgate_scratch scratch = hg_device_scratch(run);
    void *traces = lay_out(&scratch, &s, &a);
    int previous;
    if (scratch.is_short && scratch.bytes > 0)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_forward: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    a.tables = plan->tables;
    fit_windows(device, &a);
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id, start_scatter(problem, &a, traces, run->stream),
                            "start kirchhoff_forward");
    hg_cuda_leave(previous);
    return status;
}

static int run_atomic(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *run)
{
    const hg_migration_plan *plan = prepared;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hgate_scratch scratch = hg_device_scratch(run);
    void *traces = take_traces(&scratch, &s);
    int previous;
    if (scratch.is_short && scratch.bytes > 0)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_forward: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id,
                            start_atomic(problem, &plan->tables, traces, run->stream),
                            "start kirchhoff_forward");
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term scatter_terms[] = {HG_MIGRATION_TERM_LIST(scatter)};
static const hgate_term atomic_terms[] = {HG_MIGRATION_TERM_LIST(atomic)};

const hgate_kernel hg_cuda_kirchhoff_forward_scatter = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_FORWARD,
    .name = "scatter",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HG_MIGRATION_TERMS,
    .terms = scatter_terms,
    .supports = supports,
    .estimate = estimate_scatter,
    .prepare = hg_migration_prepare,
    .discard = hg_migration_discard,
    .run = run_scatter,
};

const hgate_kernel hg_cuda_kirchhoff_forward_atomic = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_FORWARD,
    .name = "atomic",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HG_MIGRATION_TERMS,
    .terms = atomic_terms,
    .supports = supports,
    .estimate = estimate_atomic,
    .prepare = hg_migration_prepare,
    .discard = hg_migration_discard,
    .run = run_atomic,
};
