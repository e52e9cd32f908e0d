/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels herk, gemm and gemm3m of visibility_gram: one BLAS product of all of Z. */
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/cpu/visibility/matprod.h"
#include "plugins/product_cost.h"

static int supports(const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    return hg_gram_fits(problem->dims[HGATE_DIM_VISIBILITY_GRAM_M],
                        problem->dims[HGATE_DIM_VISIBILITY_GRAM_K], reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    double M = (double)problem->dims[HGATE_DIM_VISIBILITY_GRAM_M];
    int is_64 = problem->dtype == HGATE_C128;
    hg_product_work work =
        hg_product_count(M, M, (double)problem->dims[HGATE_DIM_VISIBILITY_GRAM_K]);
    est->terms[0] = 1.0;
    est->terms[1 + is_64] = work.flop;
    est->terms[3 + is_64] = work.panel;
    est->terms[5] = M * M;
    return HGATE_OK;
}

/* V = alpha Z Z^H + beta V, or its transpose with convention conj
 *
 * Z (M, K), V (M, M), one precision. One BLAS call on one thread, then the lower triangle is
 * mirrored: V is Hermitian in bits with +0 imaginary on the diagonal, whatever the product. For
 * beta 0 V is not read, else its lower triangle is. Work: 4 (herk), 8 (gemm) or 6 (gemm3m) M^2 K
 * real operations. gemm3m trades one product for sums: small elements beside large ones lose
 * digits, the error against the peak does not. */
static int product(const hgate_problem *problem, int matprod, hgate_run *run)
{
    const hgate_visibility_params *params = problem->params;
    hg_gram gram = {.matprod = matprod,
                    .is_64 = problem->dtype == HGATE_C128,
                    .is_conj = params->convention == HGATE_VISIBILITY_CONJ,
                    .M = problem->dims[HGATE_DIM_VISIBILITY_GRAM_M],
                    .V = hg_arg(problem, HGATE_VISIBILITY_GRAM_V)};
    int64_t K = problem->dims[HGATE_DIM_VISIBILITY_GRAM_K];

    run->committed = 1;
    hg_gram_begin(&gram, problem->beta_re);
    hg_blas_enter(run->host);
    hg_gram_add(&gram, K, hg_arg(problem, HGATE_VISIBILITY_GRAM_Z), problem->alpha_re,
                problem->beta_re);
    hg_blas_leave(run->host);
    hg_gram_end(&gram);
    return HGATE_OK;
}

#define KERNEL(word, WORD)                                                                         \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        (void)state;                                                                               \
        return supports(problem, HGATE_MATPROD_##WORD, reason);                                    \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)state, (void)prepared;                                                               \
        return product(problem, HGATE_MATPROD_##WORD, run);                                        \
    }                                                                                              \
    static const hgate_term terms_##word[] = {{"call", HG_K_CALL},                                 \
                                              {"flop32", HG_K_VISIBILITY_##WORD##_F32},            \
                                              {"flop64", HG_K_VISIBILITY_##WORD##_F64},            \
                                              {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},     \
                                              {"panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64},     \
                                              {"mirror", HG_K_VISIBILITY_MIRROR}};                 \
    HG_CPU_KERNEL(visibility_gram_##word, .op = HGATE_OP_VISIBILITY_GRAM, .name = #word,           \
                  .dtypes = HGATE_C64 | HGATE_C128, .n_terms = 6, .terms = terms_##word,           \
                  .supports = supports_##word, .estimate = estimate, .run = run_##word)

KERNEL(herk, HERK);
KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
