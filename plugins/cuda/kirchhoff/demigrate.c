/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `atomic` of kirchhoff_forward: what it costs, how it is started. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/kirchhoff/filter.h"
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/work.h"

enum { BLOCKS = 4096 };

/* Device workspace: traces before the wavelet. */
static void *lay_out(hgate_scratch *scratch, const hg_migration_sizes *s)
{
    return hgate_scratch_take(scratch, s->nwav ? s->traces * s->nt : 0, s->real);
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_migration_refuse(state, problem, reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &s);
    hg_migration_count(problem, est);
    est->ws_device = scratch.bytes;
    return HGATE_OK;
}

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

/* Sources of a block: few where there are few tiles. */
static int64_t sources_of_block(const hg_cuda_tables *t)
{
    const int64_t sources = t->source.n * t->n_tiles / BLOCKS;
    return sources < 1 ? 1 : sources > 16 ? 16 : sources;
}

/* All launches of a run; a CUDA error code. */
static int start(const hgate_problem *problem, const hg_cuda_tables *t, void *traces, void *stream)
{
    void *data = hgate_arg_data(problem, HGATE_KIRCHHOFF_DATA);
    const int64_t samples = t->source.n * t->receiver.n * t->nt;
    const int is_needed = problem->alpha_re != 0.0 && t->n_tiles > 0 && samples > 0;
    int code;
    if (is_needed && t->nwav)
        code = (int)cudaMemsetAsync(traces, 0, (size_t)samples * (t->is_64 ? 8 : 4), stream);
    else
        code = hg_migration_scale(data, samples, problem, stream);
    if (code || !is_needed)
        return code;
    const hg_atomic atomic = {.tables = *t,
                              .model = hgate_arg_data(problem, HGATE_KIRCHHOFF_MODEL),
                              .data = t->nwav ? traces : data,
                              .alpha = t->nwav ? 1.0 : problem->alpha_re,
                              .sources = sources_of_block(t)};
    code = (int)hg_kirchhoff_atomic(&atomic, stream);
    return code || !t->nwav ? code : convolve(problem, t, traces, stream);
}

/* data = alpha W L model + beta data,  W: convolution with the wavelet, if there is one
 *
 * model (ni), data (ns, nr, nt); tables as the plan packed them. alpha 0 only scales, beta 0 does
 * not read data. Everything is queued on the stream. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    const hg_migration_plan *plan = prepared;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hgate_scratch scratch = hg_device_scratch(run);
    void *traces = lay_out(&scratch, &s);
    int previous;
    if (scratch.is_short && scratch.bytes > 0)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_forward: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    status =
        hg_cuda_status(state, run->device_id, start(problem, &plan->tables, traces, run->stream),
                       "start kirchhoff_forward");
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term atomic_terms[] = {HG_MIGRATION_TERM_LIST(atomic)};

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
    .estimate = estimate,
    .prepare = hg_migration_prepare,
    .discard = hg_migration_discard,
    .run = run,
};
