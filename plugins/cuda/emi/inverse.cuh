// SPDX-License-Identifier: BSD-3-Clause
// Inverse of a symmetric positive definite matrix by the sweep operator, four pivots at a time,
// rows in registers, and the correction of it.
//
// No pivoting: safe only because the regularized |Gamma| is positive definite. Work n^3.
#pragma once
#include "plugins/cuda/emi/point.cuh"
#include "plugins/cuda/emi/trust.cuh"

// Inverse of a symmetric positive definite 4 x 4 block, in place.
HG_INLINE void invert4(float (&p)[4][4])
{
    unrolled<4>([&](auto pivot) {
        constexpr int k = decltype(pivot)::value;
        const float r = reciprocal(p[k][k]);
        float c[4];
        unrolled<4>([&](auto i) { c[decltype(i)::value] = p[decltype(i)::value][k]; });
        unrolled<4>([&](auto row) {
            constexpr int i = decltype(row)::value;
            unrolled<4>([&](auto column) {
                constexpr int j = decltype(column)::value;
                if constexpr (j >= i) {
                    if constexpr (i == k && j == k)
                        p[i][j] = -r;
                    else if constexpr (i == k || j == k)
                        p[i][j] = c[i == k ? j : i] * r;
                    else
                        p[i][j] = fmaf(-c[i] * r, c[j], p[i][j]);
                    p[j][i] = p[i][j];
                }
            });
        });
    });
    unrolled<4>([&](auto i) {
        unrolled<4>([&](auto j) {
            p[decltype(i)::value][decltype(j)::value] = -p[decltype(i)::value][decltype(j)::value];
        });
    });
}

// a, diagonal: the matrix in, minus its inverse out. The diagonal is kept apart; what the register
// array holds in its place never enters. Four rows at a time go through shared memory with 1 taken
// off their diagonal: then one and the same update serves pivot columns and all others.
template <class S>
HG_INLINE void negative_inverse(float (&a)[S::FOLD][S::COLS_REAL], float (&diagonal)[S::FOLD],
                                int n, PointMemory<S> *s, const Thread<S> &t)
{
    constexpr int ROWS = S::ROWS, CHUNK = S::CHUNK, COLS = S::COLS_REAL, FOLD = S::FOLD;
    static_assert(sizeof s->x + sizeof s->w + sizeof s->y >= 8 * ROWS * sizeof(float),
                  "two buffers of four rows overlay x, w and y");
    float *const buffer = (float *)s->x;
    const auto group = [](int g) { return g + 4 * g / CHUNK * (S::SHARES - 1) * (CHUNK / 4); };
#pragma unroll 1
    for (int k = 0, parity = 0; k < n; k += 4, parity ^= 1) {
        float *const rows = buffer + parity * 4 * ROWS;
        unrolled<FOLD>([&](auto r_) {
            constexpr int r = decltype(r_)::value;
            const int row = t.row_of(r), pivot = row - k;
            if (pivot < 0 || pivot >= 4)
                return;
            float4 *const to = (float4 *)(rows + pivot * ROWS + t.chunk_begin(0));
            unrolled<COLS / 4>([&](auto column) {
                constexpr int g = decltype(column)::value;
                to[group(g)] =
                    make_float4(a[r][4 * g], a[r][4 * g + 1], a[r][4 * g + 2], a[r][4 * g + 3]);
            });
            if (t.holds(row))
                rows[pivot * ROWS + row] = diagonal[r] - 1.f;
            if (t.share == 0)
                s->tau[parity * 4 + pivot] = diagonal[r];
        });
        team_barrier<S::LANES, S::TEAM_WARPS>();
        float p[4][4], g[FOLD][4];
        unrolled<4>([&](auto row) {
            constexpr int i = decltype(row)::value;
            const float4 block = *(const float4 *)(rows + i * ROWS + k);
            p[i][0] = block.x;
            p[i][1] = block.y;
            p[i][2] = block.z;
            p[i][3] = block.w;
            p[i][i] = s->tau[parity * 4 + i];
        });
        invert4(p);
        unrolled<FOLD>([&](auto r_) {
            constexpr int r = decltype(r_)::value;
            const int row = t.row_of(r), pivot = row - k;
            float f[4];
            unrolled<4>([&](auto i) {
                f[decltype(i)::value] =
                    row < COLS * S::SHARES ? rows[decltype(i)::value * ROWS + row] : 0.f;
            });
            if (pivot >= 0 && pivot < 4) {
                unrolled<4>([&](auto i_) {
                    constexpr int i = decltype(i_)::value;
                    if (pivot == i) {
                        diagonal[r] = -p[i][i];
                        unrolled<4>([&](auto column) {
                            constexpr int j = decltype(column)::value;
                            g[r][j] = (i == j ? 1.f : 0.f) - p[i][j];
                        });
                    }
                });
            } else {
                unrolled<4>([&](auto column) {
                    constexpr int i = decltype(column)::value;
                    g[r][i] = fmaf(f[0], p[0][i],
                                   fmaf(f[1], p[1][i], fmaf(f[2], p[2][i], f[3] * p[3][i])));
                });
                diagonal[r] -= g[r][0] * f[0] + g[r][1] * f[1] + g[r][2] * f[2] + g[r][3] * f[3];
            }
        });
        unrolled<4>([&](auto row) {
            constexpr int i = decltype(row)::value;
            const float4 *from = (const float4 *)(rows + i * ROWS + t.chunk_begin(0));
            unrolled<COLS / 4>([&](auto column) {
                constexpr int c = decltype(column)::value;
                const float4 q = from[group(c)];
                unrolled<FOLD>([&](auto r_) {
                    constexpr int r = decltype(r_)::value;
                    a[r][4 * c] -= g[r][i] * q.x;
                    a[r][4 * c + 1] -= g[r][i] * q.y;
                    a[r][4 * c + 2] -= g[r][i] * q.z;
                    a[r][4 * c + 3] -= g[r][i] * q.w;
                });
            });
        });
    }
}

// The smallest eigenvalue of |Gamma|. Refined: y is the own component of its vector, else 0.
struct Smallest {
    double value;
    float y;
    bool is_refined;
};

// a, diagonal: minus the inverse B of the regularized |Gamma|. Most of its error lies along the
// vector y of lambda_min: there y'By is set to what the eigenvalue says. Returns the norm of the
// error that is left.
template <class S>
HG_INLINE float refine_inverse(float (&a)[S::FOLD][S::COLS_REAL], float (&diagonal)[S::FOLD],
                               const Smallest &smallest, double beta, int n, PointMemory<S> *s,
                               const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS;
    const double lowest = (1 - beta) * smallest.value + beta;
    if (!smallest.is_refined && is_exact_enough(lowest, n))
        return 0.f;
    float *const y = (float *)s->column;
    if (t.sub == 0)
        y[t.row] = smallest.y;
    team_barrier<S::LANES, TEAM>();
    const float own = t.sub == 0 && t.row < n ? own_of(diagonal, t) : 0.f;
    float product[S::FOLD] = {}, square = own * own;
    for_own_columns<S>(t, [&](auto r_, auto q_, int j) {
        constexpr int r = decltype(r_)::value, q = decltype(q_)::value;
        product[r] += j == t.row_of(r) ? 0.f : a[r][q] * y[j];
        square += j == t.row_of(r) ? 0.f : a[r][q] * a[r][q];
    });
    float form = own * smallest.y * smallest.y;
    unrolled<S::FOLD>(
        [&](auto r) { form += product[decltype(r)::value] * y[t.row_of(decltype(r)::value)]; });
    form = lanes_sum<S::LANES>(form);
    float size = lanes_sum<S::LANES>(t.sub == 0 ? smallest.y * smallest.y : 0.f);
    square = lanes_sum<S::LANES>(square);
    if (TEAM > 1) {
        if (t.lane == 0) {
            s->partial_wide[t.warp] = form;
            s->partial_wide[TEAM + t.warp] = size;
            s->partial_wide[2 * TEAM + t.warp] = square;
        }
        team_barrier<S::LANES, TEAM>();
        form = (float)partials_sum<TEAM>(s->partial_wide);
        size = (float)partials_sum<TEAM>(s->partial_wide + TEAM);
        square = (float)partials_sum<TEAM>(s->partial_wide + 2 * TEAM);
    }
    if (!smallest.is_refined)
        return inverse_error(square, 0);
    const double missing = 1 / lowest + form / size;
    if (!(fabs(missing) * lowest < 0.125))
        return error_of_lost; // or y is not that vector
    const float factor = (float)(missing / size);
    unrolled<S::FOLD>([&](auto r) {
        const float own_y = y[t.row_of(decltype(r)::value)];
        diagonal[decltype(r)::value] -= factor * own_y * own_y;
    });
    for_own_columns<S>(t, [&](auto r_, auto q, int j) {
        constexpr int r = decltype(r_)::value;
        a[r][decltype(q)::value] -= factor * y[t.row_of(r)] * y[j];
    });
    return inverse_error(square, 1 / (lowest * lowest));
}
