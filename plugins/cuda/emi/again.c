/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `again`, the second launch of complex64: what float32 leaves is solved with the inverse in
 * float64. */
#include "plugins/cuda/emi/again.h"
#include "plugins/cuda/emi/emi.h"

static const int sizes[] = {128, 256, 512};

bool hg_cuda_emi_again_serves(const hg_cuda_state *state, const hgate_problem *problem)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    return problem->op == HGATE_OP_EMI && problem->dtype == HGATE_C64 && n > 2 &&
           hg_emi_again_bytes(n, sizes[0]) <=
               hg_cuda_emi_block_memory(state, hg_cuda_device_of(state, problem));
}

static int64_t resident(const hg_cuda_device *device, int64_t n, int threads)
{
    return hg_cuda_emi_resident(device, hg_emi_again_bytes(n, threads), hg_emi_again_registers,
                                threads);
}

cudaError_t hg_cuda_emi_again(const hg_cuda_state *state, const hgate_problem *problem,
                              const EmiArgs *args, cudaStream_t stream)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    int threads = sizes[0];
    for (int i = 1; i < 3; i++)
        if (hg_emi_again_bytes(args->n, sizes[i]) <= memory &&
            resident(device, args->n, sizes[i]) >= resident(device, args->n, threads))
            threads = sizes[i];
    const int64_t most = resident(device, args->n, threads) * device->multiprocessors;
    const int64_t blocks = args->points < most ? args->points : most;
    return hg_emi_launch_again(args, threads, blocks, stream);
}
