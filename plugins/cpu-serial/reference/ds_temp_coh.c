/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of ds_temp_coh: how well phases explain the measured coherences. */
#include "headgate/plugin_util.h"
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"

#include <inttypes.h>
#include <math.h>

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"pairs", HG_K_REFERENCE_DS_TEMP_COH_PAIR}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_DS_TEMP_COH_BATCH] *
                    (double)problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS];
    return HGATE_OK;
}

typedef struct stack {
    int64_t n, n_pairs;
    int is_full;
    const int32_t *pairs; /* (n_pairs, 2); NULL: all pairs i < j, row by row */
    hg_reals coh, phase;
} stack;

static int check_pairs(const hgate_host *host, const stack *s)
{
    for (int64_t p = 0; p < s->n_pairs && s->pairs; p++) {
        int32_t i = s->pairs[2 * p], j = s->pairs[2 * p + 1];
        if (i < 0 || i >= s->n || j < 0 || j >= s->n || i == j)
            return hgate_fail(host, HGATE_EVALUE,
                              "pairs: row %" PRId64 " is (%" PRId32 ", %" PRId32
                              "), expected two images below %" PRId64,
                              p, i, j, s->n);
    }
    return HGATE_OK;
}

static int is_finite(double complex z)
{
    return isfinite(creal(z)) && isfinite(cimag(z));
}

/* gamma_ij of pair p. Columns of a packed coh follow the list; of a full one the upper triangle is
 * used. */
static double complex gamma_of(const stack *s, int64_t point, int64_t p, int64_t i, int64_t j)
{
    if (!s->is_full)
        return hg_complex(s->coh, point * s->n_pairs + p);
    if (i < j)
        return hg_complex(s->coh, (point * s->n + i) * s->n + j);
    return conj(hg_complex(s->coh, (point * s->n + j) * s->n + i));
}

/* The sum over the pairs of one point. */
static double point_coherence(const stack *s, int64_t point)
{
    double complex sum = 0.0;
    int64_t count = 0, i = 0, j = 1;
    for (int64_t p = 0; p < s->n_pairs; p++) {
        if (s->pairs) {
            i = s->pairs[2 * p];
            j = s->pairs[2 * p + 1];
        }
        double complex gamma = gamma_of(s, point, p, i, j);
        double complex from = hg_complex(s->phase, point * s->n + i);
        double complex to = hg_complex(s->phase, point * s->n + j);
        if (is_finite(gamma) && cabs(gamma) > 0.0 && is_finite(from) && is_finite(to)) {
            sum += gamma / cabs(gamma) * conj(from) * to;
            count++;
        }
        if (!s->pairs && ++j == s->n)
            j = ++i + 1;
    }
    return count > 0 ? fmin(cabs(sum) / (double)count, 1.0) : NAN;
}

/* t = |sum_p (gamma_p / |gamma_p|) conj(phase_i) phase_j| / N
 *
 * coh (P, N) or (P, n, n), pairs (N, 2) or none, phase (P, n), t_coh (P). Pairs whose coherence is
 * 0 or not finite, or that have an undefined phase, do not count; NaN when none is left. Rounding
 * above 1 is cut off. Work: P N phasors in double. Source: temporal coherence of phase linking; the
 * modulus is taken of the whole sum. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t points = problem->dims[HGATE_DIM_DS_TEMP_COH_BATCH];
    stack s = {.n = problem->dims[HGATE_DIM_DS_TEMP_COH_N],
               .n_pairs = problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS],
               .is_full = (int)problem->dims[HGATE_DIM_DS_TEMP_COH_FULL],
               .pairs = hg_arg(problem, HGATE_DS_TEMP_COH_PAIRS),
               .coh = hg_real_arg(problem, HGATE_DS_TEMP_COH_COH),
               .phase = hg_real_arg(problem, HGATE_DS_TEMP_COH_PHASE)};
    hg_reals t_coh = hg_real_arg(problem, HGATE_DS_TEMP_COH_T_COH);
    int status = check_pairs(run->host, &s);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    for (int64_t point = 0; point < points && status == HGATE_OK; point++) {
        hg_real_put(t_coh, point, point_coherence(&s, point));
        if (point % 1024 == 1023 || point + 1 == points)
            status = hgate_progress(run, point + 1, points);
    }
    return status;
}

const hgate_kernel hg_reference_ds_temp_coh = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_DS_TEMP_COH,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
