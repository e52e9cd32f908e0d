/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `warp` and `rows` of emi and evd: their shapes, which problems they serve, what they
 * cost. */
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/emi/rows.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/state.h"
#include <inttypes.h>
#include <math.h>

#define ADDRESS(NAME) &hg_emi_##NAME,
static const hg_emi_shape *const warp_shapes[] = {HG_EMI_WARP_SHAPES(ADDRESS) NULL};
static const hg_emi_shape *const rows_shapes[] = {HG_EMI_ROWS_SHAPES(ADDRESS) NULL};

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

static int supports(hg_cuda_state *state, const hg_emi_shape *const *shapes,
                    const hgate_problem *problem, hgate_reason *reason)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const int status = hg_cuda_emi_refuse(state, problem, reason);
    if (status)
        return status;
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    const hg_emi_shape *shape = shape_for(shapes, n, memory);
    const int limit = image_limit(shapes, memory);
    if (shape) {
        hg_cuda_emi_tell(state, problem, limit, shape->threads,
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

/* Terms: launches; images of every wave of resident points; flops of a multiprocessor; bytes in and
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
    est->terms[0] = hg_cuda_emi_is_followed(state, problem) ? 2 : 1;
    est->terms[1] = waves * m;
    est->terms[2] = ceil(points / device->multiprocessors) *
                    (problem->op == HGATE_OP_EVD ? 5.33 : 7.67) * m * m * m;
    est->terms[3] = points * (4 * m * m + 8 * m + 12);
    hg_cuda_emi_workspace(state, problem, est);
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

static cudaError_t launch(const hg_cuda_state *state, const hg_emi_shape *const *shapes,
                          const hgate_problem *problem, const EmiArgs *args, cudaStream_t stream)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    return shape_for(shapes, args->n, hg_cuda_emi_block_memory(state, device))
        ->launch(args, stream);
}

static cudaError_t warp_launch(hg_cuda_state *state, const hgate_problem *problem,
                               const EmiArgs *args, cudaStream_t stream)
{
    return launch(state, warp_shapes, problem, args, stream);
}

static cudaError_t rows_launch(hg_cuda_state *state, const hgate_problem *problem,
                               const EmiArgs *args, cudaStream_t stream)
{
    return launch(state, rows_shapes, problem, args, stream);
}

static int warp_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    return hg_cuda_emi_start(state, problem, run, warp_launch);
}

static int rows_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    return hg_cuda_emi_start(state, problem, run, rows_launch);
}

static const hgate_term warp_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"wave_steps", HG_CUDA_K_emi_warp_step},
                                        {"flop_sm", HG_CUDA_K_emi_warp_flop},
                                        {"bytes", HG_CUDA_K_emi_byte}};

static const hgate_term rows_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"wave_steps", HG_CUDA_K_emi_rows_step},
                                        {"flop_sm", HG_CUDA_K_emi_rows_flop},
                                        {"bytes", HG_CUDA_K_emi_byte}};

#define ROWS_KERNEL(OP, op_name, name_)                                                            \
    const hgate_kernel hg_cuda_##op_name##_##name_ = {                                             \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_##OP,                                                                       \
        .name = #name_,                                                                            \
        .dtypes = HGATE_C64,                                                                       \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(name_##_terms),                                                 \
        .terms = name_##_terms,                                                                    \
        .supports = name_##_supports,                                                              \
        .estimate = name_##_estimate,                                                              \
        .run = name_##_run,                                                                        \
    };

ROWS_KERNEL(EMI, emi, warp)
ROWS_KERNEL(EMI, emi, rows)
ROWS_KERNEL(EVD, evd, warp)
ROWS_KERNEL(EVD, evd, rows)
