// SPDX-License-Identifier: BSD-3-Clause
// The single steps angles, tau and Z: a thread an element, sources along the threads.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/indices.cuh"
#include "plugins/cuda/visibility/wavenumber.cuh"

enum { THREADS = 256, ANTENNAS = 16 };

// ---- angles ----

template <class R>
static __global__ void __launch_bounds__(THREADS) angles(hg_vis_angles args, hg_vis_fault fault)
{
    const int64_t s = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (s >= args.nsrc || fault_is_set(fault))
        return;
    const R *crd = (const R *)args.crd;
    const double e = crd[s], n = crd[args.nsrc + s], u = crd[2 * args.nsrc + s];
    const R az = (R)azimuth(e, n);
    ((R *)args.az)[s] = az >= (R)HG_TWO_PI ? (R)0 : az; // rounding stays in the half-open range
    ((R *)args.za)[s] = (R)zenith_angle(e, n, u);
}

cudaError_t hg_vis_start_angles(const hg_vis_angles *args, hg_vis_fault fault, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)tiles(args->nsrc, THREADS);
    if (args->is_64)
        angles<double><<<blocks, THREADS, 0, stream>>>(*args, fault);
    else
        angles<float><<<blocks, THREADS, 0, stream>>>(*args, fault);
    return cudaGetLastError();
}

// ---- phases ----

// exptau[a,s] = exp(i phase): a block takes 256 sources and 16 antennas, whose positions it turns
// into wavelengths first.
template <class S, class R>
static __global__ void __launch_bounds__(THREADS)
    phases(hg_vis_tau args, Wavenumber k, int64_t n_tiles, hg_vis_fault fault)
{
    __shared__ Antenna<R> antenna[ANTENNAS];
    const int64_t first = (int64_t)blockIdx.x / n_tiles * ANTENNAS;
    const int64_t s = (int64_t)blockIdx.x % n_tiles * THREADS + threadIdx.x;
    const int n = (int)(args.nant - first < ANTENNAS ? args.nant - first : ANTENNAS);
    if (threadIdx.x < 3 * n)
        antenna_load(antenna[threadIdx.x / 3], threadIdx.x % 3,
                     ((const S *)args.antpos)[3 * first + threadIdx.x], k);
    __syncthreads();
    if (s >= args.nsrc || fault_is_set(fault))
        return;
    const S *crd = (const S *)args.crd;
    const S unit[3] = {crd[s], crd[args.nsrc + s], crd[2 * args.nsrc + s]};
    Complex<R> *out = (Complex<R> *)args.exptau + first * args.nsrc + s;
    for (int a = 0; a < n; a++)
        out[a * args.nsrc] = phase(antenna[a], unit, args.mode, k.radians);
}

cudaError_t hg_vis_start_tau(const hg_vis_tau *args, hg_vis_fault fault, cudaStream_t stream)
{
    const Wavenumber k = wavenumber(args->freq_hz, args->sign);
    const int64_t n_tiles = tiles(args->nsrc, THREADS);
    const unsigned blocks = (unsigned)(n_tiles * tiles(args->nant, ANTENNAS));
    if (args->is_64 && args->is_64_out)
        phases<double, double><<<blocks, THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    else if (args->is_64)
        phases<double, float><<<blocks, THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    else
        phases<float, float><<<blocks, THREADS, 0, stream>>>(*args, k, n_tiles, fault);
    return cudaGetLastError();
}

// ---- Z ----

// Z[(a,f),(x,s)] = beam[beam_idx[a],f,x,s] exptau[a,s] amp[s]: a block takes 256 sources and four
// antennas, so that the phase is read once for all planes.
enum { Z_ANTENNAS = 4 };

template <class R>
static __global__ void __launch_bounds__(THREADS)
    fill_z(hg_vis_z args, int64_t n_tiles, hg_vis_fault fault)
{
    const int64_t s = (int64_t)blockIdx.x % n_tiles * THREADS + threadIdx.x;
    if (s >= args.nsrc || fault_is_set(fault))
        return;
    const int64_t first = (int64_t)blockIdx.x / n_tiles * Z_ANTENNAS,
                  planes = args.nfeed * args.nax;
    const R flux = ((const R *)args.flux)[s];
    const R amp = args.flux_is_amp ? flux : (R)sqrt(args.flux_scale * (double)flux);
    for (int64_t a = first; a < first + Z_ANTENNAS && a < args.nant; a++) {
        const int64_t b = beam_of(args.beam_idx, args.is_int64, args.nbeam, a);
        const Complex<R> t = ((const Complex<R> *)args.exptau)[a * args.nsrc + s];
        const R re = t.re * amp, im = t.im * amp;
        const Complex<R> *from = (const Complex<R> *)args.beam + b * planes * args.nsrc + s;
        Complex<R> *to = (Complex<R> *)args.Z + a * planes * args.nsrc + s;
#pragma unroll 4
        for (int64_t p = 0; p < planes; p++) {
            const Complex<R> g = from[p * args.nsrc];
            to[p * args.nsrc] = {g.re * re - g.im * im, g.re * im + g.im * re};
        }
    }
}

cudaError_t hg_vis_start_z(const hg_vis_z *args, hg_vis_fault fault, cudaStream_t stream)
{
    const int64_t n_tiles = tiles(args->nsrc, THREADS);
    const unsigned blocks = (unsigned)(n_tiles * tiles(args->nant, Z_ANTENNAS));
    if (args->is_64)
        fill_z<double><<<blocks, THREADS, 0, stream>>>(*args, n_tiles, fault);
    else
        fill_z<float><<<blocks, THREADS, 0, stream>>>(*args, n_tiles, fault);
    return cudaGetLastError();
}
