/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of panels and of rows; part of lanes_real.h.
 *
 * A tile is two registers of rows of the left panels times BESIDE rows of the right one: 2 BESIDE
 * sums stay in registers over all columns, each column costs 2 loads, BESIDE broadcasts and 2
 * BESIDE multiply-adds. With 16 registers (avx2, baseline) BESIDE is at most 4. */
#if HG_VECTOR_BYTES == 64
#define BESIDE 8
#else
#define BESIDE (LANES < 4 ? 2 : 4)
#endif

/* c[j ld + i] += sign sum_k a[i,k] b[j,k] for `wide` registers of rows i and BESIDE rows j. */
static inline __attribute__((always_inline)) void TYPED(tile)(int wide, int64_t K, const REAL *a,
                                                              int64_t panel, const REAL *b,
                                                              VECTOR sign, REAL *c, int64_t ld)
{
    VECTOR sum[2][BESIDE];
    HG_UNROLL
    for (int j = 0; j < BESIDE; j++)
        sum[0][j] = sum[1][j] = OP(set)((REAL)0);
    for (int64_t k = 0; k < K; k++, a += LANES, b += LANES) {
        VECTOR a0 = OP(load)(a), a1 = wide > 1 ? OP(load)(a + panel) : a0;
        HG_UNROLL
        for (int j = 0; j < BESIDE; j++) {
            VECTOR x = OP(set)(b[j]);
            sum[0][j] = OP(fma)(a0, x, sum[0][j]);
            if (wide > 1)
                sum[1][j] = OP(fma)(a1, x, sum[1][j]);
        }
    }
    HG_UNROLL
    for (int j = 0; j < BESIDE; j++)
        for (int v = 0; v < wide; v++) {
            REAL *to = c + j * ld + v * LANES;
            OP(store)(to, OP(fma)(sum[v][j], sign, OP(load)(to)));
        }
}

/* One or two panels of A from q on, times panel p of B. */
static void TYPED(strip)(int wide, int64_t K, int64_t panel, const REAL *A, int64_t q,
                         const REAL *B, int64_t p, REAL sign, REAL *C, int64_t ld)
{
    const VECTOR factor = OP(set)(sign);
    for (int j = 0; j < (int)LANES; j += BESIDE) {
        REAL *c = C + (p * LANES + j) * ld + q * LANES;
        if (wide > 1)
            TYPED(tile)(2, K, A + q * panel, panel, B + p * panel + j, factor, c, ld);
        else
            TYPED(tile)(1, K, A + q * panel, panel, B + p * panel + j, factor, c, ld);
    }
}

static void TYPED(product)(const hg_panels *panels, int64_t K, double sign, void *G, void *Q)
{
    int64_t n = panels->n, panel = panels->depth * LANES, ld = n * LANES;
    for (int64_t q = 0; q < n; q += 2) {
        int wide = n - q > 1 ? 2 : 1;
        for (int64_t p = 0; p < n; p++)
            TYPED(strip)(wide, K, panel, panels->plus, q, panels->minus, p, (REAL)sign, G, ld);
        for (int64_t p = 0; p < q + wide; p++)
            TYPED(strip)(wide, K, panel, panels->imag, q, panels->imag, p, (REAL)sign, Q, ld);
    }
}

/* sum_k a[k] conj(b[k]): products of what stands at the same place, and of pairs turned around. Two
 * registers of sums each, added in double at the end. */
static void TYPED(dot)(const void *a_in, const void *b_in, int64_t n, double sum[2])
{
    const REAL *a = a_in, *b = b_in;
    VECTOR same[2], cross[2];
    same[0] = same[1] = cross[0] = cross[1] = OP(set)((REAL)0);
    int64_t i = 0, m = 2 * n;
    for (; i + 2 * LANES <= m; i += 2 * LANES)
        HG_UNROLL
    for (int h = 0; h < 2; h++) {
        VECTOR x = OP(load)(a + i + h * LANES), y = OP(load)(b + i + h * LANES);
        same[h] = OP(fma)(x, y, same[h]);
        cross[h] = OP(fma)(x, TYPED(swap)(y), cross[h]);
    }
    if (i < m) {
        REAL rest[2][2 * LANES] = {{0}};
        memcpy(rest[0], a + i, (size_t)(m - i) * sizeof *a);
        memcpy(rest[1], b + i, (size_t)(m - i) * sizeof *b);
        for (int h = 0; h < 2; h++) {
            VECTOR x = OP(load)(rest[0] + h * LANES), y = OP(load)(rest[1] + h * LANES);
            same[h] = OP(fma)(x, y, same[h]);
            cross[h] = OP(fma)(x, TYPED(swap)(y), cross[h]);
        }
    }
    sum[0] = sum[1] = 0.0;
    for (int h = 0; h < 2; h++)
        for (int l = 0; l < (int)LANES; l++) {
            sum[0] += (double)same[h][l];
            sum[1] += l % 2 ? (double)cross[h][l] : -(double)cross[h][l];
        }
}

#undef BESIDE
