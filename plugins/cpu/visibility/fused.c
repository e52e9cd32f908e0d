/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels herk, gemm, gemm3m, herk3 and dot of visibility: Z chunk by chunk, each chunk's product
 * added to V. */
#include "plugins/cpu/visibility/by_product.h"
#include "plugins/cpu/visibility/fused_parts.h"
#include "plugins/product_cost.h"

static int supports(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                    hgate_reason *reason)
{
    (void)cpu;
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    if (matprod == HGATE_MATPROD_DOT)
        return dims[HGATE_DIM_VISIBILITY_NPAIRS] >= 0
                   ? HGATE_OK
                   : hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                                  "makes chosen pairs only, all of V is asked for");
    return hg_gram_fits(dims[HGATE_DIM_VISIBILITY_NANT] * dims[HGATE_DIM_VISIBILITY_NFEED], 1,
                        reason);
}

static void estimate(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    hgate_visibility_chunk_info plan;
    size_t needed;
    if (hg_sources_plan(problem, !cpu->steps_apart, &plan, &needed) != HGATE_OK)
        plan.chunk = 1; /* run() says so */
    hg_fused f = hg_fused_of(cpu, problem, matprod, &plan);
    hgate_scratch scratch = hgate_scratch_count();
    hg_fused_lay_out(&scratch, &f);

    double M = (double)f.gram.M, columns = (double)f.in.nax * (double)f.in.nsrc / f.parts;
    double rows = f.in.npairs < 0 ? 0.0 : (double)f.in.npairs * (double)f.in.nfeed;
    double lanes = hg_visibility_lanes_cost(cpu->isa) * (f.in.is_64 ? 2.0 : 1.0);
    int is_dot = matprod == HGATE_MATPROD_DOT, is_own = matprod == HGATE_MATPROD_HERK3;
    hg_product_work product = hg_product_count(M, M, columns);
    est->terms[0] = 1.0;
    est->terms[1 + f.in.is_64] = is_dot   ? 2.0 * rows * columns * (f.in.is_64 ? 16.0 : 8.0)
                                 : is_own ? product.flop * hg_visibility_lanes_cost(cpu->isa)
                                          : product.flop;
    est->terms[3] = ((is_dot ? 0.0 : M * M) + rows * (double)f.in.nfeed) * f.parts;
    est->terms[4] = hg_cpu_teams(f.parts, 3.0);
    est->terms[5] = M * columns * lanes * (f.field.is_apart ? 2.0 : 1.0);
    est->terms[6] = (double)f.in.nant * (double)f.in.nsrc / f.parts * lanes;
    est->terms[7] = (double)f.field.room * (double)f.in.nfeed * columns * lanes;
    if (!is_dot && !is_own) /* the other writes Z as the product wants it */
        est->terms[8 + f.in.is_64] = product.panel;
    est->ws_host = scratch.bytes;
}

static int all_of_v(hg_fused *f, const hgate_problem *problem, hgate_run *run)
{
    double alpha = problem->alpha_re, beta = problem->beta_re;
    if (f->matprod == HGATE_MATPROD_HERK3) {
        int status = hg_fused_run(f, run, 1.0, 0.0);
        if (status != HGATE_OK)
            return status;
        run->committed = 1;
        hg_herk3_finish(&f->herk3, f->herk3.parts, f->cpu, run->threads, alpha, beta,
                        f->gram.is_conj, f->gram.V);
        return HGATE_OK;
    }
    run->committed = 1;
    hg_gram_begin(&f->gram, beta);
    int status = hg_fused_run(f, run, alpha, beta);
    hg_gram_end(&f->gram);
    return status;
}

/* The sums are made in the workspace; Vpairs is written at the end. */
static int chosen_pairs(hg_fused *f, const hgate_problem *problem, hgate_run *run)
{
    int is_blas = f->matprod != HGATE_MATPROD_DOT && f->matprod != HGATE_MATPROD_HERK3;
    if (is_blas)
        hg_gram_begin(&f->gram, 0.0);
    int status = hg_fused_run(f, run, 1.0, 0.0);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    if (f->matprod == HGATE_MATPROD_DOT) {
        hg_pair_sums_store(&f->sums, problem->alpha_re, problem->beta_re, f->in.V);
        return HGATE_OK;
    }
    if (is_blas)
        hg_gram_end(&f->gram);
    else
        hg_herk3_finish(&f->herk3, f->herk3.parts, f->cpu, run->threads, 1.0, 0.0, 0, f->gram.V);
    hg_pair_sums_cut(&f->sums, (hg_reals){f->gram.V, f->gram.is_64}, problem->alpha_re,
                     problem->beta_re, f->in.V);
    return HGATE_OK;
}

/* V = alpha sum_k sign_k Z[i,k] conj(Z[j,k]) + beta V over the sources above the horizon
 *
 * Arrays as in visibility.h. The list of sources is cut once and sorted by the cells of the grid;
 * then, chunk by chunk, beam values, phases and Z of a few hundred columns are made in the form
 * that the product wants and added: as rows of pairs for BLAS and dot, as panels of real planes for
 * herk3. Chunks are small enough for the second-level cache and are shared out over the threads,
 * each with sums of its own; one pass at the end adds them and mirrors the triangle. With
 * ops.visibility.fused_z off phases are all made before Z, and Z before any panel of it. Directions
 * and weights are computed in double, values, phases and Z in the precision of the call. Work: the
 * product, nant n phases, nbeam nfeed nax n interpolated values, nant nfeed nax n elements of Z per
 * chunk. */
static int fused(const hg_cpu *cpu, const hgate_problem *problem, int matprod, hgate_run *run)
{
    hgate_visibility_chunk_info plan;
    int status = hg_sources_plan_or_fail(run->host, problem, !cpu->steps_apart, &plan);
    if (status != HGATE_OK)
        return status;
    hg_fused f = hg_fused_of(cpu, problem, matprod, &plan);
    status = hg_visibility_check(run->host, &f.in);
    if (status != HGATE_OK)
        return status;
    hgate_scratch scratch = hgate_scratch_over(run);
    hg_fused_lay_out(&scratch, &f);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility: workspace is too small");

    hg_fused_prepare(&f, run->threads);
    status = hg_fused_check_power(run->host, &f, run->threads);
    if (status != HGATE_OK)
        return status;
    return f.in.npairs < 0 ? all_of_v(&f, problem, run) : chosen_pairs(&f, problem, run);
}

#define COMMON_TERMS(WORD)                                                                         \
    {"call", HG_K_CALL}, {"work32", HG_K_VISIBILITY_##WORD##_F32},                                 \
        {"work64", HG_K_VISIBILITY_##WORD##_F64}, {"mirror", HG_K_VISIBILITY_MIRROR},              \
        {"team", HG_K_TEAM}, {"elements", HG_K_VISIBILITY_ELEMENT},                                \
        {"phases", HG_K_VISIBILITY_PHASE},                                                         \
    {                                                                                              \
        "values", HG_K_VISIBILITY_VALUE                                                            \
    }
#define PRODUCT_TERMS(WORD)                                                                        \
    COMMON_TERMS(WORD), {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                           \
    {                                                                                              \
        "panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64                                              \
    }
#define KERNEL(word, WORD, TERMS)                                                                  \
    HG_PRODUCT_KERNEL(visibility, HGATE_OP_VISIBILITY, fused, word, WORD, TERMS)

KERNEL(herk, HERK, PRODUCT_TERMS(HERK));
KERNEL(gemm, GEMM, PRODUCT_TERMS(GEMM));
KERNEL(gemm3m, GEMM3M, PRODUCT_TERMS(GEMM3M));
KERNEL(herk3, HERK3, PRODUCT_TERMS(HERK3));
KERNEL(dot, DOT, COMMON_TERMS(DOT));
