/* SPDX-License-Identifier: BSD-3-Clause */
/* One-shot calls and explanations. */
#include "core/engine/dispatch.h"

#include "core/engine/call.h"

/* What a call without a context works with, for its own time. */
typedef struct scratch {
    hgate_trace *trace;
    hg_workspace workspace;
} scratch;

static int borrow(hg_call *call, scratch *own)
{
    own->trace = NULL;
    hg_workspace_init(&own->workspace, &call->engine->allocator);
    if (call->exec) {
        call->trace = call->exec->trace;
        call->workspace = &call->exec->workspace;
        return HGATE_OK;
    }
    const int status = hg_engine_trace(call->engine, call->problem->p.op, &own->trace);
    call->trace = own->trace;
    call->workspace = &own->workspace;
    return status;
}

static void give_back(scratch *own)
{
    hg_workspace_release(&own->workspace);
    hg_trace_delete(own->trace);
}

int hg_dispatch(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem)
{
    hg_call call;
    scratch own;
    int status = hg_call_begin(&call, engine, exec, problem);
    if (status != HGATE_OK) {
        return status;
    }
    status = borrow(&call, &own);
    if (status == HGATE_OK) {
        status = hg_call_decide(&call);
    }
    if (status == HGATE_OK) {
        hg_keep keep;
        hg_keep_init(&keep, &engine->allocator);
        call.keep = &keep;
        status = hg_call_run(&call);
        hg_keep_release(&keep);
        hg_call_end(&call);
    }
    give_back(&own);
    return status;
}

int hg_explain(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem, hgate_trace **out)
{
    hg_call call;
    int status = hg_call_begin(&call, engine, exec, problem);
    if (status != HGATE_OK) {
        return status;
    }
    status = hg_engine_trace(engine, problem->p.op, &call.trace);
    if (status != HGATE_OK) {
        return status;
    }
    status = hg_call_explain(&call);
    if (status != HGATE_OK) {
        hg_trace_delete(call.trace);
        return status;
    }
    call.trace->owner = engine;
    hg_engine_hold(engine);
    *out = call.trace;
    return HGATE_OK;
}
