// SPDX-License-Identifier: BSD-3-Clause
// Inverse of a symmetric positive definite matrix by the sweep operator, four pivots at a time,
// rows in registers.
//
// No pivoting: safe only because the regularized |Gamma| is positive definite. Work n^3.
#pragma once
#include "plugins/cuda/emi/point.cuh"

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
HG_INLINE void negative_inverse(float (&a)[S::COLS_REAL], float &diagonal, int n,
                                PointMemory<S::ROWS> *s, const Thread<S> &t)
{
    constexpr int ROWS = S::ROWS, CHUNK = S::CHUNK, COLS = S::COLS_REAL;
    static_assert(sizeof s->x + sizeof s->w + sizeof s->y >= 8 * ROWS * sizeof(float),
                  "two buffers of four rows overlay x, w and y");
    float *const buffer = (float *)s->x;
    const auto group = [](int g) { return g + 4 * g / CHUNK * (S::SPLIT - 1) * (CHUNK / 4); };
#pragma unroll 1
    for (int k = 0, parity = 0; k < n; k += 4, parity ^= 1) {
        float *const rows = buffer + parity * 4 * ROWS;
        const int pivot = t.row - k;
        const bool is_pivot = pivot >= 0 && pivot < 4;
        if (is_pivot) {
            float4 *const to = (float4 *)(rows + pivot * ROWS) + t.sub * (CHUNK / 4);
            unrolled<COLS / 4>([&](auto i) {
                constexpr int g = decltype(i)::value;
                to[group(g)] = make_float4(a[4 * g], a[4 * g + 1], a[4 * g + 2], a[4 * g + 3]);
            });
            if ((t.row / CHUNK) % S::SPLIT == t.sub)
                rows[pivot * ROWS + t.row] = diagonal - 1.f;
            if (t.sub == 0)
                s->tau[parity * 4 + pivot] = diagonal;
        }
        team_barrier<S::LANES, S::TEAM_WARPS>();
        float p[4][4], f[4], g[4];
        unrolled<4>([&](auto row) {
            constexpr int i = decltype(row)::value;
            const float4 block = *(const float4 *)(rows + i * ROWS + k);
            p[i][0] = block.x;
            p[i][1] = block.y;
            p[i][2] = block.z;
            p[i][3] = block.w;
            p[i][i] = s->tau[parity * 4 + i];
            f[i] = t.row < COLS * S::SPLIT ? rows[i * ROWS + t.row] : 0.f;
        });
        invert4(p);
        if (is_pivot) {
            unrolled<4>([&](auto row) {
                constexpr int i = decltype(row)::value;
                if (pivot == i) {
                    diagonal = -p[i][i];
                    unrolled<4>([&](auto column) {
                        constexpr int j = decltype(column)::value;
                        g[j] = (i == j ? 1.f : 0.f) - p[i][j];
                    });
                }
            });
        } else {
            unrolled<4>([&](auto column) {
                constexpr int i = decltype(column)::value;
                g[i] =
                    fmaf(f[0], p[0][i], fmaf(f[1], p[1][i], fmaf(f[2], p[2][i], f[3] * p[3][i])));
            });
            diagonal -= g[0] * f[0] + g[1] * f[1] + g[2] * f[2] + g[3] * f[3];
        }
        unrolled<4>([&](auto row) {
            constexpr int i = decltype(row)::value;
            const float4 *from = (const float4 *)(rows + i * ROWS) + t.sub * (CHUNK / 4);
            unrolled<COLS / 4>([&](auto column) {
                constexpr int c = decltype(column)::value;
                const float4 q = from[group(c)];
                a[4 * c] -= g[i] * q.x;
                a[4 * c + 1] -= g[i] * q.y;
                a[4 * c + 2] -= g[i] * q.z;
                a[4 * c + 3] -= g[i] * q.w;
            });
        });
    }
}
