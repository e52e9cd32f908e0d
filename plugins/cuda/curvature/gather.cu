// SPDX-License-Identifier: BSD-3-Clause
// The rows of F of a chunk of columns: F[s, c] = sum_{t in c} v_t U_s(iy_t, ix_t), and the last
// pass of the kernel pair.
//
// A warp takes one column c and 32 columns s of the chunk. Its lanes hold 2 x 32 entries of c at a
// time, in the order of rows, so that a load touches few lines; sums of the 32 columns s stay in
// registers, one part a lane, and are added up across the lanes in a fixed tree at the end, which
// leaves column s with lane s. Sums are in float64. S nnz multiply-adds and loads from the second-
// level cache, half of them where F is symmetric.
//
// F[s, c] of symmetric and full are the same tree over the same numbers: equal in bits.
#include "plugins/cuda/curvature/arrays.h"

enum { WARPS = 8, SOME = 2, FLIGHT = 8 }; // loads of FLIGHT columns are on their way together

// Adds pairs of lanes that are H apart; afterwards a lane keeps half as many columns.
template <int H> static __device__ __forceinline__ void halve(double (&sum)[32], int lane)
{
    const bool is_upper = (lane & H) != 0;
#pragma unroll
    for (int q = 0; q < H; q++) {
        const double given = is_upper ? sum[q] : sum[q + H], kept = is_upper ? sum[q + H] : sum[q];
        sum[q] = kept + __shfl_xor_sync(~0u, given, H);
    }
}

// Addresses go from column to column by addition: 32 of them, worked out in front of the loop as
// the compiler would like, would not fit into the registers.
template <class R>
static __device__ __forceinline__ void keep_apart(const R *&address, int &columns)
{
    asm volatile("" : "+l"(address), "+r"(columns));
}

template <class R, int ROUTE>
static __global__ void __launch_bounds__(WARPS * 32, 2)
    gather(const CurvatureColumns c, const CurvatureChunk chunk, R *F)
{
    const int lane = threadIdx.x & 31, rank = (int)blockIdx.x * WARPS + (int)threadIdx.x / 32;
    const int base = (int)blockIdx.y * 32, n = min(32, chunk.count - base);
    if (rank >= c.n_columns || (ROUTE == HG_SYMMETRIC && chunk.first + base > rank))
        return;
    const int column = ROUTE == HG_SYMMETRIC ? c.order[rank] : rank;
    const int64_t begin = c.indptr[column];
    const int n_entries = c.n_taken[column];
    const R *u = (const R *)chunk.u + base * chunk.u_column;
    const int own = chunk.first + base + lane; // the column s that this lane will have
    // Columns s with a sum to keep; for the others the last of them is read once more. Symmetric:
    // below the triangle U of column s may start under the entries of c, and was not written there.
    const int n_kept = ROUTE == HG_SYMMETRIC ? min(n, rank - (chunk.first + base) + 1) : n;
    const int own_column = lane >= n ? 0 : ROUTE == HG_FULL ? own : c.order[own];
    int above = 0; // pair: U of column s is 0 above its first row, and not stored
    if (ROUTE == HG_PAIR)
        above = c.ymin[own_column];

    double sum[32];
#pragma unroll
    for (int q = 0; q < 32; q++)
        sum[q] = 0;
    for (int first = 0; first < n_entries; first += 32 * SOME) {
        const R *at[SOME];
        int y[SOME], left = n_kept;
        double v[SOME];
        bool is_there[SOME];
#pragma unroll
        for (int i = 0; i < SOME; i++) {
            const int t = first + 32 * i + lane;
            is_there[i] = t < n_entries;
            const int2 cell = is_there[i] ? c.cells[begin + t] : make_int2(0, 0);
            v[i] = is_there[i] ? (double)((const R *)c.values)[begin + t] : 0.0;
            at[i] = u + ((unsigned)cell.y * (unsigned)chunk.u_ld + (unsigned)cell.x);
            y[i] = cell.y;
            keep_apart(at[i], left);
        }
#pragma unroll
        for (int q0 = 0; q0 < 32; q0 += FLIGHT) {
            R here[FLIGHT][SOME];
#pragma unroll
            for (int q = 0; q < FLIGHT; q++) {
                const int top = ROUTE == HG_PAIR ? __shfl_sync(~0u, above, q0 + q) : 0;
#pragma unroll
                for (int i = 0; i < SOME; i++) {
                    here[q][i] = is_there[i] && y[i] >= top ? __ldg(at[i]) : (R)0;
                    at[i] += q0 + q + 1 < left ? chunk.u_column : 0;
                }
            }
#pragma unroll
            for (int q = 0; q < FLIGHT; q++)
#pragma unroll
                for (int i = 0; i < SOME; i++)
                    sum[q0 + q] = fma(v[i], (double)here[q][i], sum[q0 + q]);
        }
    }
    halve<16>(sum, lane);
    halve<8>(sum, lane);
    halve<4>(sum, lane);
    halve<2>(sum, lane);
    halve<1>(sum, lane);

    if (lane >= n || (ROUTE == HG_SYMMETRIC && own > rank))
        return;
    F[(int64_t)own_column * c.n_columns + column] = (R)sum[0];
    if (ROUTE == HG_SYMMETRIC)
        F[(int64_t)column * c.n_columns + own_column] = (R)sum[0];
}

template <class R>
static void start(const CurvatureColumns &c, const CurvatureChunk &chunk, enum CurvatureRoute route,
                  void *F, cudaStream_t stream)
{
    const dim3 grid((unsigned)((c.n_columns + WARPS - 1) / WARPS),
                    (unsigned)((chunk.count + 31) / 32));
    switch (route) {
    case HG_FULL:
        gather<R, HG_FULL><<<grid, WARPS * 32, 0, stream>>>(c, chunk, (R *)F);
        break;
    case HG_SYMMETRIC:
        gather<R, HG_SYMMETRIC><<<grid, WARPS * 32, 0, stream>>>(c, chunk, (R *)F);
        break;
    default:
        gather<R, HG_PAIR><<<grid, WARPS * 32, 0, stream>>>(c, chunk, (R *)F);
    }
}

extern "C" cudaError_t hg_curvature_gather(const CurvatureColumns *columns,
                                           const CurvatureChunk *chunk, enum CurvatureRoute route,
                                           void *F, cudaStream_t stream)
{
    if (columns->is_f64)
        start<double>(*columns, *chunk, route, F, stream);
    else
        start<float>(*columns, *chunk, route, F, stream);
    return cudaGetLastError();
}

// ---- F = F + F' ----

enum { SIDE = 32 };

// A block takes a square and its mirror image, 8 rows at a time.
template <class R> static __global__ void add_transpose(R *F, int n)
{
    __shared__ R here[SIDE][SIDE + 1], there[SIDE][SIDE + 1];
    const int top = (int)blockIdx.y * SIDE, left = (int)blockIdx.x * SIDE;
    if (left < top)
        return;
    const int x = threadIdx.x;
    for (int i = threadIdx.y; i < SIDE; i += 8) {
        if (top + i < n && left + x < n)
            here[i][x] = F[(int64_t)(top + i) * n + left + x];
        if (left + i < n && top + x < n)
            there[i][x] = F[(int64_t)(left + i) * n + top + x];
    }
    __syncthreads();
    for (int i = threadIdx.y; i < SIDE; i += 8) {
        if (top + i < n && left + x < n)
            F[(int64_t)(top + i) * n + left + x] = here[i][x] + there[x][i];
        if (left != top && left + i < n && top + x < n)
            F[(int64_t)(left + i) * n + top + x] = there[i][x] + here[x][i];
    }
}

extern "C" cudaError_t hg_curvature_add_transpose(void *F, int n, int is_f64, cudaStream_t stream)
{
    const unsigned squares = (unsigned)((n + SIDE - 1) / SIDE);
    const dim3 grid(squares, squares), block(SIDE, 8);
    if (is_f64)
        add_transpose<<<grid, block, 0, stream>>>((double *)F, n);
    else
        add_transpose<<<grid, block, 0, stream>>>((float *)F, n);
    return cudaGetLastError();
}
