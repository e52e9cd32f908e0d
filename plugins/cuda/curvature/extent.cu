// SPDX-License-Identifier: BSD-3-Clause
// What a plan keeps of w and the mask: w (2ny, 2nx) without its wrap-around, the cell of every
// pixel, and the span of masked cells of rows and of groups of rows. One pass over each array;
// every element that cannot be is noted by its place, the first one counts.
#include "plugins/cuda/curvature/arrays.h"

enum { THREADS = 256 }; // conventional

static unsigned blocks_for(int64_t n)
{
    const int64_t most = 1 << 20; // the loops stride
    const int64_t blocks = (n + THREADS - 1) / THREADS;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

static __device__ int64_t first_of_grid()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ int64_t grid_step()
{
    return (int64_t)gridDim.x * blockDim.x;
}

static __global__ void clear_spans(CurvatureExtent e)
{
    for (int64_t y = first_of_grid(); y < e.ny; y += grid_step())
        e.row_span[y] = make_int2(e.nx, -1);
}

static __device__ int64_t index_at(const void *data, int is_64, int64_t i)
{
    return is_64 ? ((const int64_t *)data)[i] : ((const int *)data)[i];
}

static __global__ void take_pixels(CurvatureExtent e, CurvatureExtentInput in)
{
    for (int64_t p = first_of_grid(); p < e.n_pixels; p += grid_step()) {
        const int64_t y = index_at(in.iy, in.iy_is_64, p), x = index_at(in.ix, in.ix_is_64, p);
        const bool y_is_bad = y < 0 || y >= e.ny, x_is_bad = x < 0 || x >= e.nx;
        if (y_is_bad)
            atomicMin(&in.faults[0], (unsigned long long)p);
        if (x_is_bad)
            atomicMin(&in.faults[1], (unsigned long long)p);
        e.pixels[p] = make_int2((int)x, (int)y);
        if (!y_is_bad && !x_is_bad) {
            atomicMin(&e.row_span[y].x, (int)x);
            atomicMax(&e.row_span[y].y, (int)x);
        }
    }
}

static __device__ int2 span_of(const CurvatureExtent &e, int64_t y, int rows)
{
    int2 span = make_int2(e.nx, -1);
    for (int64_t i = y; i < y + rows && i < e.ny; i++) {
        span.x = min(span.x, e.row_span[i].x);
        span.y = max(span.y, e.row_span[i].y);
    }
    return span;
}

static __global__ void join_spans(CurvatureExtent e)
{
    for (int64_t y = first_of_grid(); y < e.ny; y += grid_step()) {
        e.warp_span[y] = span_of(e, y, HG_WARP_ROWS);
        e.tile_span[y] = span_of(e, y, HG_TILE_ROWS);
    }
}

// Row ny and column nx of the caller's array belong to no pair of pixels and are not read.
template <class R> static __global__ void unwrap(CurvatureExtent e, const R *from)
{
    const int64_t rows = 2 * (int64_t)e.ny - 1 + HG_TILE_ROWS, count = rows * e.w_ld;
    for (int64_t i = first_of_grid(); i < count; i += grid_step()) {
        const int64_t dy = i / e.w_ld - (e.ny - 1), dx = i % e.w_ld - (e.nx - 1);
        R value = 0;
        if (dy < e.ny && dx < e.nx)
            value = from[(dy < 0 ? dy + 2 * (int64_t)e.ny : dy) * 2 * e.nx +
                         (dx < 0 ? dx + 2 * (int64_t)e.nx : dx)];
        ((R *)e.w)[i] = value;
        if (e.w_half)
            ((R *)e.w_half)[i] = dy < 0 ? (R)0 : dy == 0 ? (R)0.5 * value : value;
    }
}

// A pair of opposite offsets is finite and, within 1e-10 of w(0, 0), equal; float32 may also have
// been rounded apart.
template <class R> static __global__ void look_at_w(CurvatureExtent e, CurvatureExtentInput in)
{
    const R *w = (const R *)in.w;
    const int64_t ny = e.ny, nx = e.nx;
    const double slack = (sizeof(R) == 4 ? 1.2e-7 : 1e-10) * fabs((double)w[0]);
    for (int64_t i = first_of_grid(); i < 2 * ny * nx; i += grid_step()) { // rows dy >= 0
        const int64_t y = i / (2 * nx), x = i % (2 * nx);
        if (x == nx)
            continue;
        const int64_t opposite = (y ? 2 * ny - y : 0) * 2 * nx + (x ? 2 * nx - x : 0);
        const double here = (double)w[i], there = (double)w[opposite];
        if (!isfinite(here))
            atomicMin(&in.faults[2], (unsigned long long)i);
        else if (!isfinite(there))
            atomicMin(&in.faults[2], (unsigned long long)opposite);
        else if (in.w_is_even && !(fabs(here - there) <= slack))
            atomicMin(&in.faults[2], (unsigned long long)i);
    }
}

extern "C" cudaError_t hg_curvature_extent_fill(const CurvatureExtent *extent,
                                                const CurvatureExtentInput *input,
                                                cudaStream_t stream)
{
    const CurvatureExtent e = *extent;
    const int64_t padded = (2 * (int64_t)e.ny - 1 + HG_TILE_ROWS) * e.w_ld;
    const unsigned by_row = blocks_for(e.ny), by_w = blocks_for(2 * (int64_t)e.ny * e.nx);
    clear_spans<<<by_row, THREADS, 0, stream>>>(e);
    take_pixels<<<blocks_for(e.n_pixels), THREADS, 0, stream>>>(e, *input);
    join_spans<<<by_row, THREADS, 0, stream>>>(e);
    if (e.is_f64) {
        unwrap<<<blocks_for(padded), THREADS, 0, stream>>>(e, (const double *)input->w);
        if (input->check_w)
            look_at_w<double><<<by_w, THREADS, 0, stream>>>(e, *input);
    } else {
        unwrap<<<blocks_for(padded), THREADS, 0, stream>>>(e, (const float *)input->w);
        if (input->check_w)
            look_at_w<float><<<by_w, THREADS, 0, stream>>>(e, *input);
    }
    return cudaGetLastError();
}
