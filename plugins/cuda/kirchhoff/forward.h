/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of kirchhoff_forward. */
#ifndef HG_CUDA_KIRCHHOFF_FORWARD_H
#define HG_CUDA_KIRCHHOFF_FORWARD_H

#include "plugins/cuda/kirchhoff/tables.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* data += alpha L model, by additions in device memory */
typedef struct hg_atomic {
    hg_cuda_tables tables;
    const void *model; /* (ni) */
    void *data;        /* (ns, nr, nt) */
    double alpha;
    int64_t sources; /* of a block */
} hg_atomic;

cudaError_t hg_kirchhoff_atomic(const hg_atomic *atomic, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
