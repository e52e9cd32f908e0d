/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of the set-up operations for one type: included by setup_lanes.c with REAL, LARGEST, TERMS,
 * VECTOR, MASK, LANES, TYPED, OP. */

/* A register from or to n elements, of which there may be fewer than lanes. */
static inline VECTOR TYPED(take)(const void *from, int64_t at, int64_t n)
{
    const REAL *x = (const REAL *)from + at;
    if (n - at >= LANES)
        return OP(load)(x);
    REAL some[HG_VECTOR_BYTES / sizeof(REAL)] = {0};
    memcpy(some, x, (size_t)(n - at) * sizeof *x);
    return OP(load)(some);
}

static inline void TYPED(give)(void *to, int64_t at, int64_t n, VECTOR value)
{
    REAL *x = (REAL *)to + at;
    if (n - at >= LANES)
        OP(store)(x, value);
    else
        memcpy(x, &value, (size_t)(n - at) * sizeof *x);
}

static void TYPED(distances)(const void *lateral, const void *depth, int64_t n, double slowness,
                             void *trav, void *dist)
{
    const REAL *a = lateral, *b = depth;
    for (int64_t j = 0; j < n; j += LANES) {
        VECTOR d = OP(sqrt)(OP(load)(a + j) + OP(load)(b + j));
        TYPED(give)(trav, j, n, d * OP(set)((REAL)slowness));
        if (dist)
            TYPED(give)(dist, j, n, d);
    }
}

static void TYPED(spreading)(const void *dist, int64_t n, int ndim, double eps, void *amp)
{
    for (int64_t j = 0; j < n; j += LANES) {
        VECTOR r = TYPED(take)(dist, j, n) + OP(set)((REAL)eps);
        TYPED(give)(amp, j, n, OP(set)(1) / (ndim == 2 ? OP(sqrt)(r) : r));
    }
}

/* atan2(y, x) for y >= 0, in [0, pi]; 0 for two zeros. Infinities count as the largest number, NaN
 * stays NaN.
 *
 * With t = tan(pi/8) and X = |x|: y <= t X is taken as it is, t X < y < X / t turned back by pi/4,
 * the rest by pi/2. */
static inline VECTOR TYPED(turn)(VECTOR y, VECTOR x)
{
    const VECTOR tangent = OP(set)((REAL)0.41421356237309504880), most = OP(set)(LARGEST / 4);
    VECTOR X = OP(abs)(x);
    y = OP(select)(y > most, most, y);
    X = OP(select)(X > most, most, X);
    MASK is_middle = y > tangent * X, is_steep = is_middle & (X <= tangent * y);
    VECTOR above = OP(select)(is_middle, y - X, y), below = OP(select)(is_middle, y + X, X);
    above = OP(select)(is_steep, -X, above);
    below = OP(select)(is_steep, y, below);
    below = OP(select)(below == OP(set)(0), OP(set)(1), below);
    VECTOR z = above / below, z2 = z * z, p = OP(set)(TYPED(arctangent)[TERMS - 1]);
    HG_UNROLL
    for (int i = TERMS - 2; i >= 0; i--)
        p = OP(fma)(p, z2, OP(set)(TYPED(arctangent)[i]));
    const VECTOR eighth = OP(set)((REAL)0.78539816339744830962), half = eighth + eighth;
    VECTOR angle = OP(fma)(z2 * z, p, z);
    angle += OP(select)(is_steep, half, OP(select)(is_middle, eighth, OP(set)(0)));
    return OP(select)(x < OP(set)(0), half + half - angle, angle);
}

static inline VECTOR TYPED(slope)(const hg_slopes *s, int axis, int64_t at, int64_t n)
{
    return (TYPED(take)(s->ahead[axis], at, n) - TYPED(take)(s->back[axis], at, n)) *
               OP(set)((REAL)s->scale[axis]) +
           OP(set)(0); /* no -0, which has a direction */
}

/* 2D: atan2(x, z). 3D: the angle from the z axis, below zero
 * where x is. */
static void TYPED(angles)(const hg_slopes *s, int64_t n, int ndim, void *ang)
{
    for (int64_t j = 0; j < n; j += LANES) {
        VECTOR x = TYPED(slope)(s, 1, j, n), z = TYPED(slope)(s, 2, j, n), angle;
        if (ndim == 2) {
            angle = OP(copysign)(TYPED(turn)(OP(abs)(x), z), x);
        } else {
            VECTOR y = TYPED(slope)(s, 0, j, n);
            angle = TYPED(turn)(OP(sqrt)(OP(fma)(y, y, x * x)), z);
            angle = OP(select)(x < OP(set)(0), -angle, angle);
        }
        TYPED(give)(ang, j, n, angle);
    }
}

#undef REAL
#undef LARGEST
#undef TERMS
#undef VECTOR
#undef MASK
#undef LANES
#undef TYPED
#undef OP
