/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `block`: its shared memory and its launch. */
#ifndef HG_CUDA_EMI_BLOCK_H
#define HG_CUDA_EMI_BLOCK_H

#include "plugins/cuda/emi/emi_args.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    hg_emi_block_registers = 72, /* a thread of kernel block is compiled to at most so many */
    hg_emi_block_vectors = 10,   /* of n words */
    hg_emi_block_warps = 16      /* most warps of a block */
};

/* Bytes of a block of `threads` for n images, words of 4 or 8 bytes: two packed triangles, ten
 * vectors, a grid of trial points and their counts, scratch for sums. */
static inline int64_t hg_emi_block_bytes(int64_t n, int threads, int word)
{
    const int64_t scratch = 2 * hg_emi_block_warps * word + 4;
    return word * (n * (n + 1) + hg_emi_block_vectors * n + threads) + 4 * (int64_t)threads +
           scratch;
}

/* EmiArgs of complex128 problems: the same with double in place of float. */
cudaError_t hg_emi_launch_block(const EmiArgs *args, int is_wide, int threads, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
