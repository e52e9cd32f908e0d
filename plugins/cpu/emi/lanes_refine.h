/* SPDX-License-Identifier: BSD-3-Clause */
/* Three corrections in double that single precision needs; each costs O(n^2).
 *
 * 1. The phases react strongly to beta, and so to the smallest eigenvalue of |Gamma|: it becomes
 * the Rayleigh quotient of its vector y, whose error is the square of that of y.
 *
 * 2. Most of the error of the inverse B lies along y: there y'By is set to what the eigenvalue
 * says.
 *
 * 3. The error of a tridiagonalization turns the eigenvector v by eps |M| / gap. One step of
 * Newton's method, v - (M - x)^+ (M - x) v with the residual in double and the factors at hand,
 * takes that away.
 *
 * Source: residual correction with mixed precision, e.g. Higham, Accuracy and Stability of
 * Numerical Algorithms, 12. */

/* A vector in double is two vectors, the first half of the lanes and the second. */
static inline void TYPED(widen)(const VECTOR *from, hg_f64v halves[2])
{
    halves[0] = hg_widen((const float *)from);
    halves[1] = hg_widen((const float *)from + LANES / 2);
}

static inline VECTOR TYPED(narrow)(const hg_f64v halves[2])
{
    return hg_narrow(halves[0], halves[1]);
}

/* The real vector in g->v[2 i] of the tridiagonal matrix becomes that of |Gamma|, in g->least. */
static void TYPED(transform_back_real)(TYPED(group) * g)
{
    int64_t n = g->n;
    VECTOR *v = g->least;
    for (int64_t i = 0; i < n; i++)
        v[i] = g->v[2 * i];
    for (int64_t k = n - 3; k >= 0; k--) {
        const VECTOR *u = TYPED(column)(g->a, n, k);
        VECTOR factor = g->tau[k] * TYPED(dot)(n - k - 1, u + k + 1, 1, v + k + 1, 1);
        for (int64_t i = k + 1; i < n; i++)
            v[i] = OP(fnma)(u[i], factor, v[i]);
    }
}

/* y = g->least in double, to g->rows. */
static const hg_f64v *TYPED(widen_least)(TYPED(group) * g)
{
    hg_f64v *y = (hg_f64v *)g->rows;
    for (int64_t i = 0; i < g->n; i++)
        TYPED(widen)(g->least + i, y + 2 * i);
    return y;
}

/* y_c (d y_c + 2 sum) to y'Ay, and y_c y_c to y'y. */
static inline void TYPED(add_column)(const hg_f64v *y, const hg_f64v diagonal[2],
                                     const hg_f64v sum[2], hg_f64v form[2], hg_f64v size[2])
{
    HG_UNROLL
    for (int h = 0; h < 2; h++) {
        form[h] += y[h] * (diagonal[h] * y[h] + 2 * sum[h]);
        size[h] += y[h] * y[h];
    }
}

/* |Gamma| from gamma to a, and y'|Gamma|y and y'y for y = g->least. The moduli in double: the root
 * in single precision and one step of Newton's method. */
static void TYPED(form_of_modulus)(TYPED(group) * g, hg_f64v form[2], hg_f64v size[2])
{
    const hg_f64v *y = TYPED(widen_least)(g), one[2] = {(hg_f64v){0} + 1, (hg_f64v){0} + 1};
    const VECTOR *gamma = g->gamma;
    VECTOR *a = g->a;
    int64_t n = g->n;
    form[0] = form[1] = size[0] = size[1] = (hg_f64v){0};
    for (int64_t c = 0; c < n; c++) {
        hg_f64v sum[2] = {{0}, {0}};
        for (int64_t r = c + 1; r < n; r++, a++, gamma += 2) {
            hg_f64v re[2], im[2], slope[2], modulus[2];
            VECTOR half_inverse;
            *a = OP(root)(OP(fma)(gamma[0], gamma[0], gamma[1] * gamma[1]), &half_inverse);
            TYPED(widen)(gamma, re);
            TYPED(widen)(gamma + 1, im);
            TYPED(widen)(a, modulus);
            TYPED(widen)(&half_inverse, slope);
            HG_UNROLL
            for (int h = 0; h < 2; h++) {
                hg_f64v error = hg_fnma_f64(modulus[h], modulus[h], im[h] * im[h]);
                error = hg_fma_f64(re[h], re[h], error);
                modulus[h] = hg_fma_f64(error, slope[h], modulus[h]);
                sum[h] = hg_fma_f64(modulus[h], y[2 * r + h], sum[h]);
            }
        }
        TYPED(add_column)(y + 2 * c, one, sum, form, size);
    }
}

/* y'Ay and y'y for A in a and the diagonal. */
static void TYPED(form_of_a)(TYPED(group) * g, hg_f64v form[2], hg_f64v size[2])
{
    const hg_f64v *y = TYPED(widen_least)(g);
    const VECTOR *a = g->a;
    int64_t n = g->n;
    form[0] = form[1] = size[0] = size[1] = (hg_f64v){0};
    for (int64_t c = 0; c < n; c++) {
        hg_f64v sum[2] = {{0}, {0}}, diagonal[2];
        for (int64_t r = c + 1; r < n; r++, a++) {
            hg_f64v element[2];
            TYPED(widen)(a, element);
            HG_UNROLL
            for (int h = 0; h < 2; h++)
                sum[h] = hg_fma_f64(element[h], y[2 * r + h], sum[h]);
        }
        TYPED(widen)(g->diagonal + c, diagonal);
        TYPED(add_column)(y + 2 * c, diagonal, sum, form, size);
    }
}

/* Correction 1, after the tridiagonalization of |Gamma|, scaled by factor: the eigenvalue in [low,
 * high]. Leaves |Gamma| in a. */
static void TYPED(refine_smallest)(TYPED(group) * g, VECTOR factor, VECTOR low, VECTOR high,
                                   double smallest[LANES])
{
    hg_f64v form[2], size[2];
    TYPED(twisted)(g, (REAL)0.5 * (low + high)); /* near enough for a quotient */
    TYPED(transform_back_real)(g);
    TYPED(form_of_modulus)(g, form, size);
    for (int l = 0; l < LANES; l++) {
        int h = l / (LANES / 2), at = l % (LANES / 2);
        double quotient = form[h][at] / size[h][at];
        double slack =
            16.0 * (double)EPSILON / (double)factor[l]; /* the vector may be of a near tie */
        if (quotient > smallest[l] - slack && quotient < smallest[l] + slack)
            smallest[l] = quotient;
    }
}

/* Correction 2: a and the diagonal hold -B, and B has y = g->least as its vector to 1 / smallest:
 * what y y' is missing there. Where that is much, B is lost, or y is not that vector. */
static VECTOR TYPED(missing_of_inverse)(TYPED(group) * g, const double smallest[LANES],
                                        int is_lost[LANES])
{
    hg_f64v form[2], size[2];
    VECTOR factor;
    TYPED(form_of_a)(g, form, size);
    for (int l = 0; l < LANES; l++) {
        int h = l / (LANES / 2), at = l % (LANES / 2);
        double missing = 1.0 / smallest[l] + form[h][at] / size[h][at];
        is_lost[l] = !(fabs(missing) * smallest[l] < 0.125);
        factor[l] = (REAL)(is_lost[l] ? 0.0 : missing / size[h][at]);
    }
    return factor;
}

/* Elements of gamma as read, in the order of the triangle, a chunk at a time. */
enum { TYPED(CHUNK) = 32 };

typedef struct TYPED(reader) {
    const REAL *from[LANES];
    int64_t read, filled; /* elements handed out, elements in the buffer so far */
    VECTOR buffer[2 * TYPED(CHUNK)];
} TYPED(reader);

/* The next element, of column c; up to `left` more may be read ahead of it. */
static inline const VECTOR *TYPED(next)(TYPED(reader) * reader, int64_t left)
{
    if (reader->read == reader->filled) {
        int64_t count = left < TYPED(CHUNK) ? left : TYPED(CHUNK);
        TYPED(gather)(reader->from, count, reader->buffer);
        for (int l = 0; l < LANES; l++)
            reader->from[l] += 2 * count;
        reader->read = 0;
        reader->filled = count;
    }
    return reader->buffer + 2 * reader->read++;
}

static void TYPED(start_column)(const hg_emi_call *call, int64_t first, int64_t c,
                                TYPED(reader) * reader)
{
    int64_t n = call->n;
    if (!call->is_full && c > 0)
        return;
    reader->read = reader->filled = 0;
    for (int l = 0; l < LANES; l++) {
        int64_t point = TYPED(point_of)(call, first, l);
        reader->from[l] = (const REAL *)call->coh.data +
                          (call->is_full ? 2 * ((point * n + c) * n + c + 1) : point * n * (n - 1));
    }
}

/* What each image needs in correction 3, in g->rows: M v and v in double, the residual in single
 * precision. */
enum {
    TYPED(W_RE) = 0,
    TYPED(W_IM) = 2,
    TYPED(W_VRE) = 4,
    TYPED(W_VIM) = 6,
    TYPED(W_R) = 8,
    TYPED(W_COUNT) = 10
};

/* Row r and column c of M at once, for half of the lanes: (M v)_r += m v_c and (M v)_c += conj(m)
 * v_r. */
static inline void TYPED(multiply)(hg_f64v re, hg_f64v im, const hg_f64v *at_c, hg_f64v *at_r,
                                   hg_f64v *sum_re, hg_f64v *sum_im)
{
    hg_f64v cr = at_c[TYPED(W_VRE)], ci = at_c[TYPED(W_VIM)];
    hg_f64v rr = at_r[TYPED(W_VRE)], ri = at_r[TYPED(W_VIM)];
    at_r[TYPED(W_RE)] = hg_fma_f64(re, cr, hg_fnma_f64(im, ci, at_r[TYPED(W_RE)]));
    at_r[TYPED(W_IM)] = hg_fma_f64(re, ci, hg_fma_f64(im, cr, at_r[TYPED(W_IM)]));
    *sum_re = hg_fma_f64(re, rr, hg_fma_f64(im, ri, *sum_re));
    *sum_im = hg_fma_f64(re, ri, hg_fnma_f64(im, rr, *sum_im));
}

/* v = g->v in double, and the part of the diagonal in M v. */
static void TYPED(start_product)(TYPED(group) * g, hg_f64v *w)
{
    for (int64_t i = 0; i < g->n; i++, w += TYPED(W_COUNT)) {
        hg_f64v diagonal[2];
        TYPED(widen)(g->kept + i, diagonal);
        TYPED(widen)(g->v + 2 * i, w + TYPED(W_VRE));
        TYPED(widen)(g->v + 2 * i + 1, w + TYPED(W_VIM));
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            w[TYPED(W_RE) + h] = diagonal[h] * w[TYPED(W_VRE) + h];
            w[TYPED(W_IM) + h] = diagonal[h] * w[TYPED(W_VIM) + h];
        }
    }
}

/* M v for v = g->v. M is made again, element by element, from the points as read. */
static void TYPED(product)(const hg_emi_call *call, int64_t first, TYPED(group) * g)
{
    int64_t n = g->n, left = n * (n - 1) / 2;
    hg_f64v *w = (hg_f64v *)g->rows, sign = (hg_f64v){0} + (call->is_evd ? 1 : -1);
    const VECTOR *a = g->a;
    TYPED(reader) reader;
    TYPED(start_product)(g, w);
    for (int64_t c = 0; c < n - 1; c++) {
        hg_f64v at_c[TYPED(W_R)], re[2] = {{0}, {0}}, im[2] = {{0}, {0}};
        memcpy(at_c, w + c * TYPED(W_COUNT), sizeof at_c);
        TYPED(start_column)(call, first, c, &reader);
        for (int64_t r = c + 1; r < n; r++, a++, left--) {
            const VECTOR *gamma = TYPED(next)(&reader, call->is_full ? n - r : left);
            hg_f64v weight[2], x[2], y[2];
            TYPED(widen)(a, weight);
            TYPED(widen)(gamma, x);
            TYPED(widen)(gamma + 1, y);
            HG_UNROLL
            for (int h = 0; h < 2; h++)
                TYPED(multiply)
            (x[h] * (sign * weight[h]), y[h] * (sign * weight[h]), at_c + h,
             w + r * TYPED(W_COUNT) + h, re + h, im + h);
        }
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            w[c * TYPED(W_COUNT) + TYPED(W_RE) + h] += re[h];
            w[c * TYPED(W_COUNT) + TYPED(W_IM) + h] += im[h];
        }
    }
}

/* The Rayleigh quotient x of v, and the residual M v - x v. */
static VECTOR TYPED(residual)(TYPED(group) * g)
{
    hg_f64v above[2] = {{0}, {0}}, below[2] = {{0}, {0}}, x[2], *w = (hg_f64v *)g->rows;
    for (int64_t i = 0; i < g->n; i++) {
        const hg_f64v *row = w + i * TYPED(W_COUNT);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            hg_f64v re = row[TYPED(W_VRE) + h], im = row[TYPED(W_VIM) + h];
            above[h] += re * row[TYPED(W_RE) + h] + im * row[TYPED(W_IM) + h];
            below[h] += re * re + im * im;
        }
    }
    HG_UNROLL
    for (int h = 0; h < 2; h++)
        x[h] = above[h] / below[h];
    for (int64_t i = 0; i < g->n; i++) {
        hg_f64v re[2], im[2], *row = w + i * TYPED(W_COUNT);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            re[h] = row[TYPED(W_RE) + h] - x[h] * row[TYPED(W_VRE) + h];
            im[h] = row[TYPED(W_IM) + h] - x[h] * row[TYPED(W_VIM) + h];
        }
        g->rows[i * TYPED(W_COUNT) + TYPED(W_R)] = TYPED(narrow)(re);
        g->rows[i * TYPED(W_COUNT) + TYPED(W_R) + 1] = TYPED(narrow)(im);
    }
    return TYPED(narrow)(x);
}

/* (T - x I) t = r by the factors of twisted(), in place: complex numbers, every W_COUNT-th pair of
 * vectors. t is 0 at the twist, where the equation depends on the others. */
static void TYPED(solve_twisted)(const TYPED(group) * g, VECTOR *t)
{
    int64_t n = g->n;
    const VECTOR *q = g->upper + TYPED(INVERSE), *s = g->lower + TYPED(INVERSE), *side = g->side;
    VECTOR re = {0}, im = {0};
    for (int64_t i = 0; i < n; i++) { /* elimination from the top */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR factor = i > 0 ? side[i - 1] * q[TYPED(PER_PIVOT) * (i - 1)] : re;
        INTEGER is_above = g->twist > (int)i;
        re = OP(fnma)(factor, re, at[0]);
        im = OP(fnma)(factor, im, at[1]);
        at[0] = OP(select)(is_above, re, at[0]);
        at[1] = OP(select)(is_above, im, at[1]);
    }
    re = im = (VECTOR){0};
    for (int64_t i = n - 1; i >= 0; i--) { /* and from the bottom */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR factor = i < n - 1 ? side[i] * s[TYPED(PER_PIVOT) * (i + 1)] : re;
        INTEGER is_below = g->twist < (int)i;
        re = OP(fnma)(factor, re, at[0]);
        im = OP(fnma)(factor, im, at[1]);
        at[0] = OP(select)(is_below, re, at[0]);
        at[1] = OP(select)(is_below, im, at[1]);
    }
    re = im = (VECTOR){0};
    for (int64_t i = n - 1; i >= 0; i--) { /* substitution above the twist */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR beside = i < n - 1 ? side[i] : re, inverse = q[TYPED(PER_PIVOT) * i];
        INTEGER is_above = g->twist > (int)i, is_below = g->twist < (int)i;
        re = OP(select)(is_above, OP(fnma)(beside, re, at[0]) * inverse, (VECTOR){0});
        im = OP(select)(is_above, OP(fnma)(beside, im, at[1]) * inverse, (VECTOR){0});
        at[0] = OP(select)(is_below, at[0], re);
        at[1] = OP(select)(is_below, at[1], im);
    }
    re = im = (VECTOR){0};
    for (int64_t i = 0; i < n; i++) { /* and below it */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR beside = i > 0 ? side[i - 1] : re, inverse = s[TYPED(PER_PIVOT) * i];
        INTEGER is_below = g->twist < (int)i;
        re = OP(select)(is_below, OP(fnma)(beside, re, at[0]) * inverse, (VECTOR){0});
        im = OP(select)(is_below, OP(fnma)(beside, im, at[1]) * inverse, (VECTOR){0});
        at[0] = OP(select)(is_below, re, at[0]);
        at[1] = OP(select)(is_below, im, at[1]);
    }
}

/* Correction 3, with T scaled by factor; returns the eigenvalue. */
static VECTOR TYPED(refine_vector)(const hg_emi_call *call, int64_t first, TYPED(group) * g,
                                   VECTOR factor)
{
    int64_t n = g->n;
    VECTOR *r = g->rows + TYPED(W_R);
    TYPED(product)(call, first, g);
    VECTOR x = TYPED(residual)(g);
    for (int64_t k = 0; k < n - 1; k++)
        TYPED(reflect)(g, k, 1, r, TYPED(W_COUNT));
    TYPED(solve_twisted)(g, r);
    for (int64_t k = n - 2; k >= 0; k--)
        TYPED(reflect)(g, k, 0, r, TYPED(W_COUNT));
    for (int64_t i = 0; i < n; i++) {
        g->v[2 * i] = OP(fnma)(factor, r[i * TYPED(W_COUNT)], g->v[2 * i]);
        g->v[2 * i + 1] = OP(fnma)(factor, r[i * TYPED(W_COUNT) + 1], g->v[2 * i + 1]);
    }
    return x;
}
