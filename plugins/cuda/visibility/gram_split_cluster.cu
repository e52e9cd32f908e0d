// SPDX-License-Identifier: BSD-3-Clause
// complex64 to planes on Hopper: Z is read once.
//
// A cluster of one to eight thread blocks takes one row and keeps it in registers, at most 65,536
// columns: largest component, exchanged through the cluster's shared memory, then the two parts of
// every number. Turning them in shared memory into whole lines was slower.
// Bound by memory: 8 bytes read and 8 (fp16) or 16 (tf32) written a number. Compiled for sm_90a
// only.
#include "plugins/cuda/visibility/planes.cuh"
#include "plugins/cuda/visibility/split_gram.h"
#include "plugins/cuda/visibility/split_tiles.cuh"

#ifdef HG_HAVE_WGMMA

#include <cooperative_groups.h>

enum { THREADS = 256, WARPS = THREADS / 32, GROUP = 64 /* columns of a warp at a time */ };

// Largest of all threads of the cluster; values are not negative.
template <int CLUSTER> static __device__ __forceinline__ float cluster_most(float value)
{
    __shared__ unsigned of_warp[WARPS], of_block;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    // floats that are not negative are in the order of their bits
    const unsigned warp = __reduce_max_sync(~0u, __float_as_uint(value));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = warp;
    __syncthreads();
    if (threadIdx.x < WARPS) {
        const unsigned block = __reduce_max_sync((1u << WARPS) - 1, of_warp[threadIdx.x]);
        if (threadIdx.x == 0)
            of_block = block;
    }
    cluster.sync();
    unsigned most = 0;
#pragma unroll
    for (unsigned i = 0; i < CLUSTER; i++)
        most = max(most, *cluster.map_shared_rank(&of_block, i));
    return __uint_as_float(most);
}

// One row a cluster; a warp keeps GROUPS groups of columns. Even lanes write two neighbouring
// columns of the first 32 of a group, odd lanes two of the last 32.
template <int KIND, int GROUPS, int CLUSTER>
static __global__ void __launch_bounds__(THREADS, GROUPS == 16 ? 3 : 4)
    split_row(const float2 *__restrict__ Z, int64_t ld, int64_t first, const hg_planes p)
{
#if __CUDA_ARCH__ >= 900
    let_next_start();
    constexpr int step = CLUSTER * WARPS * GROUP;
    const int64_t row = blockIdx.x / CLUSTER;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, odd = lane % 2;
    const int column0 = ((int)blockIdx.x % CLUSTER * WARPS + warp) * GROUP, K = (int)p.K;
    const float2 *const z = Z + row * ld + first + column0 + lane;
    float2 low[GROUPS], high[GROUPS];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const int k = column0 + g * step + lane;
        low[g] = k < K ? __ldcs(z + g * step) : make_float2(0, 0);
        high[g] = k + 32 < K ? __ldcs(z + g * step + 32) : make_float2(0, 0);
    }
    float most = 0; // fmaxf passes over NaN; Inf stays Inf
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        most = fmaxf(most, fmaxf(fabsf(low[g].x), fabsf(low[g].y)));
        most = fmaxf(most, fmaxf(fabsf(high[g].x), fabsf(high[g].y)));
    }
    most = cluster_most<CLUSTER>(most);
    if (threadIdx.x == 0 && blockIdx.x % CLUSTER == 0)
        p.bounds[row] = most;
    const float scale = hg_plane_scale(hg_plane_exponent(most));
    const PlaneWriter<KIND> writer(p, row);
    const int columns = (int)hg_planes_columns(p.K, KIND);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const float2 give = odd ? low[g] : high[g];
        float2 take;
        take.x = __shfl_xor_sync(~0u, give.x, 1);
        take.y = __shfl_xor_sync(~0u, give.y, 1);
        const float2 a = odd ? take : low[g], b = odd ? high[g] : take;
        const int k = column0 + g * step + (odd ? lane + 31 : lane);
        if (k < columns)
            writer.put2(k, make_float2(a.x * scale, a.y * scale),
                        make_float2(b.x * scale, b.y * scale));
    }
    cooperative_groups::this_cluster().sync(); // others may still read this block's largest
#endif
}

template <int KIND, int GROUPS, int CLUSTER>
static cudaError_t launch(const hg_planes *p, const float2 *Z, int64_t ld, int64_t first,
                          cudaStream_t stream)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {CLUSTER, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)p->M * CLUSTER);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, split_row<KIND, GROUPS, CLUSTER>, Z, ld, first, *p);
}

// As few blocks a row as can hold it: each then has many loads under way.
template <int KIND>
static cudaError_t launch_row(const hg_planes *p, const float2 *Z, int64_t ld, int64_t first,
                              cudaStream_t stream)
{
    const int64_t groups = (p->K + WARPS * GROUP - 1) / (WARPS * GROUP); // of a warp, in all
    if (groups <= 4)
        return launch<KIND, 4, 1>(p, Z, ld, first, stream);
    if (groups <= 8)
        return launch<KIND, 8, 1>(p, Z, ld, first, stream);
    if (groups <= 16)
        return launch<KIND, 16, 1>(p, Z, ld, first, stream);
    if (groups <= 32)
        return launch<KIND, 16, 2>(p, Z, ld, first, stream);
    return groups <= 64 ? launch<KIND, 16, 4>(p, Z, ld, first, stream)
                        : launch<KIND, 16, 8>(p, Z, ld, first, stream);
}

extern "C" cudaError_t hg_split_planes_cluster(const hg_planes *p, const void *Z, int64_t ld,
                                               int64_t first, cudaStream_t stream)
{
    if (p->K == 0)
        return cudaMemsetAsync(p->bounds, 0, (size_t)p->M * sizeof(float), stream);
    return p->kind == HG_PLANE_FP16
               ? launch_row<HG_PLANE_FP16>(p, (const float2 *)Z, ld, first, stream)
               : launch_row<HG_PLANE_TF32>(p, (const float2 *)Z, ld, first, stream);
}

#else

extern "C" cudaError_t hg_split_planes_cluster(const hg_planes *, const void *, int64_t, int64_t,
                                               cudaStream_t)
{
    return cudaErrorNoKernelImageForDevice;
}

#endif
