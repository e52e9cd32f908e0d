// SPDX-License-Identifier: BSD-3-Clause
// Householder tridiagonalization of the complex Hermitian M, in the manner of real.cuh.
//
// M = H_{n-1} ... H_2 U T U* H_2 ... H_{n-1} with T real, its subdiagonal not negative, U the
// diagonal of phases that makes it so. Reflectors go to shared memory: v_k packed behind the
// point's vectors for register columns, in place of tail column k else. Work 16n^3/3 on the
// triangle, 1.5 times that here.
#pragma once
#include "plugins/cuda/emi/point.cuh"

// Element of the row: minus v w* + w v*, and its share of the product with the next column.
HG_INLINE void complex_update(float &re, float &im, float2 v, float2 w, float vx, float vy,
                              float wx, float wy, float xx, float xy, float2 &y)
{
    re -= v.x * wx;
    re -= v.y * wy;
    re -= w.x * vx;
    re -= w.y * vy;
    im -= v.y * wx;
    im += v.x * wy;
    im -= w.y * vx;
    im += w.x * vy;
    y.x += re * xx;
    y.y += re * xy;
    y.x -= im * xy;
    y.y += im * xx;
}

// What one step needs of the last: own rows of the old reflector and its update vector, and the
// rows of both and of the next column in shared memory.
template <class S> struct ComplexStep {
    const float2 *vs, *ws, *xs;
    float2 v, w;
    int k;
};

template <class S>
HG_INLINE float2 complex_register_pass(float (&re)[S::COLS], float (&im)[S::COLS],
                                       const ComplexStep<S> &p, int sub, float2 &column)
{
    constexpr int CHUNK = S::CHUNK, COLS = S::COLS;
    const float4 *v4 = (const float4 *)p.vs + sub * (CHUNK / 2);
    const float4 *w4 = (const float4 *)p.ws + sub * (CHUNK / 2);
    const float4 *x4 = (const float4 *)p.xs + sub * (CHUNK / 2);
    float2 y = make_float2(0, 0);
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto c) {
        constexpr int ch = decltype(c)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        const int first = (ch * S::SPLIT + sub) * CHUNK;
        if (ch > 0 && first >= p.k)
            return;
        unrolled<(hi - lo) / 2>([&](auto i) {
            constexpr int q = decltype(i)::value, j = lo + 2 * q,
                          at = ch * S::SPLIT * (CHUNK / 2) + q;
            const float4 V = v4[at], W = w4[at], X = x4[at];
            complex_update(re[j], im[j], p.v, p.w, V.x, V.y, W.x, W.y, X.x, X.y, y);
            complex_update(re[j + 1], im[j + 1], p.v, p.w, V.z, V.w, W.z, W.w, X.z, X.w, y);
        });
        if (p.k > first && p.k <= first + hi - lo) {
            const int q = p.k - 1 - first + lo;
            column.x = pick<lo, hi>(re, q);
            column.y = pick<lo, hi>(im, q);
        }
    });
    return y;
}

// The tail: four columns at a time, taken in turn by the threads of the row.
template <class S>
HG_INLINE float2 complex_tail_pass(float2 *tail, const ComplexStep<S> &p, int row, int sub,
                                   float2 &column)
{
    constexpr int LD = S::ROWS, SPLIT = S::SPLIT;
    const float4 *v4 = (const float4 *)p.vs, *w4 = (const float4 *)p.ws, *x4 = (const float4 *)p.xs;
    float2 y = make_float2(0, 0);
    float2 *at = tail + row + sub * 4 * LD;
#pragma unroll 1
    for (int j = S::REGISTER_COLS + 4 * sub; j < p.k; j += 4 * SPLIT, at += 4 * SPLIT * LD) {
        // columns behind `last` are reflectors by now, one just being written
        const int last = p.k - 1 - j;
        float2 a[4] = {at[0]};
        unrolled<3>([&](auto i) {
            constexpr int q = decltype(i)::value + 1;
            a[q] = last >= q ? at[q * LD] : make_float2(0, 0);
        });
        unrolled<2>([&](auto i) {
            constexpr int q = decltype(i)::value;
            const float4 V = v4[j / 2 + q], W = w4[j / 2 + q], X = x4[j / 2 + q];
            complex_update(a[2 * q].x, a[2 * q].y, p.v, p.w, V.x, V.y, W.x, W.y, X.x, X.y, y);
            complex_update(a[2 * q + 1].x, a[2 * q + 1].y, p.v, p.w, V.z, V.w, W.z, W.w, X.z, X.w,
                           y);
        });
        at[0] = a[0];
        if (last >= 1)
            at[LD] = a[1];
        if (last >= 2)
            at[2 * LD] = a[2];
        if (last >= 3)
            at[3 * LD] = a[3];
        if (last < 4)
            column = last == 0 ? a[0] : last == 1 ? a[1] : last == 2 ? a[2] : a[3];
    }
    return y;
}

// Whether this thread holds column j of its row.
template <class S> HG_INLINE bool holds_column(int j, const Thread<S> &t)
{
    if (S::SPLIT == 1)
        return true;
    if (S::HAS_TAIL && j >= S::REGISTER_COLS)
        return ((j - S::REGISTER_COLS) >> 2) % S::SPLIT == t.sub;
    return (j / S::CHUNK) % S::SPLIT == t.sub;
}

// Column n - 1 of the own row, where this thread holds it.
template <class S>
HG_INLINE float2 last_column(const float (&re)[S::COLS], const float (&im)[S::COLS],
                             const float2 *tail, int n, const Thread<S> &t)
{
    constexpr int CHUNK = S::CHUNK, COLS = S::COLS;
    const int k = n - 1;
    float2 c = make_float2(0, 0);
    if (S::HAS_TAIL && k >= S::REGISTER_COLS)
        return tail[(k - S::REGISTER_COLS) * S::ROWS + t.row];
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto i) {
        constexpr int ch = decltype(i)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        if (ch * S::SPLIT + t.sub == k / CHUNK) {
            c.x = pick<lo, hi>(re, lo + k % CHUNK);
            c.y = pick<lo, hi>(im, lo + k % CHUNK);
        }
    });
    return c;
}

HG_INLINE float2 complex_product(float2 a, float2 b)
{
    return make_float2(fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x));
}

// u: phase of each subdiagonal element in, the products from the last row up to each out; one warp.
// In the manner of a tree, which keeps the rounding errors of 200 factors to those of a dozen.
template <class S> HG_INLINE void accumulate_phases(PointMemory<S::ROWS> *s, int n, int lane)
{
    const int each = (n + S::LANES - 2) / S::LANES, last = n - 2 - lane * each;
    float2 product = make_float2(1, 0);
    for (int i = last; i > last - each && i >= 0; i--)
        product = complex_product(product, s->u[i]);
#pragma unroll
    for (int o = 1; o < S::LANES; o <<= 1) {
        const float2 before =
            make_float2(__shfl_up_sync(lane_mask<S::LANES>(), product.x, o, S::LANES),
                        __shfl_up_sync(lane_mask<S::LANES>(), product.y, o, S::LANES));
        if (lane >= o)
            product = complex_product(before, product);
    }
    float2 run = make_float2(__shfl_up_sync(lane_mask<S::LANES>(), product.x, 1, S::LANES),
                             __shfl_up_sync(lane_mask<S::LANES>(), product.y, 1, S::LANES));
    if (lane == 0)
        run = make_float2(1, 0);
    for (int i = last; i > last - each && i >= 0; i--)
        s->u[i] = run = complex_product(run, s->u[i]);
    __syncwarp(lane_mask<S::LANES>());
}

// re, im: rows of M in, destroyed. Fills d, e, tau, the phases u of the subdiagonal and the
// reflectors of the point.
template <class S>
HG_INLINE void tridiagonalize_complex(float (&re)[S::COLS], float (&im)[S::COLS], int n,
                                      PointMemory<S::ROWS> *s, float2 *reflectors, float2 *tail,
                                      const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, ROWS = S::ROWS;
    const float2 zero = make_float2(0, 0);
    float2 v = zero, y = zero, vk = zero, c = last_column<S>(re, im, tail, n, t);
    float tau = 0;
    if (t.sub == 0)
        s->x[0][t.row] = s->x[1][t.row] = s->w[t.row] = zero;
    if (t.row == n - 1 && t.sub == 0)
        s->u[n - 1] = make_float2(1, 0);
    int parity = 0;
#pragma unroll 1
    for (int k = n - 1;; --k) {
        const bool has_row = TEAM == 1 || t.row_warp * 32 <= k; // this warp has rows up to k,
        const bool goes_on = TEAM == 1 || t.row_warp * 32 < k;  // and after this step
        float dot = 0;
        float2 yk = zero, w = zero;
        if (has_row) {
            dot = warp_share<S::LANES, TEAM>(v.x * y.x + v.y * y.y);
            if (TEAM == 1) {
                yk.x = __shfl_sync(lane_mask<S::LANES>(), y.x, k, S::LANES);
                yk.y = __shfl_sync(lane_mask<S::LANES>(), y.y, k, S::LANES);
            } else {
                s->y[t.sub][t.row] = y;
                if (S::SPLIT > 1 && holds_column<S>(k, t))
                    s->column[t.row] = c;
                if (t.lane < 4)
                    s->share[4 * t.warp + t.lane] = dot;
            }
        }
        team_barrier<S::LANES, TEAM>();
        if (has_row) {
            if (TEAM > 1) {
                dot = shares_sum<TEAM>(s->share, ((k + 32) >> 5) * S::SPLIT);
                yk = s->y[0][k];
            }
            if (S::SPLIT > 1) {
                c = s->column[t.row];
                const float2 yk1 = s->y[1][k], other = s->y[t.sub ^ 1][t.row];
                yk.x += yk1.x;
                yk.y += yk1.y;
                y.x = t.sub == 0 ? y.x + other.x : other.x + y.x; // the same order in both threads
                y.y = t.sub == 0 ? y.y + other.y : other.y + y.y;
            }
            const float h = 0.5f * tau * tau * dot;
            w = make_float2(fmaf(tau, y.x, -h * v.x), fmaf(tau, y.y, -h * v.y));
            if (t.row > k)
                w = zero;
            const float2 wk = make_float2(fmaf(tau, yk.x, -h * vk.x), fmaf(tau, yk.y, -h * vk.y));
            c.x -= fmaf(v.x, wk.x, fmaf(v.y, wk.y, fmaf(w.x, vk.x, w.y * vk.y)));
            c.y -= fmaf(v.y, wk.x, fmaf(-v.x, wk.y, fmaf(w.y, vk.x, -w.x * vk.y)));
            if (t.row == k && t.sub == 0)
                s->d[k] = c.x;
        }
        if (k == 1) {
            if (t.row == 0 && t.sub == 0) {
                const float m = modulus(c);
                s->d[0] = re[0] - 2.f * (v.x * w.x + v.y * w.y);
                s->e[0] = m;
                s->u[0] = m > 0.f ? make_float2(c.x / m, c.y / m) : make_float2(1, 0);
            }
            break;
        }
        float norm2 = 0;
        float2 pivot = zero;
        if (goes_on) {
            if (t.row >= k)
                c = zero;
            norm2 = warp_share<S::LANES, TEAM>(square_of(c));
            if (t.sub == 0) {
                s->w[t.row] = w;
                s->x[parity ^ 1][t.row] = c;
                if (TEAM > 1 && t.lane < 4)
                    s->share_norm[4 * t.row_warp + t.lane] = norm2;
            }
            if (TEAM == 1) {
                pivot.x = __shfl_sync(lane_mask<S::LANES>(), c.x, k - 1, S::LANES);
                pivot.y = __shfl_sync(lane_mask<S::LANES>(), c.y, k - 1, S::LANES);
            }
        }
        team_barrier<S::LANES, TEAM>();
        if (!goes_on)
            continue;
        if (TEAM > 1) {
            norm2 = shares_sum<S::WARPS>(s->share_norm, (k + 31) >> 5);
            pivot = s->x[parity ^ 1][k - 1];
        }
        const float pivot2 = square_of(pivot);
        const float down = pivot2 > 0.f ? inverse_root(pivot2) : 0.f;
        const float unit_re = pivot2 > 0.f ? pivot.x * down : 1.f, unit_im = pivot.y * down;
        const float norm = norm2 * inverse_root(fmaxf(norm2, 1e-37f));
        const float2 shift = make_float2(unit_re * norm, unit_im * norm);
        vk = make_float2(pivot.x + shift.x, pivot.y + shift.y);
        // from the reflector as it is stored: H stays unitary to rounding
        tau = norm2 > 1e-36f ? 2.f * reciprocal((norm2 - pivot2) + square_of(vk)) : 0.f;
        const ComplexStep<S> step = {s->x[parity], s->w, s->x[parity ^ 1], v, w, k};
        v = t.row == k - 1 ? vk : c;
        y = complex_register_pass<S>(re, im, step, t.sub, c);
        if constexpr (S::HAS_TAIL) {
            const float2 more = complex_tail_pass<S>(tail, step, t.row, t.sub, c);
            y.x += more.x;
            y.y += more.y;
        }
        if (holds_column<S>(k - 1, t)) {
            y.x += c.x * shift.x - c.y * shift.y;
            y.y += c.x * shift.y + c.y * shift.x;
        }
        if (t.row == 0 && t.sub == 0) {
            s->e[k - 1] = norm;
            s->u[k - 1] = make_float2(-unit_re, -unit_im);
            s->tau[k] = tau;
        }
        if (t.sub == 0 && t.row < k) {
            float2 *const to = S::HAS_TAIL && k >= S::REGISTER_COLS
                                   ? tail + (k - S::REGISTER_COLS) * ROWS
                                   : reflectors + k * (k - 1) / 2;
            to[t.row] = v;
        }
        parity ^= 1;
    }
    team_barrier<S::LANES, TEAM>();
}
