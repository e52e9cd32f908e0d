// SPDX-License-Identifier: BSD-3-Clause
// Numbers of the model that the scale of their tile does not suit: a warp for each trace computes
// 32 at a time, one lane adds them in order.
#pragma once
#include "plugins/cuda/kirchhoff/visit.cuh"

enum { SHARE = TEAM / TRACES }; // threads of a trace

template <class R, int WEIGHT>
static __device__ __forceinline__ void load_point(const hg_stations &from, int64_t tile,
                                                  int64_t station, int place, Entries<R, WEIGHT> &e)
{
    const int64_t at = (tile * from.n + station) * HG_TILE + place;
    e.time[0] = ((const R *)from.time)[at];
    if (WEIGHT) {
        e.cosine[0] = ((const R *)from.cosine)[at];
        e.sine[0] = ((const R *)from.sine)[at];
    }
}

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
template <class R, int WEIGHT, bool ROWS>
static __device__ __forceinline__ int64_t odd_number(const Block<R, ROWS> &b, int trace,
                                                     int64_t tile, int64_t at, R &early, R &late)
{
    const hg_cuda_tables &t = b.a.tables;
    const int s = b.s(trace / R_SIDE), r = b.r(trace % R_SIDE);
    const Span span = span_of(t.source.reach[tile * t.source.n + s],
                              t.receiver.reach[tile * t.receiver.n + r], t.nt);
    const int place = b.a.model.odd_place[tile * HG_TILE + at];
    R value = ((const R *)b.a.model.odd_value)[tile * HG_TILE + at], f;
    Entries<R, WEIGHT> es, er;
    load_point(t.source, tile, s, place, es);
    load_point(t.receiver, tile, r, place, er);
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

template <class R, int WEIGHT, bool ROWS>
static __device__ __forceinline__ void add_odd(const Block<R, ROWS> &b, int64_t first, int64_t end)
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
