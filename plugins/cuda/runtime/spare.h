/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory that plans hand on to each other while a caller pipes groups through the device. */
#ifndef HG_CUDA_SPARE_H
#define HG_CUDA_SPARE_H

#include "plugins/cuda/runtime/state.h"

int hg_cuda_spare_new(const hgate_host *host, struct hg_cuda_spare **spare);
void hg_cuda_spare_free(hg_cuda_state *state);

/* A caller that has page-locked memory makes plan after plan: from the first begin to the last end
 * the memory of one discarded plan is kept; outside of these, none. */
void hg_cuda_spare_begin(hg_cuda_state *state);
void hg_cuda_spare_end(hg_cuda_state *state);

/* Memory of a plan, at least `bytes`; *size: what there is. MT-Safe. */
int hg_cuda_spare_take(hg_cuda_state *state, size_t bytes, int device_id, void **memory,
                       size_t *size);
/* Gives it back or keeps it, after waiting for the device as freeing it would. */
void hg_cuda_spare_give(hg_cuda_state *state, void *memory, size_t size, int device_id);

#endif
