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

/* ---- fixed point ---- */

/* A tile of the model. Most of its numbers have similar magnitudes: those are scaled by 2^exponent
 * for sums in integers. The odd ones, far larger, far smaller or not finite, are listed. */
typedef struct hg_model_tile {
    int32_t exponent;
    int32_t has_main; /* some number is not odd and not 0 */
    int32_t n_odd;
} hg_model_tile;

typedef struct hg_packed_model {
    hg_model_tile *tile;
    void *main;         /* (tiles, HG_TILE): scaled; 0 for an odd one */
    int32_t *odd_place; /* (tiles, HG_TILE): n_odd places in increasing order of ... */
    void *odd_value;    /* ... and their numbers as they are */
} hg_packed_model;

/* How many integers make a sum, by precision and kind of weight, and the magnitudes that one tile
 * may have as a power of two. */
typedef struct hg_fixed_point {
    int words, range;
} hg_fixed_point;

/* data = alpha L model + beta data, or partial sums of segments.
 *
 * A trace is summed in segments of so many tiles, by size of the image and the record alone, so
 * that its bits depend neither on the other traces of the call nor on how segments are spread. */
typedef struct hg_scatter {
    hg_cuda_tables tables;
    hg_packed_model model;
    hg_fixed_point fixed;
    void *data; /* (ns, nr, nt) */
    void *rows; /* (segments, ns, nr, nt) when is_split, else (ns, nr, nt); or NULL */
    double alpha, beta;
    int64_t segment_tiles, segments;
    int is_split; /* a block has one segment; they are joined afterwards */
    int has_rows; /* traces are summed in `rows`, they are too long for shared memory */
    int window;   /* samples of a window in shared memory */
} hg_scatter;

cudaError_t hg_kirchhoff_pack_model(const hg_scatter *scatter, const void *model,
                                    cudaStream_t stream);
cudaError_t hg_kirchhoff_scatter(const hg_scatter *scatter, cudaStream_t stream);
/* data = alpha rows + beta data, segment by segment in order; after is_split. */
cudaError_t hg_kirchhoff_join(const hg_scatter *scatter, cudaStream_t stream);
/* Bytes of shared memory of a block. */
size_t hg_kirchhoff_scatter_shared(const hg_scatter *scatter);
enum { HG_SOURCES_AT_ONCE = 2, HG_RECEIVERS_AT_ONCE = 2 }; /* of a block */

#ifdef __cplusplus
}
#endif
#endif
