/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel gemm of curvature_kernel: w from baselines by two products of cuBLAS (visibilities.cu),
 * ny x nx of inner length K, in chunks of ops.curvature.kernel_chunk visibilities. */
#include "plugins/cuda/curvature/sky.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/pool.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { DEFAULT_CHUNK = 4096 };

static int64_t chunk_of(const hg_cuda_state *state, const hgate_problem *problem)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_K);
    const char *text = state->host->setting(state->host, "ops.curvature.kernel_chunk");
    const long long set = text ? strtoll(text, NULL, 10) : 0;
    const int64_t chunk = set > 0 ? set : DEFAULT_CHUNK;
    return n < chunk ? n : chunk;
}

static void lay_out(hgate_scratch *s, const hg_cuda_state *state, const hgate_problem *problem,
                    CurvatureOffsets *o, unsigned long long **faults)
{
    const int64_t ny = hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_NY),
                  nx = hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_NX),
                  chunk = chunk_of(state, problem);
    const size_t line = (size_t)chunk * sizeof(double);
    *o = (CurvatureOffsets){.ny = (int)ny,
                            .nx = (int)nx,
                            .is_f64 = problem->dtype == HGATE_F64,
                            .pix = ((const hgate_curvature_params *)problem->params)->pix,
                            .count = chunk};
    *faults = hgate_scratch_take(s, HG_N_FAULTS, sizeof **faults);
    o->row_cos = hgate_scratch_take(s, ny, line);
    o->row_sin = hgate_scratch_take(s, ny, line);
    o->column_cos = hgate_scratch_take(s, nx, line);
    o->column_sin = hgate_scratch_take(s, nx, line);
    o->cos_part = hgate_scratch_take(s, ny, (size_t)nx * sizeof(double));
    o->sin_part = hgate_scratch_take(s, ny, (size_t)nx * sizeof(double));
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    hg_cuda_state *s = state;
    const int64_t ny = hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_NY),
                  nx = hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_NX),
                  larger = ny > nx ? ny : nx;
    const int status = hg_cuda_refuse_device(s, problem, reason);
    if (status)
        return status;
    if (larger > INT_MAX / 4)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)larger, INT_MAX / 4.,
                            "extent of %lld cells along an axis, at most %d", (long long)larger,
                            INT_MAX / 4);
    return hg_cuda_libs_can(s->libs, HG_CUDA_CUBLAS, reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    CurvatureOffsets o;
    unsigned long long *faults;
    hgate_scratch s = hgate_scratch_count();
    lay_out(&s, state, problem, &o, &faults);
    const double n = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_KERNEL_K), ny = o.ny, nx = o.nx;
    est->ws_device = s.bytes;
    est->terms[0] = 4 + 3 * ceil(n / (o.count > 0 ? (double)o.count : 1));
    est->terms[1] = (ny + nx) * n;
    est->terms[2] = 4 * ny * nx * n;
    return HGATE_OK;
}

/* Adds a chunk to C and S. Row-major (ny, nx) is column-major (nx, ny). */
static int multiply(hg_cuda_state *state, const hg_cuda_handle *h, const CurvatureOffsets *o)
{
    const double one = 1, sum = o->first > 0;
    const struct {
        const double *column, *row;
        double *part;
    } products[] = {{o->column_cos, o->row_cos, o->cos_part},
                    {o->column_sin, o->row_sin, o->sin_part}};
    int code = 0;
    for (int i = 0; i < 2 && !code; i++)
        code = (int)h->calls->cublasDgemm_v2_64(
            h->blas, CUBLAS_OP_N, CUBLAS_OP_T, o->nx, o->ny, o->count, &one, products[i].column,
            o->nx, products[i].row, o->ny, &sum, products[i].part, o->nx);
    return hg_cuda_library_status(state, h->device_id, code, "cublasDgemm");
}

static int add_chunks(hg_cuda_state *state, const hg_cuda_handle *h, const CurvatureVisibilities *v,
                      CurvatureOffsets *o, const hgate_run *run)
{
    const size_t bytes = (size_t)o->ny * (size_t)o->nx * sizeof(double);
    const int64_t most = o->count;
    int status = HGATE_OK;
    if (v->count == 0) {
        cudaError_t error = cudaMemsetAsync(o->cos_part, 0, bytes, run->stream);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(o->sin_part, 0, bytes, run->stream);
        return hg_cuda_status(state, run->device_id, (int)error, "clear w");
    }
    for (o->first = 0; o->first < v->count && !status; o->first += most) {
        o->count = v->count - o->first < most ? v->count - o->first : most;
        status = hg_cuda_status(state, run->device_id, (int)hg_curvature_phasors(v, o, run->stream),
                                "start curvature_kernel");
        if (!status)
            status = multiply(state, h, o);
    }
    return status;
}

static int make(hg_cuda_state *state, const hgate_problem *problem, CurvatureOffsets *o,
                unsigned long long *faults, hgate_run *run)
{
    const CurvatureVisibilities v =
        hg_cuda_visibilities(problem, HGATE_CURVATURE_KERNEL_UV, HGATE_CURVATURE_KERNEL_SIGMA,
                             HGATE_DIM_CURVATURE_KERNEL_K);
    const CurvatureDirty none = {.n_pixels = 0};
    hg_cuda_handle *handle = NULL;
    int status = hg_cuda_check_visibilities(state, run, &v, &none, faults);
    if (!status)
        status = hg_cuda_handle_take(state, run->device_id, run->stream, false, &handle);
    if (status)
        return status;
    status = add_chunks(state, handle, &v, o, run);
    hg_cuda_handle_give(state, handle);
    if (status)
        return status;
    run->committed = 1;
    return hg_cuda_status(state, run->device_id, (int)hg_curvature_store_offsets(o, run->stream),
                          "start curvature_kernel");
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    CurvatureOffsets o;
    unsigned long long *faults;
    hgate_scratch s = {run->ws_device, run->ws_device_bytes, 0, 0};
    int previous;
    lay_out(&s, state, problem, &o, &faults);
    if (s.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature_kernel: workspace is too small");
    o.w = hgate_arg_data(problem, HGATE_CURVATURE_KERNEL_W);
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = make(state, problem, &o, faults, run);
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"phasors", HG_CUDA_K_curvature_phasor},
                                   {"flop", HG_CUDA_K_curvature_kernel_flop}};

const hgate_kernel hg_cuda_curvature_kernel_gemm = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE_KERNEL,
    .name = "gemm",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
