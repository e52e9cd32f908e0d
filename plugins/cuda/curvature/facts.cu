// SPDX-License-Identifier: BSD-3-Clause
// Work of the kernels symmetric and pair, counted on the device: with tail(y) the masked span of
// the rows from y on,
//      by_column = sum_s nnz_s tail(ymin_s)        by_entry = sum_t tail(iy_t)
// iy, ix (N), indptr (S+1), rows and vals (nnz); O(N + nnz + ny). Sums of whole numbers: the same
// result in any order. What points nowhere counts as no work.
#include "plugins/cuda/curvature/facts.h"

enum { THREADS = 256, SCAN = 1024 };

static __device__ int64_t index_at(const void *data, int is_64, int64_t i)
{
    return is_64 ? ((const int64_t *)data)[i] : ((const int *)data)[i];
}

static __global__ void clear(CurvatureCounting c)
{
    for (int64_t y = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; y < c.ny;
         y += (int64_t)gridDim.x * blockDim.x)
        c.spans[y] = make_int2(c.nx, -1);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *c.counts = CurvatureCounts{0, 0, 0, 0};
}

// Row of a pixel, -1 where it is outside of the extent.
static __device__ int64_t row_of(const CurvatureCounting &c, int64_t p)
{
    if (p < 0 || p >= c.n_pixels)
        return -1;
    const int64_t y = index_at(c.iy, c.iy_is_64, p);
    return y >= 0 && y < c.ny ? y : -1;
}

static __global__ void spans(CurvatureCounting c)
{
    for (int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; p < c.n_pixels;
         p += (int64_t)gridDim.x * blockDim.x) {
        const int64_t y = row_of(c, p), x = index_at(c.ix, c.ix_is_64, p);
        if (y < 0 || x < 0 || x >= c.nx) {
            atomicAdd(&c.counts->wild, 1ull);
            continue;
        }
        atomicMin(&c.spans[y].x, (int)x);
        atomicMax(&c.spans[y].y, (int)x);
    }
}

// One block goes up from the last row, SCAN rows at a time.
static __global__ void tails(CurvatureCounting c)
{
    __shared__ unsigned long long sum[SCAN];
    unsigned long long below = 0;
    if (threadIdx.x == 0)
        c.tails[c.ny] = 0;
    for (int64_t end = c.ny; end > 0; end -= SCAN) {
        const int64_t y = end - 1 - threadIdx.x;
        const int2 span = y >= 0 ? c.spans[y] : make_int2(0, -1);
        sum[threadIdx.x] = span.y < 0 ? 0 : (unsigned)(span.y - span.x + 1);
        __syncthreads();
        for (int step = 1; step < SCAN; step *= 2) {
            const unsigned long long other = threadIdx.x >= step ? sum[threadIdx.x - step] : 0;
            __syncthreads();
            sum[threadIdx.x] += other;
            __syncthreads();
        }
        if (y >= 0)
            c.tails[y] = below + sum[threadIdx.x];
        below += sum[SCAN - 1];
        __syncthreads();
    }
}

static __device__ bool is_finite_at(const CurvatureCounting &c, int64_t t)
{
    return c.is_f64 ? isfinite(((const double *)c.vals)[t]) : isfinite(((const float *)c.vals)[t]);
}

static __device__ unsigned long long warp_sum(unsigned long long v)
{
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(~0u, v, step);
    return v;
}

// A warp a column.
static __global__ void columns(CurvatureCounting c)
{
    const int64_t s = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x & 31;
    if (s >= c.n_columns)
        return;
    const int64_t begin = c.indptr[s], end = c.indptr[s + 1];
    const bool is_wild = begin < 0 || end < begin || end > c.nnz || (s == 0 && begin != 0) ||
                         (s == c.n_columns - 1 && end != c.nnz);
    unsigned long long by_entry = 0, wild = is_wild && lane == 0, not_finite = 0;
    int top = c.ny;
    for (int64_t t = begin + lane; !is_wild && t < end; t += 32) {
        const int64_t y = row_of(c, index_at(c.rows, c.rows_are_64, t));
        if (y < 0)
            wild++;
        else
            by_entry += c.tails[y];
        top = y >= 0 && y < top ? (int)y : top;
        not_finite += !is_finite_at(c, t);
    }
    top = __reduce_min_sync(~0u, top);
    by_entry = warp_sum(by_entry);
    wild = warp_sum(wild);
    not_finite = warp_sum(not_finite);
    if (lane != 0)
        return;
    if (wild)
        atomicAdd(&c.counts->wild, wild);
    if (not_finite)
        atomicAdd(&c.counts->not_finite, not_finite);
    if (!is_wild) {
        atomicAdd(&c.counts->by_entry, by_entry);
        atomicAdd(&c.counts->by_column, (unsigned long long)(end - begin) * c.tails[top]);
    }
}

static unsigned blocks_for(int64_t n)
{
    const int64_t blocks = (n + THREADS - 1) / THREADS, most = 1 << 16;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

extern "C" cudaError_t hg_curvature_count(const CurvatureCounting *counting, cudaStream_t stream)
{
    const CurvatureCounting c = *counting;
    clear<<<blocks_for(c.ny), THREADS, 0, stream>>>(c);
    spans<<<blocks_for(c.n_pixels), THREADS, 0, stream>>>(c);
    tails<<<1, SCAN, 0, stream>>>(c);
    columns<<<(unsigned)(((int64_t)c.n_columns * 32 + THREADS - 1) / THREADS), THREADS, 0,
              stream>>>(c);
    return cudaGetLastError();
}
