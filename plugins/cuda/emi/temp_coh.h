/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch of ds_temp_coh. */
#ifndef HG_CUDA_TEMP_COH_H
#define HG_CUDA_TEMP_COH_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TempCohArgs {
    const void *coh;   /* (P, N) in the order of pairs, or (P, n, n) */
    const int *pairs;  /* (N, 2), NULL: packed order */
    const void *phase; /* (P, n) */
    void *t_coh;       /* (P) */
    int64_t points, n_pairs;
    int n, is_full, is_wide; /* is_wide: complex128 */
} TempCohArgs;

cudaError_t hg_emi_launch_temp_coh(const TempCohArgs *args, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
