// SPDX-License-Identifier: BSD-3-Clause
// The step visibility_beam: bilinear interpolation of every plane at every source in one launch.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/grid.cuh"

enum { THREADS = 128, PLANES = 16 };

// G: precision of the grid, T: of the sum, the wider of grid and angles. A block takes 128 sources
// and 16 of the nbeam nfeed nax planes, in the order of the output; nodes and weights are found
// anew where the beam changes, and once where all beams have one geometry.
template <class G, class T, bool COMPLEX, bool CHECK>
static __global__ void __launch_bounds__(THREADS)
    interpolate(hg_vis_interpolation args, int64_t n_tiles, unsigned long long *note,
                hg_vis_fault fault)
{
    const hg_vis_beam &beam = args.beam;
    const int64_t s = (int64_t)blockIdx.x % n_tiles * THREADS + threadIdx.x;
    if (s >= args.nsrc || (!CHECK && fault_is_set(fault)))
        return;
    const int64_t group = beam.nfeed * beam.nax, n = beam.nbeam * group;
    const int64_t first = (int64_t)blockIdx.x / n_tiles * PLANES;
    const int64_t end = first + PLANES < n ? first + PLANES : n;
    const int64_t plane_nodes = (int64_t)beam.nza * beam.naz;
    const bool is_shared = beam.daz.n <= 1 && beam.dza.n <= 1 && beam.az0.n <= 1 && beam.za0.n <= 1;
    const double az = beam.is_64_angle ? ((const double *)args.az)[s] : ((const float *)args.az)[s];
    const double za = beam.is_64_angle ? ((const double *)args.za)[s] : ((const float *)args.za)[s];
    int64_t b_last = -1;
    Stencil<T> at;
    for (int64_t p = first; p < end; p++) {
        const int64_t b = p / group, feed = p % group / beam.nax, axis = p % beam.nax;
        if (b_last < 0 || (b != b_last && !is_shared))
            at = stencil_of<T>(cell_of(beam, b, az, za, sizeof(T) == 8), beam.naz);
        b_last = b;
        const int64_t plane = ((b * beam.nax + axis) * beam.nfeed + feed) * plane_nodes + at.node;
        const G *node = (const G *)beam.grid + (COMPLEX ? 2 : 1) * plane;
        const int64_t ways[4] = {0, at.across, at.down, (int64_t)at.down + at.across};
        T re = 0, im = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const G *v = node + (COMPLEX ? 2 : 1) * ways[k];
            re = fma(at.weight[k], (T)v[0], re);
            if (COMPLEX)
                im = fma(at.weight[k], (T)v[1], im);
        }
        if (CHECK) {
            if (re < (T)0)
                fault_note(note, HG_FAULT_POWER,
                           ((b * args.nsrc + s) * beam.nfeed + feed) * beam.nax + axis);
            continue;
        }
        const int64_t to = p * args.nsrc + s;
        // The root in double where the output can tell.
        const double wide = args.with_root && args.is_64_out ? sqrt((double)re) : (double)re;
        re = args.with_root && !args.is_64_out ? sqrt(re) : re;
        if (args.is_64_out && args.is_complex_out)
            ((double2 *)args.out)[to] = make_double2(wide, (double)im);
        else if (args.is_64_out)
            ((double *)args.out)[to] = wide;
        else if (args.is_complex_out)
            ((float2 *)args.out)[to] = make_float2((float)re, (float)im);
        else
            ((float *)args.out)[to] = (float)re;
    }
}

template <bool CHECK>
static cudaError_t start(const hg_vis_interpolation *args, unsigned long long *note,
                         hg_vis_fault fault, cudaStream_t stream)
{
    const hg_vis_beam *beam = &args->beam;
    const int64_t n_tiles = (args->nsrc + THREADS - 1) / THREADS;
    const int64_t groups = (beam->nbeam * beam->nfeed * beam->nax + PLANES - 1) / PLANES;
    const unsigned blocks = (unsigned)(n_tiles * groups);
#define START(G, T, COMPLEX)                                                                       \
    interpolate<G, T, COMPLEX, CHECK><<<blocks, THREADS, 0, stream>>>(*args, n_tiles, note, fault)
    if (beam->is_64 && beam->is_complex)
        START(double, double, true);
    else if (beam->is_64)
        START(double, double, false);
    else if (beam->is_64_angle && beam->is_complex)
        START(float, double, true);
    else if (beam->is_64_angle)
        START(float, double, false);
    else if (beam->is_complex)
        START(float, float, true);
    else
        START(float, float, false);
#undef START
    return cudaGetLastError();
}

cudaError_t hg_vis_start_beam(const hg_vis_interpolation *args, hg_vis_fault fault,
                              cudaStream_t stream)
{
    return start<false>(args, NULL, fault, stream);
}

cudaError_t hg_vis_check_power(const hg_vis_interpolation *args, unsigned long long *fault,
                               cudaStream_t stream)
{
    return start<true>(args, fault, NULL, stream);
}
