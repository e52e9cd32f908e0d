/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse of the real positive definite matrices of a group, in place, by sweeps over blocks of
 * pivots.
 *
 * With the pivots in B and the rest in R, S = A_BB^-1 and D = A_RB S, a sweep makes
 *      A_RR - D A_RB',   A_RB = D,   A_BB = -S
 * and after all pivots A has become -A^-1. Nothing is pivoted: the matrices are positive definite.
 * Each row of R keeps (A_RB, D) for the pass over the triangle. */

enum { TYPED(PIVOTS) = 8 };

/* S of the pivots begin ... begin + count - 1, by single sweeps of a small square of which the
 * lower half is kept; and -S into the matrix. */
static inline __attribute__((always_inline)) void
TYPED(invert_block)(int count, TYPED(group) * g, int64_t begin,
                    VECTOR s[TYPED(PIVOTS)][TYPED(PIVOTS)])
{
    HG_UNROLL
    for (int a = 0; a < count; a++) {
        s[a][a] = g->diagonal[begin + a];
        HG_UNROLL
        for (int b = 0; b < a; b++)
            s[a][b] = TYPED(column)(g->a, g->n, begin + b)[begin + a];
    }
    HG_UNROLL
    for (int p = 0; p < count; p++) {
        VECTOR inverse = 1 / s[p][p], at_p[TYPED(PIVOTS)], d[TYPED(PIVOTS)];
        HG_UNROLL
        for (int a = 0; a < count; a++) {
            at_p[a] = a < p ? s[p][a] : s[a][p];
            d[a] = at_p[a] * inverse;
        }
        HG_UNROLL
        for (int a = 0; a < count; a++) {
            HG_UNROLL
            for (int b = 0; b <= a; b++)
                s[a][b] = a == p && b == p ? -inverse
                          : a == p         ? d[b]
                          : b == p         ? d[a]
                                           : OP(fnma)(d[a], at_p[b], s[a][b]);
        }
    }
    HG_UNROLL
    for (int a = 0; a < count; a++) { /* the sweeps made -S */
        g->diagonal[begin + a] = s[a][a];
        s[a][a] = -s[a][a];
        HG_UNROLL
        for (int b = 0; b < a; b++) {
            TYPED(column)(g->a, g->n, begin + b)[begin + a] = s[a][b];
            s[a][b] = s[b][a] = -s[a][b];
        }
    }
}

/* A_RB and D of one row of R, side by side in `row`; its elements are element[b][i], and become D.
 */
static inline __attribute__((always_inline)) void
TYPED(take_row)(int count, VECTOR *const *element, int64_t i, VECTOR *row,
                VECTOR s[TYPED(PIVOTS)][TYPED(PIVOTS)])
{
    VECTOR at[TYPED(PIVOTS)];
    HG_UNROLL
    for (int b = 0; b < count; b++)
        row[b] = at[b] = element[b][i];
    HG_UNROLL
    for (int b = 0; b < count; b++) {
        VECTOR d = at[0] * s[0][b];
        HG_UNROLL
        for (int a = 1; a < count; a++)
            d = OP(fma)(at[a], s[a][b], d);
        row[TYPED(PIVOTS) + b] = element[b][i] = d;
    }
}

/* The same for all rows of R: those before the pivots have them in a row, those behind in columns.
 */
static inline __attribute__((always_inline)) void
TYPED(take_panel)(int count, TYPED(group) * g, int64_t begin,
                  VECTOR s[TYPED(PIVOTS)][TYPED(PIVOTS)])
{
    VECTOR *element[TYPED(PIVOTS)], *row = g->rows;
    for (int64_t i = 0; i < begin; i++, row += 2 * TYPED(PIVOTS)) {
        HG_UNROLL
        for (int b = 0; b < count; b++)
            element[b] = TYPED(column)(g->a, g->n, i) + begin + b;
        TYPED(take_row)(count, element, 0, row, s);
    }
    HG_UNROLL
    for (int b = 0; b < count; b++)
        element[b] = TYPED(column)(g->a, g->n, begin + b);
    row += count * 2 * TYPED(PIVOTS);
    for (int64_t i = begin + count; i < g->n; i++, row += 2 * TYPED(PIVOTS))
        TYPED(take_row)(count, element, i, row, s);
}

/* Columns j ... j + columns - 1 of A_RR, rows from ... to - 1. */
static inline __attribute__((always_inline)) void
TYPED(sweep_block)(int count, int columns, TYPED(group) * g, int64_t j, int64_t from, int64_t to)
{
    VECTOR *column[4], at_j[4][TYPED(PIVOTS)];
    HG_UNROLL
    for (int c = 0; c < columns; c++) {
        column[c] = TYPED(column)(g->a, g->n, j + c);
        HG_UNROLL
        for (int p = 0; p < count; p++)
            at_j[c][p] = g->rows[(j + c) * 2 * TYPED(PIVOTS) + p];
    }
    for (int64_t i = from; i < to; i++) {
        const VECTOR *d = g->rows + i * 2 * TYPED(PIVOTS) + TYPED(PIVOTS);
        HG_UNROLL
        for (int c = 0; c < columns; c++) {
            VECTOR x = column[c][i];
            HG_UNROLL
            for (int p = 0; p < count; p++)
                x = OP(fnma)(d[p], at_j[c][p], x);
            column[c][i] = x;
        }
    }
}

/* Rows from ... to - 1 of columns first ... last - 1, none of them a pivot and all columns before
 * the rows. */
static inline __attribute__((always_inline)) void
TYPED(sweep_rectangle)(int count, TYPED(group) * g, int64_t first, int64_t last, int64_t from,
                       int64_t to)
{
    const int columns = count < 8 ? 4 : 2; /* what the registers hold */
    for (; first + columns <= last; first += columns)
        TYPED(sweep_block)(count, columns, g, first, from, to);
    for (; first < last; first++)
        TYPED(sweep_block)(count, 1, g, first, from, to);
}

/* The triangle of rows and columns from ... to - 1, with its diagonal. */
static inline __attribute__((always_inline)) void TYPED(sweep_triangle)(int count, TYPED(group) * g,
                                                                        int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) {
        const VECTOR *row = g->rows + j * 2 * TYPED(PIVOTS);
        HG_UNROLL
        for (int p = 0; p < count; p++)
            g->diagonal[j] = OP(fnma)(row[TYPED(PIVOTS) + p], row[p], g->diagonal[j]);
        int pair = (j - from) % 2 == 0 && j + 1 < to;
        TYPED(sweep_block)(count, 1, g, j, j + 1, pair ? j + 2 : j + 1);
        if (pair)
            TYPED(sweep_block)(count, 2, g, j, j + 2, to);
    }
}

static inline __attribute__((always_inline)) void TYPED(sweep)(int count, TYPED(group) * g,
                                                               int64_t begin)
{
    VECTOR s[TYPED(PIVOTS)][TYPED(PIVOTS)];
    int64_t n = g->n, end = begin + count;
    TYPED(invert_block)(count, g, begin, s);
    TYPED(take_panel)(count, g, begin, s);
    for (int64_t from = 0; from < begin; from += TILE_ROWS) {
        int64_t to = from + TILE_ROWS < begin ? from + TILE_ROWS : begin;
        TYPED(sweep_rectangle)(count, g, 0, from, from, to);
        TYPED(sweep_triangle)(count, g, from, to);
    }
    for (int64_t from = end; from < n; from += TILE_ROWS) {
        int64_t to = from + TILE_ROWS < n ? from + TILE_ROWS : n;
        TYPED(sweep_rectangle)(count, g, 0, begin, from, to);
        TYPED(sweep_rectangle)(count, g, end, from, from, to);
        TYPED(sweep_triangle)(count, g, from, to);
    }
}

/* a and the diagonal become those of -A^-1. */
static void TYPED(invert)(TYPED(group) * g)
{
    int64_t begin = 0;
    for (; begin + 8 <= g->n; begin += 8)
        TYPED(sweep)(8, g, begin);
    if (begin + 4 <= g->n) {
        TYPED(sweep)(4, g, begin);
        begin += 4;
    }
    if (begin + 2 <= g->n) {
        TYPED(sweep)(2, g, begin);
        begin += 2;
    }
    if (begin < g->n)
        TYPED(sweep)(1, g, begin);
}
