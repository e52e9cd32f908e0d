/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `block` of emi and evd: its image limit, its block size, its cost. */
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

static int64_t resident(const hg_cuda_device *device, int64_t n, int threads, int word)
{
    return hg_cuda_emi_resident(device, hg_emi_block_bytes(n, threads, word),
                                hg_emi_block_registers, threads);
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
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const int status = hg_cuda_emi_refuse(state, problem, reason);
    if (status)
        return status;
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    const int word = word_of(problem), limit = image_limit(memory, word);
    if (n <= limit) {
        const int threads = block_size(state, device, n, word);
        hg_cuda_emi_tell(state, problem, limit, threads, resident(device, n, threads, word), 1,
                         reason);
        return HGATE_OK;
    }
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)n, limit,
                        "%" PRId64 " images need %" PRId64
                        " bytes of shared memory per block, %" PRId64
                        " may be used: at most %d images",
                        n, hg_emi_block_bytes(n, 128, word), memory, limit);
}

/* Terms: launches; images of every wave of resident blocks; flops of a multiprocessor in whole
 * waves; bytes in and out. */
static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    const int word = word_of(problem);
    const double points = (double)hgate_dim(problem, HGATE_DIM_EMI_BATCH), m = (double)n;
    const double blocks = (double)resident(device, n, block_size(state, device, n, word), word);
    const double waves = ceil(points / (blocks * device->multiprocessors));
    est->terms[0] = hg_cuda_emi_is_followed(state, problem) ? 2 : 1;
    est->terms[1] = waves * m;
    est->terms[2] =
        waves * blocks * (problem->op == HGATE_OP_EVD ? 5.33 : 7.67) * m * m * m * (word / 4);
    est->terms[3] = points * (m * m + 2 * m + 3) * word;
    hg_cuda_emi_workspace(state, problem, est);
    return HGATE_OK;
}

static cudaError_t launch(hg_cuda_state *state, const hgate_problem *problem, const EmiArgs *args,
                          cudaStream_t stream)
{
    const int threads =
        block_size(state, hg_cuda_device_of(state, problem), args->n, word_of(problem));
    return hg_emi_launch_block(args, problem->dtype == HGATE_C128, threads, stream);
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    return hg_cuda_emi_start(state, problem, run, launch);
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"wave_steps", HG_CUDA_K_emi_block_step},
                                   {"flop_sm", HG_CUDA_K_emi_block_flop},
                                   {"bytes", HG_CUDA_K_emi_byte}};

#define BLOCK_KERNEL(SYMBOL, OP)                                                                   \
    const hgate_kernel SYMBOL = {                                                                  \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = "block",                                                                           \
        .dtypes = HGATE_C64 | HGATE_C128,                                                          \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(terms),                                                         \
        .terms = terms,                                                                            \
        .supports = supports,                                                                      \
        .estimate = estimate,                                                                      \
        .run = run,                                                                                \
    };

BLOCK_KERNEL(hg_cuda_emi_block, HGATE_OP_EMI)
BLOCK_KERNEL(hg_cuda_evd_block, HGATE_OP_EVD)
