/* SPDX-License-Identifier: BSD-3-Clause */
/* Split products inside other operations of the family: of chunks whose planes the Z kernel writes,
 * and of a Z that is given. */
#ifndef HG_CUDA_SPLIT_CHUNK_H
#define HG_CUDA_SPLIT_CHUNK_H

#include "headgate/plugin_util.h"
#include "plugins/cuda/visibility/split_plan.h"

static inline int hg_vis_is_split(int matprod)
{
    return matprod == HGATE_MATPROD_FP16X3 || matprod == HGATE_MATPROD_TF32X3;
}

static inline int hg_vis_plane_kind(int matprod)
{
    return matprod == HGATE_MATPROD_FP16X3 ? HG_PLANE_FP16 : HG_PLANE_TF32;
}

/* Planes of chunks of at most K columns and what their product works in. */
typedef struct hg_split_chunk {
    int path, slots; /* slots: thread blocks that run at a time */
    hg_planes planes;
    void *slot_memory;
    size_t slot_bytes;
} hg_split_chunk;

/* Whether the device and the sizes are served; fills path and slots. */
int hg_split_chunk_supports(const hg_cuda_state *state, const hgate_problem *problem, int kind,
                            int64_t M, int64_t K, hgate_reason *reason, hg_split_chunk *chunk);
void hg_split_chunk_lay_out(hgate_scratch *scratch, hg_split_chunk *chunk, int kind, int64_t M,
                            int64_t K);
/* sum (M, M) += alpha Z Z^H of the planes, which have planes.K columns; is_first: it starts here.
 */
cudaError_t hg_split_chunk_add(const hg_split_chunk *chunk, void *sum, double alpha, int is_first,
                               cudaStream_t stream);
/* Steps of the product of K columns: what its cost counts. */
double hg_split_chunk_steps(const hg_split_chunk *chunk, int kind, int64_t M, int64_t K);

#endif
