/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading points into lanes and writing lanes to points, through transpositions in registers. */

/* Row l of a square of LANES x LANES becomes column l. */
static inline void TYPED(transpose)(VECTOR *row)
{
    HG_UNROLL
    for (int step = 1; step < LANES; step *= 2) {
        VECTOR next[LANES];
        HG_UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            next[2 * i] = OP(zip_low)(row[i], row[i + LANES / 2]);
            next[2 * i + 1] = OP(zip_high)(row[i], row[i + LANES / 2]);
        }
        HG_UNROLL
        for (int i = 0; i < LANES; i++)
            row[i] = next[i];
    }
}

/* count complex numbers of each point, from from[l] on, to count pairs of vectors; imaginary parts
 * change sign. */
static void TYPED(gather)(const REAL *const *from, int64_t count, VECTOR *to)
{
    const int step = LANES / 2 > 0 ? LANES / 2 : 1;
    int64_t k = 0;
    for (; k + step <= count; k += step) {
        VECTOR row[LANES];
        for (int l = 0; l < LANES; l++)
            row[l] = OP(load)(from[l] + 2 * k);
        TYPED(transpose)(row);
        HG_UNROLL
        for (int i = 0; i < LANES; i += 2) {
            to[2 * k + i] = row[i];
            to[2 * k + i + 1] = -row[i + 1];
        }
    }
    for (; k < count; k++)
        for (int l = 0; l < LANES; l++) {
            to[2 * k][l] = from[l][2 * k];
            to[2 * k + 1][l] = -from[l][2 * k + 1];
        }
}

/* The way back for n_points points: count pairs of vectors to complex numbers of each point. */
static void TYPED(scatter)(const VECTOR *from, int64_t count, REAL *const *to, int n_points)
{
    const int step = LANES / 2 > 0 ? LANES / 2 : 1;
    int64_t k = 0;
    for (; k + step <= count; k += step) {
        VECTOR row[LANES];
        HG_UNROLL
        for (int i = 0; i < LANES; i++)
            row[i] = from[2 * k + i];
        TYPED(transpose)(row);
        for (int l = 0; l < n_points; l++)
            OP(store)(to[l] + 2 * k, row[l]);
    }
    for (; k < count; k++)
        for (int l = 0; l < n_points; l++) {
            to[l][2 * k] = from[2 * k][l];
            to[l][2 * k + 1] = from[2 * k + 1][l];
        }
}

/* Point of a lane: the last one stands in for those behind it. */
static inline int64_t TYPED(point_of)(const hg_emi_call *call, int64_t first, int lane)
{
    return first + lane < call->n_points ? first + lane : call->n_points - 1;
}

static void TYPED(load)(const hg_emi_call *call, int64_t first, TYPED(group) * g)
{
    int64_t n = g->n;
    const REAL *from[LANES];
    if (!call->is_full) {
        for (int l = 0; l < LANES; l++)
            from[l] = (const REAL *)call->coh.data + TYPED(point_of)(call, first, l) * n * (n - 1);
        TYPED(gather)(from, n * (n - 1) / 2, g->gamma);
        return;
    }
    for (int64_t c = 0; c < n - 1; c++) {
        for (int l = 0; l < LANES; l++)
            from[l] = (const REAL *)call->coh.data +
                      2 * ((TYPED(point_of)(call, first, l) * n + c) * n + c + 1);
        TYPED(gather)(from, n - 1 - c, g->gamma + c * (2 * n - c - 1));
    }
}

/* Whether the lower triangle of a point may disagree with the upper one; in doubt it may. */
static int TYPED(may_disagree)(const hg_emi_call *call, int64_t point)
{
    int64_t n = call->n;
    const REAL *coh = (const REAL *)call->coh.data + 2 * point * n * n;
    REAL bound = (REAL)(0.99 * call->hermitian_tolerance * call->hermitian_tolerance);
    int is_close = 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            REAL re = coh[2 * (i * n + j)] - coh[2 * (j * n + i)];
            REAL im = coh[2 * (i * n + j) + 1] + coh[2 * (j * n + i) + 1];
            is_close &= re * re + im * im <= bound;
        }
    return !is_close;
}

/* |Gamma| from gamma; the lanes in the result hold something unusual: not finite, modulus above 1,
 * or too small for its square. */
static INTEGER TYPED(take_modulus)(TYPED(group) * g)
{
    INTEGER is_odd = {0};
    for (int64_t k = 0; k < g->n * (g->n - 1) / 2; k++) {
        VECTOR re = g->gamma[2 * k], im = g->gamma[2 * k + 1], unused;
        VECTOR square = OP(fma)(re, re, im * im);
        is_odd |= ~(square <= (REAL)(1.0 + 1e-5));
        is_odd |= (square == 0) & ((re != 0) | (im != 0));
        g->a[k] = OP(root)(square, &unused);
    }
    return is_odd;
}

/* Which images have a coherence: an element of |Gamma| that is not 0 in their row or column. */
static void TYPED(take_links)(TYPED(group) * g)
{
    int64_t n = g->n;
    memset(g->is_linked, 0, (size_t)n * sizeof(INTEGER));
    for (int64_t c = 0; c < n - 1; c++) {
        const VECTOR *column = TYPED(column)(g->a, n, c);
        INTEGER any = {0};
        for (int64_t r = c + 1; r < n; r++) {
            any |= (INTEGER)column[r];
            g->is_linked[r] |= (INTEGER)column[r];
        }
        g->is_linked[c] |= any;
    }
    for (int64_t i = 0; i < n; i++)
        g->is_linked[i] = g->is_linked[i] != 0;
}
