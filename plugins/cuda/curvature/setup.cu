// SPDX-License-Identifier: BSD-3-Clause
// What a call works out about M, on the device: for every column its first row, its entries row by
// row (the order of the gather), and the same entries in boxes and vertical runs (the order of U);
// for all columns their ranks.
//
// indptr (S+1), rows (nnz), vals (nnz). A block takes a column: it sorts its entries by (y, x,
// place), cuts them into bands of 16 rows, sorts again by (band, x, falling y) and walks them once
// for runs and boxes. Columns of up to SHARED entries are sorted in shared memory, longer ones in
// place. Both orders depend on the column alone, so every kernel and every chunk adds in the same
// order. Entries that point nowhere are noted and left out.
#include "plugins/cuda/curvature/setup.cuh"

enum { THREADS = 128, SHARED = 1024 };

// ---- sorting ----

struct Keys {
    uint64_t *high; // what the order goes by
    unsigned *low;  // and where that is equal
};

static __device__ __forceinline__ void order_pair(const Keys &k, unsigned a, unsigned b, unsigned n)
{
    if (b >= n)
        return;
    const uint64_t ha = k.high[a], hb = k.high[b];
    const unsigned la = k.low[a], lb = k.low[b];
    if (hb < ha || (hb == ha && lb < la)) {
        k.high[a] = hb, k.high[b] = ha;
        k.low[a] = lb, k.low[b] = la;
    }
}

// Bitonic merging whose every comparison puts the smaller one first: places from n on count as
// infinite and are never touched.
static __device__ void sort_keys(const Keys &k, unsigned n)
{
    unsigned half = 1; // of the next power of two
    while (2 * half < n)
        half *= 2;
    for (unsigned h = 1; h <= half; h *= 2) {
        for (unsigned p = threadIdx.x; p < half; p += THREADS) {
            const unsigned i = p & (h - 1), begin = 2 * (p - i);
            order_pair(k, begin + i, begin + 2 * h - 1 - i, n);
        }
        __syncthreads();
        for (unsigned step = h / 2; step > 0; step /= 2) {
            for (unsigned p = threadIdx.x; p < half; p += THREADS) {
                const unsigned i = p & (step - 1), a = 2 * (p - i) + i;
                order_pair(k, a, a + step, n);
            }
            __syncthreads();
        }
    }
}

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

static constexpr uint64_t nowhere = ~(uint64_t)0;

// Keys (y, x); returns how many entries point into the mask.
template <class R>
static __device__ unsigned take_entries(const CurvatureExtent &e, const CurvatureColumns &c,
                                        Range range, const Keys &k)
{
    unsigned taken = 0;
    for (int64_t base = range.begin; base < range.end; base += THREADS) {
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

static __device__ int row_of_key(uint64_t key)
{
    return (int)(key >> 32);
}

// First place from i on whose row is at least y.
static __device__ unsigned find_row(const Keys &k, unsigned i, unsigned n, int64_t y)
{
    while (i < n) {
        const unsigned middle = i + (n - i) / 2;
        if (row_of_key(k.high[middle]) < y)
            i = middle + 1;
        else
            n = middle;
    }
    return i;
}

// Keys (band, x, falling y): a band takes HG_BOX_SIDE rows from the first entry that is left.
static __device__ void cut_bands(const Keys &k, unsigned n)
{
    uint64_t band = 0;
    for (unsigned i = 0, next; i < n; i = next, band++) {
        const int top = row_of_key(k.high[i]);
        next = find_row(k, i, n, (int64_t)top + HG_BOX_SIDE);
        __syncthreads(); // everybody has searched before the first key changes
        for (unsigned p = i + threadIdx.x; p < next; p += THREADS) {
            const uint64_t x = (unsigned)k.high[p];
            const int down = row_of_key(k.high[p]) - top;
            k.high[p] = band << 36 | x << 4 | (unsigned)(HG_BOX_SIDE - 1 - down);
            k.low[p] = p;
        }
    }
    __syncthreads();
}

// Runs and boxes of a column in the making; counts are those of the column.
struct Walk {
    const CurvatureColumns &c;
    int64_t begin;
    unsigned n_runs, n_values, n_boxes; // n_values with the gaps behind runs of odd length
    unsigned box_run, box_value;        // where the box begins
    unsigned run;                       // in the making
    int length;                         // of it; 0: none
    CurvatureBox box;

    __device__ void close_run()
    {
        if (length == 0)
            return;
        c.runs[begin + n_runs++] = run | (unsigned)(length - 1) << 8;
        n_values += n_values & 1;
        length = 0;
    }

    __device__ void open_run(int down, int right)
    {
        close_run();
        run = hg_pack_run(down, right, 0, (int)(n_values - box_value));
    }

    __device__ void close_box()
    {
        close_run();
        box.run = begin + box_run;
        box.value = 2 * begin + box_value;
        box.n_runs = (int)(n_runs - box_run);
        box.n_values = (int)(n_values - box_value);
        c.boxes[begin + n_boxes++] = box;
    }

    __device__ void open_box(int top, int x)
    {
        box.top = box.bottom = top;
        box.left = box.right = x;
        box_run = n_runs;
        box_value = n_values;
    }
};

// One thread walks: a column has some hundred entries at most in practice. Leaves the place of each
// value in its key.
static __device__ void walk_entries(const CurvatureColumns &c, int64_t begin, unsigned n,
                                    const Keys &k)
{
    Walk w = {c, begin, 0, 0, 0, 0, 0, 0, 0, {}};
    uint64_t band = nowhere;
    int top = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t key = k.high[i];
        const int x = (int)(unsigned)(key >> 4), down = HG_BOX_SIDE - 1 - (int)(key & 15);
        const bool is_new_band = key >> 36 != band;
        if (is_new_band) {
            if (i > 0)
                w.close_box();
            band = key >> 36;
            top = c.cells[begin + k.low[i]].y - down;
        } else if (x - w.box.left >= HG_BOX_SIDE || w.n_runs - w.box_run >= HG_BOX_RUNS - 1 ||
                   w.n_values - w.box_value > HG_BOX_VALUES - 2) {
            w.close_box();
        }
        const bool is_new_box = is_new_band || w.length == 0;
        if (is_new_box)
            w.open_box(top, x);
        const int last_down = (int)(w.run & 15) - w.length + 1; // of the run in the making
        if (is_new_box || x != w.box.right || down != last_down - 1)
            w.open_run(down, x - w.box.left);
        w.length++;
        w.box.right = x;
        w.box.bottom = max(w.box.bottom, top + down);
        k.high[i] = w.n_values++;
    }
    if (n > 0)
        w.close_box();
    c.n_boxes[blockIdx.x] = (int)w.n_boxes;
}

// Rows and cells of the runs count from the far corner of their box, which is known now.
static __device__ void turn_runs(const CurvatureColumns &c, int64_t begin, int n_boxes)
{
    for (int b = 0; b < n_boxes; b++) {
        const CurvatureBox box = c.boxes[begin + b];
        for (int r = threadIdx.x; r < box.n_runs; r += THREADS) {
            const unsigned word = c.runs[box.run + r];
            c.runs[box.run + r] = (word & ~255u) |
                                  ((unsigned)(box.bottom - box.top) - (word & 15)) |
                                  ((unsigned)(box.right - box.left) - (word >> 4 & 15)) << 4;
        }
    }
}

template <class R>
static __global__ void __launch_bounds__(THREADS)
    sort_columns(CurvatureExtent e, CurvatureColumns c, int has_boxes)
{
    __shared__ uint64_t high[SHARED];
    __shared__ unsigned low[SHARED];
    const int s = blockIdx.x;
    const Range range = range_of(c, s);
    const int64_t begin = range.begin;
    const unsigned n = (unsigned)(range.end - begin);
    const bool fits = n <= SHARED;
    const Keys k = {fits ? high : c.keys + begin, fits ? low : c.places + begin};
    const unsigned taken = take_entries<R>(e, c, range, k);
    sort_keys(k, n); // what points nowhere goes to the end
    R *values = (R *)c.values + begin;
    for (unsigned i = threadIdx.x; i < taken; i += THREADS) {
        c.cells[begin + i] = make_int2((int)(unsigned)k.high[i], row_of_key(k.high[i]));
        values[i] = ((const R *)c.vals)[begin + k.low[i]];
    }
    if (threadIdx.x == 0) {
        c.ymin[s] = taken > 0 ? row_of_key(k.high[0]) : e.ny;
        c.n_taken[s] = (int)taken;
    }
    __syncthreads();
    if (!has_boxes)
        return;
    cut_bands(k, taken);
    sort_keys(k, taken);
    if (threadIdx.x == 0)
        walk_entries(c, begin, taken, k);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < taken; i += THREADS)
        ((R *)c.run_values)[2 * begin + (int64_t)k.high[i]] = values[k.low[i]];
    turn_runs(c, begin, c.n_boxes[s]);
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
                                          const CurvatureColumns *columns, int has_boxes,
                                          cudaStream_t stream)
{
    const unsigned n = (unsigned)columns->n_columns;
    if (columns->is_f64)
        sort_columns<double><<<n, THREADS, 0, stream>>>(*extent, *columns, has_boxes);
    else
        sort_columns<float><<<n, THREADS, 0, stream>>>(*extent, *columns, has_boxes);
    rank_columns<<<(n + 7) / 8, 256, 0, stream>>>(*columns);
    return cudaGetLastError();
}
