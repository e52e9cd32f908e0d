/* SPDX-License-Identifier: BSD-3-Clause */
/* Page-locked host memory that stays for the next call. */
#ifndef HG_CUDA_PINNED_H
#define HG_CUDA_PINNED_H

#include "plugins/cuda/runtime/state.h"

int hg_cuda_pinned_new(const hgate_host *host, struct hg_cuda_pinned **pinned);
void hg_cuda_pinned_free(hg_cuda_state *state);

#endif
