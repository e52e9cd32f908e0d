/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lanes single precision does not hold, so that they are computed again in double.
 *
 * The error of an inverse B is about u B B, u the rounding error. Correction 2 takes away its part
 * along the vector of the least eigenvalue mu; what is left has at most the norm
 * u sqrt(|B|^4 - mu^-4), |B| the Frobenius norm, and turns the vector v of M by that over the gap
 * behind its eigenvalue, the phase of image i by |v| / (sqrt(n) |v_i|) times as much.
 *
 * With speckle the phases bear it. A smooth model of the coherence leaves |Gamma| many small
 * eigenvalues, and M a small gap or images that v hardly reaches. */

/* Tuned on stacks with speckle and on smooth models of 7 to 92 images. The estimated turn may be so
 * much: it is an upper bound, a hundred times the error of points with speckle. */
#define TURN_ALLOWED 0.08
/* A norm below this is not looked at: gaps are seldom below 0.03. */
#define NORM_LOOKED_AT 0.03
/* In place of an estimate: much, and what is made of it stays finite in single precision. */
#define NORM_OF_LOST 1e12

/* The norm that is left, from size = |B|^2 and mu. Its own error, about u mu^-2 times the root of
 * the error of size, matters only where the condition comes near its limit. */
static void TYPED(estimate_inexact)(VECTOR size, const double smallest[LANES],
                                    const int is_lost[LANES], double inexact[LANES])
{
    for (int l = 0; l < LANES; l++) {
        double along_y = 1.0 / (smallest[l] * smallest[l]);
        double others = (double)size[l] * (double)size[l] - along_y * along_y;
        inexact[l] = 0.5 * (double)EPSILON * sqrt(others > 0.0 ? others : 0.0);
        if (is_lost[l])
            inexact[l] = NORM_OF_LOST;
    }
}

/* Lanes with two eigenvalues below x, by the pivots of T - x. */
static INTEGER TYPED(two_below)(const TYPED(group) * g, VECTOR x)
{
    VECTOR pivot = g->diagonal[0] - x;
    INTEGER minus_count = pivot < 0;
    for (int64_t i = 1; i < g->n; i++) {
        pivot = g->diagonal[i] - x - g->square[i - 1] / pivot;
        minus_count += pivot < 0;
    }
    return minus_count <= -2;
}

/* Bits of the lanes whose phases may be off, for the eigenvalue and its vector g->v; T is scaled by
 * factor. Lanes that have no answer are none of them. */
static uint64_t TYPED(not_held)(const TYPED(group) * g, VECTOR value, VECTOR factor,
                                const int status[LANES], const double inexact[LANES])
{
    uint64_t suspects = 0, lanes = 0;
    for (int l = 0; l < LANES; l++) {
        if (status[l] >= 16)
            continue;
        if (!(value[l] > 0)) /* M is positive definite */
            lanes |= (uint64_t)1 << l;
        if (!(inexact[l] <= NORM_LOOKED_AT))
            suspects |= (uint64_t)1 << l;
    }
    if (!suspects)
        return lanes;
    VECTOR sum = {0}, count = {0}, least = {0}, x;
    for (int64_t i = 0; i < g->n; i++) {
        VECTOR size = OP(fma)(g->v[2 * i], g->v[2 * i], g->v[2 * i + 1] * g->v[2 * i + 1]);
        VECTOR lowest = OP(select)(count > 0, TYPED(min)(least, size), size);
        least = OP(select)(g->is_linked[i], lowest, least);
        sum += OP(select)(g->is_linked[i], size, (VECTOR){0});
        count += OP(select)(g->is_linked[i], (VECTOR){0} + 1, (VECTOR){0});
    }
    for (int l = 0; l < LANES; l++) {
        double spread = fmin((double)sum[l] / ((double)count[l] * (double)least[l]), 1e12);
        x[l] = (REAL)((double)value[l] + inexact[l] * sqrt(spread) / TURN_ALLOWED);
    }
    INTEGER is_close = TYPED(two_below)(g, x * factor);
    for (int l = 0; l < LANES; l++)
        if (is_close[l] && suspects >> l & 1)
            lanes |= (uint64_t)1 << l;
    return lanes;
}

#undef TURN_ALLOWED
#undef NORM_LOOKED_AT
#undef NORM_OF_LOST
