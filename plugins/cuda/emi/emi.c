/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `warp` and `rows` of emi: which problems they serve, what they cost, how they are
 * started. */
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/emi/rows.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/state.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ADDRESS(NAME) &hg_emi_##NAME,
static const hg_emi_shape *const warp_shapes[] = {HG_EMI_WARP_SHAPES(ADDRESS) NULL};
static const hg_emi_shape *const rows_shapes[] = {HG_EMI_ROWS_SHAPES(ADDRESS) NULL};

/* Dynamic shared memory that a block may ask for. Without opt-in 2 KiB stay in reserve for what the
 * compiler places statically. */
int64_t hg_cuda_emi_block_memory(const hg_cuda_state *state, const hg_cuda_device *device)
{
    const char *optin = state->host->setting(state->host, "ops.emi.cuda.smem_optin");
    return optin && strcmp(optin, "false") == 0 ? device->smem_block - 2048 : device->smem_optin;
}

/* First shape that holds n images within the shared memory of a block; NULL if there is none. */
static const hg_emi_shape *shape_for(const hg_emi_shape *const *shapes, int64_t n, int64_t memory)
{
    for (; *shapes; shapes++)
        if (n <= (*shapes)->limit && (*shapes)->points * (*shapes)->point_bytes((int)n) <= memory)
            return *shapes;
    return NULL;
}

/* Most images that any shape holds. */
static int image_limit(const hg_emi_shape *const *shapes, int64_t memory)
{
    int limit = 0;
    for (; *shapes; shapes++)
        for (int n = (*shapes)->limit; n > limit; n--)
            if ((*shapes)->points * (*shapes)->point_bytes(n) <= memory)
                limit = n;
    return limit;
}

/* Blocks of a multiprocessor at a time: what shared memory, threads and the register budget allow.
 */
static int64_t resident_blocks(const hg_emi_shape *shape, int n, const hg_cuda_device *device)
{
    const int64_t block = shape->points * shape->point_bytes(n) + device->smem_reserved;
    int64_t blocks = device->smem_multiprocessor / block;
    if (blocks > device->threads / shape->threads)
        blocks = device->threads / shape->threads;
    if (blocks > shape->blocks)
        blocks = shape->blocks;
    return blocks > 0 ? blocks : 1;
}

void hg_cuda_emi_tell(const hgate_problem *problem, const hg_cuda_device *device, int64_t limit,
                      int threads, int64_t blocks, int64_t points, hgate_reason *reason)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N),
                  wave = blocks * points * device->multiprocessors;
    if (n <= 2)
        snprintf(reason->text, sizeof reason->text, "closed form");
    else
        snprintf(reason->text, sizeof reason->text,
                 "%" PRId64 " of at most %" PRId64 " images; blocks of %d threads and %" PRId64
                 " point%s, %" PRId64 " a multiprocessor, %" PRId64 " waves",
                 n, limit, threads, points, points > 1 ? "s" : "", blocks,
                 (hgate_dim(problem, HGATE_DIM_EMI_BATCH) + wave - 1) / wave);
}

static int supports(const hg_cuda_state *state, const hg_emi_shape *const *shapes,
                    const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_emi_params *params = problem->params;
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const int status = hg_cuda_refuse_device(state, problem, reason);
    if (status)
        return status;
    if (params->rule != HGATE_EMI_BETA_ADAPTIVE)
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, params->rule, NAN,
                            "serves rule adaptive only: its inverse does not pivot");
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    const hg_emi_shape *shape = shape_for(shapes, n, memory);
    const int limit = image_limit(shapes, memory);
    if (shape) {
        hg_cuda_emi_tell(problem, device, limit, shape->threads,
                         resident_blocks(shape, (int)n, device), shape->points, reason);
        return HGATE_OK;
    }
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)n, limit,
                        "%" PRId64 " images, at most %d fit in %" PRId64
                        " bytes of shared memory per block",
                        n, limit, memory);
}

static int warp_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return supports(state, warp_shapes, problem, reason);
}

static int rows_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return supports(state, rows_shapes, problem, reason);
}

/* Terms: launch; images of every wave of resident points; flops of a multiprocessor; bytes in and
 * out.
 */
static void estimate(const hg_cuda_state *state, const hg_emi_shape *const *shapes,
                     const hgate_problem *problem, hgate_estimate *est)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const double points = (double)hgate_dim(problem, HGATE_DIM_EMI_BATCH), m = (double)n;
    const hg_emi_shape *shape = shape_for(shapes, n, hg_cuda_emi_block_memory(state, device));
    const double resident = (double)(resident_blocks(shape, (int)n, device) * shape->points);
    const double waves = ceil(points / (resident * device->multiprocessors));
    est->terms[0] = 1;
    est->terms[1] = waves * m;
    est->terms[2] = ceil(points / device->multiprocessors) * 7.67 * m * m * m;
    est->terms[3] = points * (4 * m * m + 8 * m + 12);
}

static int warp_estimate(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    estimate(state, warp_shapes, problem, est);
    return HGATE_OK;
}

static int rows_estimate(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    estimate(state, rows_shapes, problem, est);
    return HGATE_OK;
}

EmiArgs hg_cuda_emi_arguments(const hg_cuda_state *state, const hgate_problem *problem)
{
    const hgate_emi_params *params = problem->params;
    const char *hermitian = state->host->setting(state->host, "ops.emi.check_hermitian");
    EmiArgs args = {
        .coh = hgate_arg_data(problem, HGATE_EMI_COH),
        .phase = hgate_arg_data(problem, HGATE_EMI_PHASE),
        .quality = hgate_arg_data(problem, HGATE_EMI_QUALITY),
        .status = hgate_arg_data(problem, HGATE_EMI_STATUS),
        .beta = problem->op == HGATE_OP_EMI ? hgate_arg_data(problem, HGATE_EMI_BETA) : NULL,
        .points = hgate_dim(problem, HGATE_DIM_EMI_BATCH),
        .n = (int)hgate_dim(problem, HGATE_DIM_EMI_N),
        .ref = params->ref,
        .is_full = (int)hgate_dim(problem, HGATE_DIM_EMI_FULL),
        .check_hermitian = !hermitian || strcmp(hermitian, "false") != 0,
        .kappa = params->kappa,
    };
    return args;
}

static int start(hg_cuda_state *state, const hg_emi_shape *const *shapes,
                 const hgate_problem *problem, hgate_run *run)
{
    const EmiArgs args = hg_cuda_emi_arguments(state, problem);
    int previous;
    if (args.points == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    cudaError_t error;
    if (args.n <= 2) {
        error = hg_emi_launch_closed(&args, 0, run->stream);
    } else {
        const hg_emi_shape *shape = shape_for(
            shapes, args.n, hg_cuda_emi_block_memory(state, &state->devices[run->device_id]));
        error = shape->launch(&args, run->stream);
    }
    status = hg_cuda_status(state, run->device_id, (int)error, "start emi");
    hg_cuda_leave(previous);
    return status;
}

static int warp_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    return start(state, warp_shapes, problem, run);
}

static int rows_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    return start(state, rows_shapes, problem, run);
}

enum { FLAGS = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST };

static const hgate_term warp_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"wave_steps", HG_CUDA_K_emi_warp_step},
                                        {"flop_sm", HG_CUDA_K_emi_warp_flop},
                                        {"bytes", HG_CUDA_K_emi_byte}};

static const hgate_term rows_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"wave_steps", HG_CUDA_K_emi_rows_step},
                                        {"flop_sm", HG_CUDA_K_emi_rows_flop},
                                        {"bytes", HG_CUDA_K_emi_byte}};

const hgate_kernel hg_cuda_emi_warp = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_EMI,
    .name = "warp",
    .dtypes = HGATE_C64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = FLAGS,
    .n_terms = HGATE_LENGTH_OF(warp_terms),
    .terms = warp_terms,
    .supports = warp_supports,
    .estimate = warp_estimate,
    .run = warp_run,
};

const hgate_kernel hg_cuda_emi_rows = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_EMI,
    .name = "rows",
    .dtypes = HGATE_C64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = FLAGS,
    .n_terms = HGATE_LENGTH_OF(rows_terms),
    .terms = rows_terms,
    .supports = rows_supports,
    .estimate = rows_estimate,
    .run = rows_run,
};
