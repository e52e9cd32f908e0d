/* SPDX-License-Identifier: BSD-3-Clause */
/* Choice between the paths of the split product. */
#include "plugins/cuda/visibility/split_gram.h"

int hg_split_path_of(int cc)
{
    if (cc == 90 && hg_split_has_wgmma())
        return HG_SPLIT_WGMMA;
    return cc >= 80 ? HG_SPLIT_MMA : -1;
}

cudaError_t hg_split_planes(int path, const hg_planes *p, const void *Z, int64_t ld, int64_t first,
                            cudaStream_t stream)
{
    return path == HG_SPLIT_WGMMA ? hg_split_planes_cluster(p, Z, ld, first, stream)
                                  : hg_split_planes_plain(p, Z, ld, first, stream);
}

cudaError_t hg_split_gram_run(const hg_split_gram *g, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    if (g->tiles.first[HG_SPLIT_CLASSES] > 0)
        error = g->tiles.path == HG_SPLIT_WGMMA ? hg_split_gram_wgmma(g, stream)
                                                : hg_split_gram_mma(g, stream);
    return error == cudaSuccess ? hg_split_gram_reduce(g, stream) : error;
}
