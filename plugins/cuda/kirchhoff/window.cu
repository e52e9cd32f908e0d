// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_adjoint `window`: image = sum over pairs of g (d[k] (1-f) + d[k+1] f), k from shared
// memory.
//
// data (ns, nr, nt), tables (tiles, stations, 1024). A block has a tile and a part of the pairs, a
// thread four points with some sources in registers. One warp more runs ahead of the others and
// starts bulk copies of just those windows of the traces that the tile meets, through a ring of
// stages. Windows that lie inside the record need neither bounds nor tests; the others are read
// with tests, wherever they are. About 11 instructions a pair, issue-bound. Parts' images are added
// in order afterwards: no atomics, the same bits each time.
#include "plugins/cuda/kirchhoff/adjoint.h"
#include "plugins/cuda/kirchhoff/pairs.cuh"
#include "plugins/cuda/kirchhoff/pipe.cuh"

enum { THREADS = TEAM + 32, SLOTS = 32, MOST_STAGES = 4 };

// Windows of a stage; slot = receiver * SOURCES + source.
template <class R> struct Stage {
    alignas(16) unsigned address[SLOTS]; // in shared memory, of sample -BIAS
    const R *trace[SLOTS];               // of sample 0, wherever it is
    Span span[SLOTS];
    int row[SLOTS]; // of the offset factors
    int needs_tests;
};

// ---- the warp that copies ----

template <class R> struct Window {
    const R *from; // aligned; NULL: not copied
    unsigned bytes;
    int offset;
};

// The part of a trace that a pair meets, aligned to 16 bytes, if it has room and is within data.
template <class R>
static __device__ __forceinline__ Window<R> window_of(const hg_adjoint &a, const R *trace, int base,
                                                      int count, int slot)
{
    const int64_t nt = a.tables.nt, room = a.tables.window;
    const int first = max(base, 0), last = (int)min((int64_t)base + count, nt);
    const int shift = (int)((uintptr_t)(trace + first) & 15) / (int)sizeof(R);
    const int whole = 16 / (int)sizeof(R);
    const int samples = (shift + last - first + whole - 1) / whole * whole;
    const R *from = trace + first - shift, *data = (const R *)a.data;
    if (last <= first || samples > room || from < data ||
        from + samples > data + a.tables.source.n * a.tables.receiver.n * nt)
        return {nullptr, 0, 0};
    return {from, (unsigned)samples * (unsigned)sizeof(R), slot * (int)room + shift + base - first};
}

// Fills a stage with the windows of sources [source, s_end) and receivers [receiver, r_end).
template <class R, int WEIGHT, int SOURCES>
static __device__ __forceinline__ void fill_stage(const hg_adjoint &a, int64_t tile, int64_t source,
                                                  int64_t s_end, int64_t receiver, int64_t r_end,
                                                  Stage<R> &stage, R *samples, Barrier *full)
{
    const hg_cuda_tables &t = a.tables;
    const int slot = threadIdx.x & 31, x = slot / SOURCES;
    const int64_t s = source + slot % SOURCES, r = receiver + x;
    const bool is_used = x < a.receivers_at_once && r < r_end, is_there = is_used && s < s_end;
    Window<R> w = {nullptr, 0, 0};
    Span span = {0, 0};
    bool is_plain = !is_used;
    if (is_there) {
        const hg_reach p = t.source.reach[tile * t.source.n + s];
        const hg_reach q = t.receiver.reach[tile * t.receiver.n + r];
        const int base = p.base + q.base, count = p.width + q.width + 2, flags = p.flags | q.flags;
        const int64_t pair = s * t.receiver.n + r;
        const R *trace = (const R *)a.data + pair * t.nt;
        if (WEIGHT == OFFSET)
            stage.row[slot] = t.offset_row[pair];
        span = span_of(p, q, t.nt);
        if (span.count && !(flags & HG_WILD))
            w = window_of(a, trace, base, count, slot);
        is_plain = w.from && !flags && base >= 0 && base + count <= t.nt;
        stage.address[slot] =
            shared_address(samples) + ((unsigned)w.offset - Biased<R>::BIAS) * (unsigned)sizeof(R);
        stage.trace[slot] = w.from ? samples + w.offset : trace + base;
    }
    stage.span[slot] = span;
    const bool is_all_plain = __all_sync(~0u, is_plain);
    if (slot == 0)
        stage.needs_tests = !is_all_plain;
    barrier_expect(full, w.bytes);
    if (w.from)
        bulk_copy(samples + slot * t.window, w.from, w.bytes, full);
}

// ---- the warps that compute ----

// What a block's threads have of the tables besides the stations.
template <class R> struct Surroundings {
    const hg_cuda_tables &tables;
    int depth[EACH]; // with offset factors
};

// Adds g (d0 (1-f) + d1 f) at point j of a thread.
template <class R, int WEIGHT>
static __device__ __forceinline__ void add_sample(R d0, R d1, R f, const Entries<R, WEIGHT> &s,
                                                  const Entries<R, WEIGHT> &r, R factor, int j,
                                                  R &sum)
{
    if (WEIGHT == PLAIN) {
        sum += d0;
        sum = fma(f, d1 - d0, sum);
    } else {
        R g = weight_of(s.cosine[j], s.sine[j], r.cosine[j], r.sine[j]);
        if (WEIGHT == OFFSET)
            g *= factor;
        sum = fma(g, fma(f, d1 - d0, d0), sum);
    }
}

// Adds the pairs of one receiver, all windows inside the record.
template <class R, int WEIGHT, int SOURCES>
static __device__ __forceinline__ void
add_plain(const Surroundings<R> &around, const Stage<R> &stage, int slot,
          const Entries<R, WEIGHT> *s, const Entries<R, WEIGHT> &r, R *sum)
{
    unsigned window[SOURCES];
    load_words(shared_address(stage.address) + 4u * slot, window);
#pragma unroll
    for (int q = 0; q < SOURCES; q++) {
        const Offsets<R> offsets(around.tables, WEIGHT == OFFSET ? stage.row[slot + q] : -1);
        if (WEIGHT == OFFSET && offsets.is_dark)
            continue;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            R f, d0, d1;
            const unsigned k = Biased<R>::split(s[q].time[j] + r.time[j], f);
            load_pair(window[q] + (k << Biased<R>::SHIFT), d0, d1);
            add_sample<R, WEIGHT>(d0, d1, f, s[q], r, offsets.factor(around.depth[j]), j, sum[j]);
        }
    }
}

// The same with tests.
template <class R, int WEIGHT, int SOURCES>
static __device__ __forceinline__ void
add_tested(const Surroundings<R> &around, const Stage<R> &stage, int slot,
           const Entries<R, WEIGHT> *s, const Entries<R, WEIGHT> &r, R *sum)
{
#pragma unroll
    for (int q = 0; q < SOURCES; q++) {
        const Span span = stage.span[slot + q];
        const R *trace = stage.trace[slot + q];
        if (span.count == 0)
            continue;
        const Offsets<R> offsets(around.tables, WEIGHT == OFFSET ? stage.row[slot + q] : -1);
        if (WEIGHT == OFFSET && offsets.is_dark)
            continue;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            R f;
            const R u = s[q].time[j] + r.time[j];
            const int k = split(u, f);
            if (is_inside(u, k, span))
                add_sample<R, WEIGHT>(trace[k], trace[k + 1], f, s[q], r,
                                      offsets.factor(around.depth[j]), j, sum[j]);
        }
    }
}

// ---- the block ----

// Blocks of a multiprocessor that the registers are budgeted for.
template <class R, int WEIGHT, int SOURCES> struct Budget {
    static constexpr int WIDE = sizeof(R) == 8;
    static constexpr int BLOCKS =
        WIDE ? (WEIGHT || SOURCES == 4 ? 1 : 2) : (WEIGHT && SOURCES > 1 ? 2 : 3);
};

template <class R, int WEIGHT, int SOURCES>
static __global__ void __launch_bounds__(THREADS, (Budget<R, WEIGHT, SOURCES>::BLOCKS))
    window(const hg_adjoint a)
{
    __shared__ Stage<R> stages[MOST_STAGES];
    __shared__ Barrier full[MOST_STAGES], empty[MOST_STAGES];
    R *ring = (R *)dynamic_shared();
    const hg_cuda_tables &t = a.tables;
    const int64_t stage_samples = (int64_t)SOURCES * a.receivers_at_once * t.window;
    const int64_t tile = blockIdx.x % t.n_tiles, part = blockIdx.x / t.n_tiles;
    const int64_t s_first = part % a.source_parts * a.sources,
                  r_first = part / a.source_parts * a.receivers;
    const int64_t s_end = min(s_first + a.sources, t.source.n),
                  r_end = min(r_first + a.receivers, t.receiver.n);
    if (threadIdx.x == 0) {
        for (int i = 0; i < a.stages; i++) {
            barrier_init(&full[i], 32);
            barrier_init(&empty[i], TEAM);
        }
        barrier_init_fence();
    }
    __syncthreads();
    int at = 0;
    unsigned parity = 0;
    if (threadIdx.x >= TEAM) {
        for (int64_t source = s_first; source < s_end; source += SOURCES)
            for (int64_t r = r_first; r < r_end; r += a.receivers_at_once) {
                barrier_wait(&empty[at], parity ^ 1);
                fill_stage<R, WEIGHT, SOURCES>(a, tile, source, s_end, r, r_end, stages[at],
                                               ring + at * stage_samples, &full[at]);
                at = at + 1 == a.stages ? 0 : at + 1;
                parity ^= at == 0;
            }
        return;
    }
    R sum[EACH] = {0};
    Surroundings<R> around = {t, {0}};
    if (WEIGHT == OFFSET)
        for (int j = 0; j < EACH; j++)
            around.depth[j] = t.depth[tile * HG_TILE + EACH * threadIdx.x + j];
    for (int64_t source = s_first; source < s_end; source += SOURCES) {
        Entries<R, WEIGHT> s[SOURCES], r;
#pragma unroll
        for (int q = 0; q < SOURCES; q++)
            load_entries(t.source, tile, min(source + q, s_end - 1), threadIdx.x, s[q]);
        load_entries(t.receiver, tile, r_first, threadIdx.x, r);
        int64_t next = (tile * t.receiver.n + r_first) * HG_TILE + EACH * threadIdx.x;
        for (int left = (int)(r_end - r_first); left > 0; left -= a.receivers_at_once) {
            const int count = min(a.receivers_at_once, left);
            const Stage<R> &stage = stages[at];
            barrier_wait(&full[at], parity);
            if (stage.needs_tests)
                for (int x = 0; x < count; x++) {
                    Entries<R, WEIGHT> now = r;
                    next += x + 1 < left ? HG_TILE : 0; // fetched early
                    load_entries_at(t.receiver, next, r);
                    add_tested<R, WEIGHT, SOURCES>(around, stage, x * SOURCES, s, now, sum);
                }
            else
#pragma unroll 2
                for (int x = 0; x < count; x++) {
                    Entries<R, WEIGHT> now = r;
                    next += x + 1 < left ? HG_TILE : 0;
                    load_entries_at(t.receiver, next, r);
                    add_plain<R, WEIGHT, SOURCES>(around, stage, x * SOURCES, s, now, sum);
                }
            barrier_arrive(&empty[at]);
            at = at + 1 == a.stages ? 0 : at + 1;
            parity ^= at == 0;
        }
    }
    Four<R> out;
#pragma unroll
    for (int j = 0; j < EACH; j++)
        out.v[j] = sum[j];
    *(Four<R> *)((R *)a.images + (part * t.n_tiles + tile) * HG_TILE + EACH * threadIdx.x) = out;
}

// ---- launch ----

template <class R, int WEIGHT, int SOURCES>
static cudaError_t start(const hg_adjoint *a, cudaStream_t stream)
{
    const int64_t blocks = a->tables.n_tiles * a->source_parts * a->receiver_parts;
    const size_t shared =
        (size_t)(a->stages * SOURCES * a->receivers_at_once * a->tables.window) * sizeof(R);
    void (*kernel)(hg_adjoint) = window<R, WEIGHT, SOURCES>;
    const cudaError_t error = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    return error ? error : launch(kernel, blocks, 1, THREADS, shared, stream, *a);
}

template <class R, int WEIGHT> static cudaError_t start_some(const hg_adjoint *a, cudaStream_t s)
{
    switch (a->sources_at_once) {
    case 1:
        return start<R, WEIGHT, 1>(a, s);
    case 2:
        return start<R, WEIGHT, 2>(a, s);
    default:
        return start<R, WEIGHT, 4>(a, s);
    }
}

template <class R> static cudaError_t start_weighted(const hg_adjoint *a, cudaStream_t stream)
{
    if (!a->tables.is_dynamic)
        return start_some<R, PLAIN>(a, stream);
    return a->tables.offset_row ? start_some<R, OFFSET>(a, stream)
                                : start_some<R, WEIGHTED>(a, stream);
}

extern "C" cudaError_t hg_kirchhoff_window(const hg_adjoint *adjoint, cudaStream_t stream)
{
    return adjoint->tables.is_64 ? start_weighted<double>(adjoint, stream)
                                 : start_weighted<float>(adjoint, stream);
}
