/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans: a choice made once, with its memory. */
#include "core/engine/call.h"
#include "core/engine/dispatch.h"

#include "core/base/error.h"

#include <headgate/engine.h>
#include <string.h>

/* One of the problems that a plan serves. */
typedef struct plan_side {
    hg_problem problem;
    hgate_trace *decision; /* never changes once the plan is made */
    hgate_trace *shown;    /* the decision and the last run */
    atomic_flag is_busy;   /* somebody writes to `shown` and the sizes below */
    size_t ws_host, ws_device;
} plan_side;

struct hgate_plan {
    hgate_engine *engine;
    hg_keep keep;
    hg_workspace workspace; /* of runs without a context */
    void *kept;             /* the ops room's */
    atomic_int last;        /* side of the last run */
    int n;
    plan_side sides[];
};

/* Whether each run decides anew: the plan does not know M. */
static bool decides_per_run(int op)
{
    return op == HGATE_OP_CURVATURE;
}

/* ---- make --------------------------------------------------------------- */

static void note_workspace(plan_side *side, const hgate_trace *trace)
{
    const int chosen = hg_trace_served(trace);
    const int plain = chosen >= 0 ? hg_trace_candidates(trace).items[chosen].plain : -1;
    const int both[] = {chosen, plain};
    for (int k = 0; k < 2; k++) {
        if (both[k] >= 0 && trace->records[both[k]].threads > 0) {
            const hgate_estimate *cost = &trace->records[both[k]].cost;
            side->ws_host = cost->ws_host > side->ws_host ? cost->ws_host : side->ws_host;
            side->ws_device = cost->ws_device > side->ws_device ? cost->ws_device : side->ws_device;
        }
    }
}

static int make_side(hgate_plan *plan, plan_side *side, hgate_exec *exec, const hg_problem *problem)
{
    hg_problem_copy(&side->problem, problem);
    const int op = problem->p.op;
    int status = hg_engine_trace(plan->engine, op, &side->decision);
    if (status == HGATE_OK) {
        status = hg_engine_trace(plan->engine, op, &side->shown);
    }
    hg_call call;
    if (status == HGATE_OK) {
        status = hg_call_begin(&call, plan->engine, exec, &side->problem);
    }
    if (status != HGATE_OK) {
        return status;
    }
    call.is_planned = true;
    call.trace = side->decision;
    call.keep = &plan->keep;
    call.workspace = exec ? &exec->workspace : &plan->workspace;
    status = hg_call_decide(&call);
    if (status == HGATE_OK && !decides_per_run(op)) {
        status = hg_call_prepare(&call);
    }
    if (status == HGATE_OK) {
        hg_trace_copy(side->shown, side->decision);
        note_workspace(side, side->decision);
    }
    return status;
}

int hg_plan_new(hgate_engine *engine, hgate_exec *exec, const hg_problem *const *problems, int n,
                hgate_plan **out)
{
    const size_t bytes = sizeof(hgate_plan) + (size_t)n * sizeof(plan_side);
    hgate_plan *plan = hg_calloc(&engine->allocator, 1, bytes);
    if (!plan) {
        return hg_error_memory("plan", bytes);
    }
    plan->engine = engine;
    hg_engine_hold(engine);
    hg_keep_init(&plan->keep, &engine->allocator);
    hg_workspace_init(&plan->workspace, &engine->allocator);
    int status = HGATE_OK;
    for (int i = 0; i < n && status == HGATE_OK; i++) {
        atomic_flag_clear(&plan->sides[i].is_busy);
        plan->n = i + 1;
        status = make_side(plan, &plan->sides[i], exec, problems[i]);
    }
    if (status != HGATE_OK) {
        hgate_plan_free(plan);
        return status;
    }
    *out = plan;
    return HGATE_OK;
}

void hgate_plan_free(hgate_plan *plan)
{
    if (!plan) {
        return;
    }
    hgate_engine *engine = plan->engine;
    for (int i = 0; i < plan->n; i++) {
        hg_trace_delete(plan->sides[i].decision);
        hg_trace_delete(plan->sides[i].shown);
    }
    hg_keep_release(&plan->keep);
    hg_workspace_release(&plan->workspace);
    hg_free(&engine->allocator, plan->kept);
    hg_free(&engine->allocator, plan);
    hg_engine_let_go(engine);
}

/* ---- run ---------------------------------------------------------------- */

/* What a run with a context leaves in the plan's own trace. Threads that run one plan do not wait
 * for each other: whoever finds another one writing leaves the trace to it. */
static void show(hgate_plan *plan, int i, const hgate_trace *trace)
{
    plan_side *side = &plan->sides[i];
    if (atomic_flag_test_and_set_explicit(&side->is_busy, memory_order_acquire)) {
        return;
    }
    if (side->shown != trace) {
        if (side->shown->id != trace->id) {
            hg_trace_copy(side->shown, trace);
        }
        side->shown->n_attempts = trace->n_attempts;
        memcpy(side->shown->attempts, trace->attempts,
               (size_t)trace->n_attempts * sizeof *trace->attempts);
    }
    note_workspace(side, side->shown);
    atomic_store_explicit(&plan->last, i, memory_order_relaxed);
    atomic_flag_clear_explicit(&side->is_busy, memory_order_release);
}

int hg_plan_execute(hgate_plan *plan, hgate_exec *exec, int i, const hg_problem *problem)
{
    plan_side *side = &plan->sides[i];
    hg_call call;
    int status = hg_call_begin(&call, plan->engine, exec, problem);
    if (status != HGATE_OK) {
        return status;
    }
    call.is_planned = true;
    call.keep = &plan->keep;
    call.workspace = exec ? &exec->workspace : &plan->workspace;
    call.trace = exec ? exec->trace : side->shown;
    if (decides_per_run(problem->p.op)) {
        status = hg_call_is_decided(&call) ? HGATE_OK : hg_call_decide(&call);
        if (status != HGATE_OK) {
            return status;
        }
    } else if (call.trace->id != side->decision->id) {
        hg_trace_copy(call.trace, side->decision);
    }
    call.trace->unaligned = hg_unaligned_args(&problem->p);
    status = hg_call_run(&call);
    show(plan, i, call.trace);
    hg_call_end(&call);
    return status;
}

/* ---- query -------------------------------------------------------------- */

const hg_problem *hg_plan_problem(const hgate_plan *plan, int i)
{
    return &plan->sides[i].problem;
}

hgate_engine *hg_plan_engine(const hgate_plan *plan)
{
    return plan->engine;
}

int hg_plan_keep(hgate_plan *plan, size_t bytes, void **memory)
{
    plan->kept = hg_calloc(&plan->engine->allocator, 1, bytes);
    *memory = plan->kept;
    return plan->kept ? HGATE_OK : hg_error_memory("plan", bytes);
}

void *hg_plan_kept(const hgate_plan *plan)
{
    return plan->kept;
}

static const hg_candidate *chosen_of(const plan_side *side)
{
    return &hg_trace_candidates(side->decision).items[side->decision->chosen];
}

/* Kernels of a plugin with the same prepare function share one object. */
static bool is_shared(const hgate_plan *plan, int i)
{
    const hg_candidate *own = chosen_of(&plan->sides[i]);
    for (int k = 0; k < i; k++) {
        const hg_candidate *other = chosen_of(&plan->sides[k]);
        if (other->backend == own->backend && other->kernel->prepare == own->kernel->prepare) {
            return true;
        }
    }
    return false;
}

int hg_plan_side(const hgate_plan *plan, int i, const char **plugin, const char **kernel,
                 size_t *prepared, size_t *ws_host, size_t *ws_device)
{
    const plan_side *side = &plan->sides[i];
    const hgate_trace *trace = side->decision;
    const hg_candidate *candidate = chosen_of(side);
    *plugin = candidate->backend->plugin->name;
    *kernel = candidate->kernel->name;
    *prepared = is_shared(plan, i) ? 0 : trace->records[trace->chosen].cost.prepared_bytes;
    *ws_host = side->ws_host;
    *ws_device = side->ws_device;
    return HGATE_OK;
}

int hgate_plan_workspace(const hgate_plan *plan, size_t *host, size_t *device)
{
    if (!plan) {
        return hg_error(HGATE_EINVAL, "plan: is NULL");
    }
    size_t most_host = 0, most_device = 0;
    for (int i = 0; i < plan->n; i++) {
        const plan_side *side = &plan->sides[i];
        most_host = side->ws_host > most_host ? side->ws_host : most_host;
        most_device = side->ws_device > most_device ? side->ws_device : most_device;
    }
    if (host) {
        *host = most_host;
    }
    if (device) {
        *device = most_device;
    }
    return HGATE_OK;
}

int hgate_plan_trace(const hgate_plan *plan, const hgate_trace **trace)
{
    if (!plan || !trace) {
        return hg_error(HGATE_EINVAL, "%s: is NULL", plan ? "trace" : "plan");
    }
    *trace = plan->sides[atomic_load_explicit(&plan->last, memory_order_relaxed)].shown;
    return HGATE_OK;
}
