/* SPDX-License-Identifier: BSD-3-Clause */
/* hgate_plugin.derive: what the gates of curvature want to know about an M in device memory. */
#include "plugins/cuda/curvature/facts.h"
#include "plugins/cuda/curvature/curvature.h"
#include "plugins/cuda/curvature/extent.h"
#include "plugins/cuda/runtime/scratch.h"

static void lay_out(hgate_scratch *s, const hgate_problem *problem, CurvatureCounting *c)
{
    *c = (CurvatureCounting){
        .ny = (int)hgate_dim(problem, HGATE_DIM_CURVATURE_NY),
        .nx = (int)hgate_dim(problem, HGATE_DIM_CURVATURE_NX),
        .n_columns = (int)hgate_dim(problem, HGATE_DIM_CURVATURE_S),
        .n_pixels = hgate_dim(problem, HGATE_DIM_CURVATURE_N),
        .nnz = hgate_dim(problem, HGATE_DIM_CURVATURE_NNZ),
        .iy = hgate_arg_data(problem, HGATE_CURVATURE_IY),
        .ix = hgate_arg_data(problem, HGATE_CURVATURE_IX),
        .rows = hgate_arg_data(problem, HGATE_CURVATURE_ROWS),
        .vals = hgate_arg_data(problem, HGATE_CURVATURE_VALS),
        .indptr = hgate_arg_data(problem, HGATE_CURVATURE_INDPTR),
        .iy_is_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_IY)),
        .ix_is_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_IX)),
        .rows_are_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_ROWS)),
        .is_f64 = problem->dtype == HGATE_F64,
    };
    c->spans = hgate_scratch_take(s, c->ny, sizeof *c->spans);
    c->tails = hgate_scratch_take(s, (int64_t)c->ny + 1, sizeof *c->tails);
    c->counts = hgate_scratch_take(s, 1, sizeof *c->counts);
}

static int count(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                 const hg_cuda_scratch *memory, CurvatureCounts *counts)
{
    CurvatureCounting c;
    hgate_scratch s = {memory->memory, memory->bytes, 0, 0};
    int previous;
    lay_out(&s, problem, &c);
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_status(state, run->device_id, (int)hg_curvature_count(&c, run->stream),
                            "count the work of curvature");
    hg_cuda_leave(previous);
    return status ? status
                  : hg_cuda_copy(state, HGATE_COPY_OUT, c.counts, counts, sizeof *counts,
                                 run->device_id, run->stream);
}

static int is_capturing(const hgate_run *run)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(run->stream, &capture) == cudaSuccess)
        return capture != cudaStreamCaptureStatusNone;
    (void)cudaGetLastError();
    return 1;
}

/* What cannot be counted stays unknown: a run then looks for itself, and says what is wrong. */
static int can_count(const hgate_problem *problem, const hgate_run *run)
{
    hgate_reason reason = {.struct_size = sizeof reason};
    return hg_cuda_extent_can(problem, &reason) == HGATE_OK &&
           hgate_dim(problem, HGATE_DIM_CURVATURE_S) > 0 && !is_capturing(run);
}

int hg_cuda_curvature_derive(void *state, const hgate_problem *problem, hgate_run *run, void *facts)
{
    hg_cuda_state *s = state;
    hgate_curvature_facts *known = facts;
    CurvatureCounting unused;
    CurvatureCounts counts;
    hg_cuda_scratch *memory = NULL;
    hgate_scratch size = hgate_scratch_count();
    if (s->is_assumed || !can_count(problem, run))
        return HGATE_OK;
    lay_out(&size, problem, &unused);
    int status = hg_cuda_scratch_take(s, run->device_id, size.bytes, &memory);
    if (status)
        return status;
    status = count(s, problem, run, memory, &counts);
    hg_cuda_scratch_give(s, memory);
    if (status || counts.wild)
        return status;
    const double all = (double)unused.nnz * (double)unused.ny * (double)unused.nx;
    known->is_known = 1;
    known->vals_finite = counts.not_finite == 0;
    known->work_fraction = all > 0 ? (double)counts.by_column / all : 0;
    known->pair_fraction = all > 0 ? (double)counts.by_entry / all : 0;
    return HGATE_OK;
}
