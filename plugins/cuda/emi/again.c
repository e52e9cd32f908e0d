/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `again`, the second launch of complex64: what float32 leaves is solved with the inverse in
 * float64. */
#include "plugins/cuda/emi/again.h"
#include "plugins/cuda/emi/emi.h"

bool hg_cuda_emi_is_followed(const hg_cuda_state *state, const hgate_problem *problem)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N);
    return problem->op == HGATE_OP_EMI && problem->dtype == HGATE_C64 && n > 2 &&
           hg_emi_again_bytes(n, 128) <=
               hg_cuda_emi_block_memory(state, hg_cuda_device_of(state, problem));
}

cudaError_t hg_cuda_emi_again(const hg_cuda_state *state, const hgate_problem *problem,
                              const EmiArgs *args, cudaStream_t stream)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t memory = hg_cuda_emi_block_memory(state, device);
    /* few points are left as a rule: what one takes counts, not how many fit; not tuned */
    int threads = args->n <= 32 ? 128 : args->n <= 64 ? 256 : 512;
    while (hg_emi_again_bytes(args->n, threads) > memory)
        threads /= 2;
    const int64_t most =
        device->multiprocessors * hg_cuda_emi_resident(device, hg_emi_again_bytes(args->n, threads),
                                                       hg_emi_again_registers, threads);
    return hg_emi_launch_again(args, threads, args->points < most ? args->points : most, stream);
}
