// SPDX-License-Identifier: BSD-3-Clause
// Householder tridiagonalization of the real symmetric |Gamma|, in registers.
//
// Step k annihilates row k left of its subdiagonal: H_k = I - tau_k v_k v_k', v_k in rows 0 ...
// k-1, so that A = H_{n-1} ... H_2 T H_2 ... H_{n-1}. Going from the last column to the first lets
// whole warps drop out where each has its own rows; they keep the barriers alone, and those at the
// same place as all others. Where the warps share all rows, groups of 32 rows drop out, and every
// warp has its part of the columns to the end. v_k goes to shared memory, k(k-1)/2 behind its
// begin. The rank-2 update of a step and the product with the next reflector share one pass over
// the row; the unscaled column stands for the next reflector in that product and the pivot's
// correction is added afterwards, so the pass does not wait for the norm. Most of the time of a
// step is its chain of sums, root and quotient, not the pass: nothing may come between the barrier
// and the first chunk, which has no branch before it, so that both are one block of instructions.
// On an H200 predicates take 13 cycles to be ready, reads of the thread index 25: the chain avoids
// them. Two
// barriers a step. Work 4n^3/3 on the triangle, 1.5 times that here, since whole rows are kept.
#pragma once
#include "plugins/cuda/emi/step.cuh"

// One step's update and product over the register columns of every chunk left of k, the first chunk
// always: columns from k on have zeros there. In: v, w old reflector and its update vector (rows of
// the thread, A of them); rows of both and of the next column in shared memory. column: the rows'
// elements of column k - 1, where this thread has it.
template <class S, int A>
HG_INLINE void real_pass(float (&a)[S::FOLD][S::COLS_REAL], const float *vs, const float *ws,
                         const float *xs, const float (&v)[S::FOLD], const float (&w)[S::FOLD],
                         int k, const Thread<S> &t, float (&y)[S::FOLD], float (&column)[S::FOLD])
{
    constexpr int CHUNK = S::CHUNK, SHARES = S::SHARES;
    constexpr int COLS = S::FOLD > 1 ? columns_left<S>(32 * A, S::COLS_REAL) : S::COLS_REAL;
    const int begin = t.chunk_begin(0);
    const float4 *v4 = (const float4 *)(vs + begin), *w4 = (const float4 *)(ws + begin),
                 *x4 = (const float4 *)(xs + begin);
    float y0[A] = {}, y1[A] = {};
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto c) {
        constexpr int ch = decltype(c)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        const int first = t.chunk_begin(ch);
        if (ch > 0 && can_end<S, A>((ch * SHARES + SHARES - 1) * CHUNK) && first >= k)
            return;
        unrolled<(hi - lo) / 4>([&](auto i) {
            constexpr int g = decltype(i)::value, j = lo + 4 * g,
                          at = ch * SHARES * (CHUNK / 4) + g;
            const float4 V = v4[at], W = w4[at], X = x4[at];
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                a[r][j] -= v[r] * W.x;
                a[r][j] -= w[r] * V.x;
                a[r][j + 1] -= v[r] * W.y;
                a[r][j + 1] -= w[r] * V.y;
                a[r][j + 2] -= v[r] * W.z;
                a[r][j + 2] -= w[r] * V.z;
                a[r][j + 3] -= v[r] * W.w;
                a[r][j + 3] -= w[r] * V.w;
                float &other = A > 1 ? y0[r] : y1[r];
                y0[r] += a[r][j] * X.x;
                other += a[r][j + 1] * X.y;
                y0[r] += a[r][j + 2] * X.z;
                other += a[r][j + 3] * X.w;
            });
        });
        if (can_end<S, A>((ch * SHARES + SHARES) * CHUNK) && k > first && k <= first + hi - lo)
            unrolled<A>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                column[r] = pick<lo, hi>(a[r], k - 1 - first);
            });
    });
    unrolled<A>([&](auto r_) {
        constexpr int r = decltype(r_)::value;
        y[r] = A > 1 ? y0[r] : y0[r] + y1[r];
    });
}

// The second half of step k, behind its second barrier: the reflector of column c, and the pass. A
// of the thread's rows belong to groups that reach below k.
template <class S, int A>
HG_INLINE void real_step(float (&a)[S::FOLD][S::COLS_REAL], StepState<S, float> &z,
                         PointMemory<S> *s, int k, int parity, const Thread<S> &t)
{
    const float *const X = (float *)s->x, *const W = (float *)s->w;
    const float *const next = X + (parity ^ 1) * S::ROWS;
    if (S::TEAM_WARPS > 1) {
        z.norm2 = shares_sum<S::WARPS>(s->share_norm);
        z.pivot = next[k - 1];
    }
    const float norm = z.norm2 * inverse_root(fmaxf(z.norm2, 1e-37f));
    const float shift = copysignf(norm, z.pivot);
    z.vk = z.pivot + shift;
    // from the reflector as it is stored: H stays orthogonal to rounding
    z.tau =
        z.norm2 > 1e-36f ? 2.f * reciprocal(fmaf(-z.pivot, z.pivot, z.norm2) + z.vk * z.vk) : 0.f;
    float v[S::FOLD] = {z.v[0]}, w[S::FOLD] = {z.w};
    z.own_v = t.row == k - 1 ? z.vk : z.c;
    if (S::FOLD == 1)
        z.v[0] = z.own_v;
    else
        unrolled<A>([&](auto r) {
            v[decltype(r)::value] = z.v[decltype(r)::value];
            w[decltype(r)::value] = W[t.row_of(decltype(r)::value)];
        });
    z.holds = t.holds(k - 1);
    real_pass<S, A>(a, X + parity * S::ROWS, W, next, v, w, k, t, z.y, z.column);
    if (S::FOLD > 1)
        unrolled<A>([&](auto r_) {
            constexpr int r = decltype(r_)::value;
            z.v[r] = next[t.row_of(r)] + (t.row_of(r) == k - 1 ? shift : 0.f);
        });
    if (z.holds)
        unrolled<A>(
            [&](auto r) { z.y[decltype(r)::value] += z.column[decltype(r)::value] * shift; });
    if (t.row == 0 && t.sub == 0) {
        s->e[k - 1] = -shift;
        s->tau[k] = z.tau;
    }
}

// real_step<A> with as many groups of rows as reach below k; those without rows there have no part
// any more.
template <class S, int A>
HG_INLINE void real_steps(float (&a)[S::FOLD][S::COLS_REAL], StepState<S, float> &z,
                          PointMemory<S> *s, int k, int parity, const Thread<S> &t)
{
    if constexpr (A > 1) {
        if (k <= 32 * (A - 1)) {
            z.v[A - 1] = 0;
            return real_steps<S, A - 1>(a, z, s, k, parity, t);
        }
    }
    real_step<S, A>(a, z, s, k, parity, t);
}

// a: rows of A in, destroyed. Fills d, e (with its sign) and tau of the point.
template <class S>
HG_INLINE void tridiagonalize_real(float (&a)[S::FOLD][S::COLS_REAL], int n, PointMemory<S> *s,
                                   float *reflectors, const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, ROWS = S::ROWS, CHUNK = S::CHUNK, COLS = S::COLS_REAL;
    constexpr int FOLD = S::FOLD, SHARES = S::SHARES;
    float *const X = (float *)s->x, *const W = (float *)s->w, *const Y = (float *)s->y,
                 *const C = (float *)s->column;
    StepState<S, float> z = {};
    z.holds = t.holds(n - 1);
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto i) {
        constexpr int ch = decltype(i)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        if (t.chunk_begin(ch) == (n - 1) / CHUNK * CHUNK)
            unrolled<FOLD>([&](auto r_) {
                constexpr int r = decltype(r_)::value;
                z.column[r] = pick<lo, hi>(a[r], (n - 1) % CHUNK);
            });
    });
    if (t.sub == 0)
        X[t.row] = X[ROWS + t.row] = W[t.row] = 0;
    int parity = 0;
#pragma unroll 1
    for (int k = n - 1;; --k) {
        // this warp has rows up to k, and after this step
        const bool has_row = TEAM == 1 || FOLD > 1 || t.row_warp * 32 <= k;
        const bool goes_on = TEAM == 1 || FOLD > 1 || t.row_warp * 32 < k;
        float dot = 0, yk = 0, own_y = z.y[0];
        z.w = 0;
        z.c = z.column[0];
        if (has_row) {
            unrolled<FOLD>(
                [&](auto r) { dot += z.v[decltype(r)::value] * z.y[decltype(r)::value]; });
            dot = warp_share<S::LANES, TEAM>(dot);
            if (TEAM == 1)
                yk = __shfl_sync(lane_mask<S::LANES>(), own_y, k, S::LANES);
            else
                unrolled<FOLD>([&](auto r) {
                    Y[t.share * ROWS + t.row_of(decltype(r)::value)] = z.y[decltype(r)::value];
                });
            if (SHARES > 1 && z.holds)
                unrolled<FOLD>([&](auto r) {
                    C[t.row_of(decltype(r)::value)] = z.column[decltype(r)::value];
                });
        }
        if (TEAM > 1)
            s->share[t.warp][t.lane] = dot;
        team_barrier<S::LANES, TEAM>();
        if (has_row) {
            if (TEAM > 1) {
                dot = shares_sum<TEAM>(s->share);
                yk = Y[k];
            }
            if (SHARES > 1) { // in the same order in all threads of the row
                z.c = C[t.row];
                own_y = Y[t.row];
                unrolled<SHARES - 1>([&](auto i) {
                    constexpr int at = (decltype(i)::value + 1) * ROWS;
                    yk += Y[at + k];
                    own_y += Y[at + t.row];
                });
            }
            const float h = 0.5f * z.tau * z.tau * dot, wk = fmaf(z.tau, yk, -h * z.vk);
            z.w = t.row > k ? 0.f : fmaf(z.tau, own_y, -h * z.own_v);
            z.c -= fmaf(z.own_v, wk, z.w * z.vk);
            if (t.row == k && t.sub == 0)
                s->d[k] = z.c;
        }
        if (k == 1) {
            if (t.row == 0 && t.sub == 0) {
                s->d[0] = a[0][0] - 2.f * z.own_v * z.w;
                s->e[0] = z.c;
            }
            break;
        }
        z.norm2 = 0;
        if (goes_on) {
            if (t.row >= k)
                z.c = 0;
            z.norm2 = warp_share<S::LANES, TEAM>(z.c * z.c);
            if (t.sub == 0) {
                W[t.row] = z.w;
                X[(parity ^ 1) * ROWS + t.row] = z.c;
            }
            if (TEAM == 1)
                z.pivot = __shfl_sync(lane_mask<S::LANES>(), z.c, k - 1, S::LANES);
        }
        if (TEAM > 1 && t.sub == 0)
            s->share_norm[t.row_warp][t.lane] = z.norm2;
        team_barrier<S::LANES, TEAM>();
        if (!goes_on)
            continue;
        real_steps<S, FOLD>(a, z, s, k, parity, t);
        if (t.sub == 0 && t.row < k)
            reflectors[k * (k - 1) / 2 + t.row] = z.own_v;
        parity ^= 1;
    }
    team_barrier<S::LANES, TEAM>();
}

// x = H_{n-1} ... H_2 x by one warp, two reflectors with one round of sums; lane holds the rows m *
// 32 + lane.
template <class S>
HG_INLINE void back_transform_real(float (&x)[S::WARPS], const PointMemory<S> *s,
                                   const float *reflectors, int n, int lane)
{
#pragma unroll 2
    for (int k = n & 1 ? 1 : 2; k < n; k += 2) { // the first of an odd number goes with none
        const float *const v1 = reflectors + k * (k - 1) / 2, *const v2 = v1 + k;
        const float tau1 = k > 1 ? s->tau[k] : 0.f, tau2 = s->tau[k + 1];
        float sums[3] = {0, 0, 0}, a[S::WARPS], b[S::WARPS]; // v1'x, v2'x, v2'v1
        unrolled<S::WARPS>([&](auto m_) {
            constexpr int m = decltype(m_)::value;
            const int i = m * 32 + lane;
            a[m] = k > 1 && i < k ? v1[i] : 0.f;
            b[m] = i < k + 1 ? v2[i] : 0.f;
            sums[0] += a[m] * x[m];
            sums[1] += b[m] * x[m];
            sums[2] += b[m] * a[m];
        });
#pragma unroll
        for (int o = S::LANES / 2; o; o >>= 1)
            unrolled<3>([&](auto i) {
                sums[decltype(i)::value] +=
                    __shfl_xor_sync(lane_mask<S::LANES>(), sums[decltype(i)::value], o);
            });
        const float f1 = tau1 * sums[0], f2 = tau2 * (sums[1] - f1 * sums[2]);
        unrolled<S::WARPS>([&](auto m_) {
            constexpr int m = decltype(m_)::value;
            x[m] -= f1 * a[m] + f2 * b[m];
        });
    }
}
