/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvectors of the tridiagonal matrices of a group, by twisted factorization.
 *
 * Pivots of T - x I from the top, q_i, and from the bottom, s_i, meet in g_i = q_i + s_i - (d_i -
 * x). At the i where |g_i| is least the vector is near its largest: v_i = 1, and each
 * factorization gives one half. (T - x I) v = g_i e_i, so x + g_i / v'v is a better eigenvalue,
 * and a second round with it gives a better vector. */

static inline VECTOR TYPED(not_tiny)(VECTOR pivot)
{
    const VECTOR least = (VECTOR){0} + (REAL)(EPSILON * EPSILON);
    return OP(select)(OP(abs)(pivot) < least, OP(copysign)(least, pivot), pivot);
}

enum { TYPED(PIVOT), TYPED(INVERSE), TYPED(PER_PIVOT) };

static inline void TYPED(put_pivot)(VECTOR *at, VECTOR pivot)
{
    at[TYPED(PIVOT)] = pivot = TYPED(not_tiny)(pivot);
    at[TYPED(INVERSE)] = 1 / pivot;
}

/* Both factorizations at once: each waits for its own quotients. Returns the least g_i. */
static VECTOR TYPED(factorize_twisted)(TYPED(group) * g, VECTOR x)
{
    int64_t n = g->n;
    const VECTOR *d = g->diagonal, *side = g->side;
    VECTOR *q = g->upper, *s = g->lower + TYPED(PER_PIVOT) * (n - 1);
    TYPED(put_pivot)(q, d[0] - x);
    TYPED(put_pivot)(s, d[n - 1] - x);
    for (int64_t i = 1; i < n; i++) {
        VECTOR above = side[i - 1], below = side[n - 1 - i];
        VECTOR at_q = OP(fnma)(above, above * q[TYPED(INVERSE)], d[i] - x);
        VECTOR at_s = OP(fnma)(below, below * s[TYPED(INVERSE)], d[n - 1 - i] - x);
        q += TYPED(PER_PIVOT);
        s -= TYPED(PER_PIVOT);
        TYPED(put_pivot)(q, at_q);
        TYPED(put_pivot)(s, at_s);
    }
    VECTOR least = (VECTOR){0} + INFINITY;
    INTEGER twist = {0};
    for (int64_t i = 0; i < n; i++) {
        VECTOR gap = g->upper[TYPED(PER_PIVOT) * i] + g->lower[TYPED(PER_PIVOT) * i] - (d[i] - x);
        INTEGER is_less = OP(abs)(gap) < OP(abs)(least);
        least = OP(select)(is_less, gap, least);
        twist = (twist & ~is_less) | (is_less & (int)i);
    }
    g->twist = twist;
    return least;
}

/* v (real parts in g->v[2 i]) at x; returns x + g / v'v. T is scaled to norm about 1. */
static VECTOR TYPED(twisted)(TYPED(group) * g, VECTOR x)
{
    int64_t n = g->n;
    VECTOR least = TYPED(factorize_twisted)(g, x), *v = g->v;
    VECTOR one = (VECTOR){0} + 1, sum = {0}, next = {0};
    for (int64_t i = n - 1; i >= 0; i--) { /* rows above the twist */
        if (i < n - 1)
            next *= -(g->side[i] * g->upper[TYPED(PER_PIVOT) * i + TYPED(INVERSE)]);
        next =
            OP(select)(g->twist > (int)i, next, OP(select)(g->twist == (int)i, one, (VECTOR){0}));
        v[2 * i] = next;
        sum = OP(fma)(next, next, sum);
    }
    next = (VECTOR){0};
    for (int64_t i = 0; i < n; i++) { /* rows below it */
        if (i > 0)
            next *= -(g->side[i - 1] * g->lower[TYPED(PER_PIVOT) * i + TYPED(INVERSE)]);
        INTEGER is_below = g->twist < (int)i;
        next = OP(select)(is_below, next, v[2 * i]);
        v[2 * i] = next;
        sum = OP(fma)(OP(select)(is_below, next, (VECTOR){0}), next, sum);
    }
    return x + least / sum;
}

/* The eigenvector for the eigenvalue in [low, high], as a complex vector; returns the eigenvalue.
 * In single precision one factorization is enough, as a correction in double follows. */
static VECTOR TYPED(eigenvector)(TYPED(group) * g, VECTOR low, VECTOR high)
{
    VECTOR x = (REAL)0.5 * (low + high);
#if BITS == 64
    VECTOR margin = high - low;
    x = TYPED(max)(low - margin, TYPED(min)(high + margin, TYPED(twisted)(g, x)));
#endif
    TYPED(twisted)(g, x);
    for (int64_t i = 0; i < g->n; i++)
        g->v[2 * i + 1] = (VECTOR){0};
    return x;
}
