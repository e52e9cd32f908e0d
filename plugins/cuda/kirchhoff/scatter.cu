// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_forward `scatter`: data[k] += g m (1-f), data[k+1] += g m f by integers in shared
// memory.
//
// model packed (tiles, 1024), tables (tiles, stations, 1024), data (ns, nr, nt). A block has 2 by 2
// traces and walks the tiles of a segment. Pairs of a tile go to short windows by atomics on 32-bit
// words, which commute; then windows are flushed into the traces, which one thread a sample adds
// to. Two sets of windows take turns, so there is one barrier a tile, and the next tile's tables
// are fetched before it. Numbers that the scale of a tile does not suit are added one after
// another. The same bits each time; about 11 instructions and two atomics a pair, of some 3 clocks
// each where lanes meet in a bank, which bounds it.
#include "plugins/cuda/kirchhoff/fixed.cuh"
#include "plugins/cuda/kirchhoff/odd.cuh"
#include "plugins/cuda/kirchhoff/pipe.cuh"
#include "plugins/cuda/kirchhoff/visit.cuh"

// ---- points of a thread: 32 neighbours along z for a warp at a time ----

template <class R, int WEIGHT> struct Points {
    R model[EACH];
    Entries<R, WEIGHT> s[S_SIDE], r[R_SIDE];
    int depth[WEIGHT == OFFSET ? EACH : 1];
};

// The first point's place; the others are TEAM places further each.
static __device__ __forceinline__ int place_of_thread()
{
    const int lane = threadIdx.x & 31;
    return (threadIdx.x & ~31) + ((lane & 7) << 2 | lane >> 3);
}

template <class R>
static __device__ __forceinline__ void load_strided(const void *from, int block, R *to)
{
    const R *at = (const R *)from + (int64_t)block * HG_TILE + place_of_thread();
#pragma unroll
    for (int j = 0; j < EACH; j++)
        to[j] = __ldcg(at + TEAM * j); // no other block of the multiprocessor meets it soon
}

template <class R, int WEIGHT>
static __device__ __forceinline__ void load_station(const hg_stations &from, int tile, int station,
                                                    Entries<R, WEIGHT> &e)
{
    const int block = tile * (int)from.n + station;
    load_strided(from.time, block, e.time);
    if (WEIGHT) {
        load_strided(from.cosine, block, e.cosine);
        load_strided(from.sine, block, e.sine);
    }
}

template <class R, int WEIGHT, bool ROWS>
static __device__ __forceinline__ void load_points(const Block<R, ROWS> &b, int tile,
                                                   Points<R, WEIGHT> &points)
{
    load_strided(b.a.model.main, tile, points.model);
    if (WEIGHT == OFFSET)
        load_strided(b.a.tables.depth, tile, points.depth);
#pragma unroll
    for (int i = 0; i < S_SIDE; i++)
        load_station(b.a.tables.source, tile, b.s(i), points.s[i]);
#pragma unroll
    for (int i = 0; i < R_SIDE; i++)
        load_station(b.a.tables.receiver, tile, b.r(i), points.r[i]);
}

// ---- into windows ----

// Scaled number of a point for a trace: below 2^20, or 2^22 in one word.
template <class R, int WEIGHT>
static __device__ __forceinline__ R value_of(const Points<R, WEIGHT> &p, int s, int r, int j,
                                             const Offsets<R> &offsets, R down)
{
    if (WEIGHT == PLAIN)
        return p.model[j];
    R g = weight_of(p.s[s].cosine[j], p.s[s].sine[j], p.r[r].cosine[j], p.r[r].sine[j]);
    if (WEIGHT == OFFSET)
        g = product(g, offsets.factor(p.depth[j]));
    return product(product(p.model[j], down), g);
}

// All pairs of the thread, all of them inside the windows.
template <class R, int WEIGHT, int WORDS, bool ROWS>
static __device__ __forceinline__ void add_plain(const Block<R, ROWS> &b, const Visit &visit,
                                                 const Points<R, WEIGHT> &p, int *windows)
{
    const unsigned stride = 4u * (unsigned)b.a.window;
    const unsigned start = shared_address(windows) - 4u * Biased<R>::BIAS;
#pragma unroll
    for (int trace = 0; trace < TRACES; trace++) {
        const int s = trace / R_SIDE, r = trace % R_SIDE;
        const R down = WEIGHT ? power_of_two<R>(-visit.meeting[trace].weight_exponent) : (R)1;
        const Offsets<R> offsets(b.a.tables, WEIGHT == OFFSET ? visit.row[trace] : -1);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            R f;
            const unsigned k = Biased<R>::split(p.s[s].time[j] + p.r[r].time[j], f);
            const R value = value_of(p, s, r, j, offsets, down);
            add_fixed<R, WORDS>(start + trace * WORDS * stride + (k << 2), stride, value, f);
        }
    }
}

// Those in window number `pass`, whatever the others do.
template <class R, int WEIGHT, int WORDS, bool ROWS>
static __device__ __forceinline__ void add_tested(const Block<R, ROWS> &b, const Visit &visit,
                                                  int pass, const Points<R, WEIGHT> &p,
                                                  int *windows)
{
    const int window = b.a.window;
#pragma unroll
    for (int trace = 0; trace < TRACES; trace++) {
        const Meeting &m = visit.meeting[trace];
        if (m.end == m.first)
            continue;
        const int s = trace / R_SIDE, r = trace % R_SIDE;
        const R down = WEIGHT ? power_of_two<R>(-m.weight_exponent) : (R)1;
        const Offsets<R> offsets(b.a.tables, WEIGHT == OFFSET ? visit.row[trace] : -1);
        const Span span = {-m.base, (int)b.a.tables.nt - 1};
        int *to = windows + trace * WORDS * window;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            R f;
            const R u = p.s[s].time[j] + p.r[r].time[j];
            const int k = split(u, f), at = k - m.first - pass * window;
            if (!is_inside(u, k, span))
                continue;
            const R value = value_of(p, s, r, j, offsets, down);
            add_fixed_within<R, WORDS>(to, window, at, value, f);
        }
    }
}

// Adds the windows to the traces and clears them: a share of the threads has a trace.
template <class R, int WEIGHT, int WORDS, bool ROWS>
static __device__ __forceinline__ void flush(const Block<R, ROWS> &b, const Meeting &m,
                                             int exponent, int pass, int *windows)
{
    const int trace = threadIdx.x / SHARE, window = b.a.window;
    const int first = m.first + pass * window, count = min(m.end - first, window);
    const R unit = power_of_two<R>(WEIGHT ? m.weight_exponent : 0) * power_of_two<R>(-exponent);
    int *from = windows + trace * WORDS * window;
    R *to = b.trace(trace) + m.base + first;
    for (int i = threadIdx.x % SHARE; i < count; i += SHARE)
        to[i] = fma(take_fixed<R, WORDS>(from, window, i), unit, to[i]);
}

// ---- a segment ----

template <class R, int WEIGHT, int WORDS, bool ROWS>
static __device__ __forceinline__ void walk(const Block<R, ROWS> &b, Visit *visits, int first,
                                            int end)
{
    const int set = TRACES * WORDS * b.a.window;
    Points<R, WEIGHT> points;
    int *windows = b.windows, *others = b.windows + set; // take turns
    load_points(b, first, points);
    for (int tile = first; tile < end; tile++) {
        const int i = (tile - first) % AHEAD;
        if (i == 0) {
            __syncthreads(); // nobody reads the visits before
            prepare_visits<R, WEIGHT>(b, tile, min((int)AHEAD, end - tile), visits);
            __syncthreads();
        }
        const Visit &visit = visits[i];
        const Course course = visit.course;
        const Meeting own = visit.meeting[threadIdx.x / SHARE];
        const int passes = course.passes;
        if (course.is_plain)
            add_plain<R, WEIGHT, WORDS>(b, visit, points, windows);
        else if (passes > 0)
            add_tested<R, WEIGHT, WORDS>(b, visit, 0, points, windows);
        for (int pass = 1; pass < passes; pass++) {
            __syncthreads();
            flush<R, WEIGHT, WORDS>(b, own, course.exponent, pass - 1, windows);
            int *const swap = windows;
            windows = others;
            others = swap;
            add_tested<R, WEIGHT, WORDS>(b, visit, pass, points, windows);
        }
        if (tile + 1 < end)
            load_points(b, tile + 1, points);
        __syncthreads();
        if (passes > 0)
            flush<R, WEIGHT, WORDS>(b, own, course.exponent, passes - 1, windows);
        int *const swap = windows;
        windows = others;
        others = swap;
    }
    __syncthreads();
    add_odd<R, WEIGHT>(b, first, end);
    __syncthreads();
}

// data = alpha sums + beta data for the first segment, data += alpha sums for others.
template <class R>
static __device__ __forceinline__ R joined(R sum, int64_t segment, R data, double alpha,
                                           double beta)
{
    if (segment > 0)
        return fma((R)alpha, sum, data);
    return beta != 0.0 ? fma((R)beta, data, (R)alpha * sum) : (R)alpha * sum;
}

// What the block has of a segment goes to data, or to its rows.
template <class R, bool ROWS>
static __device__ __forceinline__ void store(const Block<R, ROWS> &b, int64_t segment)
{
    const hg_scatter &a = b.a;
    const int64_t nt = a.tables.nt;
    if (a.is_split && ROWS)
        return;
    for (int trace = 0; trace < TRACES; trace++) {
        if (!b.has(trace))
            continue;
        const R *sums = b.trace(trace);
        R *row = b.rows + b.pair(trace) * nt, *data = (R *)a.data + b.pair(trace) * nt;
        const bool is_read = a.beta != 0.0 || segment > 0;
        for (int64_t i = threadIdx.x; i < nt; i += TEAM) {
            if (a.is_split)
                row[i] = sums[i];
            else
                data[i] = joined<R>(sums[i], segment, is_read ? data[i] : (R)0, a.alpha, a.beta);
        }
    }
}

template <class R, int WEIGHT, int WORDS, int BLOCKS, bool ROWS>
static __global__ void __launch_bounds__(TEAM, BLOCKS) scatter(const hg_scatter a)
{
    __shared__ Visit visits[AHEAD];
    const hg_cuda_tables &t = a.tables;
    const int64_t across = (t.receiver.n + R_SIDE - 1) / R_SIDE;
    const int64_t groups = (t.source.n + S_SIDE - 1) / S_SIDE * across;
    const int64_t group = blockIdx.x % groups;
    const int64_t first = a.is_split ? blockIdx.x / groups : 0;
    const int64_t end = a.is_split ? first + 1 : a.segments;
    R *shared = (R *)dynamic_shared();
    Block<R, ROWS> b = {a,
                        (int)(group / across * S_SIDE),
                        (int)(group % across * R_SIDE),
                        shared,
                        nullptr,
                        (int *)(shared + (ROWS ? 0 : TRACES * t.nt))};
    for (int i = threadIdx.x; i < 2 * TRACES * WORDS * a.window; i += TEAM)
        b.windows[i] = 0;
    for (int64_t segment = first; segment < end; segment++) {
        const int64_t all = t.source.n * t.receiver.n * t.nt;
        b.rows = (R *)a.rows + (a.is_split ? segment * all : 0);
        for (int trace = 0; trace < TRACES; trace++)
            for (int64_t i = threadIdx.x; i < t.nt && b.has(trace); i += TEAM)
                b.trace(trace)[i] = 0;
        __syncthreads();
        walk<R, WEIGHT, WORDS>(b, visits, (int)(segment * a.segment_tiles),
                               (int)min((segment + 1) * a.segment_tiles, t.n_tiles));
        store(b, segment);
        __syncthreads();
    }
}

// ---- launches ----

extern "C" size_t hg_kirchhoff_scatter_shared(const hg_scatter *a)
{
    const size_t real = a->tables.is_64 ? sizeof(double) : sizeof(float);
    const size_t traces = a->has_rows ? 0 : (size_t)TRACES * (size_t)a->tables.nt * real;
    return traces + (size_t)2 * TRACES * (size_t)(a->fixed.words * a->window) * sizeof(int);
}

template <class R, int WEIGHT, int WORDS, int BLOCKS>
static cudaError_t start(const hg_scatter *a, cudaStream_t stream)
{
    const int64_t groups =
        ceil_div(a->tables.source.n, S_SIDE) * ceil_div(a->tables.receiver.n, R_SIDE);
    const size_t shared = hg_kirchhoff_scatter_shared(a);
    void (*kernel)(hg_scatter) = a->has_rows ? scatter<R, WEIGHT, WORDS, BLOCKS, true>
                                             : scatter<R, WEIGHT, WORDS, BLOCKS, false>;
    const cudaError_t error = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    return error ? error
                 : launch(kernel, groups * (a->is_split ? a->segments : 1), 1, TEAM, shared, stream,
                          *a);
}

extern "C" cudaError_t hg_kirchhoff_scatter(const hg_scatter *a, cudaStream_t stream)
{
    const int kind = !a->tables.is_dynamic ? PLAIN : a->tables.offset_row ? OFFSET : WEIGHTED;
    if (a->tables.is_64)
        return kind == PLAIN      ? start<double, PLAIN, 3, 2>(a, stream)
               : kind == WEIGHTED ? start<double, WEIGHTED, 4, 1>(a, stream)
                                  : start<double, OFFSET, 4, 1>(a, stream);
    return kind == PLAIN      ? start<float, PLAIN, 1, 5>(a, stream)
           : kind == WEIGHTED ? start<float, WEIGHTED, 2, 3>(a, stream)
                              : start<float, OFFSET, 2, 2>(a, stream);
}

template <class R> static __global__ void __launch_bounds__(TEAM) join(const hg_scatter a)
{
    const int64_t all = a.tables.source.n * a.tables.receiver.n * a.tables.nt;
    const int64_t i = (int64_t)blockIdx.x * TEAM + threadIdx.x;
    if (i >= all)
        return;
    R *data = (R *)a.data + i, value = a.beta != 0.0 ? *data : (R)0;
    for (int64_t segment = 0; segment < a.segments; segment++)
        value = joined<R>(((const R *)a.rows)[segment * all + i], segment, value, a.alpha, a.beta);
    *data = value;
}

extern "C" cudaError_t hg_kirchhoff_join(const hg_scatter *a, cudaStream_t stream)
{
    const int64_t all = a->tables.source.n * a->tables.receiver.n * a->tables.nt;
    return launch(a->tables.is_64 ? join<double> : join<float>, ceil_div(all, TEAM), 1, TEAM, 0,
                  stream, *a);
}
