/* SPDX-License-Identifier: BSD-3-Clause */
/* V = alpha Z Z^H + beta V by split products on tensor cores: planes, product, last pass.
 *
 * Who makes planes elsewhere (planes.h) shares out the work (split_tiles.h), fills hg_split_gram
 * and calls hg_split_gram_run(); split_plan.h has the whole way from complex64. */
#ifndef HG_CUDA_SPLIT_GRAM_H
#define HG_CUDA_SPLIT_GRAM_H

#include "plugins/cuda/visibility/split_tiles.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HG_SPLIT_CHUNK = 65536 /* most columns of Z made planes at a time */ };

typedef struct hg_split_gram {
    hg_planes planes;
    hg_split_tiles tiles;
    void *slots; /* hg_split_slot_bytes(), aligned to 16 bytes */
    void *V;     /* (M, M) complex64; lower triangle read unless beta is 0 */
    double alpha, beta;
    int is_conj; /* the transpose */
} hg_split_gram;

/* Whether path wgmma was compiled in (--with-cuda-arch has 90). */
int hg_split_has_wgmma(void);
/* Path for a device of compute capability 10 major + minor; -1 below 8.0. */
int hg_split_path_of(int cc);

/* Planes and bounds of columns first ... first + p->K - 1 of Z (M, ld), p->K at most
 * HG_SPLIT_CHUNK. */
cudaError_t hg_split_planes(int path, const hg_planes *p, const void *Z, int64_t ld, int64_t first,
                            cudaStream_t stream);
/* One launch that reads Z once (path wgmma), three that read it twice (any device). */
cudaError_t hg_split_planes_cluster(const hg_planes *p, const void *Z, int64_t ld, int64_t first,
                                    cudaStream_t stream);
cudaError_t hg_split_planes_plain(const hg_planes *p, const void *Z, int64_t ld, int64_t first,
                                  cudaStream_t stream);

/* The product and its last pass. */
cudaError_t hg_split_gram_run(const hg_split_gram *g, cudaStream_t stream);

/* The two paths: fill the slots. */
cudaError_t hg_split_gram_wgmma(const hg_split_gram *g, cudaStream_t stream);
cudaError_t hg_split_gram_mma(const hg_split_gram *g, cudaStream_t stream);
/* V from the slots. */
cudaError_t hg_split_gram_reduce(const hg_split_gram *g, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
