// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_forward `scatter`: data[k] += g m (1-f), data[k+1] += g m f by integers in shared
// memory.
//
// model packed (tiles, 1024), tables (tiles, stations, 1024), data (ns, nr, nt). A block has 2 by 2
// traces and walks the tiles of a segment. Pairs of a tile go to short windows by atomics on 32-bit
// words, which commute; then windows are flushed into the traces, which one thread a sample adds
// to. Two sets of windows take turns, so there is one barrier a tile, and the next tile's tables
// are fetched before it. Numbers that the scale of a tile does not suit are added one after
// another. The same bits each time; about 12 instructions and two atomics a pair.
#include "plugins/cuda/kirchhoff/fixed.cuh"
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/pairs.cuh"

enum { SIDE = HG_TRACES_AT_ONCE, TRACES = SIDE * SIDE, SHARE = TEAM / TRACES, RING = 4 };

// What a tile and a trace have to do with each other.
struct Meeting {
    int base;
    int first, end;      // samples that may be met, counted from base
    int weight_exponent; // weights are below 2^weight_exponent
    int row;             // of the offset factors
};

// A tile as all threads see it; a ring of them, since the next one is written while the last one is
// still read.
struct Visit {
    Meeting meeting[TRACES];
    hg_model_tile model;
    int passes; // over windows; 1 when every trace is met within one
    int is_plain;
};

// ---- what a block has ----

template <class R> struct Block {
    const hg_scatter &a;
    int64_t source, receiver; // first ones
    R *traces;                // in shared memory; NULL: in rows of device memory
    R *rows;                  // of the segment
    int *windows;             // (2, TRACES, words, window)

    __device__ __forceinline__ int64_t station(int64_t first, int64_t n, int i) const
    {
        return min(first + i, n - 1); // repeats the last one
    }
    __device__ __forceinline__ int64_t pair(int trace) const
    {
        return station(source, a.tables.source.n, trace / SIDE) * a.tables.receiver.n +
               station(receiver, a.tables.receiver.n, trace % SIDE);
    }
    __device__ __forceinline__ bool has(int trace) const
    {
        return source + trace / SIDE < a.tables.source.n &&
               receiver + trace % SIDE < a.tables.receiver.n;
    }
    __device__ __forceinline__ R *trace(int i) const
    {
        return traces ? traces + i * a.tables.nt : rows + pair(i) * a.tables.nt;
    }
};

// The first warp prepares the visit of a tile.
template <class R, int WEIGHT>
static __device__ __forceinline__ void prepare_visit(const Block<R> &b, int64_t tile, Visit &visit)
{
    const hg_cuda_tables &t = b.a.tables;
    const int trace = threadIdx.x & (TRACES - 1), window = b.a.window;
    const int64_t s = b.station(b.source, t.source.n, trace / SIDE);
    const int64_t r = b.station(b.receiver, t.receiver.n, trace % SIDE);
    const hg_reach p = t.source.reach[tile * t.source.n + s];
    const hg_reach q = t.receiver.reach[tile * t.receiver.n + r];
    const int flags = p.flags | q.flags, count = p.width + q.width + 2;
    Meeting m = {p.base + q.base, 0, 0, p.exponent + q.exponent, HG_OFFSET_ONES};
    if (WEIGHT == OFFSET) {
        m.row = t.offset_row[b.pair(trace)];
        m.weight_exponent += t.offset_exponent;
    }
    m.weight_exponent = max(-126, min(m.weight_exponent, 126));
    const bool is_met = b.has(trace) && m.row != HG_OFFSET_ZEROS && span_of(p, q, t.nt).count > 0 &&
                        m.base < HG_FAR / 2;
    if (is_met) {
        m.first = flags & HG_WILD ? -m.base : max(0, -m.base);
        m.end = (int)min((int64_t)(flags & HG_WILD ? INT32_MAX : count), t.nt - m.base);
        m.end = max(m.end, m.first);
    }
    const bool is_plain = is_met && !flags && m.first == 0 && m.end == count && count <= window;
    int passes = (m.end - m.first + window - 1) / window;
    for (int half = TRACES / 2; half > 0; half /= 2)
        passes = max(passes, __shfl_xor_sync(~0u, passes, half));
    const bool is_all_plain = __all_sync(~0u, is_plain);
    if (threadIdx.x < TRACES)
        visit.meeting[trace] = m;
    if (threadIdx.x == 0) {
        visit.model = b.a.model.tile[tile];
        visit.passes = passes;
        visit.is_plain = is_all_plain;
    }
}

// ---- points of a thread: 32 neighbours along z for a warp at a time ----

static __device__ __forceinline__ int place_of_point(int j)
{
    const int lane = threadIdx.x & 31, row = threadIdx.x / 32 + TEAM / 32 * j;
    return 32 * row + ((lane & 7) << 2 | lane >> 3);
}

template <class R, int WEIGHT> struct Points {
    R model[EACH];
    Entries<R, WEIGHT> s[SIDE], r[SIDE];
    int depth[WEIGHT == OFFSET ? EACH : 1];
};

template <class R, int WEIGHT>
static __device__ __forceinline__ void load_point(const hg_stations &from, int64_t tile,
                                                  int64_t station, int place, int j,
                                                  Entries<R, WEIGHT> &e)
{
    const int64_t at = (tile * from.n + station) * HG_TILE + place;
    e.time[j] = ((const R *)from.time)[at];
    if (WEIGHT) {
        e.cosine[j] = ((const R *)from.cosine)[at];
        e.sine[j] = ((const R *)from.sine)[at];
    }
}

template <class R, int WEIGHT>
static __device__ __forceinline__ void load_points(const Block<R> &b, int64_t tile,
                                                   Points<R, WEIGHT> &points)
{
    const hg_cuda_tables &t = b.a.tables;
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const int place = place_of_point(j);
        points.model[j] = ((const R *)b.a.model.main)[tile * HG_TILE + place];
        if (WEIGHT == OFFSET)
            points.depth[j] = t.depth[tile * HG_TILE + place];
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            load_point(t.source, tile, b.station(b.source, t.source.n, i), place, j, points.s[i]);
            load_point(t.receiver, tile, b.station(b.receiver, t.receiver.n, i), place, j,
                       points.r[i]);
        }
    }
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
        g *= offsets.factor(p.depth[j]);
    return p.model[j] * down * g;
}

// All pairs of the thread; without tests, or those in window number `pass` with tests.
template <class R, int WEIGHT, int WORDS, bool HAS_TESTS>
static __device__ __forceinline__ void add_points(const Block<R> &b, const Visit &visit, int pass,
                                                  const Points<R, WEIGHT> &p, int *windows)
{
    const int window = b.a.window;
#pragma unroll
    for (int trace = 0; trace < TRACES; trace++) {
        const Meeting &m = visit.meeting[trace];
        if (HAS_TESTS && m.end == m.first)
            continue;
        const R down = WEIGHT ? power_of_two<R>(-m.weight_exponent) : (R)1;
        const Offsets<R> offsets(b.a.tables, WEIGHT == OFFSET ? m.row : -1);
        const Span span = {-m.base, (int)b.a.tables.nt - 1};
        int *to = windows + trace * WORDS * window;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int s = trace / SIDE, r = trace % SIDE;
            R f;
            const R u = p.s[s].time[j] + p.r[r].time[j];
            const int k = split(u, f);
            const R value = value_of(p, s, r, j, offsets, down);
            if (!HAS_TESTS) {
                add_fixed<R, WORDS>(to, window, k, value, value * f, true, true);
            } else if (is_inside(u, k, span)) {
                const int at = k - m.first - pass * window;
                add_fixed<R, WORDS>(to, window, at, value, value * f,
                                    (unsigned)at < (unsigned)window,
                                    (unsigned)(at + 1) < (unsigned)window);
            }
        }
    }
}

// Adds the windows to the traces and clears them: a share of the threads has a trace.
template <class R, int WEIGHT, int WORDS>
static __device__ __forceinline__ void flush(const Block<R> &b, const Visit &visit, int pass,
                                             int *windows)
{
    const int trace = threadIdx.x / SHARE, window = b.a.window;
    const Meeting &m = visit.meeting[trace];
    const int first = m.first + pass * window, count = min(m.end - first, window);
    const R unit =
        power_of_two<R>(WEIGHT ? m.weight_exponent : 0) * power_of_two<R>(-visit.model.exponent);
    int *from = windows + trace * WORDS * window;
    R *to = b.trace(trace) + m.base + first;
    for (int i = threadIdx.x % SHARE; i < count; i += SHARE)
        to[i] = fma(take_fixed<R, WORDS>(from, window, i), unit, to[i]);
}

// ---- odd numbers: a warp for each trace computes 32 at a time, one lane adds them in order ----

// Which tile of up to 32 has number `at` of their odd ones; `before` counts those of a lane's tile
// and the ones ahead.
static __device__ __forceinline__ int lane_of(int before, int at)
{
    int lane = 0;
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        lane += __shfl_sync(~0u, before, lane + step - 1) <= at ? step : 0;
    return lane;
}

// Samples k and k + 1 of a trace get `early` and `late`, from lane 0 on; k < 0: nothing.
template <class R>
static __device__ __forceinline__ void add_in_order(R *trace, int64_t k, R early, R late, int count)
{
    for (int l = 0; l < count; l++) {
        const int64_t k_l = __shfl_sync(~0u, k, l);
        const R early_l = __shfl_sync(~0u, early, l), late_l = __shfl_sync(~0u, late, l);
        if ((threadIdx.x & 31) == 0 && k_l >= 0) {
            trace[k_l] += early_l;
            trace[k_l + 1] += late_l;
        }
    }
}

// One odd number of a tile for one trace; the sample, or -1.
template <class R, int WEIGHT>
static __device__ __forceinline__ int64_t odd_number(const Block<R> &b, int trace, int64_t tile,
                                                     int64_t at, R &early, R &late)
{
    const hg_cuda_tables &t = b.a.tables;
    const int64_t s = b.station(b.source, t.source.n, trace / SIDE);
    const int64_t r = b.station(b.receiver, t.receiver.n, trace % SIDE);
    const Span span = span_of(t.source.reach[tile * t.source.n + s],
                              t.receiver.reach[tile * t.receiver.n + r], t.nt);
    const int place = b.a.model.odd_place[tile * HG_TILE + at];
    R value = ((const R *)b.a.model.odd_value)[tile * HG_TILE + at], f;
    Entries<R, WEIGHT> es, er;
    load_point(t.source, tile, s, place, 0, es);
    load_point(t.receiver, tile, r, place, 0, er);
    const R u = es.time[0] + er.time[0];
    const int k = split(u, f);
    bool is_met = span.count > 0 && is_inside(u, k, span);
    if (WEIGHT)
        value *= weight_of(es.cosine[0], es.sine[0], er.cosine[0], er.sine[0]);
    if (WEIGHT == OFFSET) {
        const Offsets<R> offsets(t, t.offset_row[b.pair(trace)]);
        is_met = is_met && !offsets.is_dark;
        value *= offsets.factor(t.depth[tile * HG_TILE + place]);
    }
    early = value * ((R)1 - f);
    late = value * f;
    return is_met ? (int64_t)k - span.first : -1;
}

template <class R, int WEIGHT>
static __device__ __forceinline__ void add_odd(const Block<R> &b, int64_t first, int64_t end)
{
    const int trace = threadIdx.x / SHARE, lane = threadIdx.x & 31;
    if (threadIdx.x % SHARE >= 32 || !b.has(trace))
        return;
    for (int64_t tiles = first; tiles < end; tiles += 32) {
        int before = tiles + lane < end ? b.a.model.tile[tiles + lane].n_odd : 0;
        const int own = before;
        for (int step = 1; step < 32; step *= 2) {
            const int more = __shfl_up_sync(~0u, before, step);
            before += lane >= step ? more : 0;
        }
        const int all = __shfl_sync(~0u, before, 31);
        for (int done = 0; done < all; done += 32) {
            const int count = min(32, all - done), at = done + min(lane, count - 1);
            const int from = lane_of(before, at);
            const int ahead = __shfl_sync(~0u, before - own, from);
            R early, late;
            const int64_t k =
                odd_number<R, WEIGHT>(b, trace, tiles + from, at - ahead, early, late);
            add_in_order(b.trace(trace), k, early, late, count);
        }
    }
}

// ---- a segment ----

template <class R, int WEIGHT, int WORDS>
static __device__ __forceinline__ void walk(const Block<R> &b, Visit *ring, int64_t first,
                                            int64_t end)
{
    const int set = TRACES * WORDS * b.a.window;
    Points<R, WEIGHT> points;
    int turn = 0;
    if (threadIdx.x < 32)
        prepare_visit<R, WEIGHT>(b, first, ring[first % RING]);
    load_points(b, first, points);
    __syncthreads();
    for (int64_t tile = first; tile < end; tile++) {
        const Visit &visit = ring[tile % RING];
        const bool has_main = visit.model.has_main;
        if (has_main && visit.is_plain)
            add_points<R, WEIGHT, WORDS, false>(b, visit, 0, points, b.windows + turn * set);
        else if (has_main && visit.passes > 0)
            add_points<R, WEIGHT, WORDS, true>(b, visit, 0, points, b.windows + turn * set);
        for (int pass = 1; has_main && pass < visit.passes; pass++) {
            __syncthreads();
            flush<R, WEIGHT, WORDS>(b, visit, pass - 1, b.windows + turn * set);
            turn ^= 1;
            add_points<R, WEIGHT, WORDS, true>(b, visit, pass, points, b.windows + turn * set);
        }
        if (tile + 1 < end) {
            if (threadIdx.x < 32)
                prepare_visit<R, WEIGHT>(b, tile + 1, ring[(tile + 1) % RING]);
            load_points(b, tile + 1, points);
        }
        __syncthreads();
        if (has_main && visit.passes > 0)
            flush<R, WEIGHT, WORDS>(b, visit, visit.passes - 1, b.windows + turn * set);
        turn ^= 1;
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
template <class R> static __device__ __forceinline__ void store(const Block<R> &b, int64_t segment)
{
    const hg_scatter &a = b.a;
    const int64_t nt = a.tables.nt;
    if (a.is_split && a.has_rows)
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

template <class R, int WEIGHT, int WORDS, int BLOCKS>
static __global__ void __launch_bounds__(TEAM, BLOCKS) scatter(const hg_scatter a)
{
    __shared__ Visit ring[RING];
    const hg_cuda_tables &t = a.tables;
    const int64_t across = (t.receiver.n + SIDE - 1) / SIDE;
    const int64_t groups = (t.source.n + SIDE - 1) / SIDE * across;
    const int64_t group = blockIdx.x % groups;
    const int64_t first = a.is_split ? blockIdx.x / groups : 0;
    const int64_t end = a.is_split ? first + 1 : a.segments;
    R *shared = (R *)dynamic_shared();
    Block<R> b = {a,
                  group / across * SIDE,
                  group % across * SIDE,
                  a.has_rows ? nullptr : shared,
                  nullptr,
                  (int *)(a.has_rows ? shared : shared + TRACES * t.nt)};
    for (int i = threadIdx.x; i < 2 * TRACES * WORDS * a.window; i += TEAM)
        b.windows[i] = 0;
    for (int64_t segment = first; segment < end; segment++) {
        const int64_t all = t.source.n * t.receiver.n * t.nt;
        b.rows = (R *)a.rows + (a.is_split ? segment * all : 0);
        for (int trace = 0; trace < TRACES; trace++)
            for (int64_t i = threadIdx.x; i < t.nt && b.has(trace); i += TEAM)
                b.trace(trace)[i] = 0;
        __syncthreads();
        walk<R, WEIGHT, WORDS>(b, ring, segment * a.segment_tiles,
                               min((segment + 1) * a.segment_tiles, t.n_tiles));
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
        ceil_div(a->tables.source.n, SIDE) * ceil_div(a->tables.receiver.n, SIDE);
    const size_t shared = hg_kirchhoff_scatter_shared(a);
    void (*kernel)(hg_scatter) = scatter<R, WEIGHT, WORDS, BLOCKS>;
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
