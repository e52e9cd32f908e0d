/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan of curvature keeps on the device: made once, with the one wait for its checks. */
#include "plugins/cuda/curvature/extent.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { LINE = 16 }; /* elements that rows of w are rounded up to */

bool hg_cuda_permits_pair(const hg_cuda_state *state)
{
    const char *text = state->host->setting(state->host, "ops.curvature.exact_triangle");
    return text && strcmp(text, "false") == 0;
}

static int refuse_count(hgate_reason *reason, const char *name, int64_t count, int64_t most)
{
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)count, (double)most,
                        "%s is %" PRId64 ", at most %" PRId64, name, count, most);
}

int hg_cuda_extent_can(const hgate_problem *problem, hgate_reason *reason)
{
    static const struct {
        const char *name;
        int dim;
        int64_t most;
    } counts[] = {{"nx", HGATE_DIM_CURVATURE_NX, INT_MAX / 4},
                  {"ny", HGATE_DIM_CURVATURE_NY, 65535 * HG_TILE_ROWS}, /* strips of a grid */
                  {"the number of columns", HGATE_DIM_CURVATURE_S, INT_MAX},
                  {"the number of entries", HGATE_DIM_CURVATURE_NNZ, INT_MAX}};
    const int64_t ny = hgate_dim(problem, HGATE_DIM_CURVATURE_NY),
                  nx = hgate_dim(problem, HGATE_DIM_CURVATURE_NX);
    for (size_t i = 0; i < HGATE_LENGTH_OF(counts); i++)
        if (hgate_dim(problem, counts[i].dim) > counts[i].most)
            return refuse_count(reason, counts[i].name, hgate_dim(problem, counts[i].dim),
                                counts[i].most);
    if (ny * nx > UINT32_MAX)
        return refuse_count(reason, "ny nx", ny * nx, UINT32_MAX);
    return HGATE_OK;
}

static int64_t w_ld(int64_t nx)
{
    return (2 * nx - 1 + HG_TILE_CELLS + LINE - 1) / LINE * LINE;
}

/* The arrays, then three words for the checks. */
static void lay_out(hgate_scratch *s, const hg_cuda_state *state, const hgate_problem *problem,
                    CurvatureExtent *e, unsigned long long **faults)
{
    const int64_t ny = hgate_dim(problem, HGATE_DIM_CURVATURE_NY),
                  nx = hgate_dim(problem, HGATE_DIM_CURVATURE_NX), rows = 2 * ny - 1 + HG_TILE_ROWS;
    const size_t size = problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
    *e = (CurvatureExtent){.ny = (int)ny,
                           .nx = (int)nx,
                           .w_ld = (int)w_ld(nx),
                           .is_f64 = problem->dtype == HGATE_F64,
                           .n_pixels = hgate_dim(problem, HGATE_DIM_CURVATURE_N)};
    e->w = hgate_scratch_take(s, rows, (size_t)e->w_ld * size);
    if (hg_cuda_permits_pair(state))
        e->w_half = hgate_scratch_take(s, rows, (size_t)e->w_ld * size);
    e->pixels = hgate_scratch_take(s, e->n_pixels, sizeof(int2));
    e->row_span = hgate_scratch_take(s, ny, sizeof(int2));
    e->warp_span = hgate_scratch_take(s, ny, sizeof(int2));
    e->tile_span = hgate_scratch_take(s, ny, sizeof(int2));
    *faults = hgate_scratch_take(s, 3, sizeof **faults);
}

size_t hg_cuda_extent_bytes(const hg_cuda_state *state, const hgate_problem *problem)
{
    CurvatureExtent e;
    unsigned long long *faults;
    hgate_scratch s = hgate_scratch_count();
    lay_out(&s, state, problem, &e, &faults);
    return s.bytes;
}

/* One element of a device array, for a message. */
static double element(hg_cuda_state *state, const hg_cuda_extent *e, const DLTensor *tensor,
                      unsigned long long at)
{
    const size_t bytes = tensor->dtype.bits / 8;
    char *from = (char *)hgate_tensor_data(tensor) + at * bytes;
    union {
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
    } value = {.i64 = 0};
    if (hg_cuda_copy(state, HGATE_COPY_OUT, from, &value, bytes, e->device_id, e->stream))
        return NAN;
    if (tensor->dtype.code == HGATE_DL_INT)
        return bytes == 8 ? (double)value.i64 : value.i32;
    return bytes == 8 ? value.f64 : value.f32;
}

static int tell_fault(hg_cuda_state *state, const hgate_problem *problem, const hg_cuda_extent *e,
                      const unsigned long long faults[3])
{
    static const struct {
        const char *name;
        int arg, dim;
    } indices[] = {{"iy", HGATE_CURVATURE_IY, HGATE_DIM_CURVATURE_NY},
                   {"ix", HGATE_CURVATURE_IX, HGATE_DIM_CURVATURE_NX}};
    for (int i = 0; i < 2; i++)
        if (faults[i] != ~0ull)
            return hgate_fail(state->host, HGATE_EVALUE,
                              "%s: entry %llu is %.0f, expected 0 to %" PRId64, indices[i].name,
                              faults[i],
                              element(state, e, hgate_arg(problem, indices[i].arg), faults[i]),
                              hgate_dim(problem, indices[i].dim) - 1);
    if (faults[2] == ~0ull)
        return HGATE_OK;
    const unsigned long long ld = 2ull * (unsigned)e->device.nx;
    const double value = element(state, e, hgate_arg(problem, HGATE_CURVATURE_W), faults[2]);
    if (!isfinite(value))
        return hgate_fail(state->host, HGATE_EVALUE,
                          "w: entry (%llu, %llu) is not finite, expected a finite number",
                          faults[2] / ld, faults[2] % ld);
    return hgate_fail(state->host, HGATE_EVALUE,
                      "w: entry (%llu, %llu) differs from that of the opposite offset, expected an "
                      "even kernel, w(-dy,-dx) = w(dy,dx) (see w_general)",
                      faults[2] / ld, faults[2] % ld);
}

static int fill(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                hg_cuda_extent *e, unsigned long long *faults)
{
    const hgate_curvature_params *params = problem->params;
    const CurvatureExtentInput in = {
        .w = hgate_arg_data(problem, HGATE_CURVATURE_W),
        .iy = hgate_arg_data(problem, HGATE_CURVATURE_IY),
        .ix = hgate_arg_data(problem, HGATE_CURVATURE_IX),
        .iy_is_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_IY)),
        .ix_is_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_IX)),
        .check_w = run->check != HGATE_CHECK_NONE,
        .w_is_even = !params->w_general,
        .faults = faults,
    };
    unsigned long long found[3];
    int previous;
    int status = hg_cuda_enter(state, e->device_id, &previous);
    if (status)
        return status;
    cudaError_t error = cudaMemsetAsync(faults, 0xff, sizeof found, e->stream);
    if (error == cudaSuccess)
        error = hg_curvature_extent_fill(&e->device, &in, e->stream);
    status = hg_cuda_status(state, e->device_id, (int)error, "prepare curvature");
    hg_cuda_leave(previous);
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, faults, found, sizeof found, e->device_id,
                              e->stream);
    return status ? status : tell_fault(state, problem, e, found);
}

int hg_cuda_extent_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                           void **prepared)
{
    hg_cuda_state *s = state;
    const size_t bytes = hg_cuda_extent_bytes(s, problem);
    if (bytes == SIZE_MAX)
        return hgate_fail(s->host, HGATE_ESHAPE, "w: an extent larger than an address space");
    hg_cuda_extent *e = s->host->alloc(s->host, sizeof *e, 64);
    if (!e)
        return hgate_fail(s->host, HGATE_ENOMEM, "curvature: no memory for a plan");
    *e = (hg_cuda_extent){.device_id = run->device_id, .stream = run->stream};
    int status = hg_cuda_ws_alloc(s, bytes, e->device_id, e->stream, &e->memory);
    if (!status) {
        unsigned long long *faults;
        hgate_scratch scratch = {e->memory, bytes, 0, 0};
        lay_out(&scratch, s, problem, &e->device, &faults);
        status = fill(s, problem, run, e, faults);
    }
    if (status)
        hg_cuda_extent_discard(s, e);
    else
        *prepared = e;
    return status;
}

void hg_cuda_extent_discard(void *state, void *prepared)
{
    hg_cuda_state *s = state;
    hg_cuda_extent *e = prepared;
    hg_cuda_ws_free(s, e->memory, e->device_id, e->stream);
    s->host->free(s->host, e);
}
