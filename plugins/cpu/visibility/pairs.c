/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of visibility_pairs: dot for the pairs alone; herk, gemm, gemm3m by the full product and
 * a copy of the blocks. */
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/antenna.h"
#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/cpu/visibility/matprod.h"
#include "plugins/cpu/visibility/pair_sums.h"
#include "plugins/product_cost.h"

/* What both ways work on. */
typedef struct call {
    hg_pair_sums sums;
    hg_gram gram;
    int64_t K;
    const void *Z;
    hg_reals Vpairs;
} call;

static call call_of(const hgate_problem *problem, int matprod)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    call c = {.K = dims[HGATE_DIM_VISIBILITY_PAIRS_K],
              .Z = hg_arg(problem, HGATE_VISIBILITY_PAIRS_Z),
              .Vpairs = hg_real_arg(problem, HGATE_VISIBILITY_PAIRS_VPAIRS)};
    c.sums.pairs = hg_index_arg(problem, HGATE_VISIBILITY_PAIRS_PAIRS);
    c.sums.nant = dims[HGATE_DIM_VISIBILITY_PAIRS_NANT];
    c.sums.nfeed = dims[HGATE_DIM_VISIBILITY_PAIRS_NFEED];
    c.sums.npairs = dims[HGATE_DIM_VISIBILITY_PAIRS_NPAIRS];
    c.sums.convention = params->convention;
    c.gram.matprod = matprod;
    c.gram.is_64 = problem->dtype == HGATE_C128;
    c.gram.M = c.sums.nant * c.sums.nfeed;
    return c;
}

static void lay_out(hgate_scratch *scratch, call *c)
{
    if (c->gram.matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_lay_out(scratch, &c->sums);
    else
        c->gram.V = hgate_scratch_take(scratch, c->gram.M * c->gram.M, c->gram.is_64 ? 16 : 8);
}

static int supports(const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    call c = call_of(problem, matprod);
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK || matprod == HGATE_MATPROD_DOT)
        return status;
    return hg_gram_fits(c.gram.M, c.K, reason);
}

static void estimate(const hgate_problem *problem, int matprod, hgate_estimate *est)
{
    call c = call_of(problem, matprod);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &c);
    double M = (double)c.gram.M, K = (double)c.K;
    double rows = (double)c.sums.npairs * (double)c.sums.nfeed;
    double elements = rows * (double)c.sums.nfeed;
    int is_dot = matprod == HGATE_MATPROD_DOT;
    hg_product_work work = hg_product_count(M, M, K);
    est->terms[0] = 1.0;
    est->terms[1 + c.gram.is_64] =
        is_dot ? 2.0 * rows * K * (c.gram.is_64 ? 16.0 : 8.0) : work.flop;
    est->terms[3] = elements + (is_dot ? 0.0 : M * M);
    if (!is_dot)
        est->terms[4 + c.gram.is_64] = work.panel;
    est->ws_host = scratch.bytes;
}

/* Vpairs[p,a,b] = alpha sum_k Z[(i,a),k] conj(Z[(j,b),k]) + beta Vpairs[p,a,b],  (i, j) = pairs[p]
 *
 * Z (nant nfeed, K), Vpairs (npairs, nfeed, nfeed), one precision; conventions as in the reference.
 * dot: nfeed^2 row products per pair, 8 npairs nfeed^2 K operations, chains of 1024/8 columns in
 * the precision of Z, their sums in double. The others: the full product into the workspace, then a
 * copy, which pays when the pairs are a fair part of all. For beta 0 Vpairs is not read. */
static int product(const hgate_problem *problem, int matprod, hgate_run *run)
{
    call c = call_of(problem, matprod);
    int status = hg_check_indices(run->host, "pairs", c.sums.pairs, 2 * c.sums.npairs, c.sums.nant);
    if (status != HGATE_OK)
        return status;
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, &c);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility_pairs: workspace is too small");

    if (matprod == HGATE_MATPROD_DOT) {
        hg_pair_sums_begin(&c.sums);
        hg_pair_sums_add(&c.sums, c.Z, c.gram.is_64, c.K, 1.0);
        run->committed = 1;
        hg_pair_sums_store(&c.sums, problem->alpha_re, problem->beta_re, c.Vpairs);
        return HGATE_OK;
    }
    hg_gram_begin(&c.gram, 0.0);
    hg_blas_enter(run->host);
    hg_gram_add(&c.gram, c.K, c.Z, 1.0, 0.0);
    hg_blas_leave(run->host);
    hg_gram_end(&c.gram);
    run->committed = 1;
    hg_pair_sums_cut(&c.sums, (hg_reals){c.gram.V, c.gram.is_64}, problem->alpha_re,
                     problem->beta_re, c.Vpairs);
    return HGATE_OK;
}

#define COMMON_TERMS(WORD)                                                                         \
    {"call", HG_K_CALL}, {"work32", HG_K_VISIBILITY_##WORD##_F32},                                 \
        {"work64", HG_K_VISIBILITY_##WORD##_F64},                                                  \
    {                                                                                              \
        "mirror", HG_K_VISIBILITY_MIRROR                                                           \
    }
#define PRODUCT_TERMS(WORD)                                                                        \
    COMMON_TERMS(WORD), {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                           \
    {                                                                                              \
        "panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64                                              \
    }
static const hgate_term terms_dot[] = {COMMON_TERMS(DOT)};
static const hgate_term terms_herk[] = {PRODUCT_TERMS(HERK)};
static const hgate_term terms_gemm[] = {PRODUCT_TERMS(GEMM)};
static const hgate_term terms_gemm3m[] = {PRODUCT_TERMS(GEMM3M)};

#define KERNEL(word, WORD)                                                                         \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        (void)state;                                                                               \
        return supports(problem, HGATE_MATPROD_##WORD, reason);                                    \
    }                                                                                              \
    static int estimate_##word(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)state, (void)k;                                                                      \
        estimate(problem, HGATE_MATPROD_##WORD, est);                                              \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)state, (void)prepared;                                                               \
        return product(problem, HGATE_MATPROD_##WORD, run);                                        \
    }                                                                                              \
    HG_CPU_KERNEL(visibility_pairs_##word, .op = HGATE_OP_VISIBILITY_PAIRS, .name = #word,         \
                  .dtypes = HGATE_C64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(terms_##word),      \
                  .terms = terms_##word, .supports = supports_##word, .estimate = estimate_##word, \
                  .run = run_##word)

KERNEL(dot, DOT);
KERNEL(herk, HERK);
KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
