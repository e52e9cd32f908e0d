/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop for one type: included by convolve.c with REAL, VECTOR, LANES, LOAD, STORE, SET,
 * FMA, TYPED. Functions that take `vectors` or `length` are always inlined with constants, so that
 * arrays become registers and conditions disappear. */

#define INLINE static inline __attribute__((always_inline)) void

/* Step e = i + j of a run: the segment of w that entries e - j share in rows `from` to `to`. */
INLINE TYPED(step)(int vectors, const REAL *w, const REAL *last, int from, int to,
                   VECTOR sum[HG_STRIP_ROWS][WIDEST])
{
    VECTOR segment[WIDEST];
    HG_FORGET(last);
    HG_UNROLL
    for (int v = 0; v < vectors; v++) {
        segment[v] = LOAD(w + v * (int)LANES);
        HG_IN_REGISTER(segment[v]);
    }
    HG_UNROLL
    for (int j = from; j <= to; j++) {
        VECTOR a = SET(last[-j]);
        HG_UNROLL
        for (int v = 0; v < vectors; v++)
            sum[j][v] = FMA(a, segment[v], sum[j][v]);
    }
}

/* A run shorter than the strip is high. */
INLINE TYPED(short_run)(int vectors, int length, const REAL *w, int64_t w_ld, const REAL *value,
                        int64_t skip, VECTOR sum[HG_STRIP_ROWS][WIDEST])
{
    HG_UNROLL
    for (int e = 0; e < length + HG_STRIP_ROWS - 1; e++) {
        int from = e < length ? 0 : e - length + 1;
        int to = e < HG_STRIP_ROWS ? e : HG_STRIP_ROWS - 1;
        if (e >= skip)
            TYPED(step)(vectors, w + e * w_ld, value + e, from, to, sum);
    }
}

/* Rows come in one after the other, all take part, rows leave one after the other. */
INLINE TYPED(long_run)(int vectors, int64_t length, const REAL *w, int64_t w_ld, const REAL *value,
                       int64_t skip, VECTOR sum[HG_STRIP_ROWS][WIDEST])
{
    const REAL *end = value + length;
    HG_UNROLL
    for (int e = 0; e < HG_STRIP_ROWS - 1; e++, w += w_ld)
        if (e >= skip)
            TYPED(step)(vectors, w, value + e, 0, e, sum);
    for (value += HG_STRIP_ROWS - 1; value < end; value++, w += w_ld)
        TYPED(step)(vectors, w, value, 0, HG_STRIP_ROWS - 1, sum);
    HG_UNROLL
    for (int e = 0; e < HG_STRIP_ROWS - 1; e++, w += w_ld)
        TYPED(step)(vectors, w, end + e, e + 1, HG_STRIP_ROWS - 1, sum);
}

INLINE TYPED(tile)(int vectors, const REAL *w, int64_t w_ld, const hg_run *run, const hg_run *end,
                   const REAL *values, REAL *u, int64_t u_ld)
{
    VECTOR sum[HG_STRIP_ROWS][WIDEST];
    HG_UNROLL
    for (int j = 0; j < HG_STRIP_ROWS; j++) {
        HG_UNROLL
        for (int v = 0; v < vectors; v++)
            sum[j][v] = (VECTOR){0};
    }
    for (; run < end; run++) {
        const REAL *from = w - run->offset, *value = values + run->first;
        switch (run->length) {
        case 1:
            TYPED(short_run)(vectors, 1, from, w_ld, value, run->skip, sum);
            break;
        case 2:
            TYPED(short_run)(vectors, 2, from, w_ld, value, run->skip, sum);
            break;
        case 3:
            TYPED(short_run)(vectors, 3, from, w_ld, value, run->skip, sum);
            break;
        default:
            TYPED(long_run)(vectors, run->length, from, w_ld, value, run->skip, sum);
        }
    }
    HG_UNROLL
    for (int j = 0; j < HG_STRIP_ROWS; j++) {
        HG_UNROLL
        for (int v = 0; v < vectors; v++)
            STORE(u + j * u_ld + v * (int)LANES, sum[j][v]);
    }
}

#define TILE(vectors) TYPED(tile)(vectors, w + x, w_ld, run, run + n_runs, value, u + x, u_ld)

static void TYPED(strip)(const void *w0, int64_t w_ld, const hg_run *run, int64_t n_runs,
                         const void *values, void *u0, int64_t u_ld, int64_t lo, int64_t hi)
{
    const REAL *w = w0, *value = values;
    REAL *u = u0;
    int64_t x = lo;
    for (; hi - x > (WIDEST - 1) * (int64_t)LANES; x += WIDEST * (int64_t)LANES)
        TILE(WIDEST);
    if (WIDEST == 4 && hi - x > 2 * (int64_t)LANES)
        TILE(3);
    else if (WIDEST == 4 && hi - x > (int64_t)LANES)
        TILE(2);
    else if (hi > x)
        TILE(1);
}

#undef TILE
#undef INLINE
#undef REAL
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
#undef SET
#undef FMA
#undef TYPED
