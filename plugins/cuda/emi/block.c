/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `block` of emi: its image limit, its block size, its cost. */
#include "plugins/cuda/emi/block.h"
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/emi/rows.h"
#include "plugins/cuda/kernels.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const int sizes[] = {128, 256, 512};

static int word_of(const hgate_problem *problem)
{
    return problem->dtype == HGATE_C128 ? 8 : 4;
}

/* Largest n whose block of 128 threads fits in `memory`. */
static int image_limit(int64_t memory, int word)
{
    int n = 0;
    while (hg_emi_block_bytes(n + 1, 128, word) <= memory)
        n++;
    return n;
}

/* Blocks of a multiprocessor: what shared memory, registers and threads allow. */
static int64_t resident(const hg_cuda_device *device, int64_t n, int threads, int word)
{
    int64_t blocks = device->smem_multiprocessor /
                     (hg_emi_block_bytes(n, threads, word) + device->smem_reserved);
    const int64_t by_registers = device->registers / (hg_emi_block_registers * threads);
    const int64_t by_threads = device->threads / threads;
    blocks = blocks < by_registers ? blocks : by_registers;
    return blocks < by_threads ? blocks : by_threads;
}

/* The size whose blocks fit most often into a multiprocessor, the larger at a tie; or the
 * configured one. */
static int block_size(const hg_cuda_state *state, const hg_cuda_device *device, int64_t n, int word)
{
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    const char *text = state->host->setting(state->host, "ops.emi.cuda.block_size");
    const int wanted = text ? (int)strtol(text, NULL, 10) : 0;
    if (wanted > 0 && hg_emi_block_bytes(n, wanted, word) <= memory)
        return wanted;
    int best = 128;
    for (int i = 1; i < 3; i++)
        if (hg_emi_block_bytes(n, sizes[i], word) <= memory &&
            resident(device, n, sizes[i], word) >= resident(device, n, best, word))
            best = sizes[i];
    return best;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
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
    const int word = word_of(problem), limit = image_limit(memory, word);
    if (n <= limit) {
        const int threads = block_size(state, device, n, word);
        hg_cuda_emi_tell(problem, device, limit, threads, resident(device, n, threads, word), 1,
                         reason);
        return HGATE_OK;
    }
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)n, limit,
                        "%" PRId64 " images need %" PRId64
                        " bytes of shared memory per block, %" PRId64
                        " may be used: at most %d images",
                        n, hg_emi_block_bytes(n, 128, word), memory, limit);
}

/* Terms: launch; images of every wave of resident blocks; flops of a multiprocessor in whole waves;
 * bytes in and out. */
static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const int word = word_of(problem);
    const double points = (double)hgate_dim(problem, HGATE_DIM_EMI_BATCH), m = (double)n;
    const double blocks = (double)resident(device, n, block_size(state, device, n, word), word);
    const double waves = ceil(points / (blocks * device->multiprocessors));
    est->terms[0] = 1;
    est->terms[1] = waves * m;
    est->terms[2] = waves * blocks * 7.67 * m * m * m * (word / 4);
    est->terms[3] = points * (m * m + 2 * m + 3) * word;
    return HGATE_OK;
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    hg_cuda_state *s = state;
    const EmiArgs args = hg_cuda_emi_arguments(s, problem);
    const int is_wide = problem->dtype == HGATE_C128;
    int previous;
    if (args.points == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = hg_cuda_enter(s, run->device_id, &previous);
    if (status)
        return status;
    run->committed = 1;
    cudaError_t error;
    if (args.n <= 2)
        error = hg_emi_launch_closed(&args, is_wide, run->stream);
    else
        error = hg_emi_launch_block(
            &args, is_wide, block_size(s, hg_cuda_device_of(s, problem), args.n, word_of(problem)),
            run->stream);
    status = hg_cuda_status(s, run->device_id, (int)error, "start emi/block");
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"wave_steps", HG_CUDA_K_emi_block_step},
                                   {"flop_sm", HG_CUDA_K_emi_block_flop},
                                   {"bytes", HG_CUDA_K_emi_byte}};

const hgate_kernel hg_cuda_emi_block = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_EMI,
    .name = "block",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
