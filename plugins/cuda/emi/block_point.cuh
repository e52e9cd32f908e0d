// SPDX-License-Identifier: BSD-3-Clause
// One point by one block of threads: the steps and results of rows.cuh on packed triangles in
// shared memory.
//
// W is the type of |Gamma| and its inverse, R that of M and the results, C of the input. W = double
// with R = float needs no more memory than float alone: one plane of W in place of two, each
// modulus computed again where it is needed.
#pragma once
#include "plugins/cuda/emi/block_complex.cuh"
#include "plugins/cuda/emi/trust.cuh"

template <class C> HG_INLINE C pair_value(const EmiArgs &p, int64_t point, int i, int j) // i < j
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

// |Gamma| into p0 and, where there is one, p1; the point's flags, isolated images marked in vector
// 9 (1 where there is a partner).
template <class R, class C>
HG_INLINE unsigned block_load(const EmiArgs &p, int64_t point, const BlockPoint<R> &b)
{
    unsigned flags = 0;
    for (int i = b.tid; i < b.n; i += b.threads)
        b.vector[9][i] = 0;
    if (b.tid == 0)
        *b.flags = 0;
    __syncthreads();
    for (int r = b.warp; r < b.n; r += b.warps) {
        for (int c = b.lane; c <= r; c += 32) {
            R m = 1;
            if (c < r) {
                const C g = pair_value<C>(p, point, c, r);
                const unsigned f = value_flags(g);
                flags |= f;
                if (f & flag_nonzero)
                    b.vector[9][r] = b.vector[9][c] = 1;
                if (p.is_full && p.check_hermitian &&
                    !is_hermitian(g, ((const C *)p.coh)[(point * b.n + r) * b.n + c]))
                    flags |= flag_hermitian;
                m = modulus_of<R>(g);
            }
            b.p0[at(r, c)] = m;
            if (b.p1)
                b.p1[at(r, c)] = m;
        }
    }
    if (flags)
        atomicOr(b.flags, flags);
    __syncthreads();
    return *b.flags;
}

// Element (r, c), r >= c, of |Gamma|, once p0 holds something else.
template <class R, class C>
HG_INLINE R block_modulus(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, int r, int c)
{
    if (b.p1)
        return b.p1[at(r, c)];
    return r == c ? (R)1 : modulus_of<R>(pair_value<C>(p, point, c, r));
}

// Rayleigh quotient of lambda_min's vector over |Gamma|, in float64: see refined_minimum() in
// rows.cuh.
template <class R, class C>
HG_INLINE double block_refined(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, R scale,
                               R lambda, bool &is_refined)
{
    R *const z = b.vector[8];
    block_twisted(b, 5, scale, lambda / scale, b.vector[3], b.vector[4], z);
    for (int k = b.n - 3; k >= 0; k--) {
        R part = 0;
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads)
            part += b.p0[at(r, k)] * z[r];
        const R f = b.vector[2][k] * block_sum(b, part);
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads)
            z[r] -= f * b.p0[at(r, k)];
        __syncthreads();
    }
    double over = 0, under = 0;
    for (int r = b.tid; r < b.n; r += b.threads) {
        double y = 0;
        for (int c = 0; c < b.n; c++)
            y += (double)block_modulus<R, C>(p, point, b, max(r, c), min(r, c)) * z[c];
        over += y * z[r];
        under += (double)z[r] * z[r];
    }
    // two-word sums in the type of the scratch: the high part first
    const R oh = (R)over, ol = (R)(over - oh), uh = (R)under, ul = (R)(under - uh);
    double sums[2] = {0, 0};
    const R parts[4] = {oh, ol, uh, ul};
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        b.grid[b.tid] = parts[k];
        __syncthreads();
        for (int i = 0; i < b.threads; i++)
            sums[k / 2] += (double)b.grid[i];
    }
    const double quotient = sums[0] / sums[1];
    is_refined = fabs(quotient - lambda) <= 1e-4 * scale;
    return is_refined ? quotient : (double)lambda;
}

// lambda_min of |Gamma| and beta; false where rule fixed leaves the point to a kernel that pivots.
template <class R, class C>
HG_INLINE bool block_beta(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, double &lowest,
                          double &beta, bool &is_refined)
{
    block_tridiagonalize_real(b);
    const R scale = block_scale(b, 5);
    const R lo = block_section(b, 5, 1) * scale, hi = block_section(b, 5, b.n) * scale;
    const double limit = p.left ? least_safe<R>(p.beta_fixed, hi) : hi / p.kappa;
    lowest = lo;
    is_refined = false;
    if (lo < limit + 1e-4 * scale)
        lowest = block_refined<R, C>(p, point, b, scale, lo, is_refined);
    beta = p.left ? p.beta_fixed : adaptive_beta(lowest, hi, p.kappa);
    return !p.left || lowest > limit;
}

// p0 = regularized |Gamma|.
template <class R, class C>
HG_INLINE void block_regularize(const EmiArgs &p, int64_t point, const BlockPoint<R> &b, R keep)
{
    for (int r = b.warp; r < b.n; r += b.warps)
        for (int c = b.lane; c <= r; c += 32)
            b.p0[at(r, c)] = c < r ? keep * block_modulus<R, C>(p, point, b, r, c) : (R)1;
    __syncthreads();
}

// p0: minus the inverse B; in the direction of lambda_min's vector y (vector 8) y'By is set to what
// the eigenvalue says, as refine_inverse() in rows.cuh does. Returns the norm of the error that is
// left in float32.
template <class R>
HG_INLINE float block_refine_inverse(const BlockPoint<R> &b, double lowest, bool is_refined)
{
    const R *const y = b.vector[8];
    R form = 0, size = 0, square = 0;
    if (!is_refined && (sizeof(R) == 8 || is_exact_enough(lowest, b.n)))
        return 0.f;
    for (int r = b.tid; r < b.n; r += b.threads) {
        const R *const row = b.p0 + at(r, 0), d = row[r], own = is_refined ? y[r] : 0;
        R sum = 0, squares = 0;
        for (int c = 0; c < r; c++) {
            sum += row[c] * (is_refined ? y[c] : 0);
            squares += row[c] * row[c];
        }
        form += own * (2 * sum + d * own);
        size += own * own;
        square += 2 * squares + d * d;
    }
    form = block_sum(b, form);
    size = block_sum(b, size);
    square = block_sum(b, square);
    if (!is_refined)
        return inverse_error(square, 0);
    const double missing = 1 / lowest + (double)form / (double)size;
    const bool is_set = fabs(missing) * lowest < 0.125;
    if (is_set)
        for (int r = b.warp; r < b.n; r += b.warps)
            for (int c = b.lane; c <= r; c += 32)
                b.p0[at(r, c)] -= (R)(missing / size) * y[r] * y[c];
    __syncthreads();
    return is_set ? inverse_error(square, 1 / (lowest * lowest)) : error_of_lost;
}

// The triangle of doubles in place becomes one of floats at the begin of the same memory; marks of
// isolated images likewise.
HG_INLINE void narrow(const BlockPoint<double> &from, const BlockPoint<float> &to)
{
    const int count = from.n * (from.n + 1) / 2;
    for (int first = 0; first < count; first += from.threads) { // ends before what is still to read
        const int i = first + from.tid;
        const float value = i < count ? (float)from.p0[i] : 0.f;
        __syncthreads();
        if (i < count)
            to.p0[i] = value;
    }
    for (int first = 0; first < from.n; first += from.threads) {
        const int i = first + from.tid;
        const float mark = i < from.n ? (float)from.vector[9][i] : 0.f;
        __syncthreads();
        if (i < from.n)
            to.vector[9][i] = mark;
    }
    __syncthreads();
}

HG_INLINE void narrow(const BlockPoint<double> &, const BlockPoint<double> &)
{
}
HG_INLINE void narrow(const BlockPoint<float> &, const BlockPoint<float> &)
{
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

template <class W, class R, class C>
HG_INLINE void solve_point(const EmiArgs &p, int64_t point, void *memory)
{
    double beta = 0;
    float error = 0;
    W keep = 1;
    BlockPoint<W> w;
    lay_out(w, memory, p.n, sizeof(W) == sizeof(R) ? 2 : 1);
    const int refused = refused_status(block_load<W, C>(p, point, w));
    if (refused || w.vector[9][p.ref] == 0) {
        write_refused<R>(p, point, refused ? refused : emi_zero_ref, w.tid, w.threads);
        return;
    }
    if (!p.is_evd) {
        bool is_refined;
        double lowest;
        if (!block_beta<W, C>(p, point, w, lowest, beta, is_refined)) {
            if (w.tid == 0)
                p.left[point] = 1;
            return;
        }
        keep = (W)(1 - beta);
        __syncthreads();
        block_regularize<W, C>(p, point, w, keep);
        block_negative_inverse(w);
        error = block_refine_inverse(w, (1 - beta) * lowest + beta, is_refined);
    }
    BlockPoint<R> b;
    lay_out(b, memory, p.n, 2);
    narrow(w, b);
    block_weigh<R, C>(p, point, b, (R)keep);
    block_tridiagonalize_complex(b);
    // the reflector's vectors are free now: 5, 6 scaled matrix; 7, 8, then 0 for the factorization;
    // z in the grid's neighbour, vector 0 once d is no longer needed
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
    if constexpr (sizeof(W) == 4) {
        if (p.is_followed && block_is_inexact(b, xr, xi, error, lambda, scale)) {
            if (b.tid == 0)
                leave_point(p, point);
            return;
        }
    }
    block_write<R, C>(p, point, b, xr, xi, p.is_evd ? -lambda * scale : lambda * scale, beta);
}
