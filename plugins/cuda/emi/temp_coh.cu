// SPDX-License-Identifier: BSD-3-Clause
// ds_temp_coh `direct`: t = |sum_p (g_p/|g_p|) conj(phi_i) phi_j| / N over pairs with a finite,
// non-zero g and finite phases. coh (P, N) or (P, n, n), phase (P, n), t_coh (P). One warp a point,
// lanes over pairs in steps of 32, a fixed tree at the end; sums in float64. Bound by reading coh:
// 8 or 16 bytes a pair.
#include "plugins/cuda/emi/team.cuh"
#include "plugins/cuda/emi/temp_coh.h"

template <class R> struct Complex;
template <> struct Complex<float> {
    using type = float2;
};
template <> struct Complex<double> {
    using type = double2;
};

// Pair p of the packed order: rows i hold n - 1 - i pairs each.
static __device__ void packed_pair(int64_t p, int n, int &i, int &j)
{
    const double b = 2.0 * n - 1;
    i = (int)((b - sqrt(b * b - 8.0 * (double)p)) * 0.5);
    while (i > 0 && (int64_t)i * (2 * n - i - 1) / 2 > p) // the root may be one off
        i--;
    while ((int64_t)(i + 1) * (2 * n - i - 2) / 2 <= p)
        i++;
    j = (int)(p - (int64_t)i * (2 * n - i - 1) / 2) + i + 1;
}

template <class R> static __global__ void temp_coh(const TempCohArgs a)
{
    using C = typename Complex<R>::type;
    const int64_t point = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x & 31;
    if (point >= a.points)
        return;
    const C *coh = (const C *)a.coh + point * (a.is_full ? (int64_t)a.n * a.n : a.n_pairs);
    const C *phase = (const C *)a.phase + point * a.n;
    double re = 0, im = 0, used = 0;
    for (int64_t p = lane; p < a.n_pairs; p += 32) {
        int i, j;
        if (a.pairs) {
            i = a.pairs[2 * p];
            j = a.pairs[2 * p + 1];
            if ((unsigned)i >= (unsigned)a.n || (unsigned)j >= (unsigned)a.n)
                continue;
        } else {
            packed_pair(p, a.n, i, j);
        }
        const C g = a.is_full ? coh[(int64_t)i * a.n + j] : coh[p], u = phase[i], v = phase[j];
        const double m = hypot((double)g.x, (double)g.y);
        if (!(m > 0 && m < INFINITY && isfinite(u.x) && isfinite(u.y) && isfinite(v.x) &&
              isfinite(v.y)))
            continue;
        const double zr = (double)v.x * u.x + (double)v.y * u.y,
                     zi = (double)v.y * u.x - (double)v.x * u.y;
        re += (g.x * zr - g.y * zi) / m;
        im += (g.x * zi + g.y * zr) / m;
        used += 1;
    }
    re = lanes_sum<32>(re);
    im = lanes_sum<32>(im);
    used = lanes_sum<32>(used);
    if (lane == 0)
        ((R *)a.t_coh)[point] = used > 0 ? (R)fmin(hypot(re, im) / used, 1.0) : (R)NAN;
}

extern "C" cudaError_t hg_emi_launch_temp_coh(const TempCohArgs *args, cudaStream_t stream)
{
    constexpr int threads = 128; // conventional: four points a block
    const unsigned blocks = (unsigned)((args->points + 3) / 4);
    if (args->is_wide)
        temp_coh<double><<<blocks, threads, 0, stream>>>(*args);
    else
        temp_coh<float><<<blocks, threads, 0, stream>>>(*args);
    return cudaGetLastError();
}
