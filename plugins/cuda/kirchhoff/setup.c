/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `direct` of the set-up operations: traveltime, angles, spreading, station index, wavelet.
 *
 * Arrays are in device memory and are not looked at before: what is not finite spreads to what is
 * made from it, and a station index beyond the integers gets their end. */
#include "plugins/cuda/kirchhoff/setup.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/state.h"

typedef cudaError_t (*launch_fn)(const hg_setup *setup, cudaStream_t stream);

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_cuda_refuse_device(state, problem, reason);
}

/* ---- over a grid ---- */

static void add_axis(hg_axes *axes, int64_t size, double origin, double step)
{
    axes->size[axes->n] = size;
    axes->origin[axes->n] = origin;
    axes->step[axes->n] = step;
    axes->n++;
}

static hg_axes axes_of(const hgate_kirchhoff_grid *grid)
{
    hg_axes axes = {.n = 0};
    if (grid->ny > 0)
        add_axis(&axes, grid->ny, grid->y0, grid->dy);
    axes.lateral = axes.n;
    add_axis(&axes, grid->nx, grid->x0, grid->dx);
    add_axis(&axes, grid->nz, grid->z0, grid->dz);
    return axes;
}

static int64_t entries_of(const hgate_problem *problem)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_GRID_N);
    return problem->op == HGATE_OP_KIRCHHOFF_STATION_INDEX
               ? n
               : n * hgate_dim(problem, HGATE_DIM_KIRCHHOFF_GRID_NI);
}

static int estimate_grid(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = 3.0 * (double)entries_of(problem) * (problem->dtype == HGATE_F64 ? 8.0 : 4.0);
    return HGATE_OK;
}

static launch_fn launch_of(int op)
{
    switch (op) {
    case HGATE_OP_KIRCHHOFF_TRAVELTIME:
        return hg_kirchhoff_traveltime;
    case HGATE_OP_KIRCHHOFF_ANGLES:
        return hg_kirchhoff_angles;
    case HGATE_OP_KIRCHHOFF_SPREADING:
        return hg_kirchhoff_spreading;
    default:
        return hg_kirchhoff_station_index;
    }
}

/* Arguments come as input, output and, for traveltime, distances. */
static int run_grid(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hgate_kirchhoff_setup *params = problem->params;
    const DLTensor *out = hgate_arg(problem, 1);
    const hg_setup setup = {
        .axes = axes_of(&params->grid),
        .in = hgate_arg_data(problem, 0),
        .out = hgate_tensor_data(out),
        .dist = problem->op == HGATE_OP_KIRCHHOFF_TRAVELTIME
                    ? hgate_arg_data(problem, HGATE_KIRCHHOFF_TRAVELTIME_DIST)
                    : NULL,
        .n = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_GRID_N),
        .entries = entries_of(problem),
        .is_64 = problem->dtype == HGATE_F64,
        .is_wide = out->dtype.bits == 64,
        .ndim = params->ndim,
        .v = params->v,
        .eps = params->eps,
    };
    int previous;
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id,
                            (int)launch_of(problem->op)(&setup, (cudaStream_t)run->stream),
                            "start a set-up operation of kirchhoff");
    hg_cuda_leave(previous);
    return status;
}

/* ---- wavelet ---- */

static double *lay_out(hgate_scratch *scratch, int64_t nwav)
{
    return hgate_scratch_take(scratch, nwav + 2, sizeof(double));
}

static int estimate_wavelet(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t nwav = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_WAVELET_NWAV);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, nwav);
    est->terms[0] = 2.0;
    est->terms[1] = 64.0 * (double)nwav * (double)nwav; /* as much as so many products */
    est->ws_device = scratch.bytes;
    return HGATE_OK;
}

static int run_wavelet(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)prepared;
    const hgate_kirchhoff_setup *params = problem->params;
    const int64_t nwav = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_WAVELET_NWAV);
    hgate_scratch scratch = {(char *)run->ws_device, run->ws_device_bytes, 0, 0};
    const hg_response response = {
        .wav = hgate_arg_data(problem, HGATE_KIRCHHOFF_WAVELET_WAV),
        .out = hgate_arg_data(problem, HGATE_KIRCHHOFF_WAVELET_WAV_FILTERED),
        .spectrum = lay_out(&scratch, nwav),
        .nwav = nwav,
        .is_64 = problem->dtype == HGATE_F64,
        .ndim = params->ndim,
        .dt = params->dt,
    };
    int previous;
    if (!response.spectrum)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_wavelet: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id,
                            (int)hg_kirchhoff_wavelet(&response, (cudaStream_t)run->stream),
                            "start kirchhoff_wavelet");
    hg_cuda_leave(previous);
    return status;
}

/* ---- records ---- */

static const hgate_term grid_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"bytes", HG_CUDA_K_kirchhoff_byte}};
static const hgate_term wavelet_terms[] = {{"launches", HG_CUDA_K_launch},
                                           {"products", HG_CUDA_K_kirchhoff_filter_term}};

#define KERNEL(NAME, OP, KIND)                                                                     \
    const hgate_kernel hg_cuda_kirchhoff_##NAME = {                                                \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_KIRCHHOFF_##OP,                                                             \
        .name = "direct",                                                                          \
        .dtypes = HGATE_F32 | HGATE_F64,                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(KIND##_terms),                                                  \
        .terms = KIND##_terms,                                                                     \
        .supports = supports,                                                                      \
        .estimate = estimate_##KIND,                                                               \
        .run = run_##KIND,                                                                         \
    }

KERNEL(traveltime_direct, TRAVELTIME, grid);
KERNEL(angles_direct, ANGLES, grid);
KERNEL(spreading_direct, SPREADING, grid);
KERNEL(station_index_direct, STATION_INDEX, grid);
KERNEL(wavelet_direct, WAVELET, wavelet);
