// SPDX-License-Identifier: BSD-3-Clause
// V = alpha P + beta V from the partial tiles of P = Z Z^H: slots added in order in float64, scales
// of the rows undone, both triangles written, so V is Hermitian in bits with +0 on the diagonal.
#include "plugins/cuda/visibility/planes.cuh"
#include "plugins/cuda/visibility/split_gram.h"
#include "plugins/cuda/visibility/split_tiles.cuh"

enum {
    COLUMNS = 16, // of a patch of a part
    LOADS = 4,    // under way at a time, of a thread
    SMALL = 3     // row blocks of a V whose parts are too few to fill a device with large patches
};

struct Reduction {
    const float2 *slots;
    float2 *V;
    const float *bounds;
    int64_t M;
    double alpha, beta;
    int is_conj;
};

// Adds an element of slots first ... end - 1.
static __device__ __forceinline__ void add_slots(const float2 *from, int64_t stride, int first,
                                                 int end, double2 &sum)
{
    int i = first;
    for (; i + LOADS <= end; i += LOADS) {
        float2 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = from[(i + k) * stride];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum.x += v[k].x, sum.y += v[k].y;
    }
    for (; i < end; i++)
        sum.x += from[i * stride].x, sum.y += from[i * stride].y;
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

// One patch of ROWS x COLUMNS a block: thread (x, y) takes element x in group y of the slots.
template <int ROWS>
static __global__ void __launch_bounds__(1024, 2)
    gram_reduce(const Reduction r, const __grid_constant__ hg_split_tiles t)
{
    constexpr int patch = ROWS * COLUMNS, across = HG_PLANE_ROWS / COLUMNS;
    __shared__ double2 sums[1024 / patch][patch];
    __shared__ float2 done[ROWS][COLUMNS + 1];
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
    const int first = p.splits * group / groups, end = p.splits * (group + 1) / groups;
    const float2 *const from = r.slots + p.first + (py + row) * 64 + px + column;
    double2 sum = {0, 0};
    add_slots(from, p.stride, first, end, sum);
    if (p.second)
        add_slots(from + p.second, p.stride, first, end, sum);
    sums[group][x] = sum;
    __syncthreads();
    if (group == 0) {
        for (int g = 1; g < groups; g++) {
            sum.x += sums[g][x].x;
            sum.y += sums[g][x].y;
        }
        const int64_t i = i0 + row, j = j0 + column;
        if (i < r.M && j <= i)
            r.V[i * r.M + j] = done[row][column] = finished(r, i, j, sum);
    }
    __syncthreads();
    const int64_t i = i0 + x % ROWS, j = j0 + x / ROWS; // the other triangle, along its rows
    if (group == 0 && i < r.M && j < i) {
        const float2 v = done[x % ROWS][x / ROWS];
        r.V[j * r.M + i] = make_float2(v.x, -v.y);
    }
}

// Groups: enough to have at most LOADS slots each, as far as the block allows.
template <int ROWS>
static cudaError_t launch(const Reduction &r, const hg_split_tiles &t, cudaStream_t stream)
{
    constexpr int patch = ROWS * COLUMNS;
    int most = 0, groups = 1;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++)
        most = t.splits[c] > most ? t.splits[c] : most;
    while (groups < 1024 / patch && most > LOADS * groups)
        groups *= 2;
    const int64_t parts = (int64_t)t.row_blocks * (t.row_blocks + 1) / 2;
    const dim3 grid((unsigned)parts, HG_PLANE_ROWS * HG_PLANE_ROWS / patch);
    return launch_overlapped(gram_reduce<ROWS>, grid, dim3(patch, groups), 0, stream,
                             t.path == HG_SPLIT_WGMMA, r, t);
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
    return t->row_blocks <= SMALL ? launch<2>(r, *t, stream) : launch<16>(r, *t, stream);
}
