/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `window` and `gather` of kirchhoff_adjoint: how the work is cut, what it costs, how it is
 * started. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/kirchhoff/adjoint.h"
#include "plugins/cuda/kirchhoff/filter.h"
#include "plugins/cuda/kirchhoff/work.h"

/* Blocks that keep a device busy: the more sources and receivers a block has, the less partial
 * images there are to add, but a few rounds of blocks end more evenly than one. By size of the
 * problem alone, so results do not depend on the device. */
enum { MOST_BLOCKS = 2048, LEAST_BLOCKS = 512, LEAST_RECEIVERS = 8, RECEIVER_PARTS = 2 };
/* Numbers of all partial images together, unless one image has more. */
#define MOST_IMAGE_NUMBERS (INT64_C(1) << 24)

static int64_t divide(int64_t a, int64_t b)
{
    return a > 0 ? (a - 1) / b + 1 : 0;
}

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

typedef cudaError_t (*launch_fn)(const hg_adjoint *adjoint, cudaStream_t stream);

/* What registers have room for; gather needs them to have many warps, which hide its loads. */
static int sources_at_once(const hg_cuda_state *state, const hg_migration_sizes *s,
                           launch_fn launch)
{
    const int automatic = launch == hg_kirchhoff_gather ? 1 : s->is_64 || s->is_dynamic ? 2 : 4;
    int sources = hg_migration_sources_at_once(state, automatic);
    while (sources > 1 && sources > s->ns)
        sources /= 2;
    return sources;
}

static hg_adjoint cut(const hg_cuda_state *state, const hg_migration_sizes *s, launch_fn launch)
{
    hg_adjoint a = {.sources_at_once = sources_at_once(state, s, launch)};
    if (s->ns == 0 || s->nr == 0 || s->n_tiles == 0)
        return a;
    const int64_t groups = divide(s->ns, a.sources_at_once);
    int64_t most_parts = MOST_IMAGE_NUMBERS / (s->n_tiles * HG_TILE);
    most_parts = most_parts < 1 ? 1 : most_parts;
    int64_t parts = at_most(at_most(groups, most_parts), divide(MOST_BLOCKS, s->n_tiles));
    a.sources = divide(groups, parts) * a.sources_at_once;
    a.source_parts = divide(s->ns, a.sources);
    parts = divide(LEAST_BLOCKS, s->n_tiles * a.source_parts);
    parts = parts < RECEIVER_PARTS ? RECEIVER_PARTS : parts;
    parts = at_most(parts, most_parts / a.source_parts);
    parts = at_most(parts, s->nr / LEAST_RECEIVERS);
    a.receivers = divide(s->nr, parts < 1 ? 1 : parts);
    a.receiver_parts = divide(s->nr, a.receivers);
    return a;
}

/* The ring of windows: what three blocks of a multiprocessor have room for, at least one receiver
 * at a time; where even that is too much, windows are shorter and some tiles read memory instead.
 */
static void fit_ring(const hg_cuda_device *device, const hg_migration_sizes *s, hg_adjoint *a)
{
    enum { STATIC = 4096, BLOCKS_RESIDENT = 3 };
    int64_t room = device->smem_multiprocessor / BLOCKS_RESIDENT - device->smem_reserved - STATIC;
    int64_t *window = &a->tables.window;
    const int64_t slot = a->sources_at_once * (int64_t)s->real;
    enum { MOST_RECEIVERS = 8 };
    a->receivers_at_once = (int)at_most((a->receivers + 1) / 2, MOST_RECEIVERS); /* two fills */
    a->stages = 2;
    while (a->receivers_at_once > 1 && a->stages * a->receivers_at_once * slot * *window > room)
        a->receivers_at_once /= 2;
    if (a->stages * slot * *window > room)
        room = device->smem_optin - STATIC;
    if (a->stages * slot * *window > room)
        *window = room / (a->stages * slot) & ~INT64_C(3);
}

/* Device workspace: correlated traces, images of the parts. */
typedef struct pieces {
    void *traces, *images;
} pieces;

static pieces lay_out(hgate_scratch *scratch, const hg_migration_sizes *s, const hg_adjoint *a)
{
    pieces p;
    p.traces = hgate_scratch_take(scratch, s->nwav ? s->traces * s->nt : 0, s->real);
    p.images = hgate_scratch_take(
        scratch, a->source_parts * a->receiver_parts * s->n_tiles * HG_TILE, s->real);
    return p;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_migration_refuse(state, problem, reason);
}

static int supports_window(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const int status = hg_migration_refuse(state, problem, reason);
    if (status)
        return status;
    const int cc = hg_cuda_device_of(state, problem)->cc;
    if (cc < 90)
        return hgate_refuse(reason, HGATE_REFUSE_DEVICE, cc, 90,
                            "bulk copies need compute capability 9.0, the device has %d.%d",
                            cc / 10, cc % 10);
    return HGATE_OK;
}

static int estimate(const hg_cuda_state *state, const hgate_problem *problem, launch_fn launch,
                    hgate_estimate *est)
{
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    const hg_adjoint a = cut(state, &s, launch);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &s, &a);
    hg_migration_count(problem, est);
    est->terms[7] +=
        2.0 * (double)(a.source_parts * a.receiver_parts) * (double)s.ni * (double)s.real;
    est->ws_device = scratch.bytes;
    return HGATE_OK;
}

static int estimate_gather(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    (void)k;
    return estimate(state, problem, hg_kirchhoff_gather, est);
}

static int estimate_window(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    (void)k;
    return estimate(state, problem, hg_kirchhoff_window, est);
}

/* Traces correlated with the wavelet: the caller's stay as they are. */
static int correlate(const hgate_problem *problem, const hg_cuda_tables *t, void *traces,
                     void *stream)
{
    const hg_filter filter = {.wav = t->wav,
                              .in = hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA),
                              .out = traces,
                              .nwav = t->nwav,
                              .wavc = t->wavc,
                              .nt = t->nt,
                              .traces = t->source.n * t->receiver.n,
                              .alpha = 1.0,
                              .is_64 = t->is_64,
                              .is_adjoint = 1};
    return (int)hg_kirchhoff_filter(&filter, stream);
}

static int store(const hgate_problem *problem, const hg_cuda_tables *t, const hg_adjoint *a,
                 void *stream)
{
    const hg_image image = {.point = t->point,
                            .images = a->images,
                            .model = hgate_arg_data(problem, HGATE_KIRCHHOFF_MODEL),
                            .n_tiles = t->n_tiles,
                            .parts = a->source_parts * a->receiver_parts,
                            .alpha = problem->alpha_re,
                            .beta = problem->beta_re,
                            .is_64 = t->is_64};
    return (int)hg_kirchhoff_image(&image, stream);
}

/* All launches of a run; a CUDA error code. */
static int start(const hgate_problem *problem, hg_adjoint *a, const pieces *p, launch_fn launch,
                 void *stream)
{
    const hg_cuda_tables *t = &a->tables;
    int code = 0;
    if (t->n_tiles == 0)
        return code;
    if (problem->alpha_re == 0.0 || t->source.n == 0 || t->receiver.n == 0)
        return hg_migration_scale(hgate_arg_data(problem, HGATE_KIRCHHOFF_MODEL), t->ni, problem,
                                  stream);
    a->images = p->images;
    a->data = t->nwav ? p->traces : hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA);
    if (t->nwav)
        code = correlate(problem, t, p->traces, stream);
    if (!code)
        code = (int)launch(a, stream);
    return code ? code : store(problem, t, a, stream);
}

/* model = alpha L' W' data + beta model,  W': correlation with the wavelet, if there is one
 *
 * data (ns, nr, nt), model (ni); tables as the plan packed them. alpha 0 only scales, beta 0 does
 * not read model. Everything is queued on the stream. */
static int run(hg_cuda_state *state, const hgate_problem *problem, const hg_migration_plan *plan,
               hgate_run *run, launch_fn launch)
{
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hg_adjoint a = cut(state, &s, launch);
    hgate_scratch scratch = hg_device_scratch(run);
    const pieces p = lay_out(&scratch, &s, &a);
    int previous;
    if (scratch.is_short && scratch.bytes > 0)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_adjoint: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    a.tables = plan->tables;
    fit_ring(&state->devices[run->device_id], &s, &a);
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id, start(problem, &a, &p, launch, run->stream),
                            "start kirchhoff_adjoint");
    hg_cuda_leave(previous);
    return status;
}

static int run_gather(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *execution)
{
    return run(state, problem, prepared, execution, hg_kirchhoff_gather);
}

static int run_window(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *execution)
{
    return run(state, problem, prepared, execution, hg_kirchhoff_window);
}

enum { FLAGS = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST };

static const hgate_term gather_terms[] = {HG_MIGRATION_TERM_LIST(gather)};
static const hgate_term window_terms[] = {HG_MIGRATION_TERM_LIST(window)};

const hgate_kernel hg_cuda_kirchhoff_adjoint_gather = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_ADJOINT,
    .name = "gather",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = FLAGS,
    .n_terms = HG_MIGRATION_TERMS,
    .terms = gather_terms,
    .supports = supports,
    .estimate = estimate_gather,
    .prepare = hg_migration_prepare,
    .discard = hg_migration_discard,
    .run = run_gather,
};

const hgate_kernel hg_cuda_kirchhoff_adjoint_window = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_ADJOINT,
    .name = "window",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = FLAGS,
    .n_terms = HG_MIGRATION_TERMS,
    .terms = window_terms,
    .supports = supports_window,
    .estimate = estimate_window,
    .prepare = hg_migration_prepare,
    .discard = hg_migration_discard,
    .run = run_window,
};
