// SPDX-License-Identifier: BSD-3-Clause
// The parts of kernel fft that cuFFT does not do: w as a block sees it, and the transforms of the
// columns of M times the spectra of w.
//
// A column has few rows with entries, so its transform is a sum:
//      R(p, kx) = sum_{t in p} v_t exp(-2 pi i kx x_t / Px)        of a piece p: one row in one
//      block X(ky, kx) = sum_p R(p, kx) exp(-2 pi i ky y_p / Py) U^(ky, kx) = sum over blocks of
//      W_block(ky, kx) X_block(ky, kx)
// A block of threads takes 32 bins and 64 lines of a column: lanes are bins, a warp has 8 lines in
// registers. For a column with r pieces and m entries: (8 r bins Py) + bins m Py / 64
// multiply-adds. Sums are single chains in the order of blocks and rows.
#include "plugins/cuda/curvature/fft.h"

enum { THREADS = 256, LINES = 8, PIECES = 32 };

template <class R> struct Complex;
template <> struct Complex<float> {
    using type = float2;
};
template <> struct Complex<double> {
    using type = double2;
};

// sum += a b
template <class C>
static __device__ __forceinline__ void add_product(C &sum, const C &a, const C &b)
{
    sum.x = fma(a.x, b.x, fma(-a.y, b.y, sum.x));
    sum.y = fma(a.x, b.y, fma(a.y, b.x, sum.y));
}

// ---- plan ----

template <class C> static __global__ void turns(C *table, int period)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    double sine, cosine;
    if (n >= period)
        return;
    sincospi(2.0 * n / period, &sine, &cosine);
    table[n].x = cosine;
    table[n].y = -sine;
}

template <class C> static void start_tables(const CurvatureSpectra &s, cudaStream_t stream)
{
    const int y = s.cut.period_y, x = s.cut.period_x;
    turns<<<(y + THREADS - 1) / THREADS, THREADS, 0, stream>>>((C *)s.turn_y, y);
    turns<<<(x + THREADS - 1) / THREADS, THREADS, 0, stream>>>((C *)s.turn_x, x);
}

extern "C" cudaError_t hg_curvature_fft_tables(const CurvatureSpectra *s, cudaStream_t stream)
{
    if (s->is_f64)
        start_tables<double2>(*s, stream);
    else
        start_tables<float2>(*s, stream);
    return cudaGetLastError();
}

// Offset in w of place i of a period, for a block of n cells from `begin` on: places are results 0
// ... n_results - 1, then negative ones. False where no entry and no result are so far apart.
static __device__ bool offset_of(int i, int period, int n_results, int n, int begin, int *offset)
{
    const int d = i < n_results ? i : i - period;
    *offset = d - begin;
    return d > -n && *offset > -n_results;
}

template <class R>
static __global__ void section(CurvatureExtent e, CurvatureCut c, int block, R *to)
{
    const int ld = 2 * c.bins, top = block / c.columns * c.height,
              left = block % c.columns * c.width;
    const int64_t count = (int64_t)c.period_y * ld;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x) {
        const int y = (int)(i / ld), x = (int)(i % ld);
        int dy, dx;
        const bool is_there = x < c.period_x &&
                              offset_of(y, c.period_y, c.ny, c.height, top, &dy) &&
                              offset_of(x, c.period_x, c.nx, c.width, left, &dx);
        to[i] = is_there ? ((const R *)e.w)[(int64_t)(dy + e.ny - 1) * e.w_ld + dx + e.nx - 1] : 0;
    }
}

extern "C" cudaError_t hg_curvature_fft_section(const CurvatureExtent *e, const CurvatureSpectra *s,
                                                int block, cudaStream_t stream)
{
    const int64_t reals = 2 * (int64_t)s->cut.period_y * s->cut.bins;
    const unsigned blocks = (unsigned)((reals + THREADS - 1) / THREADS);
    if (s->is_f64)
        section<<<blocks, THREADS, 0, stream>>>(*e, s->cut, block,
                                                (double *)s->spectra + block * reals);
    else
        section<<<blocks, THREADS, 0, stream>>>(*e, s->cut, block,
                                                (float *)s->spectra + block * reals);
    return cudaGetLastError();
}

template <class R> static __global__ void scale(R *data, int64_t count, R factor)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x)
        data[i] *= factor;
}

extern "C" cudaError_t hg_curvature_fft_scale(const CurvatureSpectra *s, cudaStream_t stream)
{
    const CurvatureCut *c = &s->cut;
    const int64_t reals = 2 * (int64_t)c->rows * c->columns * c->period_y * c->bins;
    const double factor = 1.0 / ((double)c->period_y * c->period_x);
    if (s->is_f64)
        scale<<<4096, THREADS, 0, stream>>>((double *)s->spectra, reals, factor);
    else
        scale<<<4096, THREADS, 0, stream>>>((float *)s->spectra, reals, (float)factor);
    return cudaGetLastError();
}

// ---- columns ----

// Transform along x of one piece, one bin a lane.
template <class R>
static __device__ typename Complex<R>::type transform_row(const CurvatureSpectra &s,
                                                          const CurvatureColumns &c, int64_t begin,
                                                          const CurvaturePiece &piece, int bin)
{
    using C = typename Complex<R>::type;
    C sum = {0, 0};
    for (int t = piece.first; t < piece.first + piece.n; t++) {
        const unsigned x = (unsigned)c.piece_x[begin + t];
        const R v = ((const R *)c.run_values)[begin + t];
        const C turn = ((const C *)s.turn_x)[x * (unsigned)bin % (unsigned)s.cut.period_x];
        sum.x = fma(v, turn.x, sum.x);
        sum.y = fma(v, turn.y, sum.y);
    }
    return sum;
}

template <class R>
static __global__ void __launch_bounds__(THREADS)
    forward(const CurvatureSpectra s, const CurvatureColumns c, const CurvatureChunk chunk,
            int is_general)
{
    using C = typename Complex<R>::type;
    __shared__ C rows[PIECES][32];
    __shared__ CurvaturePiece pieces[PIECES];
    const int warp = threadIdx.x / 32, lane = threadIdx.x & 31, bin = (int)blockIdx.x * 32 + lane;
    const int line = ((int)blockIdx.y * (THREADS / 32) + warp) * LINES; // the warp's first
    const int period = s.cut.period_y;
    const int rank = chunk.first + (int)blockIdx.z;
    const bool is_there = (int)blockIdx.z < chunk.count; // a batch is always whole for cuFFT
    const int column = !is_there ? 0 : is_general ? rank : c.order[rank];
    const int64_t begin = c.indptr[column];
    const int n_pieces = is_there ? c.n_boxes[column] : 0;
    const C *spectrum = (const C *)s.spectra;
    C part[LINES], sum[LINES];
#pragma unroll
    for (int j = 0; j < LINES; j++)
        part[j] = sum[j] = C{0, 0};

    int block = -1;
    auto finish_block = [&] {
        if (block < 0 || bin >= s.cut.bins)
            return;
#pragma unroll
        for (int j = 0; j < LINES; j++) {
            if (line + j < period)
                add_product(sum[j], part[j],
                            spectrum[((int64_t)block * period + line + j) * s.cut.bins + bin]);
            part[j] = C{0, 0};
        }
    };
    for (int first = 0; first < n_pieces; first += PIECES) {
        const int n = min((int)PIECES, n_pieces - first);
        for (int p = warp; p < n; p += THREADS / 32) {
            const CurvaturePiece piece = c.pieces[begin + first + p];
            rows[p][lane] = transform_row<R>(s, c, begin, piece, bin);
            if (lane == 0)
                pieces[p] = piece;
        }
        __syncthreads();
        for (int p = 0; p < n; p++) {
            if (pieces[p].block != block) {
                finish_block();
                block = pieces[p].block;
            }
            const C row = rows[p][lane];
            const unsigned y = (unsigned)pieces[p].y;
            unsigned at = (unsigned)line * y % (unsigned)period;
#pragma unroll
            for (int j = 0; j < LINES; j++) {
                add_product(part[j], row, ((const C *)s.turn_y)[at]);
                at += y;
                at -= at >= (unsigned)period ? (unsigned)period : 0;
            }
        }
        __syncthreads();
    }
    finish_block();
    if (bin >= s.cut.bins)
        return;
    C *out = (C *)chunk.u + ((int64_t)blockIdx.z * period + line) * s.cut.bins + bin;
#pragma unroll
    for (int j = 0; j < LINES; j++)
        if (line + j < period)
            out[(int64_t)j * s.cut.bins] = sum[j];
}

extern "C" cudaError_t hg_curvature_fft_forward(const CurvatureSpectra *s,
                                                const CurvatureColumns *columns,
                                                const CurvatureChunk *chunk, int batch,
                                                int is_general, cudaStream_t stream)
{
    const int lines = THREADS / 32 * LINES;
    const dim3 grid((unsigned)((s->cut.bins + 31) / 32),
                    (unsigned)((s->cut.period_y + lines - 1) / lines), (unsigned)batch);
    if (s->is_f64)
        forward<double><<<grid, THREADS, 0, stream>>>(*s, *columns, *chunk, is_general);
    else
        forward<float><<<grid, THREADS, 0, stream>>>(*s, *columns, *chunk, is_general);
    return cudaGetLastError();
}
