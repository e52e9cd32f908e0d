// SPDX-License-Identifier: BSD-3-Clause
// The complex half of kernel `block`: M = p1 + i p0 (lower triangle) to tridiagonal form, and the
// way back.
#pragma once
#include "plugins/cuda/emi/block.cuh"

// Vectors of this half: 0 d, 1 e (not negative), 2 tau, 3 and 4 phases of the subdiagonal, 5 and 6
// reflector, 7 and 8 its update vector.
template <class R> HG_INLINE void hermitian_product(const BlockPoint<R> &b, int first)
{
    const R *const re = b.p1, *const im = b.p0, *const vr = b.vector[5], *const vi = b.vector[6];
    const int sub = b.tid % product_lanes;
    for (int top = first; top < b.n; top += b.threads / product_lanes) {
        const int r = top + b.tid / product_lanes;
        R x = 0, y = 0;
        if (r < b.n) {
            int c = first + sub;
#pragma unroll 4
            for (; c <= r; c += product_lanes) {
                const int e = at(r, c);
                x += re[e] * vr[c] - im[e] * vi[c];
                y += re[e] * vi[c] + im[e] * vr[c];
            }
#pragma unroll 4
            for (; c < b.n; c += product_lanes) { // the conjugate above
                const int e = at(c, r);
                x += re[e] * vr[c] + im[e] * vi[c];
                y += re[e] * vi[c] - im[e] * vr[c];
            }
        }
        x = product_sum(x);
        y = product_sum(y);
        if (r < b.n && sub == 0) {
            b.vector[7][r] = x;
            b.vector[8][r] = y;
        }
    }
    __syncthreads();
}

// M -= v w* + w v* on the trailing triangle; the diagonal stays real.
template <class R> HG_INLINE void hermitian_update(const BlockPoint<R> &b, int first)
{
    const R *const vr = b.vector[5], *const vi = b.vector[6], *const wr = b.vector[7],
                   *const wi = b.vector[8];
    for (int r = first + b.warp; r < b.n; r += b.warps) {
        R *const re = b.p1 + at(r, 0), *const im = b.p0 + at(r, 0);
        const R ar = vr[r], ai = vi[r], br = wr[r], bi = wi[r];
        for (int c = first + b.lane; c <= r; c += 32) {
            re[c] -= ar * wr[c] + ai * wi[c] + br * vr[c] + bi * vi[c];
            im[c] -= ai * wr[c] - ar * wi[c] + bi * vr[c] - br * vi[c];
        }
    }
}

// M = H_0 ... H_{n-3} U T U* H_{n-3} ... H_0; v_k stays in column k. U collects the subdiagonal's
// phases, in float64.
template <class R> HG_INLINE void block_tridiagonalize_complex(const BlockPoint<R> &b)
{
    R *const d = b.vector[0], *const e = b.vector[1], *const tau = b.vector[2];
    R *const vr = b.vector[5], *const vi = b.vector[6], *const wr = b.vector[7],
             *const wi = b.vector[8];
    const int n = b.n;
    double phase_re = 1, phase_im = 0;
    if (b.tid == 0) {
        b.vector[3][0] = 1;
        b.vector[4][0] = 0;
    }
    for (int k = 0; k < n - 1; k++) {
        const int first = k + 1;
        R part = 0;
        for (int r = first + b.tid; r < n; r += b.threads) {
            vr[r] = b.p1[at(r, k)];
            vi[r] = b.p0[at(r, k)];
            part += vr[r] * vr[r] + vi[r] * vi[r];
        }
        const R norm2 = block_sum(b, part), norm = sqrt(norm2), pr = vr[first], pi = vi[first];
        const double pivot2 = (double)pr * pr + (double)pi * pi, pivot = sqrt(pivot2);
        const double ur = pivot2 > 0 ? pr / pivot : 1, ui = pivot2 > 0 ? pi / pivot : 0;
        const bool is_last = k == n - 2;
        const R hr = pr + (R)(ur * norm), hi = pi + (R)(ui * norm);
        R t = 0;
        if (!is_last && norm2 > 0)
            t = 2 / ((norm2 - (R)pivot2) + hr * hr + hi * hi);
        const double sign = is_last ? 1 : -1, turned = sign * (phase_re * ur - phase_im * ui);
        phase_im = sign * (phase_re * ui + phase_im * ur);
        phase_re = turned;
        __syncthreads();
        if (b.tid == 0) {
            d[k] = b.p1[at(k, k)];
            e[k] = is_last ? (R)pivot : norm;
            tau[k] = t;
            b.vector[3][first] = (R)phase_re;
            b.vector[4][first] = (R)phase_im;
            vr[first] = hr;
            vi[first] = hi;
        }
        __syncthreads();
        if (is_last)
            break;
        hermitian_product(b, first);
        part = 0;
        for (int r = first + b.tid; r < n; r += b.threads)
            part += vr[r] * wr[r] + vi[r] * wi[r];
        const R h = t * t * block_sum(b, part) / 2;
        for (int r = first + b.tid; r < n; r += b.threads) {
            wr[r] = t * wr[r] - h * vr[r];
            wi[r] = t * wi[r] - h * vi[r];
        }
        __syncthreads();
        hermitian_update(b, first);
        for (int r = first + b.tid; r < n; r += b.threads) {
            b.p1[at(r, k)] = vr[r];
            b.p0[at(r, k)] = vi[r];
        }
        __syncthreads();
    }
    if (b.tid == 0)
        d[n - 1] = b.p1[at(n - 1, n - 1)];
    __syncthreads();
}

// x = H_0 ... H_{n-3} x, x in the vectors xr, xi.
template <class R> HG_INLINE void block_back_transform_complex(const BlockPoint<R> &b, R *xr, R *xi)
{
    for (int k = b.n - 3; k >= 0; k--) {
        R re = 0, im = 0;
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads) {
            const R vr = b.p1[at(r, k)], vi = b.p0[at(r, k)];
            re += vr * xr[r] + vi * xi[r];
            im += vr * xi[r] - vi * xr[r];
        }
        re = b.vector[2][k] * block_sum(b, re);
        im = b.vector[2][k] * block_sum(b, im);
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads) {
            const R vr = b.p1[at(r, k)], vi = b.p0[at(r, k)];
            xr[r] -= re * vr - im * vi;
            xi[r] -= re * vi + im * vr;
        }
        __syncthreads();
    }
}
