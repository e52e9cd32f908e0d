/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of visibility_pairs: dot for the pairs alone; herk, gemm, gemm3m, herk3 by the full
 * product and a copy of the blocks. */
#include "plugins/cpu/visibility/antenna.h"
#include "plugins/cpu/visibility/by_product.h"
#include "plugins/cpu/visibility/gram_parts.h"
#include "plugins/cpu/visibility/pair_sums.h"
#include "plugins/product_cost.h"

/* What both ways work on. */
typedef struct call {
    const hg_cpu *cpu;
    hg_pair_sums sums;
    hg_gram gram;
    hg_gram_parts parts;
    int64_t K;
    const void *Z;
    hg_reals Vpairs;
} call;

static call call_of(const hg_cpu *cpu, const hgate_problem *problem, int matprod)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    call c = {.cpu = cpu,
              .K = dims[HGATE_DIM_VISIBILITY_PAIRS_K],
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

static void lay_out(hgate_scratch *scratch, int threads, call *c)
{
    if (c->gram.matprod == HGATE_MATPROD_DOT) {
        hg_pair_sums_lay_out(scratch, &c->sums);
        hg_pair_sums_lay_out_sum(scratch, &c->sums);
        return;
    }
    c->gram.V = hgate_scratch_take(scratch, c->gram.M * c->gram.M, c->gram.is_64 ? 16 : 8);
    c->parts = hg_gram_parts_of(c->cpu, threads, &c->gram, c->K, c->Z);
    hg_gram_parts_lay_out(scratch, &c->parts);
}

static int supports(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                    hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    call c = call_of(cpu, problem, matprod);
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK || matprod == HGATE_MATPROD_DOT)
        return status;
    return hg_gram_fits(c.gram.M, c.K, reason);
}

static void estimate(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    call c = call_of(cpu, problem, matprod);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, problem->threads, &c);
    double M = (double)c.gram.M, K = (double)c.K;
    double rows = (double)c.sums.npairs * (double)c.sums.nfeed;
    double elements = rows * (double)c.sums.nfeed;
    int is_dot = matprod == HGATE_MATPROD_DOT;
    int threads = is_dot ? hg_cpu_threads(cpu, problem->threads) : c.parts.parts;
    double lanes = matprod == HGATE_MATPROD_HERK3 ? hg_visibility_lanes_cost(cpu->isa) : 1.0;
    hg_product_work work = hg_product_count(M, M, K / threads);
    est->terms[0] = 1.0;
    est->terms[1 + c.gram.is_64] =
        is_dot ? 2.0 * rows * K * (c.gram.is_64 ? 16.0 : 8.0) / threads : work.flop * lanes;
    est->terms[3] = elements + (is_dot ? 0.0 : M * M * threads);
    est->terms[4] = hg_cpu_teams(threads, 2.0);
    if (!is_dot)
        est->terms[5 + c.gram.is_64] = work.panel * lanes;
    est->ws_host = scratch.bytes;
}

/* Pieces of the grouped list, more than threads: pairs may be of unequal work. */
enum { PIECES = 4 };

typedef struct piece {
    call *c;
    int64_t n;
} piece;

static void add_piece(void *context, int64_t i, int worker)
{
    (void)worker;
    const piece *p = context;
    call *c = p->c;
    hg_pair_sums_add(&c->sums, hg_visibility_lanes_of(c->cpu->isa, c->gram.is_64), c->Z,
                     c->gram.is_64, c->K, 1.0, c->sums.npairs * i / p->n,
                     c->sums.npairs * (i + 1) / p->n);
}

/* Vpairs[p,a,b] = alpha sum_k Z[(i,a),k] conj(Z[(j,b),k]) + beta Vpairs[p,a,b],  (i, j) = pairs[p]
 *
 * Z (nant nfeed, K), Vpairs (npairs, nfeed, nfeed), one precision; conventions as in the reference.
 * dot: nfeed^2 row products per pair, 8 npairs nfeed^2 K operations, chains of 1024 columns in
 * lanes of the precision of Z, their sums in double; threads take pairs. The others: the full
 * product into the workspace, then a copy, which pays when the pairs are a fair part of all. For
 * beta 0 Vpairs is not read. */
static int product(const hg_cpu *cpu, const hgate_problem *problem, int matprod, hgate_run *run)
{
    call c = call_of(cpu, problem, matprod);
    int threads = hg_cpu_threads(cpu, run->threads);
    int status = hg_check_indices(run->host, "pairs", c.sums.pairs, 2 * c.sums.npairs, c.sums.nant);
    if (status != HGATE_OK)
        return status;
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, problem->threads, &c);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility_pairs: workspace is too small");

    if (matprod == HGATE_MATPROD_DOT) {
        piece p = {&c, threads > 1 ? PIECES * (int64_t)threads : 1};
        hg_pair_sums_group(&c.sums);
        hg_pair_sums_clear(&c.sums);
        cpu->spread(threads, p.n, add_piece, &p);
        run->committed = 1;
        hg_pair_sums_store(&c.sums, problem->alpha_re, problem->beta_re, c.Vpairs);
        return HGATE_OK;
    }
    hg_gram_parts_run(&c.parts, run, 1.0, 0.0);
    run->committed = 1;
    hg_pair_sums_cut(&c.sums, (hg_reals){c.gram.V, c.gram.is_64}, problem->alpha_re,
                     problem->beta_re, c.Vpairs);
    return HGATE_OK;
}

#define COMMON_TERMS(WORD)                                                                         \
    {"call", HG_K_CALL}, {"work32", HG_K_VISIBILITY_##WORD##_F32},                                 \
        {"work64", HG_K_VISIBILITY_##WORD##_F64}, {"mirror", HG_K_VISIBILITY_MIRROR},              \
    {                                                                                              \
        "team", HG_K_TEAM                                                                          \
    }
#define PRODUCT_TERMS(WORD)                                                                        \
    COMMON_TERMS(WORD), {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                           \
    {                                                                                              \
        "panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64                                              \
    }
#define KERNEL(word, WORD, TERMS)                                                                  \
    HG_PRODUCT_KERNEL(visibility_pairs, HGATE_OP_VISIBILITY_PAIRS, product, word, WORD, TERMS)

KERNEL(dot, DOT, COMMON_TERMS(DOT));
KERNEL(herk, HERK, PRODUCT_TERMS(HERK));
KERNEL(gemm, GEMM, PRODUCT_TERMS(GEMM));
KERNEL(gemm3m, GEMM3M, PRODUCT_TERMS(GEMM3M));
KERNEL(herk3, HERK3, PRODUCT_TERMS(HERK3));
