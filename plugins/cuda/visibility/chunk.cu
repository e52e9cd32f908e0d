// SPDX-License-Identifier: BSD-3-Clause
// Z of a chunk of sources in one pass: beam, phase and amplitude never leave the registers.
//
//   Z[(a,f),(x,s)] = sum over four nodes of weight grid[b,x,f,node] exp(i phase(a,s)) amp[s]
//
// A block takes a tile of the list of sources and some antennas; a thread keeps its source
// (direction, amplitude, nodes, weights) while it goes through the antennas, so that a row of Z is
// written by neighbouring threads at once. With sources sorted by cell neighbours read the same
// nodes. Work a pair of antenna and source: 4 nfeed nax nodes, one sine and cosine, nfeed nax
// stores.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/grid.cuh"
#include "plugins/cuda/visibility/indices.cuh"
#include "plugins/cuda/visibility/planes.cuh"
#include "plugins/cuda/visibility/wavenumber.cuh"

template <class R> struct Source {
    R unit[3], amp;
    Stencil<R> at;
    uint32_t number; // in the input
};

template <class R>
static __device__ __forceinline__ Source<R> source_load(const hg_vis_sources &list, int64_t i)
{
    Source<R> s;
    for (int d = 0; d < 3; d++)
        s.unit[d] = ((const R *)list.unit)[d * list.n + i];
    s.amp = ((const R *)list.amp)[i];
    const hg_vis_place place = list.place[i];
    s.number = place.source;
    s.at.node = place.node;
    s.at.down = place.down;
    s.at.across = place.across;
    for (int k = 0; list.is_shared && k < 4; k++)
        s.at.weight[k] = ((const R *)list.weight)[k * list.n + i];
    return s;
}

// Value of one plane that starts at `plane`.
template <class R, bool COMPLEX>
static __device__ __forceinline__ Complex<R> value_at(const R *plane, const Stencil<R> &at)
{
    if constexpr (COMPLEX) {
        const Complex<R> *v = (const Complex<R> *)plane + at.node;
        const Complex<R> a = v[0], b = v[at.across], c = v[at.down], d = v[at.down + at.across];
        return {fma(at.weight[3], d.re,
                    fma(at.weight[2], c.re, fma(at.weight[1], b.re, at.weight[0] * a.re))),
                fma(at.weight[3], d.im,
                    fma(at.weight[2], c.im, fma(at.weight[1], b.im, at.weight[0] * a.im)))};
    } else {
        const R *v = plane + at.node;
        const R a = v[0], b = v[at.across], c = v[at.down], d = v[at.down + at.across];
        return {fma(at.weight[3], d, fma(at.weight[2], c, fma(at.weight[1], b, at.weight[0] * a))),
                0};
    }
}

// ---- where the elements go ----

// Rows of complex numbers.
template <class R, class OUT> struct RowSink {
    static constexpr bool is_planes = false;
    enum { THREADS = 256, ANTENNAS = 4 }; // of a block: the fastest of what was tried on an H200
    Complex<OUT> *Z;                      // of this source
    int64_t n, K;

    __device__ RowSink(const hg_vis_chunk &args, int64_t i, int nax)
        : Z((Complex<OUT> *)args.Z + i), n(args.n), K(nax * args.n)
    {
    }

    __device__ void put(int64_t row, int axis, Complex<R> z) const
    {
        Z[row * K + axis * n] = {(OUT)z.re, (OUT)z.im};
    }
};

// Planes of a split product. Threads of two neighbouring sources trade two rows, so that each
// writes pairs of columns.
template <int KIND> struct PlaneSink {
    static constexpr bool is_planes = true;
    enum { THREADS = 512, ANTENNAS = 8 };
    hg_planes planes;
    int64_t i, n; // source; sources filled up
    bool is_odd;

    __device__ PlaneSink(const hg_vis_chunk &args, int64_t i, int nax)
        : planes(args.planes), i(i), n(args.planes.K / nax), is_odd(threadIdx.x % 2)
    {
    }

    __device__ float scale(int64_t row) const
    {
        return hg_plane_scale(hg_plane_exponent(planes.bounds[row]));
    }

    __device__ void put(int64_t row, int axis, Complex<float> z) const
    {
        const float s = scale(row);
        if (i < n)
            PlaneWriter<KIND>(planes, row).put(axis * n + i, z.re * s, z.im * s);
    }

    // Two rows of one axis: the even source of a pair writes the first, the odd one the second.
    __device__ void put_both(int64_t row, int axis, Complex<float> z, Complex<float> w) const
    {
        const Complex<float> give = is_odd ? z : w, keep = is_odd ? w : z;
        const float2 own = make_float2(keep.re, keep.im);
        const float2 other = make_float2(__shfl_xor_sync(0xFFFFFFFFu, give.re, 1),
                                         __shfl_xor_sync(0xFFFFFFFFu, give.im, 1));
        const float2 first = is_odd ? other : own, second = is_odd ? own : other;
        const float s = scale(row + is_odd);
        if (i < n)
            PlaneWriter<KIND>(planes, row + is_odd)
                .put2(axis * n + (i & ~(int64_t)1), make_float2(first.x * s, first.y * s),
                      make_float2(second.x * s, second.y * s));
    }
};

// ---- the pass ----

// What all elements of one antenna and source share.
template <class R> struct Turn {
    const R *beam; // first plane
    int64_t b, plane_nodes;
    Complex<R> phase; // times the amplitude
};

template <class R, bool COMPLEX>
static __device__ __forceinline__ Complex<R> element(const hg_vis_chunk &args, const Source<R> &s,
                                                     const Turn<R> &t, int f, int x, int nfeed,
                                                     int nax)
{
    Complex<R> g =
        value_at<R, COMPLEX>(t.beam + (COMPLEX ? 2 : 1) * (x * nfeed + f) * t.plane_nodes, s.at);
    if (!COMPLEX && args.with_root) {
        if (g.re < (R)0)
            fault_note(args.power, HG_FAULT_POWER,
                       ((t.b * args.sources.nsrc + s.number) * nfeed + f) * nax + x);
        g.re = sqrt(g.re);
    }
    return {g.re * t.phase.re - g.im * t.phase.im, g.re * t.phase.im + g.im * t.phase.re};
}

// NF, NX: feeds and axes where they are known to the compiler, else 0. FAST: one geometry, reduced
// phases.
template <class R, class SINK, bool COMPLEX, bool FAST, int NF, int NX>
static __global__ void __launch_bounds__(SINK::THREADS)
    fill_chunk(hg_vis_chunk args, Wavenumber k, int64_t n_tiles, hg_vis_fault fault)
{
    __shared__ Antenna<R> antenna[SINK::ANTENNAS];
    __shared__ int64_t beam_number[SINK::ANTENNAS];
    const hg_vis_beam &beam = args.sources.beam;
    const int64_t first = (int64_t)blockIdx.x / n_tiles * SINK::ANTENNAS;
    const int64_t i = (int64_t)blockIdx.x % n_tiles * SINK::THREADS + threadIdx.x;
    const int n_antennas =
        (int)(args.nant - first < SINK::ANTENNAS ? args.nant - first : SINK::ANTENNAS);
    if (fault_is_set(fault))
        return;
    if (threadIdx.x < 3 * n_antennas)
        antenna_load(antenna[threadIdx.x / 3], threadIdx.x % 3,
                     ((const R *)args.antpos)[3 * first + threadIdx.x], k);
    if (threadIdx.x < n_antennas)
        beam_number[threadIdx.x] =
            beam_of(args.beam_idx, args.is_int64, beam.nbeam, first + threadIdx.x);
    __syncthreads();
    if (!SINK::is_planes && i >= args.n)
        return;
    Source<R> s = source_load<R>(args.sources, args.start + (i < args.n ? i : 0));
    if (SINK::is_planes && i >= args.n)
        s.amp = 0; // fills up
    const int nfeed = NF ? NF : (int)beam.nfeed, nax = NX ? NX : (int)beam.nax;
    const int mode = FAST ? HGATE_TAU_REDUCED : args.mode;
    const SINK sink(args, i, nax);
    double az = 0.0, za = 0.0;
    if (!FAST && !args.sources.is_shared) {
        az = azimuth(s.unit[0], s.unit[1]);
        za = zenith_angle(s.unit[0], s.unit[1], s.unit[2]);
    }
    Turn<R> t;
    t.plane_nodes = (int64_t)beam.nza * beam.naz;
#pragma unroll 1
    for (int a = 0; a < n_antennas; a++) {
        const int64_t row = (first + a) * nfeed;
        t.b = beam_number[a];
        t.phase = phase(antenna[a], s.unit, mode, k.radians);
        t.phase.re *= s.amp;
        t.phase.im *= s.amp;
        if (!FAST && !args.sources.is_shared)
            s.at = stencil_of<R>(cell_of(beam, t.b, az, za, true), beam.naz);
        t.beam = (const R *)beam.grid + (COMPLEX ? 2 : 1) * t.b * nfeed * nax * t.plane_nodes;
        if constexpr (SINK::is_planes && NF == 2) {
#pragma unroll
            for (int x = 0; x < nax; x++)
                sink.put_both(row, x, element<R, COMPLEX>(args, s, t, 0, x, nfeed, nax),
                              element<R, COMPLEX>(args, s, t, 1, x, nfeed, nax));
        } else {
#pragma unroll
            for (int f = 0; f < nfeed; f++)
#pragma unroll
                for (int x = 0; x < nax; x++)
                    sink.put(row + f, x, element<R, COMPLEX>(args, s, t, f, x, nfeed, nax));
        }
    }
}

template <class R, class SINK, bool COMPLEX, bool FAST>
static cudaError_t start(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    const Wavenumber k = wavenumber(args->freq_hz, args->sign);
    const int64_t n_tiles = tiles(hg_vis_padded(args->n, args->form), SINK::THREADS);
    const unsigned blocks = (unsigned)(n_tiles * tiles(args->nant, SINK::ANTENNAS));
    const hg_vis_beam *beam = &args->sources.beam;
    if (beam->nfeed == 2 && beam->nax == 2)
        fill_chunk<R, SINK, COMPLEX, FAST, 2, 2>
            <<<blocks, SINK::THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    else
        fill_chunk<R, SINK, COMPLEX, FAST, 0, 0>
            <<<blocks, SINK::THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    return cudaGetLastError();
}

template <class R, class SINK>
static cudaError_t start(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    const bool is_fast = args->sources.is_shared &&
                         (args->mode == HGATE_TAU_AUTO || args->mode == HGATE_TAU_REDUCED);
    if (args->sources.beam.is_complex)
        return is_fast ? start<R, SINK, true, true>(args, fault, stream)
                       : start<R, SINK, true, false>(args, fault, stream);
    return is_fast ? start<R, SINK, false, true>(args, fault, stream)
                   : start<R, SINK, false, false>(args, fault, stream);
}

cudaError_t hg_vis_start_chunk(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    if (args->sources.is_64)
        return start<double, RowSink<double, double>>(args, fault, stream);
    switch (args->form) {
    case HG_VIS_AS_FP16:
        return start<float, PlaneSink<HG_PLANE_FP16>>(args, fault, stream);
    case HG_VIS_AS_TF32:
        return start<float, PlaneSink<HG_PLANE_TF32>>(args, fault, stream);
    case HG_VIS_AS_DOUBLE:
        return start<float, RowSink<float, double>>(args, fault, stream);
    default:
        return start<float, RowSink<float, float>>(args, fault, stream);
    }
}
