/* SPDX-License-Identifier: BSD-3-Clause */
/* Z written by rows of pairs, and by panels of real planes; part of lanes_real.h. */

/* (re + i im) of row a at source s. */
static inline void TYPED(element)(const hg_factors *row, int64_t axis_step, int64_t s, VECTOR *re,
                                  VECTOR *im)
{
    VECTOR vr = OP(load)((const REAL *)row->value[0] + axis_step + s);
    VECTOR vi = OP(load)((const REAL *)row->value[1] + axis_step + s);
    VECTOR pr = OP(load)((const REAL *)row->phase[0] + s);
    VECTOR pi_ = OP(load)((const REAL *)row->phase[1] + s);
    *re = OP(fnma)(vi, pi_, vr * pr);
    *im = OP(fma)(vi, pr, vr * pi_);
}

static void TYPED(weave)(int64_t n, const hg_factors *row, void *out_)
{
    REAL *out = out_, pairs[2 * LANES];
    for (int64_t s = 0; s < n; s += LANES) {
        VECTOR re, im;
        if (row->phase[0]) {
            TYPED(element)(row, 0, s, &re, &im);
        } else {
            re = OP(load)((const REAL *)row->value[0] + s);
            im = OP(load)((const REAL *)row->value[1] + s);
        }
        REAL *to = n - s < LANES ? pairs : out + 2 * s;
        OP(store)(to, OP(zip_low)(re, im));
        OP(store)(to + LANES, OP(zip_high)(re, im));
        if (to == pairs)
            memcpy(out + 2 * s, pairs, (size_t)(2 * (n - s)) * sizeof *out);
    }
}

static void TYPED(scale)(int64_t n, const void *z_in, const void *amp_in, void *out_in)
{
    const REAL *z = z_in, *amp = amp_in;
    REAL *out = out_in;
    for (int64_t s = 0; s < n; s++) {
        out[2 * s] = z[2 * s] * amp[s];
        out[2 * s + 1] = z[2 * s + 1] * amp[s];
    }
}

static void TYPED(times)(int64_t n, const void *a_in, const void *b_in, void *out_in)
{
    const REAL *a = a_in, *b = b_in;
    REAL *out = out_in;
    int64_t i = 0, m = 2 * n;
    for (; i + 2 * LANES <= m; i += 2 * LANES) {
        VECTOR a0 = OP(load)(a + i), a1 = OP(load)(a + i + LANES);
        VECTOR b0 = OP(load)(b + i), b1 = OP(load)(b + i + LANES);
        VECTOR ar = TYPED(even)(a0, a1), ai = TYPED(odd)(a0, a1);
        VECTOR br = TYPED(even)(b0, b1), bi = TYPED(odd)(b0, b1);
        VECTOR re = OP(fnma)(ai, bi, ar * br), im = OP(fma)(ai, br, ar * bi);
        OP(store)(out + i, OP(zip_low)(re, im));
        OP(store)(out + i + LANES, OP(zip_high)(re, im));
    }
    for (; i < m; i += 2) {
        REAL ar = a[i], ai = a[i + 1], br = b[i], bi = b[i + 1];
        out[i] = ar * br - ai * bi;
        out[i + 1] = ar * bi + ai * br;
    }
}

/* Rows become columns: each round lays the two halves of the list into each other. */
static inline void TYPED(transpose)(VECTOR a[LANES])
{
    VECTOR b[LANES];
    HG_UNROLL
    for (int width = 1; width < (int)LANES; width *= 2) {
        HG_UNROLL
        for (int i = 0; i < (int)LANES / 2; i++) {
            b[2 * i] = OP(zip_low)(a[i], a[i + LANES / 2]);
            b[2 * i + 1] = OP(zip_high)(a[i], a[i + LANES / 2]);
        }
        HG_UNROLL
        for (int i = 0; i < (int)LANES; i++)
            a[i] = b[i];
    }
}

/* Columns [k, k + n) of panel q, n <= LANES, from registers of rows. */
static inline void TYPED(store_columns)(const hg_panels *panels, int64_t q, int64_t k, int64_t n,
                                        VECTOR re[LANES], VECTOR im[LANES])
{
    int64_t at = (q * panels->depth + k) * LANES;
    REAL *plus = (REAL *)panels->plus + at, *minus = (REAL *)panels->minus + at,
         *imag = (REAL *)panels->imag + at;
    TYPED(transpose)(re);
    TYPED(transpose)(im);
    for (int64_t l = 0; l < n; l++, plus += LANES, minus += LANES, imag += LANES) {
        OP(store)(plus, re[l] + im[l]);
        OP(store)(minus, re[l] - im[l]);
        OP(store)(imag, im[l]);
    }
}

static void TYPED(pack_factors)(const hg_panels *panels, int64_t q, const hg_factors *rows,
                                int64_t nax, int64_t axis_step, int64_t n)
{
    for (int64_t x = 0; x < nax; x++)
        for (int64_t s = 0; s < n; s += LANES) {
            VECTOR re[LANES], im[LANES];
            HG_UNROLL
            for (int r = 0; r < (int)LANES; r++)
                TYPED(element)(rows + r, x * axis_step, s, &re[r], &im[r]);
            TYPED(store_columns)(panels, q, x * n + s, n - s < LANES ? n - s : LANES, re, im);
        }
}

static void TYPED(pack_rows)(const hg_panels *panels, int64_t q, const void *Z_in, int64_t rows,
                             int64_t stride, int64_t K)
{
    const REAL *Z = Z_in;
    for (int64_t k = 0; k < K; k += LANES) {
        int64_t n = K - k < LANES ? K - k : LANES;
        VECTOR re[LANES], im[LANES];
        for (int r = 0; r < (int)LANES; r++) {
            REAL pairs[2 * LANES] = {0};
            const REAL *from = r < rows ? Z + 2 * (r * stride + k) : pairs;
            if (n < LANES && r < rows)
                from = memcpy(pairs, from, (size_t)(2 * n) * sizeof *Z);
            VECTOR low = OP(load)(from), high = OP(load)(from + LANES);
            re[r] = TYPED(even)(low, high);
            im[r] = TYPED(odd)(low, high);
        }
        TYPED(store_columns)(panels, q, k, n, re, im);
    }
}
