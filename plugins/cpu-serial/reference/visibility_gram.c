/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_gram: the Hermitian product of Z with itself. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/dot.h"
#include "plugins/cpu/visibility/hermitian.h"
#include "plugins/matprod.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"products", HG_K_REFERENCE_DOT_TERM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    double M = (double)problem->dims[HGATE_DIM_VISIBILITY_GRAM_M];
    est->terms[0] = 1.0;
    est->terms[1] = 0.5 * M * (M + 1.0) * (double)problem->dims[HGATE_DIM_VISIBILITY_GRAM_K];
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    const hgate_visibility_params *params = problem->params;
    return hg_matprod_admits(params->matprod, HGATE_MATPROD_AUTO, reason);
}

/* V = alpha Z Z^H + beta V, or its transpose with convention conj
 *
 * Z (M, K), V (M, M), one precision. Sums in double; V comes out Hermitian in bits with +0
 * imaginary on the diagonal. For beta 0 V is not read, else its lower triangle is. Work: M (M+1)/2
 * K complex multiply-adds. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_visibility_params *params = problem->params;
    int64_t M = problem->dims[HGATE_DIM_VISIBILITY_GRAM_M];
    int64_t K = problem->dims[HGATE_DIM_VISIBILITY_GRAM_K];
    hg_reals Z = hg_real_arg(problem, HGATE_VISIBILITY_GRAM_Z);
    hg_reals V = hg_real_arg(problem, HGATE_VISIBILITY_GRAM_V);

    run->committed = 1;
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j <= i; j++)
            hg_hermitian_put(V, M, i, j, hg_dot(Z, i * K, Z, j * K, K), problem->alpha_re,
                             problem->beta_re, params->convention);
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_gram = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_GRAM,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
