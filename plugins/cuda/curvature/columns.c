/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping matrix of a call on the device: its workspace, its checks. */
#include "plugins/cuda/curvature/columns.h"
#include "plugins/cuda/curvature/sky.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void hg_cuda_columns_lay_out(hgate_scratch *s, const hgate_problem *problem, int kind,
                             CurvatureColumns *c)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_CURVATURE_S),
                  nnz = hgate_dim(problem, HGATE_DIM_CURVATURE_NNZ);
    const size_t size = problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
    *c = (CurvatureColumns){.n_rows = hgate_dim(problem, HGATE_DIM_CURVATURE_N),
                            .nnz = nnz,
                            .n_columns = (int)n,
                            .is_f64 = problem->dtype == HGATE_F64};
    c->faults = hgate_scratch_take(s, 1, sizeof *c->faults);
    c->ymin = hgate_scratch_take(s, n, sizeof *c->ymin);
    c->order = hgate_scratch_take(s, n, sizeof *c->order);
    c->n_taken = hgate_scratch_take(s, n, sizeof *c->n_taken);
    c->n_boxes = hgate_scratch_take(s, n, sizeof *c->n_boxes);
    c->cells = hgate_scratch_take(s, nnz, sizeof *c->cells);
    c->values = hgate_scratch_take(s, nnz, size);
    c->keys = hgate_scratch_take(s, nnz, sizeof *c->keys);
    c->places = hgate_scratch_take(s, nnz, sizeof *c->places);
    c->run_values = hgate_scratch_take(s, 2 * nnz, size);
    if (kind == HG_LISTS_PIECES) {
        c->pieces = hgate_scratch_take(s, nnz, sizeof *c->pieces);
        c->piece_x = hgate_scratch_take(s, nnz, sizeof *c->piece_x);
        return;
    }
    c->runs = hgate_scratch_take(s, nnz, sizeof *c->runs);
    c->boxes = hgate_scratch_take(s, nnz, sizeof *c->boxes);
}

/* ---- faults -------------------------------------------------------------- */

static int64_t integer(hg_cuda_state *state, const hgate_run *run, const void *data, int is_64,
                       unsigned long long at)
{
    int32_t narrow = 0;
    int64_t wide = 0;
    char *from = (char *)(uintptr_t)data + at * (is_64 ? sizeof wide : sizeof narrow);
    hg_cuda_copy(state, HGATE_COPY_OUT, from, is_64 ? (void *)&wide : &narrow,
                 is_64 ? sizeof wide : sizeof narrow, run->device_id, run->stream);
    return is_64 ? wide : narrow;
}

static int tell(hg_cuda_state *state, const hgate_run *run, const CurvatureColumns *c,
                const CurvatureFaults *found, int takes_any_value)
{
    const unsigned long long none = ~0ull;
    if (found->indptr != none)
        return hgate_fail(state->host, HGATE_EVALUE,
                          "indptr: entry %llu is %" PRId64 ", expected a rise from 0 to %" PRId64,
                          found->indptr, integer(state, run, c->indptr, 1, found->indptr), c->nnz);
    if (found->rows != none)
        return hgate_fail(state->host, HGATE_EVALUE,
                          "rows: entry %llu is %" PRId64 ", expected 0 to %" PRId64, found->rows,
                          integer(state, run, c->rows, c->rows_are_64, found->rows), c->n_rows - 1);
    return found->vals != none && !takes_any_value ? HGATE_RUN_PLAIN : HGATE_OK;
}

static int looks_at_faults(const hgate_problem *problem, const hgate_run *run)
{
    const hgate_curvature_facts *facts = problem->facts;
    return run->check != HGATE_CHECK_NONE && !(facts && facts->is_known);
}

static int look_at_faults(hg_cuda_state *state, const hgate_run *run, const CurvatureColumns *c,
                          int takes_any_value)
{
    CurvatureFaults found;
    const int status = hg_cuda_copy(state, HGATE_COPY_OUT, c->faults, &found, sizeof found,
                                    run->device_id, run->stream);
    return status ? status : tell(state, run, c, &found, takes_any_value);
}

int hg_cuda_columns_set_up(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                           const CurvatureExtent *extent, const CurvatureLists *lists,
                           int takes_any_value, CurvatureColumns *c)
{
    c->indptr = hgate_arg_data(problem, HGATE_CURVATURE_INDPTR);
    c->rows = hgate_arg_data(problem, HGATE_CURVATURE_ROWS);
    c->vals = hgate_arg_data(problem, HGATE_CURVATURE_VALS);
    c->rows_are_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_ROWS));
    const int looks = looks_at_faults(problem, run);
    int status =
        looks ? hg_cuda_refuse_capture(state, run, "curvature: " HG_CUDA_NO_CHECK) : HGATE_OK;
    if (status)
        return status;
    cudaError_t error = cudaMemsetAsync(c->faults, 0xff, sizeof *c->faults, run->stream);
    if (error == cudaSuccess)
        error = hg_curvature_setup(extent, c, lists, run->stream);
    status = hg_cuda_status(state, run->device_id, (int)error, "start curvature");
    return status || !looks ? status : look_at_faults(state, run, c, takes_any_value);
}

/* ---- room ---------------------------------------------------------------- */

/* "2GiB", "1048576"; 0 where there is no limit. */
static size_t bytes_of(const hg_cuda_state *state, const char *key)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    const char *text = state->host->setting(state->host, key);
    char *end;
    const unsigned long long n = text ? strtoull(text, &end, 10) : 0;
    for (int i = 0; text && i < 5; i++)
        if (strcmp(end, units[i]) == 0)
            return n > SIZE_MAX >> 10 * i ? SIZE_MAX : (size_t)n << 10 * i;
    return 0;
}

size_t hg_cuda_columns_room(const hg_cuda_state *state, const hgate_problem *problem, size_t fixed)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const size_t limits[] = {bytes_of(state, "ops.curvature.max_workspace_bytes"),
                             bytes_of(state, "memory.device_workspace_limit")};
    size_t room = device ? (size_t)device->memory / 4 : (size_t)1 << 30;
    for (int i = 0; i < 2; i++)
        if (limits[i] && limits[i] < room)
            room = limits[i];
    return room > fixed ? room - fixed : 0;
}
