// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of the tridiagonal matrix by multisection, one eigenvector by a twisted
// factorization; one warp.
#pragma once
#include "plugins/cuda/emi/point.cuh"

// Copies d and e^2, scaled by a power of two to below 1, so that no product overflows. Returns the
// scale.
template <class S>
HG_INLINE float scale_tridiagonal(PointMemory<S> *s, int n, int lane, bool writes)
{
    float bound = 0;
    for (int i = lane; i < n; i += S::LANES)
        bound = fmaxf(bound, fabsf(s->d[i]) + (i ? fabsf(s->e[i - 1]) : 0.f) +
                                 (i < n - 1 ? fabsf(s->e[i]) : 0.f));
    bound = fmaxf(lanes_max<S::LANES>(bound), 1e-30f);
    const float scale = __int_as_float((__float_as_int(bound) & 0x7f800000) + (1 << 23));
    if (writes) {
        const float down = 1.f / scale;
        for (int i = lane; i < S::ROWS + 4; i += S::LANES) {
            s->d_scaled[i] = i < n ? s->d[i] * down : 3.f; // padding above every trial point
            const float e = i >= 1 && i < n ? s->e[i - 1] * down : 0.f;
            s->e2_scaled[i] = e * e; // couples i - 1 and i
        }
    }
    return scale;
}

// Next value of the three-term recurrence and whether the sign changed. Behind an exact zero the
// value before it decides. A decoupled matrix would stay at zero and lose all further changes:
// hence the least square of a subdiagonal, 1e-10 of the scale beside it, far from every rounding.
HG_INLINE unsigned sturm_step(float d, float e2, float x, float &p, float &before)
{
    const float next = fmaf(d - x, p, -fmaxf(e2, 1e-20f) * before);
    const unsigned change = (__float_as_uint(next) ^ __float_as_uint(p)) >> 31;
    before = p;
    p = next;
    return change;
}

// Eigenvalues of the scaled matrix below x. The count needs no division: p_i are the leading minors
// of T - x, rescaled every four rows.
template <class S> HG_INLINE unsigned sturm_count(const PointMemory<S> *s, int n, float x)
{
    const float4 *d4 = (const float4 *)s->d_scaled, *e4 = (const float4 *)s->e2_scaled;
    float p = 1.f, before = 0.f;
    unsigned count = 0;
#pragma unroll 2
    for (int g = 0; g * 4 < n; g++) {
        const float4 d = d4[g], e = e4[g];
        count += sturm_step(d.x, e.x, x, p, before);
        count += sturm_step(d.y, e.y, x, p, before);
        count += sturm_step(d.z, e.z, x, p, before);
        count += sturm_step(d.w, e.w, x, p, before);
        const float m = fmaxf(fmaxf(fabsf(p), fabsf(before)), 1e-37f);
        const float up = __int_as_float((254 << 23) - (__float_as_int(m) & 0x7f800000));
        p *= up;
        before *= up;
    }
    return count;
}

// Smallest x in (-1, 1) with at least kth eigenvalues of the scaled matrix below it; LANES trial
// points a round, each round narrows the interval LANES + 1 times, until its ends are neighbours or
// the rounds are used up.
template <class S>
HG_INLINE float multisection(const PointMemory<S> *s, int n, int kth, int rounds, int lane)
{
    float lo = -1.f, hi = 1.f;
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        const float x = fmaf(hi - lo, (lane + 1) * (1.f / (S::LANES + 1)), lo);
        const unsigned count = sturm_count<S>(s, n, x);
        unsigned ballot = __ballot_sync(lane_mask<S::LANES>(), count >= (unsigned)kth);
        if (S::LANES == 16)
            ballot = (ballot >> (threadIdx.x & 16)) & 0xffffu;
        const int first = ballot ? __ffs(ballot) - 1 : S::LANES;
        const float above = __shfl_sync(lane_mask<S::LANES>(), x, first & (S::LANES - 1), S::LANES);
        const float below =
            __shfl_sync(lane_mask<S::LANES>(), x, (first - 1) & (S::LANES - 1), S::LANES);
        if (first < S::LANES)
            hi = above;
        if (first > 0)
            lo = below;
        if (hi - lo <= 1.2e-7f * fmaxf(fabsf(lo), fabsf(hi)))
            break;
    }
    return 0.5f * (lo + hi);
}

HG_INLINE float guarded(float q)
{
    return fabsf(q) < 1e-20f ? -1e-20f : q;
}

// Eigenvector of the scaled matrix at lambda, into z (not normalized). Lane 0 factorizes from the
// top, lane 1 from the bottom; the twist sits where the two pivots leave the least. Returns |z|^2;
// lambda moves by the residual of the twist, at most 1e-5.
template <class S>
HG_INLINE float twisted_vector(PointMemory<S> *s, int n, float scale, float &lambda, float *z,
                               int lane)
{
    const float *d = s->d_scaled, *e2 = s->e2_scaled;
    __syncwarp(lane_mask<S::LANES>());
    if (lane < 2) {
        float *const pivots = lane ? s->r : s->q;
        const int step = lane ? -1 : 1, couple = lane ? 1 : 0;
        int i = lane ? n - 1 : 0;
        float q = d[i] - lambda;
        pivots[i] = q;
#pragma unroll 4
        for (int j = 1; j < n; j++) {
            i += step;
            q = (d[i] - lambda) - __fdividef(e2[i + couple], guarded(q));
            pivots[i] = q;
        }
    }
    __syncwarp(lane_mask<S::LANES>());
    float least = 3e38f;
    int twist = 0;
    for (int i = lane; i < n; i += S::LANES) {
        const float g = fabsf(s->q[i] + s->r[i] - (d[i] - lambda));
        if (g < least) {
            least = g;
            twist = i;
        }
    }
#pragma unroll
    for (int o = S::LANES / 2; o; o >>= 1) {
        const float other = __shfl_xor_sync(lane_mask<S::LANES>(), least, o);
        const int at = __shfl_xor_sync(lane_mask<S::LANES>(), twist, o);
        if (other < least || (other == least && at < twist)) {
            least = other;
            twist = at;
        }
    }
    const float down = 1.f / scale;
    float *const ratio = (float *)s->w;
    for (int i = lane; i < n; i += S::LANES) {
        float r = 1.f;
        if (i < twist)
            r = -s->e[i] * down / guarded(s->q[i]);
        if (i > twist)
            r = -s->e[i - 1] * down / guarded(s->r[i]);
        ratio[i] = r;
    }
    __syncwarp(lane_mask<S::LANES>());
    if (lane < 2) {
        float p = 1.f;
        if (lane == 0) {
            for (int i = twist; i < n; i++)
                z[i] = p *= ratio[i];
        } else {
            for (int i = twist - 1; i >= 0; i--)
                z[i] = p *= ratio[i];
        }
    }
    __syncwarp(lane_mask<S::LANES>());
    const float residual = s->q[twist] + s->r[twist] - (d[twist] - lambda);
    float z2 = 0;
    for (int i = lane; i < n; i += S::LANES)
        z2 += z[i] * z[i];
    z2 = lanes_sum<S::LANES>(z2);
    lambda += fminf(fmaxf(residual / z2, -1e-5f), 1e-5f);
    return z2;
}
