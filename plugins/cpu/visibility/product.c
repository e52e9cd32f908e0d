/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels gemm and gemm3m of visibility_product: one BLAS call. */
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
    const int64_t *dims = problem->dims;
    int64_t m = dims[HGATE_DIM_VISIBILITY_PRODUCT_M], n = dims[HGATE_DIM_VISIBILITY_PRODUCT_N];
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    return hg_gram_fits(m > n ? m : n, dims[HGATE_DIM_VISIBILITY_PRODUCT_K], reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    int is_64 = problem->dtype == HGATE_C128;
    hg_product_work work = hg_product_count((double)dims[HGATE_DIM_VISIBILITY_PRODUCT_M],
                                            (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_N],
                                            (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_K]);
    est->terms[0] = 1.0;
    est->terms[1 + is_64] = work.flop;
    est->terms[3 + is_64] = work.panel;
    return HGATE_OK;
}

/* C = alpha A B^H + beta C
 *
 * A (m, k), B (n, k), C (m, n), one precision; alpha and beta complex. One BLAS call on one thread.
 * For beta 0 C is not read. Work: 8 (gemm) or 6 (gemm3m) m n k real operations. */
static int product(const hgate_problem *problem, int matprod, hgate_run *run)
{
    const int64_t *dims = problem->dims;
    const double alpha[2] = {problem->alpha_re, problem->alpha_im};
    const double beta[2] = {problem->beta_re, problem->beta_im};

    run->committed = 1;
    hg_blas_enter(run->host);
    hg_gemm(matprod, problem->dtype == HGATE_C128, dims[HGATE_DIM_VISIBILITY_PRODUCT_M],
            dims[HGATE_DIM_VISIBILITY_PRODUCT_N], dims[HGATE_DIM_VISIBILITY_PRODUCT_K], alpha,
            hg_arg(problem, HGATE_VISIBILITY_PRODUCT_A),
            hg_arg(problem, HGATE_VISIBILITY_PRODUCT_B), beta,
            hg_arg(problem, HGATE_VISIBILITY_PRODUCT_C));
    hg_blas_leave(run->host);
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
                                              {"panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64}};    \
    HG_CPU_KERNEL(visibility_product_##word, .op = HGATE_OP_VISIBILITY_PRODUCT, .name = #word,     \
                  .dtypes = HGATE_C64 | HGATE_C128, .n_terms = 5, .terms = terms_##word,           \
                  .supports = supports_##word, .estimate = estimate, .run = run_##word)

KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
