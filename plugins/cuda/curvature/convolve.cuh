// SPDX-License-Identifier: BSD-3-Clause
// U of a column: U(y, x) = sum_t v_t w(y - iy_t, x - ix_t), in registers.
//
// A block takes one column and 32 x 128 cells, a warp of it 16 rows x 32 cells, a thread 16 cells
// of one image column. Box by box the part of w that the tile can meet is copied to shared memory,
// (32 + 15) x (128 + 15) numbers at most; then every vertical run of r entries goes over the 16
// cells with its values in registers: 15 + r loads serve 16 r multiply-adds. There is a body of
// code for each run length, so that all addresses are constants.
//
// Every cell is one chain of multiply-adds from 0 over the entries of the column, in the order of
// its boxes and runs, whichever tile it is in: symmetric and full agree in bits.
//
// Tiles begin at the first row of the column (full: row 0) and the first masked cell of their rows;
// warps whose rows hold no masked cell do nothing. Cells outside are never read.
#pragma once
#include "plugins/cuda/curvature/setup.cuh"

enum {
    CONVOLVE_THREADS = 256,
    PATCH_ROWS = HG_TILE_ROWS + HG_BOX_SIDE - 1,
    PATCH_CELLS = HG_TILE_CELLS + HG_BOX_SIDE + 4 // so that rows are copied in units of 16 bytes
};

template <class R> struct Shelf { // shared memory of a block
    R patch[PATCH_ROWS * PATCH_CELLS];
    R values[HG_BOX_VALUES];
    unsigned runs[HG_BOX_RUNS];
};

template <class R> struct Unit { // elements of a copy
    static constexpr int n = 16 / sizeof(R);
};

template <class R> static __device__ __forceinline__ void copy_async(R *to, const R *from)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
}

static __device__ __forceinline__ void copies_done()
{
    asm volatile("cp.async.wait_all;");
    __syncthreads();
}

template <class R> struct Pair;
template <> struct Pair<float> {
    using type = float2;
};
template <> struct Pair<double> {
    using type = double2;
};

// Values v, lowest entry first, against rows of w from the one that its highest cell meets first.
template <int LENGTH, class R>
static __device__ __forceinline__ void add_run(const R *w, const R *v, R (&u)[HG_WARP_ROWS])
{
    R value[LENGTH + 1];
#pragma unroll
    for (int j = 0; j < LENGTH; j += 2) {
        const typename Pair<R>::type two = *(const typename Pair<R>::type *)(v + j);
        value[j] = two.x;
        value[j + 1] = two.y;
    }
#pragma unroll
    for (int i = 0; i < HG_WARP_ROWS + LENGTH - 1; i++) {
        const R here = w[i * PATCH_CELLS];
#pragma unroll
        for (int a = 0; a < HG_WARP_ROWS; a++)
            if (i - a >= 0 && i - a < LENGTH) // entry i - a is so far above the lowest
                u[a] = fma(value[i - a], here, u[a]);
    }
}

template <class R>
static __device__ __forceinline__ void add_any_run(int length, const R *w, const R *v,
                                                   R (&u)[HG_WARP_ROWS])
{
    switch (length) {
#define LENGTH(N)                                                                                  \
    case N:                                                                                        \
        add_run<N>(w, v, u);                                                                       \
        break;
        LENGTH(1)
        LENGTH(2)
        LENGTH(3)
        LENGTH(4)
        LENGTH(5)
        LENGTH(6)
        LENGTH(7)
        LENGTH(8)
        LENGTH(9)
        LENGTH(10)
        LENGTH(11)
        LENGTH(12)
        LENGTH(13)
        LENGTH(14)
        LENGTH(15)
        LENGTH(16)
#undef LENGTH
    }
}

// First element of a row of w that a tile and a box meet; copies begin so many elements before it.
static __device__ __forceinline__ int first_cell(const CurvatureExtent &e, const CurvatureBox &box,
                                                 int x0)
{
    return x0 - box.right + e.nx - 1;
}

template <class R>
static __device__ __forceinline__ int lead(const CurvatureExtent &e, const CurvatureBox &box,
                                           int x0)
{
    return first_cell(e, box, x0) % Unit<R>::n;
}

// A box on its way to shared memory. Row 0 of the patch is what the tile's first row and the box's
// last one meet.
template <class R>
static __device__ __forceinline__ void fetch(const CurvatureExtent &e, const CurvatureColumns &c,
                                             const R *w, const CurvatureBox &box, int y0, int x0,
                                             int cells, Shelf<R> *shelf)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x & 31, extra = lead<R>(e, box, x0);
    const int rows = HG_TILE_ROWS + box.bottom - box.top,
              width = cells + box.right - box.left + extra;
    const R *from =
        w + (int64_t)(y0 - box.bottom + e.ny - 1) * e.w_ld + first_cell(e, box, x0) - extra;
    for (int r = warp; r < rows; r += CONVOLVE_THREADS / 32)
        for (int i = lane * Unit<R>::n; i < width; i += 32 * Unit<R>::n)
            copy_async(&shelf->patch[r * PATCH_CELLS + i], from + (int64_t)r * e.w_ld + i);
    for (int i = threadIdx.x; i < box.n_values; i += CONVOLVE_THREADS)
        shelf->values[i] = ((const R *)c.run_values)[box.value + i];
    for (int i = threadIdx.x; i < box.n_runs; i += CONVOLVE_THREADS)
        shelf->runs[i] = c.runs[box.run + i];
}

// One tile of one column, from row y0 and cell x0 on; `to` is its U.
template <class R, int ROUTE>
static __device__ __forceinline__ void do_tile(const CurvatureExtent &e, const CurvatureColumns &c,
                                               int s, int y0, int x0, int cells, R *to, int u_ld,
                                               Shelf<R> *shelf)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    const int row = warp / 4 * HG_WARP_ROWS, left = warp % 4 * 32, y = y0 + row, x = x0 + left;
    bool is_idle = y >= e.ny;
    if (!is_idle) {
        const int2 mine = e.warp_span[y];
        is_idle = x > mine.y || x + 31 < mine.x;
    }
    R u[HG_WARP_ROWS];
#pragma unroll
    for (int a = 0; a < HG_WARP_ROWS; a++)
        u[a] = 0;

    const R *w = (const R *)(ROUTE == HG_PAIR ? e.w_half : e.w);
    const CurvatureBox *box = c.boxes + c.indptr[s];
    for (int n = c.n_boxes[s]; n > 0; n--, box++) {
        const CurvatureBox b = *box;
        if (ROUTE == HG_PAIR && b.top >= y0 + HG_TILE_ROWS)
            break; // the boxes go down
        fetch(e, c, w, b, y0, x0, cells, shelf);
        const R *patch = shelf->patch + row * PATCH_CELLS + left + lane + lead<R>(e, b, x0);
        copies_done();
        for (int i = 0; i < b.n_runs && !is_idle; i++) {
            const unsigned run = shelf->runs[i];
            const int length = (int)(run >> 8 & 15) + 1;
            const int up = (int)(run & 15); // of its lowest entry above the bottom
            if (ROUTE == HG_PAIR && b.bottom - up - length + 1 >= y + HG_WARP_ROWS)
                continue;
            add_any_run(length, patch + up * PATCH_CELLS + (run >> 4 & 15),
                        shelf->values + (run >> 12), u);
        }
        __syncthreads();
    }
    if (is_idle || x + lane >= e.nx)
        return;
    R *out = to + (int64_t)y * u_ld + x + lane;
#pragma unroll
    for (int a = 0; a < HG_WARP_ROWS; a++)
        if (y + a < e.ny)
            out[(int64_t)a * u_ld] = u[a];
}

template <class R, int ROUTE>
static __global__ void __launch_bounds__(CONVOLVE_THREADS, 3)
    convolve(const CurvatureExtent e, const CurvatureColumns c, const CurvatureChunk chunk)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const int rank = chunk.first + (int)blockIdx.z;
    const int s = ROUTE == HG_FULL ? rank : c.order[rank];
    R *to = (R *)chunk.u + blockIdx.z * chunk.u_column;
    for (int y0 = (ROUTE == HG_FULL ? 0 : c.ymin[s]) + (int)blockIdx.y * HG_TILE_ROWS; y0 < e.ny;
         y0 += (int)gridDim.y * HG_TILE_ROWS) {
        const int2 span = e.tile_span[y0];
        const int x0 = span.x + (int)blockIdx.x * HG_TILE_CELLS;
        if (x0 <= span.y)
            do_tile<R, ROUTE>(e, c, s, y0, x0, min((int)HG_TILE_CELLS, (span.y - x0 + 32) & ~31),
                              to, chunk.u_ld, (Shelf<R> *)shared);
    }
}

// Strips of rows that a block does, a few where there are blocks enough to fill a device many
// times: columns that begin low leave most strips empty, and even a block that does nothing costs a
// microsecond.
static unsigned strips_of_block(int64_t tiles)
{
    return tiles < 1 << 14 ? 1 : tiles < 1 << 17 ? 2 : 3;
}

template <class R, int ROUTE>
static cudaError_t start(const CurvatureExtent &e, const CurvatureColumns &c,
                         const CurvatureChunk &chunk, cudaStream_t stream)
{
    const size_t bytes = sizeof(Shelf<R>);
    const cudaError_t error = cudaFuncSetAttribute(
        convolve<R, ROUTE>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    const unsigned across = (unsigned)((e.nx + HG_TILE_CELLS - 1) / HG_TILE_CELLS),
                   strips = (unsigned)((e.ny + HG_TILE_ROWS - 1) / HG_TILE_ROWS),
                   each = strips_of_block((int64_t)across * strips * chunk.count);
    const dim3 grid(across, (strips + each - 1) / each, (unsigned)chunk.count);
    convolve<R, ROUTE><<<grid, CONVOLVE_THREADS, bytes, stream>>>(e, c, chunk);
    return cudaGetLastError();
}

template <class R>
static cudaError_t start_route(const CurvatureExtent &e, const CurvatureColumns &c,
                               const CurvatureChunk &chunk, enum CurvatureRoute route,
                               cudaStream_t stream)
{
    switch (route) {
    case HG_FULL:
        return start<R, HG_FULL>(e, c, chunk, stream);
    case HG_SYMMETRIC:
        return start<R, HG_SYMMETRIC>(e, c, chunk, stream);
    default:
        return start<R, HG_PAIR>(e, c, chunk, stream);
    }
}
