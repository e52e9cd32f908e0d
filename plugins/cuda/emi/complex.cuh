// SPDX-License-Identifier: BSD-3-Clause
// Householder tridiagonalization of the complex Hermitian M, in the manner of real.cuh.
//
// M = H_{n-1} ... H_2 U T U* H_2 ... H_{n-1} with T real, its subdiagonal not negative, U the
// diagonal of phases that makes it so. Reflectors go to shared memory: v_k packed behind the
// point's vectors for register columns, in place of tail column k else. Work 16n^3/3 on the
// triangle, 1.5 times that here.
#pragma once
#include "plugins/cuda/emi/step.cuh"

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
    float2 v[S::FOLD], w[S::FOLD];
    int k;
};

template <class S, int A>
HG_INLINE void complex_register_pass(float (&re)[S::FOLD][S::COLS], float (&im)[S::FOLD][S::COLS],
                                     const ComplexStep<S> &p, const Thread<S> &t,
                                     float2 (&y)[S::FOLD], float2 (&column)[S::FOLD])
{
    constexpr int CHUNK = S::CHUNK, SHARES = S::SHARES;
    constexpr int COLS = S::FOLD > 1 ? columns_left<S>(32 * A, S::COLS) : S::COLS;
    const int begin = t.chunk_begin(0);
    const float4 *v4 = (const float4 *)(p.vs + begin), *w4 = (const float4 *)(p.ws + begin),
                 *x4 = (const float4 *)(p.xs + begin);
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto c) {
        constexpr int ch = decltype(c)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        const int first = t.chunk_begin(ch);
        if (ch > 0 && can_end<S, A>((ch * SHARES + SHARES - 1) * CHUNK) && first >= p.k)
            return;
        unrolled<(hi - lo) / 2>([&](auto i) {
            constexpr int q = decltype(i)::value, j = lo + 2 * q,
                          at = ch * SHARES * (CHUNK / 2) + q;
            const float4 V = v4[at], W = w4[at], X = x4[at];
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                complex_update(re[r][j], im[r][j], p.v[r], p.w[r], V.x, V.y, W.x, W.y, X.x, X.y,
                               y[r]);
                complex_update(re[r][j + 1], im[r][j + 1], p.v[r], p.w[r], V.z, V.w, W.z, W.w, X.z,
                               X.w, y[r]);
            });
        });
        if (can_end<S, A>((ch * SHARES + SHARES) * CHUNK) && p.k > first && p.k <= first + hi - lo)
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                column[r].x = pick<lo, hi>(re[r], p.k - 1 - first);
                column[r].y = pick<lo, hi>(im[r], p.k - 1 - first);
            });
    });
}

// Columns of the tail that a thread takes at a time.
template <class S> constexpr int tail_each = S::FOLD == 1 ? 4 : 2;

// The tail: a few columns at a time, taken in turn by the threads of the row.
template <class S, int A>
HG_INLINE void complex_tail_pass(float2 *tail, const ComplexStep<S> &p, const Thread<S> &t,
                                 float2 (&y)[S::FOLD], float2 (&column)[S::FOLD])
{
    constexpr int LD = S::ROWS, EACH = tail_each<S>, STEP = EACH * S::SHARES;
    const float4 *v4 = (const float4 *)p.vs, *w4 = (const float4 *)p.ws, *x4 = (const float4 *)p.xs;
    float2 *at = tail + t.row_of(0) + t.share * EACH * LD;
#pragma unroll 1
    for (int j = S::REGISTER_COLS + EACH * t.share; j < p.k; j += STEP, at += STEP * LD) {
        // columns behind `last` are reflectors by now, one just being written
        const int last = p.k - 1 - j;
        float2 a[A][EACH];
        unrolled<A * EACH>([&](auto i) {
            constexpr int r = decltype(i)::value / EACH, q = decltype(i)::value % EACH;
            a[r][q] = q == 0 || last >= q ? at[q * LD + r * 32] : make_float2(0, 0);
        });
        unrolled<EACH / 2>([&](auto i) {
            constexpr int q = decltype(i)::value;
            const float4 V = v4[j / 2 + q], W = w4[j / 2 + q], X = x4[j / 2 + q];
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                float2 &b = a[r][2 * q], &c = a[r][2 * q + 1];
                complex_update(b.x, b.y, p.v[r], p.w[r], V.x, V.y, W.x, W.y, X.x, X.y, y[r]);
                complex_update(c.x, c.y, p.v[r], p.w[r], V.z, V.w, W.z, W.w, X.z, X.w, y[r]);
            });
        });
        unrolled<EACH>([&](auto q_) {
            constexpr int q = decltype(q_)::value;
            if (q == 0 || last >= q)
                unrolled<A>([&](auto r) {
                    at[q * LD + decltype(r)::value * 32] = a[decltype(r)::value][q];
                });
        });
        if (last < EACH)
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                column[r] = a[r][0];
                unrolled<EACH - 1>([&](auto q) {
                    if (last == decltype(q)::value + 1)
                        column[r] = a[r][decltype(q)::value + 1];
                });
            });
    }
}

// Whether this thread holds column j of its rows.
template <class S> HG_INLINE bool holds_column(int j, const Thread<S> &t)
{
    if (S::HAS_TAIL && S::SHARES > 1 && j >= S::REGISTER_COLS)
        return (unsigned)(j - S::REGISTER_COLS) / tail_each<S> % S::SHARES == (unsigned)t.share;
    return t.holds(j);
}

// Column n - 1 of the thread's rows, where it holds it.
template <class S>
HG_INLINE void last_column(const float (&re)[S::FOLD][S::COLS], const float (&im)[S::FOLD][S::COLS],
                           const float2 *tail, int n, const Thread<S> &t, float2 (&c)[S::FOLD])
{
    constexpr int CHUNK = S::CHUNK, COLS = S::COLS;
    const int k = n - 1;
    unrolled<S::FOLD>([&](auto r_) {
        constexpr int r = decltype(r_)::value;
        c[r] = make_float2(0, 0);
        if (S::HAS_TAIL && k >= S::REGISTER_COLS)
            c[r] = tail[(k - S::REGISTER_COLS) * S::ROWS + t.row_of(r)];
        else
            unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto i) {
                constexpr int ch = decltype(i)::value, lo = ch * CHUNK;
                constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
                if (t.chunk_begin(ch) == k / CHUNK * CHUNK) {
                    c[r].x = pick<lo, hi>(re[r], k % CHUNK);
                    c[r].y = pick<lo, hi>(im[r], k % CHUNK);
                }
            });
    });
}

HG_INLINE float2 complex_product(float2 a, float2 b)
{
    return make_float2(fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x));
}

// u: phase of each subdiagonal element in, the products from the last row up to each out; one warp.
// In the manner of a tree, which keeps the rounding errors of 200 factors to those of a dozen.
template <class S> HG_INLINE void accumulate_phases(PointMemory<S> *s, int n, int lane)
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

// The second half of step k, as of the real matrix.
template <class S, int A>
HG_INLINE void complex_step(float (&re)[S::FOLD][S::COLS], float (&im)[S::FOLD][S::COLS],
                            float2 *tail, StepState<S, float2> &z, PointMemory<S> *s, int k,
                            int parity, const Thread<S> &t)
{
    const float2 *const next = s->x[parity ^ 1];
    if (S::TEAM_WARPS > 1) {
        z.norm2 = shares_sum<S::WARPS>(s->share_norm);
        z.pivot = next[k - 1];
    }
    const float pivot2 = square_of(z.pivot);
    const bool has_phase = pivot2 > 1e-37f;
    const float down = inverse_root(fmaxf(pivot2, 1e-37f));
    const float unit_re = has_phase ? z.pivot.x * down : 1.f;
    const float unit_im = has_phase ? z.pivot.y * down : 0.f;
    const float norm = z.norm2 * inverse_root(fmaxf(z.norm2, 1e-37f));
    const float2 shift = make_float2(unit_re * norm, unit_im * norm);
    z.vk = make_float2(z.pivot.x + shift.x, z.pivot.y + shift.y);
    // from the reflector as it is stored: H stays unitary to rounding
    z.tau = z.norm2 > 1e-36f ? 2.f * reciprocal((z.norm2 - pivot2) + square_of(z.vk)) : 0.f;
    ComplexStep<S> step = {s->x[parity], s->w, next, {z.v[0]}, {z.w}, k};
    z.own_v = t.row == k - 1 ? z.vk : z.c;
    if (S::FOLD == 1)
        z.v[0] = z.own_v;
    else
        unrolled<A>([&](auto r) {
            step.v[decltype(r)::value] = z.v[decltype(r)::value];
            step.w[decltype(r)::value] = s->w[t.row_of(decltype(r)::value)];
        });
    z.holds = holds_column<S>(k - 1, t);
    unrolled<A>([&](auto r) { z.y[decltype(r)::value] = make_float2(0, 0); });
    complex_register_pass<S, A>(re, im, step, t, z.y, z.column);
    if constexpr (S::HAS_TAIL && (S::FOLD == 1 || 32 * A > S::REGISTER_COLS))
        complex_tail_pass<S, A>(tail, step, t, z.y, z.column);
    if (S::FOLD > 1)
        unrolled<A>([&](auto r_) {
            constexpr int r = decltype(r_)::value;
            z.v[r] = next[t.row_of(r)] + (t.row_of(r) == k - 1 ? shift : make_float2(0, 0));
        });
    if (z.holds)
        unrolled<A>([&](auto r_) {
            constexpr int r = decltype(r_)::value;
            z.y[r] = z.y[r] + complex_product(z.column[r], shift);
        });
    if (t.row == 0 && t.sub == 0) {
        s->e[k - 1] = norm;
        s->u[k - 1] = make_float2(-unit_re, -unit_im);
        s->tau[k] = z.tau;
    }
}

// complex_step<A> with as many groups of rows as reach below k.
template <class S, int A>
HG_INLINE void complex_steps(float (&re)[S::FOLD][S::COLS], float (&im)[S::FOLD][S::COLS],
                             float2 *tail, StepState<S, float2> &z, PointMemory<S> *s, int k,
                             int parity, const Thread<S> &t)
{
    if constexpr (A > 1) {
        if (k <= 32 * (A - 1)) {
            z.v[A - 1] = make_float2(0, 0);
            return complex_steps<S, A - 1>(re, im, tail, z, s, k, parity, t);
        }
    }
    complex_step<S, A>(re, im, tail, z, s, k, parity, t);
}

// re, im: rows of M in, destroyed. Fills d, e, tau, the phases u of the subdiagonal and the
// reflectors of the point.
template <class S>
HG_INLINE void tridiagonalize_complex(float (&re)[S::FOLD][S::COLS], float (&im)[S::FOLD][S::COLS],
                                      int n, PointMemory<S> *s, float2 *reflectors, float2 *tail,
                                      const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, ROWS = S::ROWS, FOLD = S::FOLD, SHARES = S::SHARES;
    const float2 zero = make_float2(0, 0);
    StepState<S, float2> z = {};
    z.holds = holds_column<S>(n - 1, t);
    last_column<S>(re, im, tail, n, t, z.column);
    if (t.sub == 0)
        s->x[0][t.row] = s->x[1][t.row] = s->w[t.row] = zero;
    if (t.row == n - 1 && t.sub == 0)
        s->u[n - 1] = make_float2(1, 0);
    int parity = 0;
#pragma unroll 1
    for (int k = n - 1;; --k) {
        // this warp has rows up to k, and after this step
        const bool has_row = TEAM == 1 || FOLD > 1 || t.row_warp * 32 <= k;
        const bool goes_on = TEAM == 1 || FOLD > 1 || t.row_warp * 32 < k;
        float dot = 0;
        float2 yk = zero, own_y = z.y[0];
        z.w = zero;
        z.c = z.column[0];
        if (has_row) {
            unrolled<FOLD>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                dot += z.v[r].x * z.y[r].x + z.v[r].y * z.y[r].y;
            });
            dot = warp_share<S::LANES, TEAM>(dot);
            if (TEAM == 1) {
                yk.x = __shfl_sync(lane_mask<S::LANES>(), own_y.x, k, S::LANES);
                yk.y = __shfl_sync(lane_mask<S::LANES>(), own_y.y, k, S::LANES);
            } else {
                unrolled<FOLD>([&](auto r) {
                    s->y[t.share][t.row_of(decltype(r)::value)] = z.y[decltype(r)::value];
                });
            }
            if (SHARES > 1 && z.holds)
                unrolled<FOLD>([&](auto r) {
                    s->column[t.row_of(decltype(r)::value)] = z.column[decltype(r)::value];
                });
        }
        if (TEAM > 1)
            s->share[t.warp][t.lane] = dot;
        team_barrier<S::LANES, TEAM>();
        if (has_row) {
            if (TEAM > 1) {
                dot = shares_sum<TEAM>(s->share);
                yk = s->y[0][k];
            }
            if (SHARES > 1) { // in the same order in all threads of the row
                z.c = s->column[t.row];
                own_y = s->y[0][t.row];
                unrolled<SHARES - 1>([&](auto i) {
                    yk = yk + s->y[decltype(i)::value + 1][k];
                    own_y = own_y + s->y[decltype(i)::value + 1][t.row];
                });
            }
            const float h = 0.5f * z.tau * z.tau * dot;
            const float2 v = z.own_v, vk = z.vk;
            float2 w = make_float2(fmaf(z.tau, own_y.x, -h * v.x), fmaf(z.tau, own_y.y, -h * v.y));
            if (t.row > k)
                w = zero;
            z.w = w;
            const float2 wk =
                make_float2(fmaf(z.tau, yk.x, -h * vk.x), fmaf(z.tau, yk.y, -h * vk.y));
            z.c.x -= fmaf(v.x, wk.x, fmaf(v.y, wk.y, fmaf(w.x, vk.x, w.y * vk.y)));
            z.c.y -= fmaf(v.y, wk.x, fmaf(-v.x, wk.y, fmaf(w.y, vk.x, -w.x * vk.y)));
            if (t.row == k && t.sub == 0)
                s->d[k] = z.c.x;
        }
        if (k == 1) {
            if (t.row == 0 && t.sub == 0) {
                const float m = modulus(z.c);
                s->d[0] = re[0][0] - 2.f * (z.own_v.x * z.w.x + z.own_v.y * z.w.y);
                s->e[0] = m;
                s->u[0] = m > 0.f ? make_float2(z.c.x / m, z.c.y / m) : make_float2(1, 0);
            }
            break;
        }
        z.norm2 = 0;
        if (goes_on) {
            if (t.row >= k)
                z.c = zero;
            z.norm2 = warp_share<S::LANES, TEAM>(square_of(z.c));
            if (t.sub == 0) {
                s->w[t.row] = z.w;
                s->x[parity ^ 1][t.row] = z.c;
            }
            if (TEAM == 1) {
                z.pivot.x = __shfl_sync(lane_mask<S::LANES>(), z.c.x, k - 1, S::LANES);
                z.pivot.y = __shfl_sync(lane_mask<S::LANES>(), z.c.y, k - 1, S::LANES);
            }
        }
        if (TEAM > 1 && t.sub == 0)
            s->share_norm[t.row_warp][t.lane] = z.norm2;
        team_barrier<S::LANES, TEAM>();
        if (!goes_on)
            continue;
        complex_steps<S, FOLD>(re, im, tail, z, s, k, parity, t);
        if (t.sub == 0 && t.row < k) {
            float2 *const to = S::HAS_TAIL && k >= S::REGISTER_COLS
                                   ? tail + (k - S::REGISTER_COLS) * ROWS
                                   : reflectors + k * (k - 1) / 2;
            to[t.row] = z.own_v;
        }
        parity ^= 1;
    }
    team_barrier<S::LANES, TEAM>();
}
