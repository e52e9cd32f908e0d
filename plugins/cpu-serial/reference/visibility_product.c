/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_product: the rectangular product of A with the conjugate of B. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/dot.h"
#include "plugins/matprod.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"products", HG_K_REFERENCE_DOT_TERM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    est->terms[0] = 1.0;
    est->terms[1] = (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_M] *
                    (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_N] *
                    (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_K];
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    const hgate_visibility_params *params = problem->params;
    return hg_matprod_admits(params->matprod, HGATE_MATPROD_AUTO, reason);
}

/* C = alpha A B^H + beta C
 *
 * A (m, k), B (n, k), C (m, n), one precision, alpha and beta complex. Sums in double. For beta 0 C
 * is not read. Work: m n k complex multiply-adds. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t m = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_M];
    int64_t n = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_N];
    int64_t k = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_K];
    hg_reals A = hg_real_arg(problem, HGATE_VISIBILITY_PRODUCT_A);
    hg_reals B = hg_real_arg(problem, HGATE_VISIBILITY_PRODUCT_B);
    hg_reals C = hg_real_arg(problem, HGATE_VISIBILITY_PRODUCT_C);
    double complex alpha = CMPLX(problem->alpha_re, problem->alpha_im);
    double complex beta = CMPLX(problem->beta_re, problem->beta_im);

    run->committed = 1;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double complex sum = hg_times(alpha, hg_dot(A, i * k, B, j * k, k));
            if (beta != 0.0)
                sum += hg_times(beta, hg_complex(C, i * n + j));
            hg_complex_put(C, i * n + j, sum);
        }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_product = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_PRODUCT,
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
