/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one group of points through all steps. */

/* What became of each lane. */
typedef struct TYPED(lanes) {
    int status[LANES];                   /* hgate_emi_status so far */
    double beta[LANES], smallest[LANES]; /* the least eigenvalue of A_beta */
    double inexact[LANES];               /* norm of the inverse's error, an upper bound */
    uint64_t left;                       /* lanes that need more digits, or a solver that pivots */
} TYPED(lanes);

/* Takes a lane out: its matrix becomes the identity. */
static void TYPED(clear_lane)(TYPED(group) * g, int l)
{
    int64_t pairs = g->n * (g->n - 1) / 2;
    for (int64_t k = 0; k < pairs; k++) {
        g->gamma[2 * k][l] = g->gamma[2 * k + 1][l] = 0;
        g->a[k][l] = 0;
    }
}

/* Links of a lane whose coherences are too small to be squared. */
static void TYPED(take_small_links)(const hg_emi_call *call, int64_t point, TYPED(group) * g, int l)
{
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = i + 1; j < g->n; j++)
            if (hg_emi_gamma(call, point, i, j) != 0.0)
                g->is_linked[i][l] = g->is_linked[j][l] = -1;
}

/* Reads the points, sorts out the bad ones, and leaves |Gamma| in a. */
static void TYPED(begin)(const hg_emi_call *call, int64_t first, TYPED(group) * g,
                         TYPED(lanes) * lanes)
{
    TYPED(load)(call, first, g);
    INTEGER is_odd = TYPED(take_modulus)(g);
    TYPED(take_links)(g);
    INTEGER any_linked = {0};
    for (int64_t i = 0; i < g->n; i++)
        any_linked |= g->is_linked[i];
    int is_checked = call->is_full && isfinite(call->hermitian_tolerance);
    for (int l = 0; l < LANES; l++) {
        int64_t point = TYPED(point_of)(call, first, l);
        lanes->status[l] = HGATE_EMI_OK;
        lanes->beta[l] = 0.0;
        lanes->smallest[l] = 1.0; /* of the identity, which a bad point becomes */
        lanes->inexact[l] = 0.0;
        if (!is_odd[l] && any_linked[l] && !(is_checked && TYPED(may_disagree)(call, point)))
            continue;
        lanes->status[l] = hg_emi_check_point(call, point);
        if (lanes->status[l] != HGATE_EMI_OK)
            TYPED(clear_lane)(g, l);
        else
            TYPED(take_small_links)(call, point, g, l);
    }
    for (int l = 0; l < LANES; l++)
        if (lanes->status[l] == HGATE_EMI_OK && !g->is_linked[call->ref][l])
            lanes->status[l] = HGATE_EMI_ZERO_REF;
    lanes->left = 0;
}

/* beta of each lane from the extreme eigenvalues of |Gamma|; leaves 1 - beta in the result. */
static VECTOR TYPED(regularize)(const hg_emi_call *call, TYPED(group) * g, TYPED(lanes) * lanes)
{
    VECTOR low, high, scale;
    double smallest[LANES], largest[LANES];
    for (int64_t i = 0; i < g->n; i++)
        g->diagonal[i] = (VECTOR){0} + 1;
    TYPED(tridiagonalize)(g);
    VECTOR factor = TYPED(scale_tridiagonal)(g, &low, &high);
    VECTOR least[2] = {low, TYPED(min)(factor, high)}, most[2] = {TYPED(max)(factor, low), high};
    TYPED(quarter)(g, 0, BITS == 32 ? 13 : 27, &least[0], &least[1]);
    TYPED(quarter)(g, 1, BITS == 32 ? 8 : 18, &most[0], &most[1]);
    for (int l = 0; l < LANES; l++) {
        smallest[l] = 0.5 * ((double)least[0][l] + (double)least[1][l]) / (double)factor[l];
        largest[l] = 0.5 * ((double)most[0][l] + (double)most[1][l]) / (double)factor[l];
    }
#if BITS == 32
    TYPED(refine_smallest)(g, factor, least[0], least[1], smallest);
#else
    TYPED(take_modulus)(g);
#endif
    for (int l = 0; l < LANES; l++) {
        double beta = hg_emi_choose_beta(call, smallest[l], largest[l]);
        scale[l] = (REAL)1;
        if (lanes->status[l] >= 16)
            continue;
        lanes->beta[l] = beta;
        lanes->smallest[l] = (1.0 - beta) * smallest[l] + beta;
        lanes->status[l] = beta > 0.0 ? HGATE_EMI_REGULARIZED : HGATE_EMI_OK;
        scale[l] = (REAL)(1.0 - beta);
        /* What is worse conditioned than 1 / (128 EPSILON) needs more digits, or pivots. */
        if (!(lanes->smallest[l] > 128.0 * (double)EPSILON * ((1.0 - beta) * largest[l] + beta)))
            lanes->left |= (uint64_t)1 << l;
    }
    return scale;
}

/* M = A_beta^-1 o Gamma_beta in gamma and the diagonal, from |Gamma| in a, which becomes minus the
 * weights of gamma. A_beta has the diagonal 1: a pivot of 1 rounds nothing, and where |Gamma| is of
 * low rank three digits hang on that. */
static void TYPED(take_emi_matrix)(TYPED(group) * g, TYPED(lanes) * lanes, VECTOR scale)
{
    int64_t n = g->n;
    VECTOR factor = {0}, size = {0}, *a = g->a, *gamma = g->gamma;
    for (int64_t k = 0; k < n * (n - 1) / 2; k++)
        a[k] *= scale;
    for (int64_t i = 0; i < n; i++)
        g->diagonal[i] = (VECTOR){0} + 1;
    TYPED(invert)(g);
#if BITS == 32
    int is_lost[LANES];
    factor = TYPED(missing_of_inverse)(g, lanes->smallest, is_lost);
#else
    memset(g->least, 0, (size_t)n * sizeof(VECTOR)); /* nothing is missing */
#endif
    for (int64_t c = 0; c < n; c++) {
        VECTOR at_c = factor * g->least[c];
        g->diagonal[c] = -OP(fnma)(at_c, g->least[c], g->diagonal[c]);
        VECTOR sum = {0};
        for (int64_t r = c + 1; r < n; r++, a++, gamma += 2) {
            VECTOR element = OP(fnma)(at_c, g->least[r], *a), weight = scale * element;
            sum = OP(fma)(element, element, sum);
            *a = weight;
            gamma[0] *= -weight;
            gamma[1] *= -weight;
        }
        size += OP(fma)(g->diagonal[c], g->diagonal[c], 2 * sum);
    }
#if BITS == 32
    TYPED(estimate_inexact)(size, lanes->smallest, is_lost, lanes->inexact);
#else
    (void)lanes, (void)size;
#endif
}

/* |Gamma| o Gamma in gamma and the diagonal. */
static void TYPED(take_evd_matrix)(TYPED(group) * g)
{
    for (int64_t k = 0; k < g->n * (g->n - 1) / 2; k++) {
        g->gamma[2 * k] *= g->a[k];
        g->gamma[2 * k + 1] *= g->a[k];
    }
    for (int64_t i = 0; i < g->n; i++)
        g->diagonal[i] = (VECTOR){0} + 1;
}

/* Mean of the diagonal over the images that count. The others get an eigenvalue that is not wanted.
 */
static VECTOR TYPED(set_images_apart)(const hg_emi_call *call, TYPED(group) * g)
{
    VECTOR trace = {0}, count = {0};
    for (int64_t i = 0; i < g->n; i++) {
        trace += OP(select)(g->is_linked[i], g->diagonal[i], (VECTOR){0});
        count += OP(select)(g->is_linked[i], (VECTOR){0} + 1, (VECTOR){0});
    }
    VECTOR away = call->is_evd ? (VECTOR){0} : trace + 1;
    for (int64_t i = 0; i < g->n; i++)
        g->kept[i] = g->diagonal[i] = OP(select)(g->is_linked[i], g->diagonal[i], away);
    return OP(select)(count > 0, trace / count, (VECTOR){0} + 1);
}

/* The wanted eigenpair of gamma and the diagonal: the vector in v, the eigenvalue as the result. */
static VECTOR TYPED(eigenpair)(const hg_emi_call *call, int64_t first, TYPED(group) * g,
                               TYPED(lanes) * lanes)
{
    VECTOR low, high, mean = TYPED(set_images_apart)(call, g);
    TYPED(tridiagonalize_complex)(g);
    VECTOR factor = TYPED(scale_tridiagonal)(g, &low, &high);
    VECTOR slack = 16 * (REAL)EPSILON + OP(abs)(mean * factor) * (16 * (REAL)EPSILON);
    if (call->is_evd)
        low = TYPED(max)(low, mean * factor - slack);
    else
        high = TYPED(min)(high, mean * factor + slack);
    if (call->is_evd)
        TYPED(quarter)(g, 1, BITS == 32 ? 13 : 27, &low, &high);
    else
        TYPED(quarter)(g, 0, BITS == 32 ? 13 : 27, &low, &high);
    VECTOR value = TYPED(eigenvector)(g, low, high) / factor;
    TYPED(transform_back)(g, g->v);
#if BITS == 32
    value = TYPED(refine_vector)(call, first, g, factor);
    lanes->left |= TYPED(not_held)(g, value, factor, lanes->status, lanes->inexact);
#else
    (void)first, (void)lanes;
#endif
    return value;
}

/* v becomes the phases; lanes without a phase of the reference or of an image get their codes. */
static void TYPED(take_phases)(const hg_emi_call *call, TYPED(group) * g, TYPED(lanes) * lanes)
{
    int64_t n = g->n;
    VECTOR *v = g->v, largest = {0}, nan = (VECTOR){0} + (REAL)NAN;
    for (int64_t i = 0; i < n; i++) {
        v[2 * i] = OP(select)(g->is_linked[i], v[2 * i], (VECTOR){0});
        v[2 * i + 1] = OP(select)(g->is_linked[i], v[2 * i + 1], (VECTOR){0});
        g->upper[i] = OP(fma)(v[2 * i], v[2 * i], v[2 * i + 1] * v[2 * i + 1]);
        largest = TYPED(max)(largest, g->upper[i]);
    }
    VECTOR shrink = 1 / OP(sqrt)(largest); /* so that no square overflows */
    for (int64_t i = 0; i < 2 * n; i++)
        v[i] *= shrink;
    const REAL bound = 64 * (REAL)EPSILON;
    VECTOR tiny = largest * (bound * bound), cr = v[2 * call->ref], ci = v[2 * call->ref + 1];
    INTEGER has_ref = g->upper[call->ref] > tiny, is_whole = {0};
    is_whole = ~is_whole;
    for (int64_t i = 0; i < n; i++) {
        VECTOR re = OP(fma)(v[2 * i], cr, v[2 * i + 1] * ci);
        VECTOR im = OP(fnma)(v[2 * i], ci, v[2 * i + 1] * cr);
        VECTOR size = OP(sqrt)(OP(fma)(re, re, im * im));
        INTEGER is_defined = g->upper[i] > tiny;
        is_whole &= is_defined;
        v[2 * i] = OP(select)(is_defined, re / size, nan);
        v[2 * i + 1] = OP(select)(is_defined, im / size, nan);
    }
    v[2 * call->ref] = (VECTOR){0} + 1;
    v[2 * call->ref + 1] = (VECTOR){0};
    for (int l = 0; l < LANES; l++) {
        if (lanes->status[l] >= 16)
            continue;
        if (!has_ref[l])
            lanes->status[l] = HGATE_EMI_ZERO_REF;
        else if (!is_whole[l])
            lanes->status[l] = HGATE_EMI_PARTIAL;
    }
}

static void TYPED(store)(const hg_emi_call *call, int64_t first, int n_points,
                         const TYPED(group) * g, const TYPED(lanes) * lanes, VECTOR value)
{
    int64_t n = g->n;
    REAL *phase = (REAL *)call->phase.data, *to[LANES];
    for (int l = 0; l < n_points; l++)
        to[l] = phase + 2 * (first + l) * n;
    TYPED(scatter)(g->v, n, to, n_points);
    for (int l = 0; l < n_points; l++) {
        int is_bad = lanes->status[l] >= 16;
        for (int64_t i = 0; i < 2 * n && is_bad; i++)
            to[l][i] = (REAL)NAN;
        if (call->quality.data)
            ((REAL *)call->quality.data)[first + l] = is_bad ? (REAL)NAN : value[l];
        if (call->status)
            call->status[first + l] = lanes->status[l];
        if (call->beta.data)
            ((REAL *)call->beta.data)[first + l] = is_bad ? (REAL)NAN : (REAL)lanes->beta[l];
    }
}

/* The input of the group after the next ones, if there is one. */
static void TYPED(look_ahead)(const hg_emi_call *call, int64_t first, TYPED(group) * g)
{
    int64_t n = call->n, next = first + call->groups_ahead * LANES,
            count = call->n_points - next < LANES ? call->n_points - next : LANES;
    int64_t bytes = (call->is_full ? n * n : n * (n - 1) / 2) * 2 * (int64_t)sizeof(REAL);
    g->ahead_bytes = count > 0 ? bytes * count : 0;
    g->ahead = (const char *)call->coh.data + (count > 0 ? bytes * next : 0);
}

static uint64_t TYPED(solve)(const hg_emi_call *call, int64_t first, void *memory)
{
    TYPED(group) g;
    TYPED(lanes) lanes;
    hgate_scratch scratch = {memory, SIZE_MAX, 0, 0};
    TYPED(group_lay_out)(&scratch, call->n, &g);
    int n_points = call->n_points - first < LANES ? (int)(call->n_points - first) : LANES;

    TYPED(look_ahead)(call, first, &g);
    TYPED(begin)(call, first, &g, &lanes);
    if (call->is_evd)
        TYPED(take_evd_matrix)(&g);
    else
        TYPED(take_emi_matrix)(&g, &lanes, TYPED(regularize)(call, &g, &lanes));
    VECTOR value = TYPED(eigenpair)(call, first, &g, &lanes);
    TYPED(take_phases)(call, &g, &lanes);
    TYPED(store)(call, first, n_points, &g, &lanes, value);
    return lanes.left & (((uint64_t)1 << n_points) - 1);
}
