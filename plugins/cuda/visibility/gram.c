/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels herk, gemm, gemm3m and zherk of visibility_gram, gemm and gemm3m of visibility_product.
 */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/products.h"
#include "plugins/cuda/visibility/visibility.h"
#include "plugins/matprod.h"

static int supports(void *state, const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int status = hg_matprod_admits(params->matprod, matprod, reason);
    return status ? status : hg_vis_library_supports(state, problem, reason);
}

/* ---- V = alpha Z Z^H + beta V ---- */

static hg_vis_product product_of(const hgate_problem *problem, int matprod, hgate_scratch *scratch)
{
    hg_vis_product p = {.matprod = matprod,
                        .is_64 = problem->dtype == HGATE_C128,
                        .M = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M)};
    hg_vis_lay_out_product(scratch, &p, hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K));
    return p;
}

static void estimate(const hgate_problem *problem, int matprod, hgate_estimate *est)
{
    hgate_scratch scratch = hgate_scratch_count();
    const hg_vis_product p = product_of(problem, matprod, &scratch);
    const double M = (double)p.M, K = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    hg_vis_product_terms(est, matprod, p.is_64, M, K, 1.0);
    if (matprod == HGATE_MATPROD_ZHERK)
        est->terms[HG_VIS_TERM_WIDEN] = M * K;
    est->ws_device = scratch.bytes;
}

/* V = alpha Z Z^H + beta V, or its transpose with convention conj
 *
 * Z (M, K), V (M, M). The product goes into a sum in workspace, of which the lower triangle is read
 * once to write all of V: Hermitian in bits, +0 imaginary on the diagonal. herk, gemm and gemm3m
 * are calls of cuBLAS in the precision of Z, of at most 512 (herk) or 16,384 columns each in
 * complex64; zherk is the float64 product of Z converted a block of columns at a time. No wait, no
 * allocation. */
static int run_gram(void *state, const hgate_problem *problem, int matprod, hgate_run *run)
{
    const hgate_visibility_params *params = problem->params;
    const int64_t K = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    hg_vis_product p = product_of(problem, matprod, &call.scratch);
    status = hg_vis_product_begin(&call, &p);
    if (!status)
        status = hg_vis_product_add(&call, &p, hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_Z), K,
                                    K, 1.0);
    hg_vis_product_end(&call, &p);
    if (!status)
        status = hg_vis_commit(&call, 0);
    const hg_vis_finish f = {.sum = p.sum,
                             .V = hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_V),
                             .M = p.M,
                             .is_64_sum = hg_vis_sum_is_64(&p),
                             .is_64 = p.is_64,
                             .has_sum = p.has_sum,
                             .is_conj = params->convention == HGATE_VISIBILITY_CONJ,
                             .alpha = problem->alpha_re,
                             .beta = problem->beta_re};
    if (!status && p.M > 0)
        status = hg_vis_status(&call, hg_vis_finish_gram(&f, call.fault, call.stream));
    return hg_vis_end(&call, status);
}

/* ---- C = alpha A B^H + beta C ---- */

static void estimate_product(const hgate_problem *problem, int matprod, hgate_estimate *est)
{
    const double m = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_M);
    const double n = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_N);
    const double k = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_K);
    hgate_scratch scratch = hgate_scratch_count();
    hg_vis_take_library(&scratch);
    (void)matprod;
    est->terms[HG_VIS_TERM_LAUNCHES] = 1;
    est->terms[problem->dtype == HGATE_C128 ? HG_VIS_TERM_FLOP64 : HG_VIS_TERM_FLOP32] =
        8 * m * n * k;
    est->ws_device = scratch.bytes;
}

/* C = alpha A B^H + beta C with complex alpha and beta: cuBLAS, at most 16,384 columns a call in
 * complex64. */
static int run_product(void *state, const hgate_problem *problem, int matprod, hgate_run *run)
{
    hg_vis_call call;
    hg_cuda_handle *handle = NULL;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    const hg_vis_general g = {.matprod = matprod,
                              .is_64 = problem->dtype == HGATE_C128,
                              .m = hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_M),
                              .n = hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_N),
                              .k = hgate_dim(problem, HGATE_DIM_VISIBILITY_PRODUCT_K),
                              .A = hgate_arg_data(problem, HGATE_VISIBILITY_PRODUCT_A),
                              .B = hgate_arg_data(problem, HGATE_VISIBILITY_PRODUCT_B),
                              .C = hgate_arg_data(problem, HGATE_VISIBILITY_PRODUCT_C),
                              .alpha = {problem->alpha_re, problem->alpha_im},
                              .beta = {problem->beta_re, problem->beta_im}};
    status = hg_vis_handle(&call, hg_vis_take_library(&call.scratch), &handle);
    if (!status)
        status = hg_vis_commit(&call, 0);
    if (!status && g.m > 0 && g.n > 0)
        status = hg_vis_general_run(&call, handle, &g);
    if (handle)
        hg_cuda_handle_give(call.state, handle);
    return hg_vis_end(&call, status);
}

/* ---- records ---- */

#define KERNEL(OP_WORD, RUN, ESTIMATE, word, WORD, OP, TYPES)                                      \
    static int supports_##OP_WORD##_##word(void *state, const hgate_problem *problem,              \
                                           hgate_reason *reason)                                   \
    {                                                                                              \
        return supports(state, problem, HGATE_MATPROD_##WORD, reason);                             \
    }                                                                                              \
    static int estimate_##OP_WORD##_##word(void *state, const hgate_problem *problem,              \
                                           const double *k, hgate_estimate *est)                   \
    {                                                                                              \
        (void)state, (void)k;                                                                      \
        ESTIMATE(problem, HGATE_MATPROD_##WORD, est);                                              \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##OP_WORD##_##word(void *state, const hgate_problem *problem,                   \
                                      const void *prepared, hgate_run *run)                        \
    {                                                                                              \
        (void)prepared;                                                                            \
        return RUN(state, problem, HGATE_MATPROD_##WORD, run);                                     \
    }                                                                                              \
    const hgate_kernel hg_cuda_visibility_##OP_WORD##_##word = {                                   \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = #word,                                                                             \
        .dtypes = TYPES,                                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(terms_##word),                                                  \
        .terms = terms_##word,                                                                     \
        .supports = supports_##OP_WORD##_##word,                                                   \
        .estimate = estimate_##OP_WORD##_##word,                                                   \
        .run = run_##OP_WORD##_##word,                                                             \
    };

static const hgate_term terms_herk[] = {HG_VIS_TERMS(herk)};
static const hgate_term terms_gemm[] = {HG_VIS_TERMS(gemm)};
static const hgate_term terms_gemm3m[] = {HG_VIS_TERMS(gemm3m)};
static const hgate_term terms_zherk[] = {HG_VIS_TERMS(herk)};

#define COMPLEXES (HGATE_C64 | HGATE_C128)

KERNEL(gram, run_gram, estimate, herk, HERK, HGATE_OP_VISIBILITY_GRAM, COMPLEXES)
KERNEL(gram, run_gram, estimate, gemm, GEMM, HGATE_OP_VISIBILITY_GRAM, COMPLEXES)
KERNEL(gram, run_gram, estimate, gemm3m, GEMM3M, HGATE_OP_VISIBILITY_GRAM, COMPLEXES)
KERNEL(gram, run_gram, estimate, zherk, ZHERK, HGATE_OP_VISIBILITY_GRAM, HGATE_C64)
KERNEL(product, run_product, estimate_product, gemm, GEMM, HGATE_OP_VISIBILITY_PRODUCT, COMPLEXES)
KERNEL(product, run_product, estimate_product, gemm3m, GEMM3M, HGATE_OP_VISIBILITY_PRODUCT,
       COMPLEXES)
