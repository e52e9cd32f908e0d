// SPDX-License-Identifier: BSD-3-Clause
// Householder tridiagonalization of the real symmetric |Gamma|, one matrix row per thread (or two
// threads).
//
// Step k annihilates row k left of its subdiagonal: H_k = I - tau_k v_k v_k', v_k in rows 0 ...
// k-1, so that A = H_{n-1} ... H_2 T H_2 ... H_{n-1}. Going from the last column to the first lets
// whole warps drop out; they keep the barriers alone, and those at the same place as all others.
// v_k goes to shared memory, k(k-1)/2 behind its begin. The rank-2 update of a step and the product
// with the next reflector share one pass over the row; the unscaled column stands for the next
// reflector in that product and the pivot's correction is added afterwards, so the pass does not
// wait for the norm. Half of the time of a step is its chain of sums, root and quotient, not the
// pass: nothing may come between the barrier and the first chunk, which has no branch before it, so
// that both are one block of instructions. Two barriers a step. Work 4n^3/3 on the triangle, 1.5
// times that here, since whole rows are kept.
#pragma once
#include "plugins/cuda/emi/point.cuh"

// One step's update and product over the register columns of every chunk left of k, the first chunk
// always: columns from k on have zeros there. In: v, w old reflector and its update vector (own
// row); rows of both and of the next column in shared memory. column: the own row of column k - 1,
// where this thread has it.
template <class S>
HG_INLINE float real_pass(float (&a)[S::COLS_REAL], const float *vs, const float *ws,
                          const float *xs, float v, float w, int k, int sub, float &column)
{
    constexpr int CHUNK = S::CHUNK, COLS = S::COLS_REAL;
    const float4 *v4 = (const float4 *)vs + sub * (CHUNK / 4);
    const float4 *w4 = (const float4 *)ws + sub * (CHUNK / 4);
    const float4 *x4 = (const float4 *)xs + sub * (CHUNK / 4);
    float y0 = 0, y1 = 0;
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto c) {
        constexpr int ch = decltype(c)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        const int first = (ch * S::SPLIT + sub) * CHUNK;
        if (ch > 0 && first >= k)
            return;
        unrolled<(hi - lo) / 4>([&](auto i) {
            constexpr int g = decltype(i)::value, j = lo + 4 * g,
                          at = ch * S::SPLIT * (CHUNK / 4) + g;
            const float4 V = v4[at], W = w4[at], X = x4[at];
            a[j] -= v * W.x;
            a[j] -= w * V.x;
            a[j + 1] -= v * W.y;
            a[j + 1] -= w * V.y;
            a[j + 2] -= v * W.z;
            a[j + 2] -= w * V.z;
            a[j + 3] -= v * W.w;
            a[j + 3] -= w * V.w;
            y0 += a[j] * X.x;
            y1 += a[j + 1] * X.y;
            y0 += a[j + 2] * X.z;
            y1 += a[j + 3] * X.w;
        });
        if (k > first && k <= first + hi - lo)
            column = pick<lo, hi>(a, k - 1 - first + lo);
    });
    return y0 + y1;
}

// a: rows of A in, destroyed. Fills d, e (with its sign) and tau of the point.
template <class S>
HG_INLINE void tridiagonalize_real(float (&a)[S::COLS_REAL], int n, PointMemory<S::ROWS> *s,
                                   float *reflectors, const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, ROWS = S::ROWS, CHUNK = S::CHUNK, COLS = S::COLS_REAL;
    float *const X = (float *)s->x, *const W = (float *)s->w, *const Y = (float *)s->y,
                 *const C = (float *)s->column;
    float v = 0, y = 0, vk = 0, c = 0, tau = 0;
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto i) {
        constexpr int ch = decltype(i)::value, lo = ch * CHUNK;
        constexpr int hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        if (ch * S::SPLIT + t.sub == (n - 1) / CHUNK)
            c = pick<lo, hi>(a, lo + (n - 1) % CHUNK);
    });
    const auto owns = [&](int j) { return S::SPLIT == 1 || (j / CHUNK) % S::SPLIT == t.sub; };
    if (t.sub == 0)
        X[t.row] = X[ROWS + t.row] = W[t.row] = 0;
    int parity = 0;
#pragma unroll 1
    for (int k = n - 1;; --k) {
        const bool has_row = TEAM == 1 || t.row_warp * 32 <= k; // this warp has rows up to k,
        const bool goes_on = TEAM == 1 || t.row_warp * 32 < k;  // and after this step
        float dot = 0, yk = 0, w = 0;
        if (has_row) {
            dot = warp_share<S::LANES, TEAM>(v * y);
            if (TEAM == 1) {
                yk = __shfl_sync(lane_mask<S::LANES>(), y, k, S::LANES);
            } else {
                Y[t.sub * ROWS + t.row] = y;
                if (S::SPLIT > 1 && owns(k))
                    C[t.row] = c;
                if (t.lane < 4)
                    s->share[4 * t.warp + t.lane] = dot;
            }
        }
        team_barrier<S::LANES, TEAM>();
        if (has_row) {
            if (TEAM > 1) {
                dot = shares_sum<TEAM>(s->share, ((k + 32) >> 5) * S::SPLIT);
                yk = Y[k];
            }
            if (S::SPLIT > 1) {
                c = C[t.row];
                yk += Y[ROWS + k];
                const float other = Y[(t.sub ^ 1) * ROWS + t.row];
                y = t.sub == 0 ? y + other : other + y; // the same order in both threads of the row
            }
            const float h = 0.5f * tau * tau * dot, wk = fmaf(tau, yk, -h * vk);
            w = t.row > k ? 0.f : fmaf(tau, y, -h * v);
            c -= fmaf(v, wk, w * vk);
            if (t.row == k && t.sub == 0)
                s->d[k] = c;
        }
        if (k == 1) {
            if (t.row == 0 && t.sub == 0) {
                s->d[0] = a[0] - 2.f * v * w;
                s->e[0] = c;
            }
            break;
        }
        float norm2 = 0, pivot = 0;
        if (goes_on) {
            if (t.row >= k)
                c = 0;
            norm2 = warp_share<S::LANES, TEAM>(c * c);
            if (t.sub == 0) {
                W[t.row] = w;
                X[(parity ^ 1) * ROWS + t.row] = c;
                if (TEAM > 1 && t.lane < 4)
                    s->share_norm[4 * t.row_warp + t.lane] = norm2;
            }
            if (TEAM == 1)
                pivot = __shfl_sync(lane_mask<S::LANES>(), c, k - 1, S::LANES);
        }
        team_barrier<S::LANES, TEAM>();
        if (!goes_on)
            continue;
        if (TEAM > 1) {
            norm2 = shares_sum<S::WARPS>(s->share_norm, (k + 31) >> 5);
            pivot = X[(parity ^ 1) * ROWS + k - 1];
        }
        const float norm = norm2 * inverse_root(fmaxf(norm2, 1e-37f));
        const float shift = copysignf(norm, pivot);
        vk = pivot + shift;
        // from the reflector as it is stored: H stays orthogonal to rounding
        tau = norm2 > 1e-36f ? 2.f * reciprocal(fmaf(-pivot, pivot, norm2) + vk * vk) : 0.f;
        const float v_old = v;
        v = t.row == k - 1 ? vk : c;
        y = real_pass<S>(a, X + parity * ROWS, W, X + (parity ^ 1) * ROWS, v_old, w, k, t.sub, c);
        if (owns(k - 1))
            y += c * shift;
        if (t.row == 0 && t.sub == 0) {
            s->e[k - 1] = -shift;
            s->tau[k] = tau;
        }
        if (t.sub == 0 && t.row < k)
            reflectors[k * (k - 1) / 2 + t.row] = v;
        parity ^= 1;
    }
    team_barrier<S::LANES, TEAM>();
}

// x = H_{n-1} ... H_2 x by one warp, two reflectors with one round of sums; lane holds the rows m *
// 32 + lane.
template <class S>
HG_INLINE void back_transform_real(float (&x)[S::WARPS], const PointMemory<S::ROWS> *s,
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
