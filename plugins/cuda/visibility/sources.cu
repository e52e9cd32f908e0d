// SPDX-License-Identifier: BSD-3-Clause
// From the order of the sources to lists of them: as visibility_horizon gives them, and as the Z
// kernel reads them.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/grid.cuh"

enum { THREADS = 256 };

template <class R>
static __global__ void __launch_bounds__(THREADS)
    compact(hg_vis_compaction args, hg_vis_fault fault)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= args.found[1] || fault_is_set(fault))
        return;
    const int64_t s = args.order[i];
    for (int d = 0; d < 3; d++)
        ((R *)args.crd_up)[d * args.nsrc + i] = ((const R *)args.crd)[d * args.nsrc + s];
    ((R *)args.flux_up)[i] = ((const R *)args.flux)[s];
    if (args.index)
        args.index[i] = s;
}

cudaError_t hg_vis_compact(const hg_vis_compaction *args, hg_vis_fault fault, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((args->nsrc + THREADS - 1) / THREADS);
    if (args->is_64)
        compact<double><<<blocks, THREADS, 0, stream>>>(*args, fault);
    else
        compact<float><<<blocks, THREADS, 0, stream>>>(*args, fault);
    return cudaGetLastError();
}

// Direction and amplitude of each source of the list, with its nodes and weights where all beams
// have one geometry. A place behind the last source that is up takes no part: its amplitude is 0.
template <class R>
static __global__ void __launch_bounds__(THREADS) load_sources(hg_vis_sources args)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= args.n)
        return;
    const bool is_there = i < args.found[1];
    const int64_t s = is_there ? args.order[i] : 0;
    const R *crd = (const R *)args.crd;
    const R e = is_there ? crd[s] : (R)0, n = is_there ? crd[args.nsrc + s] : (R)0;
    const R u = is_there ? crd[2 * args.nsrc + s] : (R)1;
    const R flux = is_there ? ((const R *)args.flux)[s] : (R)0;
    const double sign = i < args.found[0] ? 1.0 : -1.0; // a negative flux is the product's matter
    R *unit = (R *)args.unit;
    unit[i] = e;
    unit[args.n + i] = n;
    unit[2 * args.n + i] = u;
    ((R *)args.amp)[i] = args.flux_is_amp ? flux : (R)sqrt(args.flux_scale * (sign * (double)flux));
    hg_vis_place place = {0, 0, 0, (uint32_t)s};
    if (args.is_shared) {
        const Cell cell = cell_of(args.beam, 0, azimuth(e, n), zenith_angle(e, n, u), true);
        const Stencil<R> at = stencil_of<R>(cell, args.beam.naz);
        place.node = (int)at.node;
        place.down = at.down;
        place.across = at.across;
        for (int k = 0; k < 4; k++)
            ((R *)args.weight)[k * args.n + i] = at.weight[k];
    }
    args.place[i] = place;
}

cudaError_t hg_vis_load_sources(const hg_vis_sources *args, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((args->n + THREADS - 1) / THREADS);
    if (args->n == 0)
        return cudaSuccess;
    if (args->is_64)
        load_sources<double><<<blocks, THREADS, 0, stream>>>(*args);
    else
        load_sources<float><<<blocks, THREADS, 0, stream>>>(*args);
    return cudaGetLastError();
}
