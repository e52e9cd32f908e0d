/* SPDX-License-Identifier: BSD-3-Clause */
/* Tridiagonalization of the complex Hermitian matrices of a group, and the way back for one
 * vector.
 *
 *      H = I - tau u u^H,   p = A u,   w = tau p - (|tau|^2 u^H p / 2) u,   A - u w^H - w u^H
 *      b = -sign(Re x_1) |x|,   u = x - b e_1,   tau = -u_1 / (b |u_1|^2)
 *
 * As the real one (lanes_real.h), with tau complex such that what is left of a column x is real.
 * The u stay in their columns. */

enum {
    TYPED(C_UPR),
    TYPED(C_UPI),
    TYPED(C_WPR),
    TYPED(C_WPI),
    TYPED(C_UR),
    TYPED(C_UI),
    TYPED(C_PR),
    TYPED(C_PI),
    TYPED(C_COUNT)
};

/* a - u_i conj(w_j) - w_i conj(u_j); i by row, j by column. */
static inline __attribute__((always_inline)) void
TYPED(complex_update)(const VECTOR *i, const VECTOR *j, VECTOR *re, VECTOR *im)
{
    VECTOR x = *re, y = *im;
    x = OP(fnma)(i[TYPED(C_UPR)], j[TYPED(C_WPR)], x);
    y = OP(fnma)(i[TYPED(C_UPI)], j[TYPED(C_WPR)], y);
    x = OP(fnma)(i[TYPED(C_UPI)], j[TYPED(C_WPI)], x);
    y = OP(fma)(i[TYPED(C_UPR)], j[TYPED(C_WPI)], y);
    x = OP(fnma)(i[TYPED(C_WPR)], j[TYPED(C_UPR)], x);
    y = OP(fnma)(i[TYPED(C_WPI)], j[TYPED(C_UPR)], y);
    x = OP(fnma)(i[TYPED(C_WPI)], j[TYPED(C_UPI)], x);
    y = OP(fma)(i[TYPED(C_WPR)], j[TYPED(C_UPI)], y);
    *re = x;
    *im = y;
}

/* Columns j ... j + columns - 1, rows from ... to - 1 below them: the waiting update, then both
 * halves of the product. */
static inline __attribute__((always_inline)) void
TYPED(complex_block)(int columns, TYPED(group) * g, int64_t j, int64_t from, int64_t to)
{
    VECTOR *rows = g->rows, *column[2], at_j[2][TYPED(C_PR)], sum[2][2];
    HG_UNROLL
    for (int c = 0; c < columns; c++) {
        column[c] = g->gamma + (j + c) * (2 * g->n - (j + c) - 1) - 2 * (j + c) - 2;
        HG_UNROLL
        for (int x = 0; x < TYPED(C_PR); x++)
            at_j[c][x] = rows[(j + c) * TYPED(C_COUNT) + x];
        sum[c][0] = sum[c][1] = (VECTOR){0};
    }
    for (int64_t i = from; i < to; i++) {
        VECTOR *row = rows + i * TYPED(C_COUNT), at_i[TYPED(C_COUNT)];
        HG_UNROLL
        for (int x = 0; x < TYPED(C_COUNT); x++)
            at_i[x] = row[x];
        VECTOR pr = at_i[TYPED(C_PR)], pi = at_i[TYPED(C_PI)];
        VECTOR ur = at_i[TYPED(C_UR)], ui = at_i[TYPED(C_UI)];
        HG_UNROLL
        for (int c = 0; c < columns; c++) {
            VECTOR re = column[c][2 * i], im = column[c][2 * i + 1];
            TYPED(complex_update)(at_i, at_j[c], &re, &im);
            column[c][2 * i] = re;
            column[c][2 * i + 1] = im;
            pr = OP(fnma)(im, at_j[c][TYPED(C_UI)], OP(fma)(re, at_j[c][TYPED(C_UR)], pr));
            pi = OP(fma)(im, at_j[c][TYPED(C_UR)], OP(fma)(re, at_j[c][TYPED(C_UI)], pi));
            sum[c][0] = OP(fma)(im, ui, OP(fma)(re, ur, sum[c][0]));
            sum[c][1] = OP(fnma)(im, ur, OP(fma)(re, ui, sum[c][1]));
        }
        row[TYPED(C_PR)] = pr;
        row[TYPED(C_PI)] = pi;
    }
    HG_UNROLL
    for (int c = 0; c < columns; c++) {
        rows[(j + c) * TYPED(C_COUNT) + TYPED(C_PR)] += sum[c][0];
        rows[(j + c) * TYPED(C_COUNT) + TYPED(C_PI)] += sum[c][1];
    }
}

static inline VECTOR TYPED(complex_diagonal_update)(const VECTOR *row, VECTOR diagonal)
{
    VECTOR twice =
        OP(fma)(row[TYPED(C_UPR)], row[TYPED(C_WPR)], row[TYPED(C_UPI)] * row[TYPED(C_WPI)]);
    return OP(fnma)((VECTOR){0} + 2, twice, diagonal);
}

static inline void TYPED(complex_diagonal)(TYPED(group) * g, int64_t j)
{
    VECTOR *row = g->rows + j * TYPED(C_COUNT);
    g->diagonal[j] = TYPED(complex_diagonal_update)(row, g->diagonal[j]);
    row[TYPED(C_PR)] = OP(fma)(g->diagonal[j], row[TYPED(C_UR)], row[TYPED(C_PR)]);
    row[TYPED(C_PI)] = OP(fma)(g->diagonal[j], row[TYPED(C_UI)], row[TYPED(C_PI)]);
}

static void TYPED(complex_pass)(TYPED(group) * g, int64_t begin)
{
    int64_t n = g->n;
    for (int64_t from = begin; from < n; from += TILE_ROWS) {
        int64_t to = from + TILE_ROWS < n ? from + TILE_ROWS : n, j = begin;
        for (; j + 2 <= from; j += 2)
            TYPED(complex_block)(2, g, j, from, to);
        if (j < from) {
            TYPED(complex_block)(1, g, j, from, to);
            j++;
        }
        for (; j + 2 <= to; j += 2) {
            TYPED(complex_diagonal)(g, j);
            TYPED(complex_block)(1, g, j, j + 1, j + 2);
            TYPED(complex_diagonal)(g, j + 1);
            TYPED(complex_block)(2, g, j, j + 2, to);
        }
        if (j < to)
            TYPED(complex_diagonal)(g, j);
    }
}

/* Column k with the waiting update: the new u in rows and column, and the sum of squares below its
 * first element. */
static VECTOR TYPED(complex_column)(TYPED(group) * g, int64_t k)
{
    VECTOR *column = g->gamma + k * (2 * g->n - k - 1) - 2 * k - 2;
    VECTOR at_k[TYPED(C_PR)];
    HG_UNROLL
    for (int x = 0; x < TYPED(C_PR); x++)
        at_k[x] = g->rows[k * TYPED(C_COUNT) + x];
    g->diagonal[k] = TYPED(complex_diagonal_update)(at_k, g->diagonal[k]);
    for (int64_t i = k + 1; i < g->n; i++) {
        VECTOR *row = g->rows + i * TYPED(C_COUNT);
        VECTOR re = column[2 * i], im = column[2 * i + 1];
        TYPED(complex_update)(row, at_k, &re, &im);
        column[2 * i] = row[TYPED(C_UR)] = re;
        column[2 * i + 1] = row[TYPED(C_UI)] = im;
        row[TYPED(C_PR)] = row[TYPED(C_PI)] = (VECTOR){0};
    }
    return TYPED(dot)(2 * (g->n - k - 2), column + 2 * k + 4, 1, column + 2 * k + 4, 1);
}

/* Makes u and tau of column k from the column and the squares below its first element. */
static void TYPED(complex_reflector)(TYPED(group) * g, int64_t k, VECTOR below)
{
    VECTOR *first = g->rows + (k + 1) * TYPED(C_COUNT);
    VECTOR *column = g->gamma + k * (2 * g->n - k - 1) - 2 * k - 2;
    VECTOR re = first[TYPED(C_UR)], im = first[TYPED(C_UI)];
    VECTOR norm = OP(sqrt)(OP(fma)(re, re, OP(fma)(im, im, below)));
    VECTOR b = -OP(copysign)(norm, re);
    re -= b;
    VECTOR size = OP(fma)(re, re, im * im) * b;
    VECTOR scale = OP(select)(size != 0, -1 / size, (VECTOR){0});
    g->side[k] = b;
    g->tau[2 * k] = scale * re;
    g->tau[2 * k + 1] = scale * im;
    first[TYPED(C_UR)] = column[2 * (k + 1)] = re;
    first[TYPED(C_UI)] = column[2 * (k + 1) + 1] = im;
}

/* One of n - 1 parts of what is fetched to the second-level cache: in one go it would be waited
 * for. Inline, as GCC 12 leaves out calls of a function that does nothing else. */
static inline __attribute__((always_inline)) void TYPED(fetch_ahead)(const TYPED(group) * g,
                                                                     int64_t k)
{
    const int64_t line = 64, begin = g->ahead_bytes * k / (g->n - 1),
                  end = g->ahead_bytes * (k + 1) / (g->n - 1);
    for (int64_t at = begin; at < end; at += line)
        __builtin_prefetch(g->ahead + at, 0, 2);
}

/* From gamma and the diagonal to diagonal, side, tau and the reflectors in gamma. */
static void TYPED(tridiagonalize_complex)(TYPED(group) * g)
{
    int64_t n = g->n;
    VECTOR *rows = g->rows;
    for (int64_t i = 0; i < n; i++)
        HG_UNROLL
    for (int x = 0; x < TYPED(C_UR); x++)
        rows[i * TYPED(C_COUNT) + x] = (VECTOR){0};
    for (int64_t k = 0; k < n - 1; k++) {
        TYPED(fetch_ahead)(g, k);
        TYPED(complex_reflector)(g, k, TYPED(complex_column)(g, k));
        TYPED(complex_pass)(g, k + 1);
        VECTOR tr = g->tau[2 * k], ti = g->tau[2 * k + 1], *first = rows + (k + 1) * TYPED(C_COUNT);
        VECTOR dot = TYPED(dot)(n - k - 1, first + TYPED(C_UR), TYPED(C_COUNT), first + TYPED(C_PR),
                                TYPED(C_COUNT)) +
                     TYPED(dot)(n - k - 1, first + TYPED(C_UI), TYPED(C_COUNT), first + TYPED(C_PI),
                                TYPED(C_COUNT));
        VECTOR half = (REAL)0.5 * OP(fma)(tr, tr, ti * ti) * dot;
        for (int64_t i = k + 1; i < n; i++) {
            VECTOR *row = rows + i * TYPED(C_COUNT);
            VECTOR pr = row[TYPED(C_PR)], pi = row[TYPED(C_PI)];
            row[TYPED(C_UPR)] = row[TYPED(C_UR)];
            row[TYPED(C_UPI)] = row[TYPED(C_UI)];
            row[TYPED(C_WPR)] = OP(fnma)(half, row[TYPED(C_UR)], OP(fnma)(ti, pi, tr * pr));
            row[TYPED(C_WPI)] = OP(fnma)(half, row[TYPED(C_UI)], OP(fma)(ti, pr, tr * pi));
        }
    }
    g->diagonal[n - 1] =
        TYPED(complex_diagonal_update)(rows + (n - 1) * TYPED(C_COUNT), g->diagonal[n - 1]);
}

/* One reflector on v[stride i], v[stride i + 1]: v - tau u (u^H v), or with conj(tau). */
static inline __attribute__((always_inline)) void
TYPED(reflect)(const TYPED(group) * g, int64_t k, int is_conjugate, VECTOR *v, int stride)
{
    int64_t n = g->n;
    const VECTOR *u = g->gamma + k * (2 * n - k - 1) - 2 * k - 2;
    VECTOR rr = {0}, ii = {0}, ri = {0}, ir = {0};
    for (int64_t i = k + 1; i < n; i++) {
        VECTOR ur = u[2 * i], ui = u[2 * i + 1], vr = v[stride * i], vi = v[stride * i + 1];
        rr = OP(fma)(ur, vr, rr);
        ii = OP(fma)(ui, vi, ii);
        ri = OP(fma)(ur, vi, ri);
        ir = OP(fma)(ui, vr, ir);
    }
    VECTOR re = rr + ii, im = ri - ir;
    VECTOR tr = g->tau[2 * k], ti = is_conjugate ? -g->tau[2 * k + 1] : g->tau[2 * k + 1];
    VECTOR cr = OP(fnma)(ti, im, tr * re), ci = OP(fma)(ti, re, tr * im);
    for (int64_t i = k + 1; i < n; i++) {
        VECTOR ur = u[2 * i], ui = u[2 * i + 1];
        v[stride * i] = OP(fma)(ui, ci, OP(fnma)(ur, cr, v[stride * i]));
        v[stride * i + 1] = OP(fnma)(ui, cr, OP(fnma)(ur, ci, v[stride * i + 1]));
    }
}

/* A vector of the tridiagonal matrix becomes one of the matrix itself: the last reflector first. */
static void TYPED(transform_back)(const TYPED(group) * g, VECTOR *v)
{
    for (int64_t k = g->n - 2; k >= 0; k--)
        TYPED(reflect)(g, k, 0, v, 2);
}
