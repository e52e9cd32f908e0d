/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `direct` of kirchhoff_convolve. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/kirchhoff/filter.h"
#include "plugins/cuda/runtime/state.h"

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const double traces = (double)hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_N);
    const double nt = (double)hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_NT);
    const int status = hg_cuda_refuse_device(state, problem, reason);
    if (status || traces * (nt / 512 + 1) <= INT32_MAX)
        return status;
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, traces * (nt / 512 + 1), INT32_MAX,
                        "the traces need more blocks than a launch has");
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const double nwav = (double)hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV);
    const double nt = (double)hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_NT);
    const double samples = nt * (double)hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_N);
    est->terms[0] = 1.0;
    est->terms[1] = samples * (nwav < nt ? nwav : nt);
    est->terms[2] = 2.0 * samples * (problem->dtype == HGATE_F64 ? 8.0 : 4.0);
    return HGATE_OK;
}

/* out[n] = sum_q wav[q] in[n - q + wavc], or the correlation sum_q wav[q] in[n + q - wavc]
 *
 * wav (nwav), in and out (n, nt) along the last axis, zeros outside. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    const hg_filter filter = {
        .wav = hgate_arg_data(problem, HGATE_KIRCHHOFF_CONVOLVE_WAV),
        .in = hgate_arg_data(problem, HGATE_KIRCHHOFF_CONVOLVE_IN),
        .out = hgate_arg_data(problem, HGATE_KIRCHHOFF_CONVOLVE_OUT),
        .nwav = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV),
        .wavc = setup->wavc,
        .nt = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_NT),
        .traces = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_CONVOLVE_N),
        .alpha = 1.0,
        .is_64 = problem->dtype == HGATE_F64,
        .is_adjoint = setup->adjoint,
    };
    int previous;
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    status = hg_cuda_status(state, run->device_id, (int)hg_kirchhoff_filter(&filter, run->stream),
                            "start kirchhoff_convolve");
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"products", HG_CUDA_K_kirchhoff_filter_term},
                                   {"bytes", HG_CUDA_K_kirchhoff_byte}};

const hgate_kernel hg_cuda_kirchhoff_convolve = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_CONVOLVE,
    .name = "direct",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
