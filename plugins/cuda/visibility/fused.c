/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of visibility, all steps in one call: sources above the horizon, Z a chunk at a time, the
 * product of each chunk added to a sum, V from the sum. */
#include "plugins/cuda/visibility/fused.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/by_product.h"
#include "plugins/cuda/visibility/visibility.h"
#include "plugins/visibility_plan.h"

static void demand(hg_vis_call *call, const hg_vis_fused *f)
{
    const hg_vis_beam *beam = &f->selection.beam;
    hg_vis_demand(call, HGATE_VISIBILITY_BEAM_IDX, HG_VIS_INDEX, HG_FAULT_BEAM_IDX, beam->nbeam);
    hg_vis_demand(call, HGATE_VISIBILITY_PAIRS, HG_VIS_INDEX, HG_FAULT_PAIRS, f->nant);
    call->rules.n_up = hgate_dim(call->problem, HGATE_DIM_VISIBILITY_N_UP);
    call->rules.power_size[0] = f->nfeed;
    call->rules.power_size[1] = f->nax;
    call->rules.power_size[2] = f->nsrc;
    if (!hg_vis_checks(call))
        return;
    hg_vis_demand(call, HGATE_VISIBILITY_ANTPOS, HG_VIS_FINITE, HG_FAULT_ANTPOS, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_DAZ, HG_VIS_POSITIVE, HG_FAULT_DAZ, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_DZA, HG_VIS_POSITIVE, HG_FAULT_DZA, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_AZ0, HG_VIS_FINITE, HG_FAULT_AZ0, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_ZA0, HG_VIS_FINITE, HG_FAULT_ZA0, 0);
    if (beam->is_periodic)
        hg_vis_demand(call, HGATE_VISIBILITY_DAZ, HG_VIS_TURN, HG_FAULT_TURN, beam->naz);
    const int any_sign = call->params->signed_flux || call->params->flux_is_amp;
    hg_vis_demand(call, HGATE_VISIBILITY_FLUX, any_sign ? HG_VIS_FINITE : HG_VIS_NOT_NEGATIVE,
                  any_sign ? HG_FAULT_FLUX : HG_FAULT_FLUX_NEGATIVE, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_CRD, HG_VIS_FINITE, HG_FAULT_CRD, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_CRD, HG_VIS_UNIT, HG_FAULT_LENGTH, 0);
}

/* Fills the list of sources. The numbers are read back, the one wait of a run, unless the caller
 * told how many are up and all count alike: then nothing here waits. */
/* Does the host need to know how many sources are up, or are negative? */
static int reads_back(const hg_vis_fused *f, const hg_vis_call *call)
{
    return call->rules.n_up < 0 || f->is_signed;
}

static int make_list(const hg_vis_call *call, hg_vis_fused *f)
{
    const int64_t n_up = call->rules.n_up;
    hg_vis_sources *list = &f->part.sources;
    int status = hg_vis_status(call, hg_vis_select(&f->selection, &list->order, call->stream));
    if (!status && n_up >= 0 && hg_vis_checks(call))
        status =
            hg_vis_status(call, hg_vis_check_n_up(&f->selection, n_up, call->fault, call->stream));
    f->found[0] = f->found[1] = n_up;
    if (!status && reads_back(f, call))
        status = hg_cuda_copy(call->state, HGATE_COPY_OUT, f->selection.found, f->found,
                              sizeof f->found, call->run->device_id, call->stream);
    for (int i = 1; i >= 0; i--) { /* more may be up than was told */
        const int64_t most = i == 1 ? f->n : f->found[1];
        f->found[i] = f->found[i] < 0 ? 0 : f->found[i] > most ? most : f->found[i];
    }
    list->n = f->found[1];
    list->found = f->selection.found;
    if (!status)
        status = hg_vis_status(call, hg_vis_load_sources(list, call->stream));
    f->part.planes = f->split.planes;
    if (!status && hg_vis_is_split(f->matprod))
        status = hg_vis_status(call, hg_vis_bound_rows(&f->part, f->beam_bounds, call->stream));
    return status;
}

static int add_chunk(const hg_vis_call *call, hg_vis_fused *f, int64_t start, int64_t n,
                     double sign)
{
    f->part.start = start;
    f->part.n = n;
    f->part.planes.K = f->split.planes.K = f->nax * hg_vis_padded(n, f->part.form);
    int status = hg_vis_status(call, hg_vis_start_chunk(&f->part, call->fault, call->stream));
    if (status)
        return status;
    const int64_t K = f->nax * n;
    if (hg_vis_is_split(f->matprod))
        return hg_vis_status(
            call, hg_split_chunk_add(&f->split, f->product.sum, sign, start == 0, call->stream));
    if (f->matprod == HGATE_MATPROD_DOT)
        return hg_vis_status(call,
                             hg_vis_pair_dot(&f->pairs, f->part.Z, K, f->product.is_64, sign,
                                             start == 0, f->pair_sum, call->fault, call->stream));
    return hg_vis_product_add(call, &f->product, f->part.Z, K, K, sign);
}

/* Equal chunks of one sign each, at least min_chunks in all. No wait and no allocation in the loop.
 */
static int add_chunks(const hg_vis_call *call, hg_vis_fused *f)
{
    const int64_t min_chunks = call->params->min_chunks, n_up = f->found[1];
    int64_t chunk = f->chunk;
    int status = HGATE_OK;
    if (n_up > 0 && min_chunks > 1 && chunk > (n_up - 1) / min_chunks + 1)
        chunk = (n_up - 1) / min_chunks + 1;
    for (int64_t start = 0; !status && start < n_up;) {
        const int64_t end = start < f->found[0] ? f->found[0] : n_up;
        const int64_t pieces = (end - start + chunk - 1) / chunk;
        const int64_t n = (end - start + pieces - 1) / pieces;
        status = add_chunk(call, f, start, n, start < f->found[0] ? 1.0 : -1.0);
        start += n;
        if (!status)
            status = hgate_progress(call->run, start, n_up);
    }
    return status;
}

static int finish(const hg_vis_call *call, const hg_vis_fused *f)
{
    const hgate_problem *problem = call->problem;
    void *V = hgate_arg_data(problem, HGATE_VISIBILITY_V);
    const int is_64 = problem->dtype == HGATE_C128, is_dot = f->matprod == HGATE_MATPROD_DOT;
    if (f->pairs.npairs < 0) {
        const hg_vis_finish g = {.sum = f->product.sum,
                                 .V = V,
                                 .M = f->rows,
                                 .is_64_sum = hg_vis_sum_is_64(&f->product),
                                 .is_64 = is_64,
                                 .has_sum = f->found[1] > 0,
                                 .is_conj = f->pairs.convention == HGATE_VISIBILITY_CONJ,
                                 .alpha = problem->alpha_re,
                                 .beta = problem->beta_re};
        return hg_vis_status(call, hg_vis_finish_gram(&g, call->fault, call->stream));
    }
    const hg_vis_finish_pairs g = {.pairs = f->pairs,
                                   .sum = is_dot ? f->pair_sum : f->product.sum,
                                   .Vpairs = V,
                                   .is_full = !is_dot,
                                   .is_64_sum = hg_vis_sum_is_64(&f->product),
                                   .is_64 = is_64,
                                   .has_sum = f->found[1] > 0,
                                   .alpha = problem->alpha_re,
                                   .beta = problem->beta_re};
    return hg_vis_status(call, hg_vis_finish_blocks(&g, call->fault, call->stream));
}

/* V = alpha sum_k sign_k Z[i,k] conj(Z[j,k]) + beta V over the sources above the horizon
 *
 * Arrays as in visibility.h. Sources are cut and sorted once, Z of a chunk is made in one pass and
 * its product added to a sum; V is written by one pass at the end, and not at all when something
 * was found wrong. With n_up given and no signed flux nothing waits, and the whole run may be
 * captured in a graph. */
static int run_fused(void *state, const hgate_problem *problem, int matprod, hgate_run *run)
{
    hgate_visibility_chunk_info info;
    int status = hg_sources_plan_or_fail(run->host, problem, 1, &info);
    if (status)
        return status;
    hg_vis_call call;
    status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    hg_vis_fused f;
    hg_vis_fused_make(state, problem, matprod, &call.scratch, &f);
    demand(&call, &f);
    if (reads_back(&f, &call))
        status = hg_cuda_refuse_capture(
            state, run,
            "visibility: the number of sources above the horizon cannot be read while the stream "
            "is captured, expected n_up, and flux that is not signed");
    if (!status)
        status = hg_vis_look(&call, 1);
    if (f.part.with_root && call.params->check >= HGATE_CHECK_VALUES)
        f.part.power = call.fault;
    if (!status && matprod != HGATE_MATPROD_DOT && !hg_vis_is_split(matprod))
        status = hg_vis_product_begin(&call, &f.product);
    if (!status)
        status = make_list(&call, &f);
    if (!status)
        status = add_chunks(&call, &f);
    hg_vis_product_end(&call, &f.product);
    if (!status) {
        run->committed = 1;
        status = finish(&call, &f);
    }
    return hg_vis_end(&call, status);
}

/* ---- records ---- */

#define KERNEL(...)                                                                                \
    HG_VIS_KERNEL(hg_cuda_visibility, HGATE_OP_VISIBILITY, hg_vis_fused_supports,                  \
                  hg_vis_fused_estimate, run_fused, __VA_ARGS__)

KERNEL(dot, DOT, HGATE_C64 | HGATE_C128, HG_VIS_FUSED_DOT_TERMS)
KERNEL(herk, HERK, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(herk))
KERNEL(gemm, GEMM, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm))
KERNEL(gemm3m, GEMM3M, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm3m))
KERNEL(zherk, ZHERK, HGATE_C64, HG_VIS_TERMS(herk))
KERNEL(fp16x3, FP16X3, HGATE_C64, HG_VIS_SPLIT_TERMS(fp16x3))
KERNEL(tf32x3, TF32X3, HGATE_C64, HG_VIS_SPLIT_TERMS(tf32x3))
