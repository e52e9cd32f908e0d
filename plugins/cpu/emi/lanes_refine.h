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

/* Half a vector; the two halves in double are vectors again. */
typedef float TYPED(half) __attribute__((vector_size(HG_VECTOR_BYTES / 2)));

static inline void TYPED(widen)(VECTOR x, hg_f64v halves[2])
{
    TYPED(half) part[2];
    memcpy(part, &x, sizeof x);
    halves[0] = __builtin_convertvector(part[0], hg_f64v);
    halves[1] = __builtin_convertvector(part[1], hg_f64v);
}

static inline VECTOR TYPED(narrow)(const hg_f64v halves[2])
{
    VECTOR x;
    TYPED(half)
    part[2] = {__builtin_convertvector(halves[0], TYPED(half)),
               __builtin_convertvector(halves[1], TYPED(half))};
    memcpy(&x, part, sizeof x);
    return x;
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
        VECTOR dot[2] = {{0}, {0}};
        for (int64_t i = k + 1; i < n; i++)
            dot[i & 1] = OP(fma)(u[i], v[i], dot[i & 1]);
        VECTOR factor = g->tau[k] * (dot[0] + dot[1]);
        for (int64_t i = k + 1; i < n; i++)
            v[i] = OP(fnma)(u[i], factor, v[i]);
    }
}

/* |re + i im| in double: the root in single precision and one step of Newton's method. */
static inline void TYPED(modulus)(VECTOR re, VECTOR im, hg_f64v modulus[2])
{
    hg_f64v x[2], y[2], slope[2];
    VECTOR root = OP(sqrt)(OP(fma)(re, re, im * im));
    TYPED(widen)(OP(select)(root > 0, (REAL)0.5 / root, root), slope);
    TYPED(widen)(root, modulus);
    TYPED(widen)(re, x);
    TYPED(widen)(im, y);
    HG_UNROLL
    for (int h = 0; h < 2; h++) {
        hg_f64v error = hg_fma_f64(x[h], x[h], hg_fma_f64(y[h], y[h], -(modulus[h] * modulus[h])));
        modulus[h] = hg_fma_f64(error, slope[h], modulus[h]);
    }
}

/* y'Ay and y'y for y = g->least: A is |Gamma| from gamma where a is NULL, else the triangle a with
 * a diagonal. */
static inline __attribute__((always_inline)) void
TYPED(quadratic_form)(const TYPED(group) * g, const VECTOR *a, hg_f64v form[2], hg_f64v size[2])
{
    int64_t n = g->n;
    form[0] = form[1] = size[0] = size[1] = (hg_f64v){0};
    for (int64_t c = 0, k = 0; c < n; c++) {
        hg_f64v sum[2] = {{0}, {0}}, at_c[2], diagonal[2];
        for (int64_t r = c + 1; r < n; r++, k++) {
            hg_f64v element[2], at_r[2];
            if (a)
                TYPED(widen)(a[k], element);
            else
                TYPED(modulus)(g->gamma[2 * k], g->gamma[2 * k + 1], element);
            TYPED(widen)(g->least[r], at_r);
            HG_UNROLL
            for (int h = 0; h < 2; h++)
                sum[h] = hg_fma_f64(element[h], at_r[h], sum[h]);
        }
        TYPED(widen)(g->least[c], at_c);
        TYPED(widen)(a ? g->diagonal[c] : (VECTOR){0} + 1, diagonal);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            form[h] += at_c[h] * (diagonal[h] * at_c[h] + 2 * sum[h]);
            size[h] += at_c[h] * at_c[h];
        }
    }
}

/* Correction 1, after the tridiagonalization of |Gamma|, scaled by factor: the eigenvalue in [low,
 * high]. */
static void TYPED(refine_smallest)(TYPED(group) * g, VECTOR factor, VECTOR low, VECTOR high,
                                   double smallest[LANES])
{
    hg_f64v form[2], size[2];
    TYPED(eigenvector)(g, low, high);
    TYPED(transform_back_real)(g);
    TYPED(quadratic_form)(g, NULL, form, size);
    for (int l = 0; l < LANES; l++) {
        int h = l / (LANES / 2), at = l % (LANES / 2);
        double quotient = form[h][at] / size[h][at];
        double slack =
            16.0 * (double)EPSILON / (double)factor[l]; /* the vector may be of a near tie */
        if (quotient > smallest[l] - slack && quotient < smallest[l] + slack)
            smallest[l] = quotient;
    }
}

/* Correction 2: a and the diagonal hold -B, and B has y = g->least as its vector to 1 / smallest.
 */
static void TYPED(refine_inverse)(TYPED(group) * g, const double smallest[LANES])
{
    int64_t n = g->n;
    hg_f64v form[2], size[2];
    VECTOR factor;
    TYPED(quadratic_form)(g, g->a, form, size);
    for (int l = 0; l < LANES; l++) {
        int h = l / (LANES / 2), at = l % (LANES / 2);
        double missing = 1.0 / smallest[l] + form[h][at] / size[h][at];
        int is_small = fabs(missing) * smallest[l] < 0.125; /* else y is not that vector */
        factor[l] = (REAL)(is_small ? missing / size[h][at] : 0.0);
    }
    for (int64_t c = 0, k = 0; c < n; c++) {
        VECTOR at_c = factor * g->least[c];
        g->diagonal[c] = OP(fnma)(at_c, g->least[c], g->diagonal[c]);
        for (int64_t r = c + 1; r < n; r++, k++)
            g->a[k] = OP(fnma)(at_c, g->least[r], g->a[k]);
    }
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

/* What each image needs in correction 3, in g->rows: M v in double, the residual in single
 * precision. */
enum { TYPED(W_RE) = 0, TYPED(W_IM) = 2, TYPED(W_R) = 4, TYPED(W_COUNT) = 8 };

/* (M v)_r += m v_c and (M v)_c += conj(m) v_r, one half of the lanes. sum is (M v)_c. */
static inline void TYPED(multiply)(hg_f64v re, hg_f64v im, hg_f64v cr, hg_f64v ci, hg_f64v rr,
                                   hg_f64v ri, hg_f64v *at_r_re, hg_f64v *at_r_im, hg_f64v sum[2])
{
    *at_r_re = hg_fma_f64(re, cr, hg_fnma_f64(im, ci, *at_r_re));
    *at_r_im = hg_fma_f64(re, ci, hg_fma_f64(im, cr, *at_r_im));
    sum[0] = hg_fma_f64(re, rr, hg_fma_f64(im, ri, sum[0]));
    sum[1] = hg_fma_f64(re, ri, hg_fnma_f64(im, rr, sum[1]));
}

/* M v for v = g->v. M is made again, element by element, as it was. */
static void TYPED(product)(const hg_emi_call *call, int64_t first, TYPED(group) * g, VECTOR scale)
{
    int64_t n = g->n, pairs = n * (n - 1) / 2;
    hg_f64v *w = (hg_f64v *)g->rows;
    TYPED(reader) reader;
    for (int64_t i = 0; i < n; i++) {
        hg_f64v diagonal[2], re[2], im[2];
        TYPED(widen)(g->kept[i], diagonal);
        TYPED(widen)(g->v[2 * i], re);
        TYPED(widen)(g->v[2 * i + 1], im);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            w[i * TYPED(W_COUNT) + TYPED(W_RE) + h] = diagonal[h] * re[h];
            w[i * TYPED(W_COUNT) + TYPED(W_IM) + h] = diagonal[h] * im[h];
        }
    }
    for (int64_t c = 0, k = 0; c < n - 1; c++) {
        hg_f64v cr[2], ci[2], sum[2][2] = {{{0}, {0}}, {{0}, {0}}};
        TYPED(start_column)(call, first, c, &reader);
        TYPED(widen)(g->v[2 * c], cr);
        TYPED(widen)(g->v[2 * c + 1], ci);
        for (int64_t r = c + 1; r < n; r++, k++) {
            const VECTOR *gamma = TYPED(next)(&reader, call->is_full ? n - r : pairs - k);
            VECTOR weight = call->is_evd ? g->a[k] : -(scale * g->a[k]);
            hg_f64v re[2], im[2], rr[2], ri[2], *row = w + r * TYPED(W_COUNT);
            TYPED(widen)(gamma[0] * weight, re);
            TYPED(widen)(gamma[1] * weight, im);
            TYPED(widen)(g->v[2 * r], rr);
            TYPED(widen)(g->v[2 * r + 1], ri);
            HG_UNROLL
            for (int h = 0; h < 2; h++)
                TYPED(multiply)
            (re[h], im[h], cr[h], ci[h], rr[h], ri[h], row + TYPED(W_RE) + h, row + TYPED(W_IM) + h,
             sum[h]);
        }
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            w[c * TYPED(W_COUNT) + TYPED(W_RE) + h] += sum[h][0];
            w[c * TYPED(W_COUNT) + TYPED(W_IM) + h] += sum[h][1];
        }
    }
}

/* The Rayleigh quotient x of v, and the residual M v - x v. */
static VECTOR TYPED(residual)(TYPED(group) * g)
{
    hg_f64v above[2] = {{0}, {0}}, below[2] = {{0}, {0}}, x[2], *w = (hg_f64v *)g->rows;
    for (int64_t i = 0; i < g->n; i++) {
        hg_f64v re[2], im[2], *row = w + i * TYPED(W_COUNT);
        TYPED(widen)(g->v[2 * i], re);
        TYPED(widen)(g->v[2 * i + 1], im);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            above[h] += re[h] * row[TYPED(W_RE) + h] + im[h] * row[TYPED(W_IM) + h];
            below[h] += re[h] * re[h] + im[h] * im[h];
        }
    }
    HG_UNROLL
    for (int h = 0; h < 2; h++)
        x[h] = above[h] / below[h];
    for (int64_t i = 0; i < g->n; i++) {
        hg_f64v re[2], im[2], *row = w + i * TYPED(W_COUNT);
        TYPED(widen)(g->v[2 * i], re);
        TYPED(widen)(g->v[2 * i + 1], im);
        HG_UNROLL
        for (int h = 0; h < 2; h++) {
            re[h] = row[TYPED(W_RE) + h] - x[h] * re[h];
            im[h] = row[TYPED(W_IM) + h] - x[h] * im[h];
        }
        g->rows[i * TYPED(W_COUNT) + TYPED(W_R)] = TYPED(narrow)(re);
        g->rows[i * TYPED(W_COUNT) + TYPED(W_R) + 1] = TYPED(narrow)(im);
    }
    return TYPED(narrow)(x);
}

/* One component of (T - x I) t = r by the factors of twisted(), in place, every W_COUNT-th vector;
 * t is 0 at the twist, where the equation depends on the others. */
static void TYPED(solve_twisted)(const TYPED(group) * g, VECTOR *t)
{
    int64_t n = g->n;
    const VECTOR *q = g->upper, *s = g->lower, *side = g->side, zero = {0};
    VECTOR near = zero;
    for (int64_t i = 0; i < n; i++) { /* elimination from the top */
        VECTOR *at = t + i * TYPED(W_COUNT);
        near = i > 0 ? OP(fnma)(side[i - 1] / q[i - 1], near, *at) : *at;
        *at = OP(select)(g->twist > (int)i, near, *at);
    }
    for (int64_t i = n - 1; i >= 0; i--) { /* and from the bottom */
        VECTOR *at = t + i * TYPED(W_COUNT);
        near = i < n - 1 ? OP(fnma)(side[i] / s[i + 1], near, *at) : *at;
        *at = OP(select)(g->twist < (int)i, near, *at);
    }
    near = zero;
    for (int64_t i = n - 1; i >= 0; i--) { /* substitution above the twist */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR above = (i < n - 1 ? OP(fnma)(side[i], near, *at) : *at) / q[i];
        near = OP(select)(g->twist > (int)i, above, zero);
        *at = OP(select)(g->twist < (int)i, *at, near);
    }
    near = zero;
    for (int64_t i = 0; i < n; i++) { /* and below it */
        VECTOR *at = t + i * TYPED(W_COUNT);
        VECTOR below = (i > 0 ? OP(fnma)(side[i - 1], near, *at) : *at) / s[i];
        near = OP(select)(g->twist < (int)i, below, zero);
        *at = OP(select)(g->twist < (int)i, below, *at);
    }
}

/* Correction 3, with T scaled by factor; returns the eigenvalue. */
static VECTOR TYPED(refine_vector)(const hg_emi_call *call, int64_t first, TYPED(group) * g,
                                   VECTOR scale, VECTOR factor)
{
    int64_t n = g->n;
    VECTOR *r = g->rows + TYPED(W_R);
    TYPED(product)(call, first, g, scale);
    VECTOR x = TYPED(residual)(g);
    for (int64_t k = 0; k < n - 1; k++)
        TYPED(reflect)(g, k, 1, r, TYPED(W_COUNT));
    TYPED(solve_twisted)(g, r);
    TYPED(solve_twisted)(g, r + 1);
    for (int64_t k = n - 2; k >= 0; k--)
        TYPED(reflect)(g, k, 0, r, TYPED(W_COUNT));
    for (int64_t i = 0; i < n; i++) {
        g->v[2 * i] = OP(fnma)(factor, r[i * TYPED(W_COUNT)], g->v[2 * i]);
        g->v[2 * i + 1] = OP(fnma)(factor, r[i * TYPED(W_COUNT) + 1], g->v[2 * i + 1]);
    }
    return x;
}
