/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of visibility_pairs: dot for the pairs alone; herk, gemm, gemm3m, zherk by the full
 * product, of which the blocks are cut. */
#include "plugins/cuda/visibility/pairs.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/by_product.h"
#include "plugins/cuda/visibility/visibility.h"
#include "plugins/matprod.h"
#include <inttypes.h>
#include <math.h>

typedef struct Pairs {
    hg_vis_pairs pairs;
    hg_vis_product product;
    void *sum; /* of dot */
    int64_t K;
} Pairs;

static int split_plan_of(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                         hgate_reason *reason, hg_split_plan *plan)
{
    const int64_t M = hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NANT) *
                      hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NFEED);
    const int64_t K = hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_K);
    const int path = hg_split_path(state, problem, reason);
    if (path < 0)
        return HGATE_ENOKERNEL;
    if (hg_split_plan_make(plan, hg_cuda_device_of(state, problem), path,
                           hg_vis_plane_kind(matprod), M, K))
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)M, NAN,
                            "%" PRId64 " rows and %" PRId64 " columns are too many tiles", M, K);
    return HGATE_OK;
}

static Pairs lay_out(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                     hgate_scratch *scratch)
{
    hgate_reason reason = {.struct_size = sizeof reason};
    Pairs p = {.pairs = hg_vis_pairs_of(problem, HGATE_VISIBILITY_PAIRS_PAIRS,
                                        hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NANT),
                                        hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NFEED)),
               .K = hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_K)};
    p.product = (hg_vis_product){.matprod = matprod,
                                 .is_64 = problem->dtype == HGATE_C128,
                                 .M = p.pairs.nant * p.pairs.nfeed};
    if (hg_vis_is_split(matprod))
        split_plan_of(state, problem, matprod, &reason, &p.product.split);
    if (matprod == HGATE_MATPROD_DOT)
        p.sum = hg_vis_take_pair_sums(scratch, &p.pairs);
    else
        hg_vis_lay_out_product(scratch, &p.product, p.K);
    return p;
}

static int supports(void *state, const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int status = hg_matprod_admits(params->matprod, matprod, reason);
    hg_split_plan plan;
    if (status)
        return status;
    if (hg_vis_is_split(matprod)) {
        const int refused = hg_vis_supports(state, problem, reason);
        return refused ? refused : split_plan_of(state, problem, matprod, reason, &plan);
    }
    if (matprod != HGATE_MATPROD_DOT)
        return hg_vis_library_supports(state, problem, reason);
    const hg_vis_pairs pairs = hg_vis_pairs_of(
        problem, HGATE_VISIBILITY_PAIRS_PAIRS, hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NANT),
        hgate_dim(problem, HGATE_DIM_VISIBILITY_PAIRS_NFEED));
    const int refused = hg_vis_supports(state, problem, reason);
    return refused ? refused : hg_vis_dot_supports(&pairs, reason);
}

static void estimate(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    hgate_scratch scratch = hgate_scratch_count();
    const Pairs p = lay_out(state, problem, matprod, &scratch);
    const double M = (double)p.product.M, K = (double)p.K;
    const double elements = (double)p.pairs.npairs * (double)p.pairs.nfeed * (double)p.pairs.nfeed;
    est->terms[HG_VIS_TERM_LAUNCHES] = 3;
    if (matprod == HGATE_MATPROD_DOT)
        est->terms[HG_VIS_TERM_Z] = hg_vis_dot_bytes(&p.pairs, K, p.product.is_64);
    else if (hg_vis_is_split(matprod)) {
        const hg_split_work work = hg_split_plan_work(&p.product.split, 0);
        est->terms[HG_VIS_TERM_LAUNCHES] += work.launches;
        est->terms[HG_VIS_SPLIT_BYTES] = work.bytes;
        est->terms[HG_VIS_SPLIT_STEPS] = work.steps;
    } else
        hg_vis_product_terms(est, matprod, p.product.is_64, M, K, 1.0);
    if (matprod == HGATE_MATPROD_ZHERK)
        est->terms[HG_VIS_TERM_WIDEN] = M * K;
    est->terms[HG_VIS_TERM_V] = elements;
    est->ws_device = scratch.bytes + hg_vis_call_bytes();
}

/* Vpairs[p,a,b] = alpha sum_k Z[(i,a),k] conj(Z[(j,b),k]) + beta Vpairs[p,a,b],  (i, j) = pairs[p]
 *
 * Z (nant nfeed, K), Vpairs (npairs, nfeed, nfeed); conventions as in the reference. dot: a thread
 * block for each element, chains of 512 columns in the precision of Z and their sums in double. The
 * others make the whole product, which pays when the pairs are a fair part of all. */
static int run(void *state, const hgate_problem *problem, int matprod, hgate_run *run)
{
    const void *Z = hgate_arg_data(problem, HGATE_VISIBILITY_PAIRS_Z);
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    Pairs p = lay_out(state, problem, matprod, &call.scratch);
    const int is_dot = matprod == HGATE_MATPROD_DOT;
    hg_vis_demand(&call, HGATE_VISIBILITY_PAIRS_PAIRS, HG_VIS_INDEX, HG_FAULT_PAIRS, p.pairs.nant);
    status = hg_vis_look(&call, 0);
    if (!status && is_dot && p.K > 0) {
        status = hg_vis_status(&call, hg_vis_pair_dot(&p.pairs, Z, p.K, p.product.is_64, 1.0, 1,
                                                      p.sum, call.fault, call.stream));
    } else if (!status && p.K > 0) {
        status = hg_vis_product_begin(&call, &p.product);
        if (!status)
            status = hg_vis_product_add(&call, &p.product, Z, p.K, p.K, 1.0);
        hg_vis_product_end(&call, &p.product);
    }
    const hg_vis_finish_pairs f = {.pairs = p.pairs,
                                   .sum = is_dot ? p.sum : p.product.sum,
                                   .Vpairs = hgate_arg_data(problem, HGATE_VISIBILITY_PAIRS_VPAIRS),
                                   .is_full = !is_dot,
                                   .is_64_sum = hg_vis_sum_is_64(&p.product),
                                   .is_64 = p.product.is_64,
                                   .has_sum = p.K > 0,
                                   .alpha = problem->alpha_re,
                                   .beta = problem->beta_re};
    if (!status) {
        run->committed = 1;
        status = hg_vis_status(&call, hg_vis_finish_blocks(&f, call.fault, call.stream));
    }
    return hg_vis_end(&call, status);
}

#define KERNEL(...)                                                                                \
    HG_VIS_KERNEL(hg_cuda_visibility_pairs, HGATE_OP_VISIBILITY_PAIRS, supports, estimate, run,    \
                  __VA_ARGS__)

KERNEL(dot, DOT, HGATE_C64 | HGATE_C128, HG_VIS_DOT_TERMS)
KERNEL(herk, HERK, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(herk))
KERNEL(gemm, GEMM, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm))
KERNEL(gemm3m, GEMM3M, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm3m))
KERNEL(zherk, ZHERK, HGATE_C64, HG_VIS_TERMS(herk))
KERNEL(fp16x3, FP16X3, HGATE_C64, HG_VIS_SPLIT_TERMS(fp16x3))
KERNEL(tf32x3, TF32X3, HGATE_C64, HG_VIS_SPLIT_TERMS(tf32x3))
