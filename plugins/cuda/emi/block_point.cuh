// SPDX-License-Identifier: BSD-3-Clause
// What kernels `block` and `again` share: from the inverse of a point, or |Gamma| for evd, to its
// results.
#pragma once
#include "plugins/cuda/emi/block_complex.cuh"
#include "plugins/cuda/emi/trust.cuh"

template <class C>
HG_INLINE C pair_value(const EmiArgs &p, int64_t point, int i, int j) // above the diagonal: i < j
{
    const int64_t n = p.n;
    return p.is_full ? ((const C *)p.coh)[(point * n + i) * n + j]
                     : ((const C *)
                            p.coh)[point * (n * (n - 1) / 2) + i * (2 * n - i - 1) / 2 + j - i - 1];
}

template <class R, class C> HG_INLINE R modulus_of(C g)
{
    const R x = g.x, y = g.y;
    return sqrt(x * x + y * y);
}

// M = inverse o Gamma from minus the inverse in p0, or minus |Gamma| o Gamma from |Gamma| there;
// the lower triangle holds conj(gamma).
template <class R, class C>
HG_INLINE void block_weigh(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, R keep)
{
    R trace = 0;
    if (!p.is_evd) {
        R part = 0;
        for (int i = b.tid; i < b.n; i += b.threads)
            part -= b.p0[at(i, i)];
        trace = block_sum(b, part);
    }
    for (int r = b.warp; r < b.n; r += b.warps) {
        for (int c = b.lane; c <= r; c += 32) {
            const R weight = -b.p0[at(r, c)];
            R x = b.vector[9][r] != 0 ? weight : trace + 1,
              y = 0; // isolated: above the smallest eigenvalue
            if (c < r) {
                const C g = pair_value<C>(p, point, c, r);
                x = keep * weight * g.x;
                y = -keep * weight * g.y;
            }
            b.p1[at(r, c)] = x;
            b.p0[at(r, c)] = y;
        }
    }
    __syncthreads();
}

template <class R, class C>
HG_INLINE void block_write(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, const R *xr,
                           const R *xi, R quality, double beta)
{
    R part = 0;
    for (int i = b.tid; i < b.n; i += b.threads)
        part = fmax(part, xr[i] * xr[i] + xi[i] * xi[i]);
    const R eps = sizeof(R) == 4 ? (R)1.1920929e-7 : (R)2.220446049250313e-16;
    const R least = 64 * eps * 64 * eps * block_max(b, part), fr = xr[p.ref], fi = xi[p.ref];
    if (!(fr * fr + fi * fi > least)) {
        write_refused<R>(p, point, emi_zero_ref, b.tid, b.threads);
        return;
    }
    int partial = 0;
    for (int i = b.tid; i < b.n; i += b.threads) {
        const R re = xr[i] * fr + xi[i] * fi, im = xi[i] * fr - xr[i] * fi;
        const R big = fmax(fabs(re), fabs(im)), x = re / big, y = im / big, m = sqrt(x * x + y * y);
        C phase = {x / m, y / m};
        if (b.vector[9][i] == 0 || !(xr[i] * xr[i] + xi[i] * xi[i] > least)) {
            phase = {(R)NAN, (R)NAN};
            partial = 1;
        }
        if (i == p.ref)
            phase = {1, 0};
        ((C *)p.phase)[point * b.n + i] = phase;
    }
    partial = __syncthreads_or(partial);
    if (b.tid == 0) {
        if (p.quality)
            ((R *)p.quality)[point] = quality;
        if (p.beta)
            ((R *)p.beta)[point] = (R)beta;
        if (p.status)
            p.status[point] = partial ? emi_partial : beta > 0 ? emi_regularized : emi_ok;
    }
}

// Whether the phases may be off by more than they bear: the vector x of M to lambda, its eigenvalue
// over the scale; the scaled matrix in vectors 5 and 6.
HG_INLINE bool block_is_inexact(const BlockPoint<float> &b, const float *xr, const float *xi,
                                float error, float lambda, float scale)
{
    if (!(lambda > 0)) // M is positive definite
        return true;
    if (error <= error_looked_at)
        return false;
    float sum = 0, count = 0, most = -INFINITY;
    for (int i = b.tid; i < b.n; i += b.threads)
        if (b.vector[9][i] != 0) {
            const float square = xr[i] * xr[i] + xi[i] * xi[i];
            sum += square;
            count += 1;
            most = fmaxf(most, -square);
        }
    sum = block_sum(b, sum);
    count = block_sum(b, count);
    most = block_max(b, most);
    const float next = lambda + gap_needed(error, sum, count, -most) / scale;
    return sturm_count(b.vector[5], b.vector[6], b.n, next) >= 2;
}

// From minus the inverse in p0, or |Gamma| for evd, to the results. error: norm of that of the
// inverse; may_leave: what float32 does not hold is left to again.
template <class R, class C>
HG_INLINE void finish_point(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, double beta,
                            float error, bool may_leave)
{
    block_weigh<R, C>(p, point, b, (R)(1 - beta));
    block_tridiagonalize_complex(b);
    // the reflector's vectors are free now: 5, 6 scaled matrix; 7, 8 factorization, then x; 0 z,
    // since d is no longer needed
    const R scale = block_scale(b, 5), lambda = block_section(b, 5, 1);
    R *const z = b.vector[0];
    const R z2 = block_twisted(b, 5, scale, lambda, b.vector[7], b.vector[8], z);
    R *const xr = b.vector[7], *const xi = b.vector[8];
    __syncthreads();
    for (int i = b.tid; i < b.n; i += b.threads) {
        const R a = z[i] / sqrt(z2);
        xr[i] = a * b.vector[3][i];
        xi[i] = a * b.vector[4][i];
    }
    __syncthreads();
    block_back_transform_complex(b, xr, xi);
    if constexpr (sizeof(R) == 4) {
        if (may_leave && block_is_inexact(b, xr, xi, error, lambda, scale)) {
            if (b.tid == 0)
                leave_point(p, point);
            return;
        }
    }
    block_write<R, C>(p, point, b, xr, xi, p.is_evd ? -lambda * scale : lambda * scale, beta);
}
