/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of kirchhoff_adjoint. */
#ifndef HG_CUDA_KIRCHHOFF_ADJOINT_H
#define HG_CUDA_KIRCHHOFF_ADJOINT_H

#include "plugins/cuda/kirchhoff/tables.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Work is cut in tiles times parts; a part has sources [p sources, (p + 1) sources) and receivers
 * alike, and an image of its own. */
typedef struct hg_adjoint {
    hg_cuda_tables tables;
    const void *data; /* (ns, nr, nt) */
    void *images;     /* (parts, tiles, HG_TILE) */
    int64_t source_parts, receiver_parts;
    int64_t sources, receivers; /* of a part; sources is a multiple of sources_at_once */
    int sources_at_once;        /* 1, 2 or 4: kept in registers */
    /* window alone */
    int receivers_at_once; /* with sources_at_once at most 32 windows */
    int stages;            /* of the pipeline */
} hg_adjoint;

cudaError_t hg_kirchhoff_gather(const hg_adjoint *adjoint, cudaStream_t stream);
/* Compute capability 9.0. */
cudaError_t hg_kirchhoff_window(const hg_adjoint *adjoint, cudaStream_t stream);

/* model = alpha times the sum of the images in order, + beta model; beta 0: model is not read. */
typedef struct hg_image {
    const int64_t *point;
    const void *images;
    void *model;
    int64_t n_tiles, parts;
    double alpha, beta;
    int is_64;
} hg_image;

cudaError_t hg_kirchhoff_image(const hg_image *image, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
