// SPDX-License-Identifier: BSD-3-Clause
// One and two images: the answer in closed form, one thread a point.
//
// n = 1: phase 1, quality 1. n = 2: |Gamma| has eigenvalues 1 -+ m, m = |gamma|; the phases are
// exact for every beta, (1, conj gamma / m) for reference 0, and quality is 1; that of evd, the
// largest eigenvalue of |Gamma| o Gamma, is 1 + m^2.
#include "plugins/cuda/emi/contract.cuh"
#include "plugins/cuda/emi/rows.h"

template <class R>
static __device__ void write_numbers(const EmiArgs &p, int64_t point, double quality, double beta)
{
    if (p.quality)
        ((R *)p.quality)[point] = (R)quality;
    if (p.beta)
        ((R *)p.beta)[point] = (R)beta;
    if (p.status)
        p.status[point] = beta > 0 ? emi_regularized : emi_ok;
}

template <class R, class C> static __global__ void emi_closed(const EmiArgs p)
{
    const int64_t point = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const C *coh = (const C *)p.coh;
    C *phase = (C *)p.phase + point * p.n;
    if (point >= p.points)
        return;
    if (p.n == 1) {
        phase[0] = C{1, 0};
        write_numbers<R>(p, point, 1, 0);
        return;
    }
    const C g = p.is_full ? coh[4 * point + 1] : coh[point];
    unsigned flags = value_flags(g);
    if (p.is_full && p.check_hermitian && !is_hermitian(g, coh[4 * point + 2]))
        flags |= flag_hermitian;
    const int refused = refused_status(flags);
    if (refused) {
        write_refused<R>(p, point, refused, 0, 1);
        return;
    }
    const double m = hypot((double)g.x, (double)g.y), x = g.x / m, y = g.y / m;
    phase[p.ref] = C{1, 0};
    phase[1 - p.ref] = C{(R)x, (R)(p.ref == 0 ? -y : y)};
    if (p.is_evd)
        write_numbers<R>(p, point, 1 + m * m, 0);
    else
        write_numbers<R>(p, point, 1, adaptive_beta(1 - m, 1 + m, p.kappa));
}

extern "C" cudaError_t hg_emi_launch_closed(const EmiArgs *args, int is_wide, cudaStream_t stream)
{
    constexpr int threads = 128; // conventional
    const unsigned blocks = (unsigned)((args->points + threads - 1) / threads);
    if (is_wide)
        emi_closed<double, double2><<<blocks, threads, 0, stream>>>(*args);
    else
        emi_closed<float, float2><<<blocks, threads, 0, stream>>>(*args);
    return cudaGetLastError();
}
