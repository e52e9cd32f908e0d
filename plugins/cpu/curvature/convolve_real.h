/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops for one type: included by convolve.c with REAL, VECTOR, LANES, LOAD, STORE, SET,
 * FMA, TYPED. */

/* A tile of VECTORS registers at u. Always inlined with a constant VECTORS, so that the array
 * becomes registers. */
static inline __attribute__((always_inline)) void TYPED(tile)(int vectors, const REAL *w,
                                                              const int64_t *offset,
                                                              const REAL *value, int64_t n,
                                                              REAL scale, int onto, REAL *u)
{
    VECTOR sum[8];
    HG_UNROLL
    for (int v = 0; v < vectors; v++)
        sum[v] = onto ? LOAD(u + v * (int)LANES) : (VECTOR){0};
    for (int64_t i = 0; i < n; i++) {
        const REAL *from = w - offset[i];
        VECTOR a = SET(scale * value[i]);
        HG_UNROLL
        for (int v = 0; v < vectors; v++)
            sum[v] = FMA(a, LOAD(from + v * (int)LANES), sum[v]);
    }
    HG_UNROLL
    for (int v = 0; v < vectors; v++)
        STORE(u + v * (int)LANES, sum[v]);
}

static void TYPED(row)(const void *w0, const int64_t *offset, const void *values, int64_t n,
                       double scale, int onto, void *u0, int64_t lo, int64_t hi)
{
    const REAL *w = w0, *value = values;
    REAL *u = u0;
    REAL factor = (REAL)scale;
    int64_t x = lo;
    for (; hi - x > 4 * (int64_t)LANES; x += 8 * (int64_t)LANES)
        TYPED(tile)(8, w + x, offset, value, n, factor, onto, u + x);
    if (hi - x > 2 * (int64_t)LANES)
        TYPED(tile)(4, w + x, offset, value, n, factor, onto, u + x);
    else if (hi - x > (int64_t)LANES)
        TYPED(tile)(2, w + x, offset, value, n, factor, onto, u + x);
    else if (hi > x)
        TYPED(tile)(1, w + x, offset, value, n, factor, onto, u + x);
}

static double TYPED(gather)(const void *u0, const int64_t *cell, const double *value, int64_t n)
{
    const REAL *u = u0;
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum = hg_fma(value[i], (double)u[cell[i]], sum);
    return sum;
}

#undef REAL
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
#undef SET
#undef FMA
#undef TYPED
