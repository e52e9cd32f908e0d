/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `again`: its shared memory and its launch. */
#ifndef HG_CUDA_EMI_AGAIN_H
#define HG_CUDA_EMI_AGAIN_H

#include "plugins/cuda/emi/block.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    hg_emi_again_registers = 128, /* a thread of kernel again is compiled to at most so many */
    hg_emi_again_marks = 64       /* bytes: a bit of every thread */
};

/* Bytes of a block of `threads` for n images: marks, then as block has in float64, with one
 * triangle. */
static inline int64_t hg_emi_again_bytes(int64_t n, int threads)
{
    return hg_emi_again_marks + hg_emi_block_bytes(n, threads, 8) - 8 * (n * (n + 1) / 2);
}

cudaError_t hg_emi_launch_again(const EmiArgs *args, int threads, int64_t blocks,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
