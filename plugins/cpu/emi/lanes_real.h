/* SPDX-License-Identifier: BSD-3-Clause */
/* Tridiagonalization of the real symmetric matrices of a group.
 *
 *      H = I - u u' / h,   p = A u / h,   w = p - (u'p / 2h) u,   A - u w' - w u'
 *
 * Step k reflects column k onto its element k+1 by H; the rest becomes the last expression. That
 * update waits for the next step, where the product with the next u reads the same elements. Each
 * row keeps (waiting u, waiting w, new u, product). */

enum { TYPED(R_UP), TYPED(R_WP), TYPED(R_U), TYPED(R_P), TYPED(R_COUNT) };

/* Columns j ... j + columns - 1, rows from ... to - 1 below them: the waiting update, then both
 * halves of the product. */
static inline __attribute__((always_inline)) void
TYPED(real_block)(int columns, TYPED(group) * g, int64_t j, int64_t from, int64_t to)
{
    VECTOR *rows = g->rows, *column[4], up[4], wp[4], u[4], sum[4];
    HG_UNROLL
    for (int c = 0; c < columns; c++) {
        const VECTOR *row = rows + (j + c) * TYPED(R_COUNT);
        column[c] = TYPED(column)(g->a, g->n, j + c);
        up[c] = row[TYPED(R_UP)];
        wp[c] = row[TYPED(R_WP)];
        u[c] = row[TYPED(R_U)];
        sum[c] = (VECTOR){0};
    }
    for (int64_t i = from; i < to; i++) {
        VECTOR *row = rows + i * TYPED(R_COUNT);
        VECTOR row_up = row[TYPED(R_UP)], row_wp = row[TYPED(R_WP)], row_u = row[TYPED(R_U)];
        VECTOR p = row[TYPED(R_P)];
        HG_UNROLL
        for (int c = 0; c < columns; c++) {
            VECTOR x = OP(fnma)(row_wp, up[c], OP(fnma)(row_up, wp[c], column[c][i]));
            column[c][i] = x;
            p = OP(fma)(x, u[c], p);
            sum[c] = OP(fma)(x, row_u, sum[c]);
        }
        row[TYPED(R_P)] = p;
    }
    HG_UNROLL
    for (int c = 0; c < columns; c++)
        rows[(j + c) * TYPED(R_COUNT) + TYPED(R_P)] += sum[c];
}

/* The same for one diagonal element. */
static inline void TYPED(real_diagonal)(TYPED(group) * g, int64_t j)
{
    VECTOR *row = g->rows + j * TYPED(R_COUNT);
    g->diagonal[j] = OP(fnma)(2 * row[TYPED(R_UP)], row[TYPED(R_WP)], g->diagonal[j]);
    row[TYPED(R_P)] = OP(fma)(g->diagonal[j], row[TYPED(R_U)], row[TYPED(R_P)]);
}

/* Update of and product with everything from row and column `begin` on, in tiles of rows. */
static void TYPED(real_pass)(TYPED(group) * g, int64_t begin)
{
    int64_t n = g->n;
    for (int64_t from = begin; from < n; from += TILE_ROWS) {
        int64_t to = from + TILE_ROWS < n ? from + TILE_ROWS : n, j = begin;
        for (; j + 4 <= from; j += 4)
            TYPED(real_block)(4, g, j, from, to);
        for (; j < from; j++)
            TYPED(real_block)(1, g, j, from, to);
        for (; j + 2 <= to; j += 2) {
            TYPED(real_diagonal)(g, j);
            TYPED(real_block)(1, g, j, j + 1, j + 2);
            TYPED(real_diagonal)(g, j + 1);
            TYPED(real_block)(2, g, j, j + 2, to);
        }
        if (j < to)
            TYPED(real_diagonal)(g, j);
    }
}

/* Column k with the waiting update: the new u in rows and column, no product yet, and the sum of
 * squares below its first element. */
static VECTOR TYPED(real_column)(TYPED(group) * g, int64_t k)
{
    VECTOR *column = TYPED(column)(g->a, g->n, k);
    const VECTOR *at_k = g->rows + k * TYPED(R_COUNT);
    VECTOR up = at_k[TYPED(R_UP)], wp = at_k[TYPED(R_WP)];
    g->diagonal[k] = OP(fnma)(2 * up, wp, g->diagonal[k]);
    for (int64_t i = k + 1; i < g->n; i++) {
        VECTOR *row = g->rows + i * TYPED(R_COUNT);
        VECTOR x = OP(fnma)(row[TYPED(R_WP)], up, OP(fnma)(row[TYPED(R_UP)], wp, column[i]));
        column[i] = row[TYPED(R_U)] = x;
        row[TYPED(R_P)] = (VECTOR){0};
    }
    return TYPED(dot)(g->n - k - 2, column + k + 2, 1, column + k + 2, 1);
}

/* From a and the diagonal to diagonal, side, tau (the 1 / h) and the reflectors in a. */
static void TYPED(tridiagonalize)(TYPED(group) * g)
{
    int64_t n = g->n;
    VECTOR *rows = g->rows;
    for (int64_t i = 0; i < n; i++)
        rows[i * TYPED(R_COUNT) + TYPED(R_UP)] = rows[i * TYPED(R_COUNT) + TYPED(R_WP)] =
            (VECTOR){0};
    for (int64_t k = 0; k < n - 1; k++) {
        VECTOR below = TYPED(real_column)(g, k);
        VECTOR *first = rows + (k + 1) * TYPED(R_COUNT);
        VECTOR alpha = first[TYPED(R_U)];
        VECTOR norm = OP(copysign)(OP(sqrt)(OP(fma)(alpha, alpha, below)), alpha);
        if (k == n - 2) { /* one element needs no reflection */
            g->side[k] = alpha;
            break;
        }
        g->side[k] = -norm;
        VECTOR h = OP(fma)(norm, norm, norm * alpha);
        VECTOR inverse = OP(select)(h > 0, 1 / h, (VECTOR){0});
        first[TYPED(R_U)] = TYPED(column)(g->a, n, k)[k + 1] = alpha + norm;
        g->tau[k] = inverse;
        TYPED(real_pass)(g, k + 1);

        VECTOR dot = TYPED(dot)(n - k - 1, first + TYPED(R_U), TYPED(R_COUNT), first + TYPED(R_P),
                                TYPED(R_COUNT));
        VECTOR half = (REAL)0.5 * inverse * inverse * dot;
        for (int64_t i = k + 1; i < n; i++) {
            VECTOR *row = rows + i * TYPED(R_COUNT);
            row[TYPED(R_UP)] = row[TYPED(R_U)];
            row[TYPED(R_WP)] = OP(fnma)(half, row[TYPED(R_U)], inverse * row[TYPED(R_P)]);
        }
    }
    VECTOR *last = rows + (n - 1) * TYPED(R_COUNT);
    g->diagonal[n - 1] = OP(fnma)(2 * last[TYPED(R_UP)], last[TYPED(R_WP)], g->diagonal[n - 1]);
}
