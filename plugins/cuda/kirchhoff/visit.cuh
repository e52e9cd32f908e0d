// SPDX-License-Identifier: BSD-3-Clause
// A block of kirchhoff_forward `scatter`: its traces, and what each tile has to do with them.
#pragma once
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/pairs.cuh"

enum { S_SIDE = HG_SOURCES_AT_ONCE, R_SIDE = HG_RECEIVERS_AT_ONCE, TRACES = S_SIDE * R_SIDE };
enum { AHEAD = 32 };

// ROWS: its traces are too long for shared memory and lie in rows of device memory.
template <class R, bool ROWS> struct Block {
    const hg_scatter &a;
    int source, receiver; // first ones
    R *traces;            // in shared memory
    R *rows;              // of the segment
    int *windows;         // (2, TRACES, words, window)

    // Stations of a trace; the last ones are repeated where the block sticks out.
    __device__ __forceinline__ int s(int i) const
    {
        return min(source + i, (int)a.tables.source.n - 1);
    }
    __device__ __forceinline__ int r(int i) const
    {
        return min(receiver + i, (int)a.tables.receiver.n - 1);
    }
    __device__ __forceinline__ int64_t pair(int trace) const
    {
        return s(trace / R_SIDE) * a.tables.receiver.n + r(trace % R_SIDE);
    }
    __device__ __forceinline__ bool has(int trace) const
    {
        return source + trace / R_SIDE < a.tables.source.n &&
               receiver + trace % R_SIDE < a.tables.receiver.n;
    }
    __device__ __forceinline__ R *trace(int i) const
    {
        return ROWS ? rows + pair(i) * a.tables.nt : traces + i * (int)a.tables.nt;
    }
};

// What a tile and a trace have to do with each other.
struct alignas(16) Meeting {
    int base;
    int first, end;      // samples that may be met, counted from base
    int weight_exponent; // weights are below 2^weight_exponent
};

// How a tile is taken.
struct alignas(16) Course {
    int passes;   // over windows; 0 when there is nothing, 1 when every trace is met within one
    int is_plain; // one pass, without tests
    int exponent; // of the model's scale
    int unused;
};

struct Visit {
    Meeting meeting[TRACES];
    Course course;
    int row[TRACES]; // of the offset factors
};

template <class R, int WEIGHT, bool ROWS>
static __device__ __forceinline__ Meeting meet(const Block<R, ROWS> &b, int tile, int trace,
                                               int row, bool *is_plain)
{
    const hg_cuda_tables &t = b.a.tables;
    const hg_reach p = t.source.reach[tile * t.source.n + b.s(trace / R_SIDE)];
    const hg_reach q = t.receiver.reach[tile * t.receiver.n + b.r(trace % R_SIDE)];
    const int flags = p.flags | q.flags, count = p.width + q.width + 2;
    Meeting m = {p.base + q.base, 0, 0, p.exponent + q.exponent};
    if (WEIGHT == OFFSET)
        m.weight_exponent += t.offset_exponent;
    m.weight_exponent = max(-126, min(m.weight_exponent, 126));
    *is_plain = false;
    if (!b.has(trace) || row == HG_OFFSET_ZEROS || span_of(p, q, t.nt).count == 0 ||
        m.base >= HG_FAR / 2)
        return m;
    m.first = flags & HG_WILD ? -m.base : max(0, -m.base);
    m.end = (int)min((int64_t)(flags & HG_WILD ? INT32_MAX : count), t.nt - m.base);
    m.end = max(m.end, m.first);
    *is_plain = !flags && m.first == 0 && m.end == count && count <= b.a.window;
    return m;
}

// Fills the visits of up to AHEAD tiles; all threads.
template <class R, int WEIGHT, bool ROWS>
static __device__ __forceinline__ void prepare_visits(const Block<R, ROWS> &b, int first, int count,
                                                      Visit *visits)
{
    static_assert(TRACES * AHEAD <= TEAM, "one thread a meeting");
    const int i = threadIdx.x / TRACES, trace = threadIdx.x % TRACES;
    bool is_plain = false;
    Meeting m = {0, 0, 0, 0};
    int row = HG_OFFSET_ONES;
    if (i < count) {
        if (WEIGHT == OFFSET)
            row = b.a.tables.offset_row[b.pair(trace)];
        m = meet<R, WEIGHT>(b, first + i, trace, row, &is_plain);
    }
    int passes = (m.end - m.first + b.a.window - 1) / b.a.window, n_plain = is_plain;
    for (int half = TRACES / 2; half > 0; half /= 2) {
        passes = max(passes, __shfl_xor_sync(~0u, passes, half));
        n_plain += __shfl_xor_sync(~0u, n_plain, half);
    }
    if (i >= count)
        return;
    visits[i].meeting[trace] = m;
    visits[i].row[trace] = row;
    if (trace == 0) {
        const hg_model_tile model = b.a.model.tile[first + i];
        passes = model.has_main ? passes : 0;
        visits[i].course = {passes, passes == 1 && n_plain == TRACES, model.exponent, 0};
    }
}
