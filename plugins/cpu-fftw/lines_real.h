/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of one precision: included by lines.c with REAL, VECTOR, LANES, ORDER, LOAD, STORE, FMA,
 * ZIP_LOW, ZIP_HIGH, TYPED. */

typedef struct TYPED(number) {
    REAL re, im;
} TYPED(number);

static void TYPED(take)(const void *rows0, int64_t rows_ld, const int64_t *y, int64_t n_rows,
                        void *lines0, int64_t ld, int64_t n)
{
    const TYPED(number) *rows = rows0;
    TYPED(number) *lines = lines0;
    for (int b = 0; b < HG_LINES; b++)
        memset(lines + b * ld, 0, (size_t)n * sizeof *lines);
    for (int64_t i = 0; i < n_rows; i++)
        for (int b = 0; b < HG_LINES; b++)
            lines[b * ld + y[i]] = rows[i * rows_ld + b];
}

static void TYPED(give)(const void *lines0, int64_t ld, int64_t first, int64_t n, void *rows0,
                        int64_t rows_ld)
{
    const TYPED(number) *lines = (const TYPED(number) *)lines0 + first;
    TYPED(number) *rows = rows0;
    for (int64_t i = 0; i < n; i++)
        for (int b = 0; b < HG_LINES; b++)
            rows[i * rows_ld + b] = lines[b * ld + i];
}

/* Each spectrum number multiplies both parts. */
static void TYPED(multiply_real)(const REAL *line, const REAL *spectrum, int onto, REAL *sum,
                                 int64_t n)
{
    for (int64_t i = 0; i < n; i += LANES) {
        VECTOR k = LOAD(spectrum + i);
        VECTOR low = onto ? LOAD(sum + 2 * i) : (VECTOR){0};
        VECTOR high = onto ? LOAD(sum + 2 * i + LANES) : (VECTOR){0};
        STORE(sum + 2 * i, FMA(LOAD(line + 2 * i), ZIP_LOW(k, k), low));
        STORE(sum + 2 * i + LANES, FMA(LOAD(line + 2 * i + LANES), ZIP_HIGH(k, k), high));
    }
}

/* (a + ib)(c + id) = (a, b) c + (b, a) (-d, d). */
static void TYPED(multiply_complex)(const REAL *line, const REAL *spectrum, int onto, REAL *sum,
                                    int64_t n)
{
    VECTOR sign;
    HG_UNROLL
    for (int i = 0; i < (int)LANES; i++)
        sign[i] = i % 2 ? (REAL)1.0 : (REAL)-1.0;
    for (int64_t i = 0; i < 2 * n; i += LANES) {
        VECTOR a = LOAD(line + i), k = LOAD(spectrum + i);
        VECTOR c = __builtin_shufflevector(k, k, ORDER(FIRST));
        VECTOR d = sign * __builtin_shufflevector(k, k, ORDER(SECOND));
        VECTOR swapped = __builtin_shufflevector(a, a, ORDER(SWAP));
        VECTOR before = onto ? LOAD(sum + i) : (VECTOR){0};
        STORE(sum + i, FMA(swapped, d, FMA(a, c, before)));
    }
}

static void TYPED(multiply)(const void *line, const void *spectrum, int is_real, int onto,
                            void *sum, int64_t n)
{
    if (is_real)
        TYPED(multiply_real)(line, spectrum, onto, sum, n);
    else
        TYPED(multiply_complex)(line, spectrum, onto, sum, n);
}

#undef REAL
#undef VECTOR
#undef LANES
#undef ORDER
#undef LOAD
#undef STORE
#undef FMA
#undef ZIP_LOW
#undef ZIP_HIGH
#undef TYPED
