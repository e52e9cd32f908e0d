/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `direct` of ds_temp_coh. */
#include "plugins/cuda/emi/temp_coh.h"
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/state.h"
#include <inttypes.h>

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_cuda_refuse_device(state, problem, reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const double c = problem->dtype == HGATE_C128 ? 16 : 8;
    const double points = (double)hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_BATCH);
    const double n = (double)hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_N);
    const double pairs = (double)hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_NPAIRS);
    est->terms[0] = 1;
    est->terms[1] = points * c * (pairs + n + 0.5);
    est->ws_host =
        hgate_arg(problem, HGATE_DS_TEMP_COH_PAIRS) ? 2 * sizeof(int32_t) * (size_t)pairs : 0;
    return HGATE_OK;
}

/* Reads the pairs back, since an index out of range must be refused: the one wait of this kernel,
 * not at check level none. */
static int check_pairs(hg_cuda_state *state, const TempCohArgs *args, hgate_run *run)
{
    const size_t bytes = 2 * sizeof(int32_t) * (size_t)args->n_pairs;
    const int32_t *pairs = run->ws_host;
    if (run->check == HGATE_CHECK_NONE || !args->pairs || bytes == 0)
        return HGATE_OK;
    const int status = hg_cuda_copy(state, HGATE_COPY_OUT, (void *)(uintptr_t)args->pairs,
                                    run->ws_host, bytes, run->device_id, run->stream);
    for (int64_t p = 0; !status && p < args->n_pairs; p++) {
        const int i = pairs[2 * p], j = pairs[2 * p + 1];
        if (i < 0 || j < 0 || i >= args->n || j >= args->n || i == j)
            return hgate_fail(run->host, HGATE_EVALUE,
                              "pairs: row %" PRId64
                              " is (%d, %d), expected two of 0 to %d that differ",
                              p, i, j, args->n - 1);
    }
    return status;
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const TempCohArgs args = {
        .coh = hgate_arg_data(problem, HGATE_DS_TEMP_COH_COH),
        .pairs = hgate_arg_data(problem, HGATE_DS_TEMP_COH_PAIRS),
        .phase = hgate_arg_data(problem, HGATE_DS_TEMP_COH_PHASE),
        .t_coh = hgate_arg_data(problem, HGATE_DS_TEMP_COH_T_COH),
        .points = hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_BATCH),
        .n_pairs = hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_NPAIRS),
        .n = (int)hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_N),
        .is_full = (int)hgate_dim(problem, HGATE_DIM_DS_TEMP_COH_FULL),
        .is_wide = problem->dtype == HGATE_C128,
    };
    int previous;
    int status = check_pairs(state, &args, run);
    if (status)
        return status;
    run->committed = 1;
    if (args.points == 0)
        return HGATE_OK;
    status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_status(state, run->device_id, (int)hg_emi_launch_temp_coh(&args, run->stream),
                            "start ds_temp_coh");
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch}, {"bytes", HG_CUDA_K_emi_byte}};

const hgate_kernel hg_cuda_ds_temp_coh = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_DS_TEMP_COH,
    .name = "direct",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
