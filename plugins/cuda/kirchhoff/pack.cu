// SPDX-License-Identifier: BSD-3-Clause
// Packing of the tables: one block a tile and a station.
#include "plugins/cuda/kirchhoff/launch.cuh"
#include "plugins/cuda/kirchhoff/pack.h"

enum { THREADS = 256, EACH = HG_TILE / THREADS };

static __device__ double number(const void *data, int is_64, int64_t i)
{
    return is_64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

// ---- places ----

static __global__ void __launch_bounds__(THREADS) pack_places(const hg_pack p)
{
    for (int e = 0; e < EACH; e++) {
        const int place = threadIdx.x + THREADS * e;
        const int64_t position = (int64_t)blockIdx.x * HG_TILE + hg_position_of(place);
        const int64_t at = (int64_t)blockIdx.x * HG_TILE + place;
        const int64_t point = position < p.order.ni ? hg_order_point(&p.order, position) : -1;
        p.tables.point[at] = point;
        if (p.tables.depth)
            p.tables.depth[at] = point < 0 ? 0 : (int32_t)(point % p.order.nz);
    }
}

// ---- entries ----

// Steps of the default taper: 1, 1, then half a cosine down to 0.
static __device__ double taper_step(const hg_pack &p, int64_t j)
{
    if (p.tap)
        return number(p.tap, p.tap_is_64, j);
    if (j < 2)
        return 1.0;
    return j >= 20 ? 0.0 : 0.5 + 0.5 * cos(3.14159265358979323846 * (double)(j - 1) / 19.0);
}

static __device__ double taper(const hg_pack &p, double a)
{
    const double lo = p.angle[0], hi = p.angle[1];
    if (a < lo)
        return 1.0;
    if (!(a < hi))
        return 0.0;
    const int64_t last = p.tap ? p.n_tap - 1 : 20;
    const int64_t j = (int64_t)floor((double)last * (a - lo) / (hi - lo));
    return taper_step(p, j < last ? j : last);
}

struct Entry {
    double time; // samples; NaN: contributes nothing
    double cosine, sine;
    bool is_wild; // it would take the others' resolution
};

static __device__ Entry read_entry(const hg_pack &p, const hg_pack_side &side, int64_t point,
                                   int64_t station)
{
    const int is_64 = p.tables.is_64;
    const int64_t at = point * side.step_point + station * side.step_station;
    const double time = number(side.trav, is_64, at);
    Entry e = {(time - side.start) / p.dt, 0.0, 0.0, false};
    if (!(fabs(e.time) < (double)HG_MOST_SAMPLES))
        e.time = NAN;
    e.is_wild = time < -4.0 * p.dt;
    if (!side.amp)
        return e;
    const double q = number(side.ang, is_64, at);
    double weight = number(side.amp, is_64, at) * taper(p, fabs(q));
    if (side.vel)
        weight *= 2.0 / number(side.vel, is_64, side.n_vel == 1 ? 0 : point);
    if (isfinite(q) && isfinite(weight)) {
        e.cosine = weight * cos(0.5 * q);
        e.sine = weight * sin(0.5 * q);
    } else {
        e.time = NAN;
    }
    return e;
}

// Least of `low` and greatest of `high` over the block; everybody gets them.
static __device__ void block_extremes(double &low, double &high, double *scratch)
{
    scratch[threadIdx.x] = low;
    scratch[threadIdx.x + THREADS] = high;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            scratch[threadIdx.x] = fmin(scratch[threadIdx.x], scratch[threadIdx.x + half]);
            scratch[threadIdx.x + THREADS] =
                fmax(scratch[threadIdx.x + THREADS], scratch[threadIdx.x + THREADS + half]);
        }
        __syncthreads();
    }
    low = scratch[0];
    high = scratch[THREADS];
    __syncthreads();
}

template <class R>
static __device__ void pack_station(const hg_pack &p, const hg_pack_side &side,
                                    const hg_stations &out, int64_t tile, int64_t station,
                                    double *scratch)
{
    Entry e[EACH];
    double tame = INFINITY, wild = INFINITY, weight = 0.0, last = 0.0, flags = 0.0;
    for (int i = 0; i < EACH; i++) {
        int64_t point = p.tables.point[tile * HG_TILE + threadIdx.x + THREADS * i];
        const bool is_there = point >= 0;
        if (!is_there) // repeats a point of the tile, so that it bounds nothing
            point = p.tables.point[tile * HG_TILE];
        e[i] = read_entry(p, side, point, station);
        if (!is_there)
            e[i].cosine = e[i].sine = 0.0;
        weight = fmax(weight, fabs(e[i].cosine) + fabs(e[i].sine));
        double &first = e[i].is_wild ? wild : tame;
        first = fmin(first, e[i].time); // NaN loses
    }
    double unused = 0.0;
    block_extremes(tame, weight, scratch);
    block_extremes(wild, unused, scratch);
    const double first = tame < INFINITY ? tame : wild;
    const bool is_dark = !(first < INFINITY) || (side.amp && weight == 0.0);
    const int base = is_dark ? HG_FAR : (int)floor(first) & ~3;
    const int64_t block = tile * out.n + station;
    for (int i = 0; i < EACH; i++) {
        const int64_t at = block * HG_TILE + threadIdx.x + THREADS * i;
        const R time = is_dark ? (R)NAN : (R)(e[i].time - (double)base);
        last = fmax(last, (double)time);
        flags = fmax(flags, time < 0 ? (double)HG_WILD : isnan(time) ? (double)HG_GAP : 0.0);
        ((R *)out.time)[at] = time;
        if (side.amp) {
            ((R *)out.cosine)[at] = (R)e[i].cosine;
            ((R *)out.sine)[at] = (R)e[i].sine;
        }
    }
    unused = 0.0;
    block_extremes(unused, last, scratch);
    block_extremes(unused, flags, scratch);
    if (threadIdx.x == 0) {
        int exponent = 0;
        if (weight > 0.0)
            (void)frexp(weight * (1.0 + 1e-6), &exponent); // a margin for the rounding of R
        out.reach[block] = {base, (int)last + 1, exponent, (int)flags};
    }
}

template <class R> static __global__ void __launch_bounds__(THREADS) pack_side(const hg_pack p)
{
    __shared__ double scratch[2 * THREADS];
    const int64_t ns = p.tables.source.n, n = ns + p.tables.receiver.n;
    for (int64_t i = blockIdx.y; i < n; i += gridDim.y) {
        if (i < ns)
            pack_station<R>(p, p.source, p.tables.source, blockIdx.x, i, scratch);
        else
            pack_station<R>(p, p.receiver, p.tables.receiver, blockIdx.x, i - ns, scratch);
    }
}

// ---- facts ----

struct FactsArgs {
    hg_cuda_tables tables;
    hg_pack_facts *facts;
};

static __device__ double widest(const hg_stations &s, int64_t tile)
{
    int most = 0;
    for (int64_t i = threadIdx.x; i < s.n; i += THREADS)
        most = max(most, s.reach[tile * s.n + i].width);
    return most;
}

static __global__ void __launch_bounds__(THREADS) pack_facts(const FactsArgs a)
{
    __shared__ double scratch[2 * THREADS];
    double unused = 0.0, source = widest(a.tables.source, blockIdx.x),
           receiver = widest(a.tables.receiver, blockIdx.x);
    block_extremes(unused, source, scratch);
    block_extremes(unused, receiver, scratch);
    if (threadIdx.x == 0) {
        const int width = (int)(source + receiver);
        atomicMax(&a.facts->width_most, width);
        atomicAdd(&a.facts->width_sum, (unsigned long long)width);
    }
}

extern "C" cudaError_t hg_kirchhoff_pack(const hg_pack *pack, hg_pack_facts *facts, const void *wav,
                                         cudaStream_t stream)
{
    const hg_cuda_tables *t = &pack->tables;
    const int64_t n = t->source.n + t->receiver.n, rows = n < 65535 ? n : 65535;
    cudaError_t error = cudaMemsetAsync(facts, 0, sizeof *facts, stream);
    if (!error && wav)
        error = cudaMemcpyAsync(t->wav, wav, (size_t)t->nwav * (t->is_64 ? 8 : 4),
                                cudaMemcpyDeviceToDevice, stream);
    if (!error)
        error = launch(pack_places, t->n_tiles, 1, THREADS, 0, stream, *pack);
    if (!error)
        error = launch(t->is_64 ? pack_side<double> : pack_side<float>, t->n_tiles, rows, THREADS,
                       0, stream, *pack);
    if (!error)
        error = launch(pack_facts, t->n_tiles, 1, THREADS, 0, stream, FactsArgs{*t, facts});
    return error;
}

// ---- checks ----

struct ScanArgs {
    hg_scan scan;
    unsigned long long *first;
};

static __global__ void __launch_bounds__(THREADS) scan_elements(const ScanArgs a)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < a.scan.count; i += step) {
        const double x = number(a.scan.data, a.scan.is_64, i);
        if (!(x >= a.scan.least && x <= a.scan.most) && !(a.scan.skips_nonfinite && !isfinite(x))) {
            atomicMin(a.first, (unsigned long long)i);
            return; // later elements of this thread come behind
        }
    }
}

extern "C" cudaError_t hg_kirchhoff_scan(const hg_scan *scan, unsigned long long *first,
                                         cudaStream_t stream)
{
    const int64_t most = 1 << 16, blocks = ceil_div(scan->count, THREADS);
    return launch(scan_elements, blocks < most ? blocks : most, 1, THREADS, 0, stream,
                  ScanArgs{*scan, first});
}
