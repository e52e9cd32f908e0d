/* SPDX-License-Identifier: BSD-3-Clause */
/* Small pieces of device memory for what has no workspace of its own. */
#ifndef HG_CUDA_SCRATCH_H
#define HG_CUDA_SCRATCH_H

#include "plugins/cuda/runtime/state.h"

typedef struct hg_cuda_scratch {
    struct hg_cuda_scratch *next;
    int device_id;
    size_t bytes;
    void *memory;
} hg_cuda_scratch;

int hg_cuda_scratches_new(const hgate_host *host, struct hg_cuda_scratches **scratches);
void hg_cuda_scratches_free(hg_cuda_state *state);

/* At least so many bytes of a device. Nobody may use them once they are given back: wait for the
 * stream first. Allocates only when all are taken or too small. MT-Safe. */
int hg_cuda_scratch_take(hg_cuda_state *state, int device_id, size_t bytes,
                         hg_cuda_scratch **scratch);
void hg_cuda_scratch_give(hg_cuda_state *state, hg_cuda_scratch *scratch);

#endif
