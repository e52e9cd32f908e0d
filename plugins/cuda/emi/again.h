/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `again`: its shared memory and its launch. */
#ifndef HG_CUDA_EMI_AGAIN_H
#define HG_CUDA_EMI_AGAIN_H

#include "plugins/cuda/emi/block.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { hg_emi_again_registers = 128 }; /* a thread of kernel again is compiled to at most so many */

/* Bytes of a block of `threads` for n images: what block takes in float32, or the same memory while
 * it holds one plane of doubles with five vectors, the trial points over the first three; and a bit
 * a thread. */
static inline int64_t hg_emi_again_bytes(int64_t n, int threads)
{
    const int64_t narrow = hg_emi_block_bytes(n, threads, 4), trials = 8 * (int64_t)threads,
                  first = 24 * n > trials ? 24 * n : trials,
                  wide = 4 * n * (n + 1) + first + 16 * n + 4 * (int64_t)threads +
                         16 * hg_emi_block_warps + 4;
    return (narrow > wide ? narrow : wide) + threads / 8;
}

/* Solves the points that carry the mark of trust.cuh. */
cudaError_t hg_emi_launch_again(const EmiArgs *args, int threads, int64_t blocks,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
