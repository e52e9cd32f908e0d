/* SPDX-License-Identifier: BSD-3-Clause */
/* Extreme eigenvalues of the tridiagonal matrices of a group, by bisection: is there an eigenvalue
 * below a point?
 *
 * There is none where p_i = (d_i - x) p_{i-1} - s_{i-1} p_{i-2}, p_0 = 1, stays positive: the
 * pivots of T - x I are p_i / p_{i-1}, and nothing is divided. Behind a p_i of 0 comes a negative
 * one, as no s is 0. For eigenvalues above a point T and x change sign. T is scaled to norm about
 * 1, and the p by powers of 2; behind a negative p nothing counts any more, whatever it overflows
 * to. */

enum { TYPED(POINTS) = 3 };

#if BITS == 32
#define EXPONENT_FIELD ((INTEGER){0} + 0x7F800000)
#define EXPONENT_TWICE_BIAS ((INTEGER){0} + (254 << 23))
#else
#define EXPONENT_FIELD ((INTEGER){0} + 0x7FF0000000000000)
#define EXPONENT_TWICE_BIAS ((INTEGER){0} + (INT64_C(2046) << 52))
#endif

/* 2^-e for x = m 2^e, 1 <= m < 2. */
static inline VECTOR TYPED(inverse_power)(VECTOR x)
{
    return (VECTOR)(EXPONENT_TWICE_BIAS - ((INTEGER)x & EXPONENT_FIELD));
}

/* Sign bits: set where an eigenvalue lies below x[t] (is_largest: above it), for several points t
 * at once, because a chain of these steps by itself waits for each. */
static inline __attribute__((always_inline)) void TYPED(any_beyond)(int count, int is_largest,
                                                                    int64_t n, const VECTOR *d,
                                                                    const VECTOR *square,
                                                                    const VECTOR *x, INTEGER *any)
{
    VECTOR before[TYPED(POINTS)], p[TYPED(POINTS)];
    HG_UNROLL
    for (int t = 0; t < count; t++) {
        before[t] = (VECTOR){0} + 1;
        p[t] = is_largest ? x[t] - d[0] : d[0] - x[t];
        any[t] = (INTEGER)p[t];
    }
    for (int64_t i = 1; i < n; i++) {
        HG_UNROLL
        for (int t = 0; t < count; t++) {
            VECTOR shifted = is_largest ? x[t] - d[i] : d[i] - x[t];
            VECTOR next = OP(fma)(shifted, p[t], -(square[i - 1] * before[t]));
            any[t] |= (INTEGER)next;
            before[t] = p[t];
            p[t] = next;
        }
        if (i % 4 == 3) { /* in four steps a positive p changes by 2^-104 ... 2^8 */
            HG_UNROLL
            for (int t = 0; t < count; t++) {
                VECTOR scale = TYPED(inverse_power)(p[t]);
                p[t] *= scale;
                before[t] *= scale;
            }
        }
    }
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

/* Quarters [low, high], which holds the smallest eigenvalue (is_largest: the largest one), a number
 * of times. */
static inline __attribute__((always_inline)) void
TYPED(quarter)(const TYPED(group) * g, int is_largest, int rounds, VECTOR *low, VECTOR *high)
{
    for (int i = 0; i < rounds; i++) {
        VECTOR x[TYPED(POINTS)];
        INTEGER any[TYPED(POINTS)];
        x[1] = (REAL)0.5 * (*low + *high);
        x[0] = (REAL)0.5 * (*low + x[1]);
        x[2] = (REAL)0.5 * (x[1] + *high);
        TYPED(any_beyond)(TYPED(POINTS), is_largest, g->n, g->diagonal, g->square, x, any);
        HG_UNROLL
        for (int t = 0; t < TYPED(POINTS); t++)
            any[t] = is_largest ? ~(any[t] < 0) : any[t] < 0; /* the eigenvalue is below x[t] */
        VECTOR top = OP(select)(any[2], x[2], *high), bottom = OP(select)(any[2], x[1], x[2]);
        top = OP(select)(any[1], x[1], top);
        bottom = OP(select)(any[1], x[0], bottom);
        *high = OP(select)(any[0], x[0], top);
        *low = OP(select)(any[0], *low, bottom);
    }
}

#undef EXPONENT_FIELD
#undef EXPONENT_TWICE_BIAS
