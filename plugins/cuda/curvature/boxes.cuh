// SPDX-License-Identifier: BSD-3-Clause
// The entries of a column in boxes and vertical runs: the order in which U adds them. Entries that
// are sorted by (y, x) are cut into bands of 16 rows, sorted by (band, x, falling y) and walked
// once.
#pragma once
#include "plugins/cuda/curvature/setup.cuh"
#include "plugins/cuda/curvature/sort.cuh"

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
        for (unsigned p = i + threadIdx.x; p < next; p += SORT_THREADS) {
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
        for (int r = threadIdx.x; r < box.n_runs; r += SORT_THREADS) {
            const unsigned word = c.runs[box.run + r];
            c.runs[box.run + r] = (word & ~255u) |
                                  ((unsigned)(box.bottom - box.top) - (word & 15)) |
                                  ((unsigned)(box.right - box.left) - (word >> 4 & 15)) << 4;
        }
    }
}

template <class R>
static __device__ void make_boxes(const CurvatureColumns &c, int64_t begin, unsigned n,
                                  const Keys &k)
{
    const R *values = (const R *)c.values + begin;
    R *const run_values = (R *)c.run_values + 2 * begin;
    for (unsigned i = threadIdx.x; i < 2 * n; i += SORT_THREADS)
        run_values[i] = 0; // the gaps, which are copied with the rest
    cut_bands(k, n);
    sort_keys(k, n);
    if (threadIdx.x == 0)
        walk_entries(c, begin, n, k);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += SORT_THREADS)
        run_values[k.high[i]] = values[k.low[i]];
    turn_runs(c, begin, c.n_boxes[blockIdx.x]);
}
