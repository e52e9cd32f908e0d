// SPDX-License-Identifier: BSD-3-Clause
// A pair of stations at the points of a thread: sample index, fraction, weight. Both directions use
// these functions, so that they agree in every bit.
#pragma once
#include "plugins/cuda/kirchhoff/launch.cuh"
#include "plugins/cuda/kirchhoff/tables.h"

enum { TEAM = 256, EACH = HG_TILE / TEAM }; // threads of a tile, points of each

// Kinds of weights: none, separated, separated times a factor of offset and depth.
enum { PLAIN = 0, WEIGHTED = 1, OFFSET = 2 };

// Floor and fraction of u by an addition that rounds to zero, to a number whose last bit is a
// whole. The floor comes with a bias that addresses take in; indices beyond the mantissa come out
// too far from 0, which all bounds refuse.
template <class R> struct Biased;

template <> struct Biased<float> {
    enum { BIAS = 0x4B400000, SHIFT = 2 };
    static __device__ __forceinline__ int split(float u, float &f)
    {
        const float t = __fadd_rz(u, 12582912.0f);
        f = u - (t - 12582912.0f);
        return __float_as_int(t);
    }
};

template <> struct Biased<double> {
    enum { BIAS = 0, SHIFT = 3 };
    static __device__ __forceinline__ int split(double u, double &f)
    {
        const double t = __dadd_rz(u, 6755399441055744.0);
        f = u - (t - 6755399441055744.0);
        return __double2loint(t);
    }
};

template <class R> static __device__ __forceinline__ int split(R u, R &f)
{
    return Biased<R>::split(u, f) - Biased<R>::BIAS;
}

// Values that k may have, counted from the bases of a pair.
struct Span {
    int first, count;
};

static __device__ __forceinline__ Span span_of(const hg_reach &s, const hg_reach &r, int64_t nt)
{
    const int base = s.base + r.base;
    const bool is_beyond = base >= nt - 1 && !((s.flags | r.flags) & HG_WILD);
    return {-base, is_beyond ? 0 : (int)nt - 1};
}

// NaN fails: its bits make a large integer in float32, in float64 it fails the comparisons.
static __device__ __forceinline__ bool is_inside(float, int k, const Span &s)
{
    return (unsigned)(k - s.first) < (unsigned)s.count;
}

static __device__ __forceinline__ bool is_inside(double u, int, const Span &s)
{
    return u >= s.first && u < (double)s.first + s.count;
}

// A station at the points of a thread.
template <class R, int WEIGHT> struct Entries {
    R time[EACH], cosine[WEIGHT ? EACH : 1], sine[WEIGHT ? EACH : 1];
};

template <class R> static __device__ __forceinline__ void load_four(const void *from, R *to)
{
    const Four<R> four = *(const Four<R> *)from;
#pragma unroll
    for (int j = 0; j < EACH; j++)
        to[j] = four.v[j];
}

// The four that lie side by side from `first` on.
template <class R, int WEIGHT>
static __device__ __forceinline__ void load_entries_at(const hg_stations &s, int64_t first,
                                                       Entries<R, WEIGHT> &e)
{
    load_four<R>((const R *)s.time + first, e.time);
    if (WEIGHT) {
        load_four<R>((const R *)s.cosine + first, e.cosine);
        load_four<R>((const R *)s.sine + first, e.sine);
    }
}

// Those of thread `at` of a tile.
template <class R, int WEIGHT>
static __device__ __forceinline__ void load_entries(const hg_stations &s, int64_t tile,
                                                    int64_t station, int at, Entries<R, WEIGHT> &e)
{
    load_entries_at(s, (tile * s.n + station) * HG_TILE + EACH * at, e);
}

template <class R>
static __device__ __forceinline__ R weight_of(R s_cosine, R s_sine, R r_cosine, R r_sine)
{
    return fma(s_cosine, r_cosine, s_sine * r_sine);
}

// Factors of the offset aperture at the points of a thread.
template <class R> struct Offsets {
    const R *row; // NULL: all are 1
    bool is_dark; // all are 0

    __device__ __forceinline__ Offsets(const hg_cuda_tables &t, int32_t at)
    {
        is_dark = at == HG_OFFSET_ZEROS;
        row = at < 0 ? nullptr : (const R *)t.offset_factor + at * t.nz;
    }
    __device__ __forceinline__ R factor(int depth) const
    {
        return row ? row[depth] : (R)1;
    }
};
