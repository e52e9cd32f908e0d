/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels fp16x3 and tf32x3 of visibility_gram: which problems they serve, what they cost, how they
 * are started.
 *
 * V = alpha Z Z^H + beta V of complex64 on tensor cores, each real product made of three: numbers
 * are cut in two parts of 11 bits (planes.h), sums leave the tensor cores every 32 or 16 columns.
 * The error is that of short float32 sums, at most 1e-6 of the peak for K up to 65,536 unless all
 * numbers are alike (doc/split-products.md); a row that is not finite spoils its own row and column
 * only. Work: 12 real operations a complex one on the lower triangle; 16 (fp16x3) or 24 (tf32x3)
 * bytes a number of Z beside it, 8 more on path mma. */
#include "plugins/cuda/visibility/split_kernels.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/split_plan.h"
#include "plugins/matprod.h"
#include <inttypes.h>

static int plan_of(const hg_cuda_state *state, const hgate_problem *problem, int kind,
                   hgate_reason *reason, hg_split_plan *plan)
{
    const int64_t M = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    const int64_t K = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    const int path = hg_split_path(state, problem, reason);
    if (path < 0)
        return HGATE_ENOKERNEL;
    if (hg_split_plan_make(plan, hg_cuda_device_of(state, problem), path, kind, M, K))
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)M, NAN,
                            "%" PRId64 " rows and %" PRId64 " columns are too many tiles", M, K);
    return HGATE_OK;
}

static int supports(const hg_cuda_state *state, const hgate_problem *problem, int matprod, int kind,
                    hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    hg_split_plan plan;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (!status)
        status = hg_cuda_refuse_device(state, problem, reason);
    return status ? status : plan_of(state, problem, kind, reason, &plan);
}

static int estimate(const hg_cuda_state *state, const hgate_problem *problem, int kind,
                    hgate_estimate *est)
{
    hgate_reason reason;
    hg_split_plan plan;
    const int status = plan_of(state, problem, kind, &reason, &plan);
    if (status)
        return status;
    const hg_split_work work = hg_split_plan_work(&plan, problem->beta_re != 0.0);
    est->terms[0] = work.launches;
    est->terms[1] = work.bytes;
    est->terms[2] = work.steps;
    est->ws_device = hg_split_plan_bytes(&plan);
    return HGATE_OK;
}

static int product(hg_cuda_state *state, const hgate_problem *problem, int kind, hgate_run *run)
{
    const hgate_visibility_params *params = problem->params;
    hgate_reason reason = {.struct_size = sizeof reason};
    hg_split_plan plan;
    int previous, status = plan_of(state, problem, kind, &reason, &plan);
    if (status)
        return hgate_fail(run->host, status, "visibility_gram: %s", reason.text);
    if (run->ws_device_bytes < hg_split_plan_bytes(&plan))
        return hgate_fail(run->host, HGATE_EPLUGIN,
                          "visibility_gram: needs %zu bytes of device workspace, given %zu",
                          hg_split_plan_bytes(&plan), run->ws_device_bytes);
    status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    const cudaError_t error = hg_split_plan_run(
        &plan, hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_Z), plan.K,
        hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_V), problem->alpha_re, problem->beta_re,
        params->convention == HGATE_VISIBILITY_CONJ, run->ws_device, run->stream);
    status = hg_cuda_status(state, run->device_id, (int)error, "start visibility_gram");
    hg_cuda_leave(previous);
    return status;
}

#define KERNEL(word, MATPROD, KIND)                                                                \
    static int word##_supports(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        return supports(state, problem, MATPROD, KIND, reason);                                    \
    }                                                                                              \
    static int word##_estimate(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)k;                                                                                   \
        return estimate(state, problem, KIND, est);                                                \
    }                                                                                              \
    static int word##_run(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)prepared;                                                                            \
        return product(state, problem, KIND, run);                                                 \
    }                                                                                              \
    static const hgate_term word##_terms[] = {{"launches", HG_CUDA_K_visibility_split_launch},     \
                                              {"bytes", HG_CUDA_K_visibility_split_byte},          \
                                              {"steps", HG_CUDA_K_visibility_##word##_step}};      \
    const hgate_kernel hg_cuda_gram_##word = {                                                     \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_VISIBILITY_GRAM,                                                            \
        .name = #word,                                                                             \
        .dtypes = HGATE_C64,                                                                       \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(word##_terms),                                                  \
        .terms = word##_terms,                                                                     \
        .supports = word##_supports,                                                               \
        .estimate = word##_estimate,                                                               \
        .run = word##_run,                                                                         \
    };

KERNEL(fp16x3, HGATE_MATPROD_FP16X3, HG_PLANE_FP16)
KERNEL(tf32x3, HGATE_MATPROD_TF32X3, HG_PLANE_TF32)
