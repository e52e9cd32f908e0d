// SPDX-License-Identifier: BSD-3-Clause
// Z of a chunk of sources in one pass: beam, phase and amplitude never leave the registers.
//
//   Z[(a,f),(x,s)] = sum over four nodes of weight grid[b,x,f,node] exp(i phase(a,s)) amp[s]
//
// A block takes 256 sources of the list and 16 antennas; a thread keeps its source (direction,
// amplitude, nodes, weights) while it goes through the antennas, so that a row of Z is written by
// neighbouring threads at once. With sources sorted by cell neighbours read the same nodes.
// Work a pair of antenna and source: 4 nfeed nax nodes, one sine and cosine, nfeed nax stores.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/grid.cuh"
#include "plugins/cuda/visibility/indices.cuh"
#include "plugins/cuda/visibility/wavenumber.cuh"

enum { THREADS = 256, ANTENNAS = 16 };

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

// NF, NX: feeds and axes where they are known to the compiler, else 0. FAST: one geometry, reduced
// phases.
template <class R, class OUT, bool COMPLEX, bool FAST, int NF, int NX>
static __global__ void __launch_bounds__(THREADS)
    fill_chunk(hg_vis_chunk args, Wavenumber k, int64_t n_tiles, hg_vis_fault fault)
{
    __shared__ Antenna<R> antenna[ANTENNAS];
    __shared__ int64_t beam_number[ANTENNAS];
    const hg_vis_beam &beam = args.sources.beam;
    const int64_t first = (int64_t)blockIdx.x / n_tiles * ANTENNAS;
    const int64_t i = (int64_t)blockIdx.x % n_tiles * THREADS + threadIdx.x;
    const int n_antennas = (int)(args.nant - first < ANTENNAS ? args.nant - first : ANTENNAS);
    if (fault_is_set(fault))
        return;
    if (threadIdx.x < 3 * n_antennas)
        antenna_load(antenna[threadIdx.x / 3], threadIdx.x % 3,
                     ((const R *)args.antpos)[3 * first + threadIdx.x], k);
    if (threadIdx.x < n_antennas)
        beam_number[threadIdx.x] =
            beam_of(args.beam_idx, args.is_int64, beam.nbeam, first + threadIdx.x);
    __syncthreads();
    if (i >= args.n)
        return;
    Source<R> s = source_load<R>(args.sources, args.start + i);
    const int nfeed = NF ? NF : (int)beam.nfeed, nax = NX ? NX : (int)beam.nax;
    const int64_t K = nax * args.n, plane_nodes = (int64_t)beam.nza * beam.naz;
    const int mode = FAST ? HGATE_TAU_REDUCED : args.mode;
    Complex<OUT> *row = (Complex<OUT> *)args.Z + first * nfeed * K + i;
    double az = 0.0, za = 0.0;
    if (!FAST && !args.sources.is_shared) {
        az = azimuth(s.unit[0], s.unit[1]);
        za = zenith_angle(s.unit[0], s.unit[1], s.unit[2]);
    }
#pragma unroll 1
    for (int a = 0; a < n_antennas; a++, row += nfeed * K) {
        const int64_t b = beam_number[a];
        Complex<R> turn = phase(antenna[a], s.unit, mode, k.radians);
        turn.re *= s.amp;
        turn.im *= s.amp;
        if (!FAST && !args.sources.is_shared)
            s.at = stencil_of<R>(cell_of(beam, b, az, za, true), beam.naz);
        const R *plane = (const R *)beam.grid + (COMPLEX ? 2 : 1) * b * nfeed * nax * plane_nodes;
#pragma unroll
        for (int f = 0; f < nfeed; f++)
#pragma unroll
            for (int x = 0; x < nax; x++) {
                Complex<R> g = value_at<R, COMPLEX>(
                    plane + (COMPLEX ? 2 : 1) * (x * nfeed + f) * plane_nodes, s.at);
                if (!COMPLEX && args.with_root) {
                    if (g.re < (R)0)
                        fault_note(args.power, HG_FAULT_POWER,
                                   ((b * args.sources.nsrc + s.number) * nfeed + f) * nax + x);
                    g.re = sqrt(g.re);
                }
                row[f * K + x * args.n] = {(OUT)(g.re * turn.re - g.im * turn.im),
                                           (OUT)(g.re * turn.im + g.im * turn.re)};
            }
    }
}

template <class R, class OUT, bool COMPLEX, bool FAST>
static cudaError_t start(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    const Wavenumber k = wavenumber(args->freq_hz, args->sign);
    const int64_t n_tiles = tiles(args->n, THREADS);
    const unsigned blocks = (unsigned)(n_tiles * tiles(args->nant, ANTENNAS));
    const hg_vis_beam *beam = &args->sources.beam;
    if (beam->nfeed == 2 && beam->nax == 2)
        fill_chunk<R, OUT, COMPLEX, FAST, 2, 2>
            <<<blocks, THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    else
        fill_chunk<R, OUT, COMPLEX, FAST, 0, 0>
            <<<blocks, THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    return cudaGetLastError();
}

template <class R, class OUT>
static cudaError_t start(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    const bool is_fast = args->sources.is_shared &&
                         (args->mode == HGATE_TAU_AUTO || args->mode == HGATE_TAU_REDUCED);
    if (args->sources.beam.is_complex)
        return is_fast ? start<R, OUT, true, true>(args, fault, stream)
                       : start<R, OUT, true, false>(args, fault, stream);
    return is_fast ? start<R, OUT, false, true>(args, fault, stream)
                   : start<R, OUT, false, false>(args, fault, stream);
}

cudaError_t hg_vis_start_chunk(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream)
{
    if (args->sources.is_64)
        return start<double, double>(args, fault, stream);
    if (args->form == HG_VIS_AS_DOUBLE)
        return start<float, double>(args, fault, stream);
    return start<float, float>(args, fault, stream);
}
