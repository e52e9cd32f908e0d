/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporal coherence of a group of points.
 *
 *      t = |sum_p (gamma_p / |gamma_p|) conj(phi_i) phi_j| / N
 *
 * Everything is read conjugated, which leaves the modulus. What is not finite, and a gamma of 0,
 * does not count. Sums of a chunk of pairs are added to those of all: rounding errors stay small.
 */

/* Powers of two by which a gamma is taken to where its square is a normal number. */
#if BITS == 32
#define SMALL (REAL)0x1p-40
#define GROW (REAL)0x1p100
#else
#define SMALL (REAL)0x1p-400
#define GROW (REAL)0x1p600
#endif

enum { TYPED(PAIRS) = 32 };

static size_t TYPED(temp_coh_bytes)(int64_t n)
{
    hgate_scratch s = hgate_scratch_count();
    hgate_scratch_take(&s, 2 * n, sizeof(VECTOR));
    hgate_scratch_take(&s, n, sizeof(INTEGER));
    return s.bytes;
}

typedef struct TYPED(temp_sum) {
    VECTOR re, im;
    INTEGER minus_count;
} TYPED(temp_sum);

/* One pair: gamma conjugated, phases conjugated, and where both phases are finite. */
static inline void TYPED(add_pair)(const VECTOR *gamma, const VECTOR *from, const VECTOR *to,
                                   INTEGER is_defined, TYPED(temp_sum) * sum)
{
    VECTOR re = gamma[0], im = gamma[1];
    VECTOR largest = TYPED(max)(OP(abs)(re), OP(abs)(im)), one = (VECTOR){0} + 1, zero = {0};
    INTEGER counts = is_defined & (re - re == 0) & (im - im == 0) & (largest > 0);
    VECTOR scale = OP(select)(largest < SMALL, one * GROW, one);
    scale = OP(select)(largest > 1 / SMALL, one / GROW, scale);
    re = OP(select)(counts, re * scale, zero);
    im = OP(select)(counts, im * scale, zero);
    VECTOR square = OP(select)(counts, OP(fma)(re, re, im * im), one);
    VECTOR zr = OP(fma)(from[0], to[0], from[1] * to[1]);
    VECTOR zi = OP(fnma)(from[1], to[0], from[0] * to[1]), inverse = 1 / OP(sqrt)(square);
    sum->re = OP(fma)(OP(fnma)(im, zi, re * zr), inverse, sum->re);
    sum->im = OP(fma)(OP(fma)(im, zr, re * zi), inverse, sum->im);
    sum->minus_count += counts;
}

/* Coherences of `count` pairs from number `at` of each point's array on. */
static inline void TYPED(read_pairs)(const hg_temp_coh_call *call, int64_t first, int64_t at,
                                     int64_t count, VECTOR *gamma)
{
    const REAL *from[LANES];
    int64_t stride = call->is_full ? call->n * call->n : call->n_pairs;
    for (int l = 0; l < LANES; l++) {
        int64_t point = first + l < call->n_points ? first + l : call->n_points - 1;
        from[l] = (const REAL *)call->coh.data + 2 * (point * stride + at);
    }
    TYPED(gather)(from, count, gamma);
}

/* Phases of the group, 0 where they are not finite, and where they are. */
static void TYPED(read_phases)(const hg_temp_coh_call *call, int64_t first, VECTOR *phase,
                               INTEGER *is_finite)
{
    const REAL *from[LANES];
    for (int l = 0; l < LANES; l++) {
        int64_t point = first + l < call->n_points ? first + l : call->n_points - 1;
        from[l] = (const REAL *)call->phase.data + 2 * point * call->n;
    }
    TYPED(gather)(from, call->n, phase);
    for (int64_t i = 0; i < call->n; i++) {
        VECTOR re = phase[2 * i], im = phase[2 * i + 1];
        is_finite[i] = (re - re == 0) & (im - im == 0);
        phase[2 * i] = OP(select)(is_finite[i], re, (VECTOR){0});
        phase[2 * i + 1] = OP(select)(is_finite[i], im, (VECTOR){0});
    }
}

static void TYPED(store_temp_coh)(const hg_temp_coh_call *call, int64_t first,
                                  const TYPED(temp_sum) * sum)
{
    REAL *to = (REAL *)call->t_coh.data + first;
    for (int l = 0; l < LANES && first + l < call->n_points; l++) {
        double count = -(double)sum->minus_count[l];
        double t = hypot((double)sum->re[l], (double)sum->im[l]) / count;
        to[l] = (REAL)(count > 0.0 ? fmin(t, 1.0) : NAN);
    }
}

static void TYPED(temp_coh)(const hg_temp_coh_call *call, int64_t first, void *memory)
{
    hgate_scratch s = {memory, SIZE_MAX, 0, 0};
    VECTOR *phase = hgate_scratch_take(&s, 2 * call->n, sizeof(VECTOR));
    INTEGER *is_finite = hgate_scratch_take(&s, call->n, sizeof(INTEGER));
    VECTOR gamma[2 * TYPED(PAIRS)];
    TYPED(temp_sum) all = {{0}, {0}, {0}};
    int64_t i = 0, j = 1;
    TYPED(read_phases)(call, first, phase, is_finite);
    for (int64_t p = 0, count; p < call->n_pairs; p += count) {
        TYPED(temp_sum) part = {{0}, {0}, {0}};
        count = call->n_pairs - p < TYPED(PAIRS) ? call->n_pairs - p : TYPED(PAIRS);
        if (call->is_full && call->n - j < count)
            count = call->n - j;
        TYPED(read_pairs)(call, first, call->is_full ? i * call->n + j : p, count, gamma);
        for (int64_t k = 0; k < count; k++) {
            if (call->pairs) {
                i = call->pairs[2 * (p + k)];
                j = call->pairs[2 * (p + k) + 1];
            }
            TYPED(add_pair)
            (gamma + 2 * k, phase + 2 * i, phase + 2 * j, is_finite[i] & is_finite[j], &part);
            if (!call->pairs && ++j == call->n)
                j = ++i + 1;
        }
        all.re += part.re;
        all.im += part.im;
        all.minus_count += part.minus_count;
    }
    TYPED(store_temp_coh)(call, first, &all);
}

#undef SMALL
#undef GROW
