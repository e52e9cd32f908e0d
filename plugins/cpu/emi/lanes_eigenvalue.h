/* SPDX-License-Identifier: BSD-3-Clause */
/* Extreme eigenvalues of the tridiagonal matrices of a group, by bisection on the number of
 * eigenvalues below a point.
 *
 * That number is the count of sign changes in p_i = (d_i - x) p_{i-1} - s_{i-1} p_{i-2}, p_0 = 1:
 * the pivots of T - x I are p_i / p_{i-1}, and nothing is divided. A p_i of 0 counts once whichever
 * sign it is given, because p_{i+1} then has the sign opposite to p_{i-1}; for that no s may be 0.
 * T is scaled to norm about 1, and the p by powers of 2. */

#if BITS == 32
#define SIGN_SHIFT 31
#define EXPONENT_FIELD ((INTEGER){0} + 0x7F800000)
#define EXPONENT_TWICE_BIAS ((INTEGER){0} + (254 << 23))
#else
#define SIGN_SHIFT 63
#define EXPONENT_FIELD ((INTEGER){0} + 0x7FF0000000000000)
#define EXPONENT_TWICE_BIAS ((INTEGER){0} + (INT64_C(2046) << 52))
#endif

/* 2^-e for x = m 2^e, 1 <= m < 2. */
static inline VECTOR TYPED(inverse_power)(VECTOR x)
{
    return (VECTOR)(EXPONENT_TWICE_BIAS - ((INTEGER)x & EXPONENT_FIELD));
}

/* Minus the number of eigenvalues below x. */
static INTEGER TYPED(count_below)(int64_t n, const VECTOR *d, const VECTOR *square, VECTOR x)
{
    VECTOR before = (VECTOR){0} + 1, p = d[0] - x;
    INTEGER count = (INTEGER)p >> SIGN_SHIFT;
    for (int64_t i = 1; i < n; i++) {
        VECTOR next = OP(fma)(d[i] - x, p, -(square[i - 1] * before));
        count += ((INTEGER)next ^ (INTEGER)p) >> SIGN_SHIFT;
        before = p;
        p = next;
        if (i % 4 == 3) { /* in four steps a number changes by 2^-64 ... 2^8 */
            VECTOR scale = TYPED(inverse_power)(TYPED(max)(OP(abs)(p), OP(abs)(before)));
            p *= scale;
            before *= scale;
        }
    }
    return count;
}

/* Bounds on the eigenvalues by Gershgorin's discs. */
static void TYPED(bounds)(int64_t n, const VECTOR *d, const VECTOR *side, VECTOR *low, VECTOR *high)
{
    *low = *high = d[0];
    for (int64_t i = 0; i < n; i++) {
        VECTOR radius = (VECTOR){0};
        if (i > 0)
            radius += OP(abs)(side[i - 1]);
        if (i < n - 1)
            radius += OP(abs)(side[i]);
        *low = TYPED(min)(*low, d[i] - radius);
        *high = TYPED(max)(*high, d[i] + radius);
    }
}

/* Scales diagonal and side to norm about 1, makes the squares, and returns the factor, a power
 * of 2. */
static VECTOR TYPED(scale_tridiagonal)(TYPED(group) * g, VECTOR *low, VECTOR *high)
{
    TYPED(bounds)(g->n, g->diagonal, g->side, low, high);
    VECTOR factor = TYPED(inverse_power)(TYPED(max)(OP(abs)(*low), OP(abs)(*high)));
    *low *= factor;
    *high *= factor;
    for (int64_t i = 0; i < g->n; i++) {
        g->diagonal[i] *= factor;
        if (i == g->n - 1)
            break;
        g->side[i] *= factor;
        g->square[i] =
            TYPED(max)(g->side[i] * g->side[i], (VECTOR){0} + (REAL)(EPSILON * EPSILON / 64));
    }
    return factor;
}

/* Halves [low, high], which holds the smallest eigenvalue (is_largest: the largest one), a number
 * of times. */
static void TYPED(bisect)(const TYPED(group) * g, int is_largest, int rounds, VECTOR *low,
                          VECTOR *high)
{
    const INTEGER wanted = (INTEGER){0} - (is_largest ? (int)g->n : 1);
    for (int i = 0; i < rounds; i++) {
        VECTOR middle = (REAL)0.5 * (*low + *high);
        INTEGER is_above = TYPED(count_below)(g->n, g->diagonal, g->square, middle) <= wanted;
        *high = OP(select)(is_above, middle, *high);
        *low = OP(select)(is_above, *low, middle);
    }
}

#undef SIGN_SHIFT
#undef EXPONENT_FIELD
#undef EXPONENT_TWICE_BIAS
