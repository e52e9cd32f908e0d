/* SPDX-License-Identifier: BSD-3-Clause */
/* cuBLAS, cuSOLVER and cuFFT by one table of calls, filled when a kernel first needs one of them: a
 * host without a device never maps these libraries, and tests make single calls fail by replacing
 * an entry. */
#ifndef HG_CUDA_LIBS_H
#define HG_CUDA_LIBS_H

#include "headgate/plugin.h"
#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(LIBRARY, SYMBOL): every call of these libraries that the plugin makes. */
#define HG_CUDA_CALLS(X)                                                                           \
    X(CUBLAS, cublasCreate_v2)                                                                     \
    X(CUBLAS, cublasDestroy_v2)                                                                    \
    X(CUBLAS, cublasSetStream_v2)                                                                  \
    X(CUBLAS, cublasSetPointerMode_v2)                                                             \
    X(CUBLAS, cublasSetMathMode)                                                                   \
    X(CUBLAS, cublasSetWorkspace_v2)                                                               \
    X(CUBLAS, cublasCgemm_v2_64)                                                                   \
    X(CUBLAS, cublasZgemm_v2_64)                                                                   \
    X(CUBLAS, cublasCgemm3m_64)                                                                    \
    X(CUBLAS, cublasZgemm3m_64)                                                                    \
    X(CUBLAS, cublasCherk_v2_64)                                                                   \
    X(CUBLAS, cublasZherk_v2_64)                                                                   \
    X(CUBLAS, cublasDgemm_v2_64)                                                                   \
    X(CUBLAS, cublasSgetrfBatched)                                                                 \
    X(CUBLAS, cublasDgetrfBatched)                                                                 \
    X(CUBLAS, cublasSgetriBatched)                                                                 \
    X(CUBLAS, cublasDgetriBatched)                                                                 \
    X(CUSOLVER, cusolverDnCreate)                                                                  \
    X(CUSOLVER, cusolverDnDestroy)                                                                 \
    X(CUSOLVER, cusolverDnSetStream)                                                               \
    X(CUSOLVER, cusolverDnCreateParams)                                                            \
    X(CUSOLVER, cusolverDnDestroyParams)                                                           \
    X(CUSOLVER, cusolverDnXsyevBatched_bufferSize)                                                 \
    X(CUSOLVER, cusolverDnXsyevBatched)                                                            \
    X(CUFFT, cufftCreate)                                                                          \
    X(CUFFT, cufftDestroy)                                                                         \
    X(CUFFT, cufftSetStream)                                                                       \
    X(CUFFT, cufftSetAutoAllocation)                                                               \
    X(CUFFT, cufftSetWorkArea)                                                                     \
    X(CUFFT, cufftMakePlanMany64)                                                                  \
    X(CUFFT, cufftExecD2Z)                                                                         \
    X(CUFFT, cufftExecZ2D)                                                                         \
    X(CUFFT, cufftExecR2C)                                                                         \
    X(CUFFT, cufftExecC2R)

enum hg_cuda_library { HG_CUDA_CUBLAS, HG_CUDA_CUSOLVER, HG_CUDA_CUFFT, HG_CUDA_N_LIBRARIES };

typedef struct hg_cuda_calls {
#define HG_CUDA_CALL(LIBRARY, SYMBOL) __typeof__(&SYMBOL) SYMBOL;
    HG_CUDA_CALLS(HG_CUDA_CALL)
#undef HG_CUDA_CALL
} hg_cuda_calls;

typedef struct hg_cuda_libs hg_cuda_libs;

int hg_cuda_libs_new(const hgate_host *host, hg_cuda_libs **libs);
void hg_cuda_libs_free(hg_cuda_libs *libs);
/* Binds a library if that did not happen yet. EUNAVAILABLE with the loader's text. MT-Safe. */
int hg_cuda_libs_need(hg_cuda_libs *libs, enum hg_cuda_library library);
/* The calls; those of a library that was not asked for are NULL. */
const hg_cuda_calls *hg_cuda_libs_calls(const hg_cuda_libs *libs);
/* Whether the file of a library can be found, without mapping it: for supports(). */
int hg_cuda_libs_can(hg_cuda_libs *libs, enum hg_cuda_library library, hgate_reason *reason);
void hg_cuda_libs_describe(const hg_cuda_libs *libs,
                           void (*row)(void *user, const char *key, const char *value), void *user);

#ifdef __cplusplus
}
#endif
#endif
