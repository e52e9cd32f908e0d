/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels gemm and gemm3m of visibility_product: one BLAS call for the rows of each thread. */
#include "plugins/cpu/blas.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/by_product.h"
#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/product_cost.h"

static int supports(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                    hgate_reason *reason)
{
    (void)cpu;
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int64_t m = dims[HGATE_DIM_VISIBILITY_PRODUCT_M], n = dims[HGATE_DIM_VISIBILITY_PRODUCT_N];
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    return hg_gram_fits(m > n ? m : n, dims[HGATE_DIM_VISIBILITY_PRODUCT_K], reason);
}

/* Row blocks: one for each thread, if they are not too thin for BLAS. Not tuned. */
enum { LEAST_ROWS = 16 };

static int64_t blocks_of(const hg_cpu *cpu, int64_t m, int threads)
{
    int64_t n = hg_cpu_threads(cpu, threads);
    if (n > m / LEAST_ROWS)
        n = m / LEAST_ROWS;
    return n < 1 ? 1 : n;
}

static void estimate(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    (void)matprod;
    const int64_t *dims = problem->dims;
    int64_t m = dims[HGATE_DIM_VISIBILITY_PRODUCT_M];
    int is_64 = problem->dtype == HGATE_C128;
    int64_t blocks = blocks_of(cpu, m, problem->threads);
    hg_product_work work =
        hg_product_count((double)m / (double)blocks, (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_N],
                         (double)dims[HGATE_DIM_VISIBILITY_PRODUCT_K]);
    est->terms[0] = 1.0;
    est->terms[1 + is_64] = work.flop;
    est->terms[3 + is_64] = work.panel;
    est->terms[5] = hg_cpu_teams((int)blocks, 1.0);
}

typedef struct work {
    const hgate_problem *problem;
    int matprod;
    int64_t blocks;
} work;

static void multiply(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    const hgate_problem *problem = w->problem;
    int is_64 = problem->dtype == HGATE_C128;
    int64_t m = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_M];
    int64_t n = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_N];
    int64_t k = problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_K];
    int64_t from = m * i / w->blocks, rows = m * (i + 1) / w->blocks - from;
    size_t element = is_64 ? 16 : 8;
    const double alpha[2] = {problem->alpha_re, problem->alpha_im};
    const double beta[2] = {problem->beta_re, problem->beta_im};
    const char *A = hg_arg(problem, HGATE_VISIBILITY_PRODUCT_A);
    char *C = hg_arg(problem, HGATE_VISIBILITY_PRODUCT_C);
    hg_gemm(w->matprod, is_64, rows, n, k, k, alpha, A ? A + (size_t)(from * k) * element : NULL,
            hg_arg(problem, HGATE_VISIBILITY_PRODUCT_B), beta, C + (size_t)(from * n) * element);
}

/* C = alpha A B^H + beta C
 *
 * A (m, k), B (n, k), C (m, n), one precision; alpha and beta complex. Rows of A and C are shared
 * out over the threads, one BLAS call each. For beta 0 C is not read. Work: 8 (gemm) or 6 (gemm3m)
 * m n k real operations. */
static int product(const hg_cpu *cpu, const hgate_problem *problem, int matprod, hgate_run *run)
{
    int threads = hg_cpu_threads(cpu, run->threads);
    work w = {problem, matprod,
              blocks_of(cpu, problem->dims[HGATE_DIM_VISIBILITY_PRODUCT_M], run->threads)};
    run->committed = 1;
    threads = hg_blas_enter(run->host, threads);
    cpu->spread(threads, w.blocks, multiply, &w);
    hg_blas_leave(run->host);
    return HGATE_OK;
}

#define KERNEL(word, WORD)                                                                         \
    HG_PRODUCT_KERNEL(visibility_product, HGATE_OP_VISIBILITY_PRODUCT, product, word, WORD,        \
                      {"call", HG_K_CALL}, {"flop32", HG_K_VISIBILITY_##WORD##_F32},               \
                      {"flop64", HG_K_VISIBILITY_##WORD##_F64},                                    \
                      {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                             \
                      {"panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64}, {"team", HG_K_TEAM})

KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
