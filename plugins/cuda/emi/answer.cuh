// SPDX-License-Identifier: BSD-3-Clause
// From the tridiagonal eigenvector to the phases of a point; one warp.
#pragma once
#include "plugins/cuda/emi/point.cuh"

// Own rows m * 32 + lane of a vector.
template <class S> struct LaneVector {
    float re[S::WARPS], im[S::WARPS];
};

// x = U z / |z|.
template <class S>
HG_INLINE void from_tridiagonal(LaneVector<S> &x, const PointMemory<S> *s, const float *z, float z2,
                                int n, int lane)
{
    const float norm = rsqrtf(z2);
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        const int i = m * 32 + lane;
        const float a = i < n ? z[i] * norm : 0.f;
        const float2 u = i < n ? s->u[i] : make_float2(0, 0);
        x.re[m] = a * u.x;
        x.im[m] = a * u.y;
    });
}

template <class S>
HG_INLINE const float2 *reflector(const float2 *reflectors, const float2 *tail, int k)
{
    return S::HAS_TAIL && k >= S::REGISTER_COLS ? tail + (k - S::REGISTER_COLS) * S::ROWS
                                                : reflectors + k * (k - 1) / 2;
}

// H_2 alone, when the number of reflectors is odd.
template <class S>
HG_INLINE void apply_first_reflector(LaneVector<S> &x, const float2 *v2, float tau, int lane)
{
    const float2 h = lane < 2 ? v2[lane] : make_float2(0, 0);
    const float re = tau * lanes_sum<S::LANES>(h.x * x.re[0] + h.y * x.im[0]);
    const float im = tau * lanes_sum<S::LANES>(h.x * x.im[0] - h.y * x.re[0]);
    x.re[0] -= re * h.x - im * h.y;
    x.im[0] -= re * h.y + im * h.x;
}

// x = H_{k+1} H_k x with one round of sums: H_{k+1}'s product with x is corrected by v_{k+1}* v_k.
template <class S>
HG_INLINE void apply_two_reflectors(LaneVector<S> &x, const float2 *v1, const float2 *v2,
                                    float tau1, float tau2, int k, int lane)
{
    float sums[6] = {0, 0, 0, 0, 0, 0}; // v1* x, v2* x, v2* v1
    float2 a[S::WARPS], b[S::WARPS];
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        const int i = m * 32 + lane;
        a[m] = i < k ? v1[i] : make_float2(0, 0);
        b[m] = i < k + 1 ? v2[i] : make_float2(0, 0);
        sums[0] += a[m].x * x.re[m] + a[m].y * x.im[m];
        sums[1] += a[m].x * x.im[m] - a[m].y * x.re[m];
        sums[2] += b[m].x * x.re[m] + b[m].y * x.im[m];
        sums[3] += b[m].x * x.im[m] - b[m].y * x.re[m];
        sums[4] += b[m].x * a[m].x + b[m].y * a[m].y;
        sums[5] += b[m].x * a[m].y - b[m].y * a[m].x;
    });
#pragma unroll
    for (int o = S::LANES / 2; o; o >>= 1)
        unrolled<6>([&](auto i) {
            sums[decltype(i)::value] +=
                __shfl_xor_sync(lane_mask<S::LANES>(), sums[decltype(i)::value], o);
        });
    const float re1 = tau1 * sums[0], im1 = tau1 * sums[1];
    const float re2 = tau2 * (sums[2] - (re1 * sums[4] - im1 * sums[5]));
    const float im2 = tau2 * (sums[3] - (re1 * sums[5] + im1 * sums[4]));
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        x.re[m] -= re1 * a[m].x - im1 * a[m].y + re2 * b[m].x - im2 * b[m].y;
        x.im[m] -= re1 * a[m].y + im1 * a[m].x + re2 * b[m].y + im2 * b[m].x;
    });
}

// x = H_{n-1} ... H_2 x.
template <class S>
HG_INLINE void back_transform_complex(LaneVector<S> &x, const PointMemory<S> *s,
                                      const float2 *reflectors, const float2 *tail, int n, int lane)
{
    int k = 2;
    if ((n - 2) & 1) {
        apply_first_reflector<S>(x, reflector<S>(reflectors, tail, 2), s->tau[2], lane);
        k = 3;
    }
#pragma unroll 2
    for (; k < n; k += 2)
        apply_two_reflectors<S>(x, reflector<S>(reflectors, tail, k),
                                reflector<S>(reflectors, tail, k + 1), s->tau[k], s->tau[k + 1], k,
                                lane);
}

// Phases relative to the reference, quality, beta and status. Components of at most 64 eps of the
// largest have no phase; isolated images neither (bit m of `isolated`: own image m * 32 + lane).
template <class S>
HG_INLINE void write_phases(const EmiArgs &p, int64_t point, const LaneVector<S> &x,
                            unsigned isolated, float quality, double beta, int lane, bool writes)
{
    const float nan = __int_as_float(0x7fc00000);
    float largest = 0, ref_re = 0, ref_im = 0;
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        largest = fmaxf(largest, fmaf(x.re[m], x.re[m], x.im[m] * x.im[m]));
        if (m == p.ref >> 5) {
            ref_re = x.re[m];
            ref_im = x.im[m];
        }
    });
    largest = lanes_max<S::LANES>(largest);
    ref_re = __shfl_sync(lane_mask<S::LANES>(), ref_re, p.ref & (S::LANES - 1), S::LANES);
    ref_im = __shfl_sync(lane_mask<S::LANES>(), ref_im, p.ref & (S::LANES - 1), S::LANES);
    const float eps = 64 * 1.1920929e-7f, least = eps * eps * largest;
    const bool has_ref = fmaf(ref_re, ref_re, ref_im * ref_im) > least;
    unsigned partial = 0;
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        const int i = m * 32 + lane;
        if (i < p.n && (isolated >> m & 1 || !(fmaf(x.re[m], x.re[m], x.im[m] * x.im[m]) > least)))
            partial |= 1u << m;
    });
    const bool any_partial = lanes_or<S::LANES>(partial) != 0;
    if (!writes)
        return;
    if (!has_ref) {
        write_refused<float>(p, point, emi_zero_ref, lane, S::LANES);
        return;
    }
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        const int i = m * 32 + lane;
        if (i >= p.n)
            return;
        const float re = x.re[m] * ref_re + x.im[m] * ref_im;
        const float im = x.im[m] * ref_re - x.re[m] * ref_im;
        // components may be as small as 1e-15 of 1: the square must not underflow
        const float big = fmaxf(fabsf(re), fabsf(im)), a = __fdiv_rn(re, big),
                    b = __fdiv_rn(im, big);
        const float unit = __frsqrt_rn(fmaf(a, a, b * b));
        float2 phase = make_float2(a * unit, b * unit);
        if (partial >> m & 1)
            phase = make_float2(nan, nan);
        if (i == p.ref)
            phase = make_float2(1, 0);
        ((float2 *)p.phase)[point * p.n + i] = phase;
    });
    if (lane == 0) {
        if (p.quality)
            ((float *)p.quality)[point] = quality;
        if (p.beta)
            ((float *)p.beta)[point] = (float)beta;
        if (p.status)
            p.status[point] = any_partial ? emi_partial : beta > 0 ? emi_regularized : emi_ok;
    }
}
