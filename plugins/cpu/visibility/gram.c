/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels herk, gemm, gemm3m and herk3 of visibility_gram. */
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/by_product.h"
#include "plugins/cpu/visibility/gram_parts.h"
#include "plugins/product_cost.h"

static int supports(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                    hgate_reason *reason)
{
    (void)cpu;
    const hgate_visibility_params *params = problem->params;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    return hg_gram_fits(problem->dims[HGATE_DIM_VISIBILITY_GRAM_M],
                        problem->dims[HGATE_DIM_VISIBILITY_GRAM_K], reason);
}

static hg_gram_parts parts_of(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                              int threads)
{
    const hgate_visibility_params *params = problem->params;
    hg_gram gram = {.matprod = matprod,
                    .is_64 = problem->dtype == HGATE_C128,
                    .is_conj = params->convention == HGATE_VISIBILITY_CONJ,
                    .M = problem->dims[HGATE_DIM_VISIBILITY_GRAM_M],
                    .V = hg_arg(problem, HGATE_VISIBILITY_GRAM_V)};
    return hg_gram_parts_of(cpu, threads, &gram, problem->dims[HGATE_DIM_VISIBILITY_GRAM_K],
                            hg_arg(problem, HGATE_VISIBILITY_GRAM_Z));
}

static void estimate(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    hg_gram_parts p = parts_of(cpu, problem, matprod, problem->threads);
    hgate_scratch scratch = hgate_scratch_count();
    hg_gram_parts_lay_out(&scratch, &p);
    double M = (double)p.gram.M;
    double lanes = matprod == HGATE_MATPROD_HERK3 ? hg_visibility_lanes_cost(cpu->isa) : 1.0;
    hg_product_work work = hg_product_count(M, M, (double)p.K / p.parts);
    est->terms[0] = 1.0;
    est->terms[1 + p.gram.is_64] = work.flop * lanes;
    est->terms[3 + p.gram.is_64] = work.panel * lanes;
    est->terms[5] = M * M * p.parts;
    est->terms[6] = hg_cpu_teams(p.parts, 2.0);
    est->ws_host = scratch.bytes;
}

/* V = alpha Z Z^H + beta V, or its transpose with convention conj
 *
 * Z (M, K), V (M, M), one precision. Columns are shared out over the threads, each with a V of its
 * own, which are added in order; then the lower triangle is mirrored: V is Hermitian in bits with
 * +0 imaginary on the diagonal, whatever the product. For beta 0 V is not read, else its lower
 * triangle is. Work: 4 (herk), 8 (gemm), 6 (gemm3m) or 3 (herk3) M^2 K real operations. gemm3m and
 * herk3 trade a product for sums: small elements beside large ones lose digits, the error against
 * the peak does not grow. herk, gemm and gemm3m are one BLAS call a thread, herk3 is a kernel of
 * our own that packs Z a block of columns at a time. */
static int product(const hg_cpu *cpu, const hgate_problem *problem, int matprod, hgate_run *run)
{
    hg_gram_parts p = parts_of(cpu, problem, matprod, problem->threads);
    hgate_scratch scratch = hgate_scratch_over(run);
    hg_gram_parts_lay_out(&scratch, &p);
    if (scratch.bytes > 0 && scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility_gram: workspace is too small");
    run->committed = 1;
    hg_gram_parts_run(&p, run, problem->alpha_re, problem->beta_re);
    return HGATE_OK;
}

#define KERNEL(word, WORD)                                                                         \
    HG_PRODUCT_KERNEL(visibility_gram, HGATE_OP_VISIBILITY_GRAM, product, word, WORD,              \
                      {"call", HG_K_CALL}, {"flop32", HG_K_VISIBILITY_##WORD##_F32},               \
                      {"flop64", HG_K_VISIBILITY_##WORD##_F64},                                    \
                      {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                             \
                      {"panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64},                             \
                      {"mirror", HG_K_VISIBILITY_MIRROR}, {"team", HG_K_TEAM})

KERNEL(herk, HERK);
KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
KERNEL(herk3, HERK3);
