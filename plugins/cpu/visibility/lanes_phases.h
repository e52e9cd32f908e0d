/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases of one antenna for a block of sources; part of lanes_real.h. */

/* 1.5 2^23 or 1.5 2^52: added to a small number it leaves the nearest integer in the low bits. */
#define MAGIC (IS_64 ? 6755399441055744.0 : 12582912.0)

/* Nearest whole number. */
static inline VECTOR TYPED(nearest)(VECTOR a)
{
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
#if IS_64
    return (VECTOR)_mm512_roundscale_pd((__m512d)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return (VECTOR)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#endif
#elif defined(__AVX2__) && HG_VECTOR_BYTES == 32
#if IS_64
    return (VECTOR)_mm256_round_pd((__m256d)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return (VECTOR)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#endif
#else
    /* Beyond the range of the trick every number is a whole one, or none. */
    const VECTOR magic = OP(set)((REAL)MAGIC);
    return OP(select)(OP(abs)(a) < OP(set)((REAL)(MAGIC / 3.0)), (a + magic) - magic, a);
#endif
}

/* a b = *high + what is returned, exactly. */
static inline VECTOR TYPED(product_error)(VECTOR a, VECTOR b, VECTOR *high)
{
    *high = a * b;
#if defined(__FMA__) || defined(__FP_FAST_FMA)
    return OP(fma)(a, b, -*high);
#else
    /* Veltkamp's and Dekker's way without the instruction. */
    const VECTOR splitter = OP(set)((REAL)(IS_64 ? 134217729.0 : 4097.0));
    VECTOR ca = splitter * a, cb = splitter * b;
    VECTOR a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - *high) + a1 * b2 + a2 * b1) + a2 * b2;
#endif
}

#if IS_64
/* sin(2 pi r) / r and (cos(2 pi r) - 1) / r^2 as polynomials in r^2 up to r = 1/8, to 4e-17. */
static const double TYPED(sine)[] = {
    6.283185307179586477, -41.34170224039976014, 81.60524927607492308, -76.70585975299490453,
    42.05869392834393795, -15.09464033819212596, 3.819784823962692344, -0.7115712244663631771};
static const double TYPED(cosine)[] = {
    -19.73920880217871724, 64.93939402266829146, -85.45681720669368193, 60.24464137185343761,
    -26.42625677759211545, 7.903535589385940045, -1.714332117842102831, 0.2797182223490076764};
#else
/* The same to 3e-8. */
static const float TYPED(sine)[] = {6.28318529f, -41.3416602f, 81.5920322f, -75.3757326f};
static const float TYPED(cosine)[] = {-19.7392088f, 64.9393675f, -85.4484984f, 59.4078027f};
#endif

static inline VECTOR TYPED(polynomial)(const REAL *c, VECTOR x)
{
    enum { TERMS = IS_64 ? 8 : 4 };
    VECTOR p = OP(set)(c[TERMS - 1]);
    HG_UNROLL
    for (int i = TERMS - 2; i >= 0; i--)
        p = OP(fma)(p, x, OP(set)(c[i]));
    return p;
}

/* exp(2 pi i (turn + small)) for |turn| up to 2 or so. Quarter turns leave exactly, so that 1, i,
 * -1 and -i come out as such. */
static inline void TYPED(cis)(VECTOR turn, VECTOR small, VECTOR *re, VECTOR *im)
{
    const VECTOR magic = OP(set)((REAL)MAGIC);
    VECTOR shifted = OP(fma)(turn, OP(set)((REAL)4), magic);
    VECTOR quarters = shifted - magic;
    INTEGER bits = (INTEGER)shifted; /* the low two: quarters modulo 4 */
    VECTOR r = OP(fnma)(quarters, OP(set)((REAL)0.25), turn) + small, r2 = r * r;
    VECTOR s = r * TYPED(polynomial)(TYPED(sine), r2);
    VECTOR c = OP(fma)(r2, TYPED(polynomial)(TYPED(cosine), r2), OP(set)((REAL)1));
    INTEGER is_odd = -(bits & 1);
    const int to_sign = IS_64 ? 62 : 30;
    INTEGER re_sign = ((bits + 1) & 2) << to_sign, im_sign = (bits & 2) << to_sign;
    *re = (VECTOR)((INTEGER)OP(select)(is_odd, s, c) ^ re_sign);
    *im = (VECTOR)((INTEGER)OP(select)(is_odd, c, s) ^ im_sign);
}

/* Turns of position . direction, whole ones removed, in two parts.
 *
 * Each product hi s is split exactly, whole turns leave the product and the running sum by
 * subtraction of the nearest integer (exact), and the small parts are added apart. In double what
 * the sums round is kept too; in float32 that is at most 6e-8 turns. */
static inline VECTOR TYPED(reduce)(const hg_antenna_turns *antenna, const REAL *unit,
                                   int64_t stride, VECTOR *small)
{
    VECTOR turn = OP(set)((REAL)0), rest = OP(set)((REAL)0);
    HG_UNROLL
    for (int d = 0; d < 3; d++) {
        VECTOR s = OP(load)(unit + d * stride), whole;
        VECTOR error = TYPED(product_error)(OP(set)((REAL)antenna->hi[d]), s, &whole);
        rest += OP(fma)(OP(set)((REAL)antenna->lo[d]), s, error);
        whole -= TYPED(nearest)(whole);
        VECTOR sum = turn + whole;
#if IS_64
        VECTOR back = sum - turn;
        rest += (turn - (sum - back)) + (whole - back);
#endif
        turn = sum - TYPED(nearest)(sum);
    }
    *small = rest;
    return turn;
}

/* The same from radians: a dot product in REAL, as codes do that have no turns. */
static inline VECTOR TYPED(radians)(const hg_antenna_turns *antenna, const REAL *unit,
                                    int64_t stride, VECTOR *small)
{
    const double turns = 0.15915494309189533577; /* 1 / (2 pi) = turns - 9.8e-18 */
    const double rest = IS_64 ? -9.839338337591243e-18 : turns - (double)(REAL)turns;
    VECTOR sum = OP(set)((REAL)antenna->metres[0]) * OP(load)(unit);
    sum = sum + OP(set)((REAL)antenna->metres[1]) * OP(load)(unit + stride);
    sum = sum + OP(set)((REAL)antenna->metres[2]) * OP(load)(unit + 2 * stride);
    sum = OP(set)((REAL)antenna->radians_per_metre) * sum;
    VECTOR whole, error = TYPED(product_error)(OP(set)((REAL)turns), sum, &whole);
    *small = OP(fma)(OP(set)((REAL)rest), sum, error);
    return whole - TYPED(nearest)(whole);
}

#if !IS_64
/* The same from a dot product in double. */
static inline VECTOR TYPED(wide)(const hg_antenna_turns *antenna, const double *unit,
                                 int64_t stride)
{
    hg_f64v half[2];
    HG_UNROLL
    for (int h = 0; h < 2; h++, unit += HG_F64_LANES) {
        hg_f64v turn = hg_set_f64(antenna->wide[0]) * hg_load_f64(unit);
        turn = hg_fma_f64(hg_set_f64(antenna->wide[1]), hg_load_f64(unit + stride), turn);
        turn = hg_fma_f64(hg_set_f64(antenna->wide[2]), hg_load_f64(unit + 2 * stride), turn);
        half[h] = turn - nearest_f64(turn);
    }
    return narrow(half[0], half[1]);
}
#endif

static void TYPED(phases)(const hg_antenna_turns *antenna, const hg_directions *to, int tau_mode,
                          void *re_out, void *im_out)
{
    REAL *re = re_out, *im = im_out;
    const REAL *unit = to->unit;
    for (int64_t s = 0; s < to->n; s += LANES) {
        VECTOR turn, small = OP(set)((REAL)0), c, d;
        if (tau_mode == HGATE_TAU_DIRECT)
            turn = TYPED(radians)(antenna, unit + s, to->stride, &small);
#if !IS_64
        else if (tau_mode == HGATE_TAU_WIDE)
            turn = TYPED(wide)(antenna, to->wide + s, to->stride);
#endif
        else
            turn = TYPED(reduce)(antenna, unit + s, to->stride, &small);
        TYPED(cis)(turn, small, &c, &d);
        OP(store)(re + s, c);
        OP(store)(im + s, d);
    }
}

#undef MAGIC
