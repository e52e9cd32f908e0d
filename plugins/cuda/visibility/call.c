/* SPDX-License-Identifier: BSD-3-Clause */
/* What every run of the family does before and after its kernels. */
#include "plugins/cuda/visibility/call.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>

int hg_vis_begin(hg_vis_call *call, void *state, const hgate_problem *problem, hgate_run *run)
{
    memset(call, 0, sizeof *call);
    call->state = state;
    call->problem = problem;
    call->params = problem->params;
    call->run = run;
    call->stream = run->stream;
    call->scratch.memory = run->ws_device;
    call->scratch.size = run->ws_device ? run->ws_device_bytes : 0;
    return hg_cuda_enter(state, run->device_id, &call->previous);
}

static int type_of(const DLTensor *tensor)
{
    if (tensor->dtype.code == HGATE_DL_INT)
        return tensor->dtype.bits == 64 ? HG_VIS_I64 : HG_VIS_I32;
    return hg_vis_is_64(tensor) ? HG_VIS_F64 : HG_VIS_F32;
}

void hg_vis_demand(hg_vis_call *call, int arg, int test, int kind, int64_t limit)
{
    const DLTensor *tensor = hgate_arg(call->problem, arg);
    if (!tensor)
        return;
    const int64_t count = hgate_tensor_count(tensor);
    if (count > 0)
        call->rules.rule[call->rules.n++] =
            (hg_vis_rule){.data = hgate_tensor_data(tensor),
                          .count = test == HG_VIS_UNIT ? count / 3 : count,
                          .limit = limit,
                          .type = type_of(tensor),
                          .test = test,
                          .kind = kind};
}

int hg_vis_status(const hg_vis_call *call, cudaError_t error)
{
    return hg_cuda_status(call->state, call->run->device_id, (int)error, "start visibility");
}

int hg_vis_look(hg_vis_call *call, int may_fault)
{
    int status = HGATE_OK;
    if (call->rules.n > 0 || may_fault) {
        call->fault = hgate_scratch_take(&call->scratch, HG_FAULT_BYTES, 1);
        if (!call->fault)
            return hgate_fail(call->run->host, HGATE_EPLUGIN, "visibility: workspace is too small");
        status =
            hg_cuda_fault_record(call->state, call->run->device_id, call->stream, &call->record);
        if (!status)
            status = hg_vis_status(call, hg_vis_check(&call->rules, call->fault, call->stream));
    }
    return status;
}

int hg_vis_commit(hg_vis_call *call, int may_fault)
{
    const int status = hg_vis_look(call, may_fault);
    if (!status)
        call->run->committed = 1;
    return status;
}

int hg_vis_end(hg_vis_call *call, int status)
{
    if (!status && call->fault)
        status = hg_vis_status(
            call, hg_vis_report(&call->rules, call->fault, call->record, call->stream));
    hg_cuda_leave(call->previous);
    return status;
}

int hg_vis_supports(const hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_cuda_refuse_device(state, problem, reason);
}

int hg_vis_counts(int64_t nsrc, int64_t nza, int64_t naz, hgate_reason *reason)
{
    int64_t nodes;
    if (nsrc > INT_MAX)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)nsrc, INT_MAX,
                            "%" PRId64 " sources, at most %d", nsrc, INT_MAX);
    if (__builtin_mul_overflow(nza, naz, &nodes) || nodes > 1 << 30)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)nza * (double)naz, 1 << 30,
                            "%" PRId64 " x %" PRId64 " nodes a plane, at most %d", nza, naz,
                            1 << 30);
    return HGATE_OK;
}
