/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `direct` of visibility_horizon: the selection of the fused call by itself. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/call.h"
#include "plugins/cuda/visibility/selection.h"
#include "plugins/cuda/visibility/visibility.h"

static hg_vis_selection selection_of(const hgate_problem *problem, hgate_scratch *scratch)
{
    const int64_t nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_HORIZON_NSRC);
    hg_vis_selection s = {.crd = hgate_arg_data(problem, HGATE_VISIBILITY_HORIZON_CRD),
                          .flux = hgate_arg_data(problem, HGATE_VISIBILITY_HORIZON_FLUX),
                          .nsrc = nsrc,
                          .is_64 = problem->dtype == HGATE_F64};
    hg_vis_lay_out_selection(scratch, &s);
    return s;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const int status = hg_vis_supports(state, problem, reason);
    return status
               ? status
               : hg_vis_counts(hgate_dim(problem, HGATE_DIM_VISIBILITY_HORIZON_NSRC), 1, 1, reason);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    hgate_scratch scratch = hgate_scratch_count();
    selection_of(problem, &scratch);
    est->terms[0] = 10;
    est->terms[1] = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_HORIZON_NSRC);
    est->ws_device = scratch.bytes + hg_vis_call_bytes();
    return HGATE_OK;
}

/* Keeps source s iff Up > 0, in the order of the input. The number is read back, so the call waits
 * for its stream. Work: one pass over 4 nsrc reals, some over the keys. */
static int run_horizon(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)prepared;
    hg_vis_call call;
    int64_t found[2] = {0, 0};
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    status = hg_cuda_refuse_capture(
        state, run,
        "visibility_horizon: the number of sources cannot be read while the stream is captured");
    if (status)
        return hg_vis_end(&call, status);
    hg_vis_selection s = selection_of(problem, &call.scratch);
    if (hg_vis_checks(&call)) {
        hg_vis_demand(&call, HGATE_VISIBILITY_HORIZON_FLUX, HG_VIS_FINITE, HG_FAULT_FLUX, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_HORIZON_CRD, HG_VIS_FINITE, HG_FAULT_CRD, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_HORIZON_CRD, HG_VIS_UNIT, HG_FAULT_LENGTH, 0);
    }
    status = hg_vis_commit(&call, 0);
    const uint32_t *order = NULL;
    if (!status)
        status = hg_vis_status(&call, hg_vis_select(&s, &order, call.stream));
    const hg_vis_compaction c = {.crd = s.crd,
                                 .flux = s.flux,
                                 .crd_up = hgate_arg_data(problem, HGATE_VISIBILITY_HORIZON_CRD_UP),
                                 .flux_up =
                                     hgate_arg_data(problem, HGATE_VISIBILITY_HORIZON_FLUX_UP),
                                 .index = hgate_arg_data(problem, HGATE_VISIBILITY_HORIZON_INDEX),
                                 .order = order,
                                 .found = s.found,
                                 .nsrc = s.nsrc,
                                 .is_64 = s.is_64};
    if (!status && s.nsrc > 0)
        status = hg_vis_status(&call, hg_vis_compact(&c, call.fault, call.stream));
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, s.found, found, sizeof found, run->device_id,
                              call.stream);
    status = hg_vis_end(&call, status);
    if (!status) /* what the checks found is told here, since the call has waited */
        status = hg_cuda_sync(state, run->device_id, call.stream);
    if (status == HGATE_EVALUE)
        run->committed = 0; /* and nothing was written */
    if (!status)
        *problem->n_out = found[1] < 0 ? 0 : found[1] > s.nsrc ? s.nsrc : found[1];
    return status;
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"sources", HG_CUDA_K_visibility_source}};

const hgate_kernel hg_cuda_visibility_horizon_direct = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_HORIZON,
    .name = "direct",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run_horizon,
};
