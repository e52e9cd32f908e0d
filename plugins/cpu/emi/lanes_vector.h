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

/* v (real parts in g->v[2 i]) at x; returns x + g / v'v. T is scaled to norm about 1. */
static VECTOR TYPED(twisted)(TYPED(group) * g, VECTOR x)
{
    int64_t n = g->n;
    const VECTOR *d = g->diagonal, *side = g->side;
    VECTOR *q = g->upper, *s = g->lower, *v = g->v;
    q[0] = TYPED(not_tiny)(d[0] - x);
    for (int64_t i = 1; i < n; i++)
        q[i] = TYPED(not_tiny)(OP(fnma)(side[i - 1], side[i - 1] / q[i - 1], d[i] - x));
    s[n - 1] = TYPED(not_tiny)(d[n - 1] - x);
    for (int64_t i = n - 2; i >= 0; i--)
        s[i] = TYPED(not_tiny)(OP(fnma)(side[i], side[i] / s[i + 1], d[i] - x));

    VECTOR least = q[0] + s[0] - (d[0] - x);
    INTEGER twist = {0};
    for (int64_t i = 1; i < n; i++) {
        VECTOR gap = q[i] + s[i] - (d[i] - x);
        INTEGER is_less = OP(abs)(gap) < OP(abs)(least);
        least = OP(select)(is_less, gap, least);
        twist = (twist & ~is_less) | (is_less & (int)i);
    }

    g->twist = twist;
    VECTOR one = (VECTOR){0} + 1, sum = {0}, next = {0};
    for (int64_t i = n - 1; i >= 0; i--) { /* rows above the twist */
        VECTOR above = i < n - 1 ? -(side[i < n - 1 ? i : 0] / q[i]) * next : next;
        next = OP(select)(twist > (int)i, above, OP(select)(twist == (int)i, one, (VECTOR){0}));
        v[2 * i] = next;
        sum = OP(fma)(next, next, sum);
    }
    next = (VECTOR){0};
    for (int64_t i = 0; i < n; i++) { /* rows below it */
        VECTOR below = i > 0 ? -(side[i > 0 ? i - 1 : 0] / s[i]) * next : next;
        INTEGER is_below = twist < (int)i;
        next = OP(select)(is_below, below, v[2 * i]);
        v[2 * i] = next;
        sum = OP(fma)(OP(select)(is_below, next, (VECTOR){0}), next, sum);
    }
    return x + least / sum;
}

/* The eigenvector for the eigenvalue in [low, high], as a complex vector; returns the eigenvalue.
 */
static VECTOR TYPED(eigenvector)(TYPED(group) * g, VECTOR low, VECTOR high)
{
    VECTOR margin = high - low;
    VECTOR x = TYPED(twisted)(g, (REAL)0.5 * (low + high));
    x = TYPED(max)(low - margin, TYPED(min)(high + margin, x));
    TYPED(twisted)(g, x);
    for (int64_t i = 0; i < g->n; i++)
        g->v[2 * i + 1] = (VECTOR){0};
    return x;
}
