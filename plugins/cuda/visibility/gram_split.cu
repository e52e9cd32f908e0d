// SPDX-License-Identifier: BSD-3-Clause
// complex64 to planes: the largest component of each row, then the two parts of every number.
//
// Bound by memory: 8 bytes read a number for the bounds, 8 read and 8 (fp16) or 16 (tf32) written
// for the planes. gram_split_cluster.cu reads Z once.
#include "plugins/cuda/visibility/planes.cuh"
#include "plugins/cuda/visibility/split_gram.h"

enum { THREADS = 256, CHUNK = 8192 /* columns of a row, a block */, GROUP = 64 /* columns */ };

// Largest |component| of a chunk of row blockIdx.x. fmaxf passes over NaN; Inf stays Inf.
static __global__ void __launch_bounds__(THREADS)
    row_bounds(const float2 *__restrict__ Z, int64_t ld, int64_t first, const hg_planes p)
{
    __shared__ unsigned of_warp[THREADS / 32];
    const float2 *const row = Z + (int64_t)blockIdx.x * ld + first;
    const int64_t from = (int64_t)blockIdx.y * CHUNK, end = min(from + CHUNK, p.K);
    float most = 0;
    int64_t k = from + threadIdx.x;
    for (; k + 7 * THREADS < end; k += 8 * THREADS) {
        float2 z[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            z[i] = row[k + i * THREADS];
#pragma unroll
        for (int i = 0; i < 8; i++)
            most = fmaxf(most, fmaxf(fabsf(z[i].x), fabsf(z[i].y)));
    }
    for (; k < end; k += THREADS)
        most = fmaxf(most, fmaxf(fabsf(row[k].x), fabsf(row[k].y)));
    // floats that are not negative are in the order of their bits
    const unsigned warp = __reduce_max_sync(~0u, __float_as_uint(most));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = warp;
    __syncthreads();
    if (threadIdx.x < THREADS / 32) {
        const unsigned all = __reduce_max_sync((1u << THREADS / 32) - 1, of_warp[threadIdx.x]);
        if (threadIdx.x == 0)
            atomicMax((unsigned *)p.bounds + blockIdx.x, all);
    }
}

// 64 rows by 64 columns a block of threads; a warp takes eight rows, all loads first. Even lanes
// then hold two neighbouring columns of the first 32, odd lanes two of the last 32.
template <int KIND>
static __global__ void __launch_bounds__(THREADS)
    split_rows(const float2 *__restrict__ Z, int64_t ld, int64_t first, const hg_planes p)
{
    constexpr int rows = HG_PLANE_ROWS / (THREADS / 32);
    const int64_t row_blocks = hg_plane_row_blocks(p.M);
    const int64_t row0 = blockIdx.x % row_blocks * HG_PLANE_ROWS + threadIdx.x / 32 * rows;
    const int64_t column0 = blockIdx.x / row_blocks * GROUP;
    const int lane = threadIdx.x % 32, odd = lane % 2;
    const int64_t k = column0 + lane;
    float2 low[rows], high[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const float2 *const z = Z + (row0 + r) * ld + first;
        low[r] = row0 + r < p.M && k < p.K ? z[k] : make_float2(0, 0);
        high[r] = row0 + r < p.M && k + 32 < p.K ? z[k + 32] : make_float2(0, 0);
    }
    const int64_t mine = odd ? k + 31 : k;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        float2 give = odd ? low[r] : high[r], take;
        take.x = __shfl_xor_sync(~0u, give.x, 1);
        take.y = __shfl_xor_sync(~0u, give.y, 1);
        if (row0 + r >= p.M || mine >= hg_planes_columns(p.K, KIND))
            continue;
        const float scale = hg_plane_scale(hg_plane_exponent(p.bounds[row0 + r]));
        const float2 a = odd ? take : low[r], b = odd ? high[r] : take;
        PlaneWriter<KIND>(p, row0 + r)
            .put2(mine, make_float2(a.x * scale, a.y * scale),
                  make_float2(b.x * scale, b.y * scale));
    }
}

extern "C" cudaError_t hg_split_planes_plain(const hg_planes *p, const void *Z, int64_t ld,
                                             int64_t first, cudaStream_t stream)
{
    const float2 *const z = (const float2 *)Z;
    const int64_t groups = (p->K + GROUP - 1) / GROUP;
    const unsigned blocks = (unsigned)(groups * hg_plane_row_blocks(p->M));
    const dim3 chunks((unsigned)p->M, (unsigned)((p->K + CHUNK - 1) / CHUNK));
    const cudaError_t error = cudaMemsetAsync(p->bounds, 0, (size_t)p->M * sizeof(float), stream);
    if (error != cudaSuccess || p->K == 0)
        return error;
    row_bounds<<<chunks, THREADS, 0, stream>>>(z, ld, first, *p);
    if (p->kind == HG_PLANE_FP16)
        split_rows<HG_PLANE_FP16><<<blocks, THREADS, 0, stream>>>(z, ld, first, *p);
    else
        split_rows<HG_PLANE_TF32><<<blocks, THREADS, 0, stream>>>(z, ld, first, *p);
    return cudaGetLastError();
}
