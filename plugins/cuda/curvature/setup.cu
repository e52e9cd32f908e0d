// SPDX-License-Identifier: BSD-3-Clause
// What a call works out about M, on the device: for every column its first row, its entries row by
// row (the order of the gather), and the same entries as a kernel wants them (boxes.cuh,
// pieces.cuh); for all columns their ranks.
//
// indptr (S+1), rows (nnz), vals (nnz). A block takes a column and sorts its entries by (y, x,
// place); columns of up to SORT_SHARED entries in shared memory, longer ones in device memory. All
// orders depend on the column alone, so every kernel and every chunk adds in the same order.
// Entries that point nowhere are noted and left out.
#include "plugins/cuda/curvature/boxes.cuh"
#include "plugins/cuda/curvature/pieces.cuh"

// ---- one column ----

struct Range {
    int64_t begin, end;
};

// Entries of a column; none where indptr does not rise from 0 to nnz.
static __device__ Range range_of(const CurvatureColumns &c, int s)
{
    const int64_t begin = c.indptr[s], end = c.indptr[s + 1];
    int64_t bad = -1;
    if (begin < 0 || begin > c.nnz || (s == 0 && begin != 0))
        bad = s;
    else if (end < begin || end > c.nnz || (s == c.n_columns - 1 && end != c.nnz))
        bad = s + 1;
    if (bad >= 0) {
        if (threadIdx.x == 0)
            atomicMin(&c.faults->indptr, (unsigned long long)bad);
        return Range{0, 0};
    }
    return Range{begin, end};
}

static __device__ int64_t row_at(const CurvatureColumns &c, int64_t t)
{
    return c.rows_are_64 ? ((const int64_t *)c.rows)[t] : ((const int *)c.rows)[t];
}

// Keys (y, x); returns how many entries point into the mask.
template <class R>
static __device__ unsigned take_entries(const CurvatureExtent &e, const CurvatureColumns &c,
                                        Range range, const Keys &k)
{
    unsigned taken = 0;
    for (int64_t base = range.begin; base < range.end; base += SORT_THREADS) {
        const int64_t t = base + threadIdx.x;
        bool is_taken = false;
        if (t < range.end) {
            const int64_t p = row_at(c, t);
            is_taken = p >= 0 && p < c.n_rows;
            if (!is_taken)
                atomicMin(&c.faults->rows, (unsigned long long)t);
            if (!isfinite((double)((const R *)c.vals)[t]))
                atomicMin(&c.faults->vals, (unsigned long long)t);
            const int2 cell = is_taken ? e.pixels[p] : make_int2(0, 0);
            k.high[t - range.begin] =
                is_taken ? (uint64_t)(unsigned)cell.y << 32 | (unsigned)cell.x : nowhere;
            k.low[t - range.begin] = (unsigned)(t - range.begin);
        }
        taken += (unsigned)__syncthreads_count(is_taken);
    }
    return taken;
}

template <class R>
static __global__ void __launch_bounds__(SORT_THREADS)
    sort_columns(CurvatureExtent e, CurvatureColumns c, CurvatureLists lists)
{
    __shared__ uint64_t high[SORT_SHARED];
    __shared__ unsigned low[SORT_SHARED];
    const int s = blockIdx.x;
    const Range range = range_of(c, s);
    const int64_t begin = range.begin;
    const unsigned n = (unsigned)(range.end - begin);
    const bool fits = n <= SORT_SHARED;
    const Keys k = {fits ? high : c.keys + begin, fits ? low : c.places + begin};
    const unsigned taken = take_entries<R>(e, c, range, k);
    sort_keys(k, n); // what points nowhere goes to the end
    R *values = (R *)c.values + begin;
    for (unsigned i = threadIdx.x; i < taken; i += SORT_THREADS) {
        c.cells[begin + i] = make_int2((int)(unsigned)k.high[i], row_of_key(k.high[i]));
        values[i] = ((const R *)c.vals)[begin + k.low[i]];
    }
    if (threadIdx.x == 0) {
        c.ymin[s] = taken > 0 ? row_of_key(k.high[0]) : e.ny;
        c.n_taken[s] = (int)taken;
    }
    __syncthreads();
    if (lists.kind == HG_LISTS_BOXES)
        make_boxes<R>(c, begin, taken, k);
    else
        make_pieces<R>(c, begin, taken, k, lists);
}

// ---- ranks ----

// Rank of column s: those that begin above, and earlier ones that begin in the same row. S^2
// comparisons, as many as F has elements; a warp a column.
static __global__ void rank_columns(CurvatureColumns c)
{
    const int s = (int)(((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32);
    const int lane = threadIdx.x & 31;
    if (s >= c.n_columns)
        return;
    const int own = c.ymin[s];
    int before = 0;
    for (int i = lane; i < c.n_columns; i += 32) {
        const int other = c.ymin[i];
        before += other < own || (other == own && i < s);
    }
    for (int step = 16; step > 0; step /= 2)
        before += __shfl_xor_sync(~0u, before, step);
    if (lane == 0)
        c.order[before] = s;
}

extern "C" cudaError_t hg_curvature_setup(const CurvatureExtent *extent,
                                          const CurvatureColumns *columns,
                                          const CurvatureLists *lists, cudaStream_t stream)
{
    const unsigned n = (unsigned)columns->n_columns;
    if (columns->is_f64)
        sort_columns<double><<<n, SORT_THREADS, 0, stream>>>(*extent, *columns, *lists);
    else
        sort_columns<float><<<n, SORT_THREADS, 0, stream>>>(*extent, *columns, *lists);
    rank_columns<<<(n + 7) / 8, 256, 0, stream>>>(*columns);
    return cudaGetLastError();
}
