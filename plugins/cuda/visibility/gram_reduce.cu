// SPDX-License-Identifier: BSD-3-Clause
// V = alpha P + beta V from the partial tiles of P = Z Z^H: slots added in order in float64, scales
// of the rows undone, both triangles written, so V is Hermitian in bits with +0 on the diagonal.
#include "plugins/cuda/visibility/planes.cuh"
#include "plugins/cuda/visibility/split_gram.h"
#include "plugins/cuda/visibility/split_tiles.cuh"

enum {
    ROWS = 8, // of a patch of a part
    COLUMNS = 16,
    PATCH = ROWS * COLUMNS,
    GROUPS = 8, // of slots, at most
    LOADS = 8   // under way at a time
};

struct Reduction {
    const float2 *slots;
    float2 *V;
    const float *bounds;
    int64_t M;
    double alpha, beta;
    int is_conj;
};

// Adds summands first ... end - 1 of an element: one of each slot, then the second ones.
static __device__ __forceinline__ double2 add_slots(const float2 *from, const SplitPart &p,
                                                    int first, int end)
{
    double2 sum = {0, 0};
    for (int i = first; i < end; i += LOADS) {
        float2 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const int slot = i + k < p.splits ? i + k : i + k - p.splits;
            const int64_t at = slot * p.stride + (i + k < p.splits ? 0 : p.second);
            v[k] = i + k < end ? from[at] : make_float2(0, 0);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            sum.x += v[k].x;
            sum.y += v[k].y;
        }
    }
    return sum;
}

// Element (i, j), j <= i, of V.
static __device__ __forceinline__ float2 finished(const Reduction &r, int64_t i, int64_t j,
                                                  double2 sum)
{
    const int e = hg_plane_exponent(r.bounds[i]) + hg_plane_exponent(r.bounds[j]);
    const double scale = r.alpha * __longlong_as_double((long long)(1023 - e) << 52);
    double2 v = {scale * sum.x, (r.is_conj ? -scale : scale) * sum.y};
    if (r.beta != 0) {
        const float2 old = r.V[i * r.M + j];
        v.x += r.beta * old.x;
        v.y += r.beta * old.y;
    }
    return make_float2((float)v.x, i == j ? 0.0f : (float)v.y);
}

// One patch a block: thread (x, y) takes element x in group y of the summands.
static __global__ void __launch_bounds__(PATCH *GROUPS)
    gram_reduce(const Reduction r, const __grid_constant__ hg_split_tiles t)
{
    __shared__ double2 sums[GROUPS][PATCH];
    __shared__ float2 patch[ROWS][COLUMNS + 1];
    constexpr int across = HG_PLANE_ROWS / COLUMNS;
    wait_for_previous();
    const int2 part = triangle_place((int)blockIdx.x);
    const int py = (int)blockIdx.y / across * ROWS, px = (int)blockIdx.y % across * COLUMNS;
    const int64_t i0 = (int64_t)part.x * HG_PLANE_ROWS + py;
    const int64_t j0 = (int64_t)part.y * HG_PLANE_ROWS + px;
    if (i0 >= r.M || j0 >= i0 + ROWS)
        return;
    const int x = (int)threadIdx.x, group = (int)threadIdx.y, groups = (int)blockDim.y;
    const int row = x / COLUMNS, column = x % COLUMNS;
    const SplitPart p = split_part(t, part.x, part.y);
    const int64_t summands = (int64_t)p.splits * (p.second ? 2 : 1);
    double2 sum =
        add_slots(r.slots + p.first + (py + row) * 64 + px + column, p,
                  (int)(summands * group / groups), (int)(summands * (group + 1) / groups));
    sums[group][x] = sum;
    __syncthreads();
    if (group == 0) {
        for (int g = 1; g < groups; g++) {
            sum.x += sums[g][x].x;
            sum.y += sums[g][x].y;
        }
        const int64_t i = i0 + row, j = j0 + column;
        if (i < r.M && j <= i)
            r.V[i * r.M + j] = patch[row][column] = finished(r, i, j, sum);
    }
    __syncthreads();
    const int64_t i = i0 + x % ROWS, j = j0 + x / ROWS; // the other triangle, along its rows
    if (group == 0 && i < r.M && j < i) {
        const float2 v = patch[x % ROWS][x / ROWS];
        r.V[j * r.M + i] = make_float2(v.x, -v.y);
    }
}

extern "C" cudaError_t hg_split_gram_reduce(const hg_split_gram *g, cudaStream_t stream)
{
    const hg_split_tiles *t = &g->tiles;
    const Reduction r = {(const float2 *)g->slots,
                         (float2 *)g->V,
                         g->planes.bounds,
                         g->planes.M,
                         g->alpha,
                         g->beta,
                         g->is_conj};
    int most = 0;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++)
        most = t->splits[c] > most ? t->splits[c] : most;
    const int64_t parts = (int64_t)t->row_blocks * (t->row_blocks + 1) / 2;
    const dim3 grid((unsigned)parts, HG_PLANE_ROWS * HG_PLANE_ROWS / PATCH);
    const dim3 threads(PATCH, most >= 32 ? 8 : most >= 16 ? 4 : most >= 8 ? 2 : 1);
    return launch_overlapped(gram_reduce, grid, threads, 0, stream, t->path == HG_SPLIT_WGMMA, r,
                             *t);
}
