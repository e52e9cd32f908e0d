/* SPDX-License-Identifier: BSD-3-Clause */
/* Library handles: taken for one call, with the caller's stream set each time, then given back. */
#ifndef HG_CUDA_POOL_H
#define HG_CUDA_POOL_H

#include "plugins/cuda/runtime/libs.h"
#include "plugins/cuda/runtime/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hg_cuda_handle {
    struct hg_cuda_handle *next;
    int device_id;
    cublasHandle_t blas;       /* scalars on the host, no reduced precision */
    cusolverDnHandle_t solver; /* NULL until asked for */
    cusolverDnParams_t solver_params;
    const hg_cuda_calls *calls;
} hg_cuda_handle;

int hg_cuda_pool_new(const hgate_host *host, struct hg_cuda_pool **pool);
void hg_cuda_pool_free(hg_cuda_state *state);

/* A cuBLAS handle on the stream; the device is current. with_solver also gives a cuSOLVER handle.
 * Creates one only when all are taken: steady state allocates nothing. MT-Safe. */
int hg_cuda_handle_take(hg_cuda_state *state, int device_id, void *stream, bool with_solver,
                        hg_cuda_handle **handle);
void hg_cuda_handle_give(hg_cuda_state *state, hg_cuda_handle *handle);

/* Status of a cublasStatus_t, cusolverStatus_t or cufftResult: all are 0 for success. */
int hg_cuda_library_status(hg_cuda_state *state, int device_id, int code, const char *call);

#ifdef __cplusplus
}
#endif
#endif
