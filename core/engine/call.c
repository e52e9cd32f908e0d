/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of a call: decide, run, and the rules of fallback. */
#include "core/engine/call.h"

#include "core/base/error.h"
#include "core/plugin/fork_guard.h"
#include "core/route/explain.h"
#include "core/tensor/arguments.h"
#include "core/tensor/op_table.h"

#include <math.h>
#include <string.h>

void hg_range_push(const hg_call *call, const char *name)
{
    if (call->engine->rules.calls_range_hooks && call->exec && call->exec->hooks.range_push) {
        call->exec->hooks.range_push(call->exec->hooks.user, name);
    }
}

void hg_range_pop(const hg_call *call)
{
    if (call->engine->rules.calls_range_hooks && call->exec && call->exec->hooks.range_pop) {
        call->exec->hooks.range_pop(call->exec->hooks.user);
    }
}

static bool is_on_device(const hgate_problem *problem)
{
    return problem->space == HGATE_SPACE_CUDA || problem->space == HGATE_SPACE_CUDA_MANAGED;
}

int hg_call_begin(hg_call *call, hgate_engine *engine, hgate_exec *exec, const hg_problem *problem)
{
    *call = (hg_call){
        .engine = engine,
        .exec = exec,
        .problem = problem,
        .is_forked = hg_fork_is_child(),
        .stream_device = exec ? exec->device_id : -1,
        .stream = exec ? exec->stream : NULL,
    };
    call->threads = call->is_forked ? 1 : hg_threads_allowed(engine, exec);
    if (call->stream_device >= 0 && problem->p.space == HGATE_SPACE_CUDA &&
        call->stream_device != problem->p.device_id) {
        return hg_error(HGATE_EDEVICE, "exec: the stream is on cuda:%d, the arrays are on cuda:%d",
                        call->stream_device, problem->p.device_id);
    }
    return HGATE_OK;
}

/* ---- decide ------------------------------------------------------------- */

static bool has_data(const hgate_problem *problem)
{
    for (int i = 0; i < problem->n_args; i++) {
        if (problem->args[i] && !problem->args[i]->data) {
            return false;
        }
    }
    return true;
}

static hg_request request_of(const hg_call *call)
{
    return (hg_request){
        .catalog = call->engine->catalog,
        .problem = call->problem,
        .facts = call->derived.is_known ? &call->derived : NULL,
        .log = call->engine->log,
        .threads = call->threads,
        .stream_device = call->stream_device,
        .is_planned = call->is_planned,
        .is_forked = call->is_forked,
    };
}

/* The gates of curvature look at M. On a device only a plugin can do that; the first that offers it
 * does. */
static int derive_facts(hg_call *call)
{
    const hgate_problem *problem = &call->problem->p;
    if (problem->op != HGATE_OP_CURVATURE || !is_on_device(problem) || call->is_forked ||
        call->problem->facts.is_known || !has_data(problem)) {
        return HGATE_OK;
    }
    for (int i = 0; i < call->engine->n_usable; i++) {
        const hg_plugin *plugin = call->engine->usable[i];
        if (!plugin->descriptor->derive) {
            continue;
        }
        hgate_run run = {
            .struct_size = sizeof run,
            .host = plugin->host,
            .threads = 1,
            .device_id = problem->device_id,
            .stream = call->stream,
        };
        hgate_curvature_facts facts = {.struct_size = sizeof facts};
        const int status = plugin->descriptor->derive(plugin->state, problem, &run, &facts);
        if (status == HGATE_OK) {
            call->derived = facts;
        } else if (status == HGATE_EDEVICE_LOST) {
            hg_catalog_lose(call->engine->catalog, i, problem->device_id);
        }
        return status;
    }
    return HGATE_OK;
}

static int log_piece(void *user, const char *text, size_t n)
{
    const int shown = n > 0 && text[n - 1] == '\n' ? (int)n - 1 : (int)n;
    hg_log_line(user, HGATE_LOG_WARN, "explain", "%.*s", shown, text);
    return 0;
}

int hg_call_explain(hg_call *call)
{
    hg_range_push(call, "decide");
    int status = derive_facts(call);
    if (status == HGATE_OK) {
        const hg_request request = request_of(call);
        hg_decide(&request, call->trace);
        if (call->engine->rules.logs_decisions) {
            hg_explain_text(call->trace, log_piece, call->engine->log);
        }
    }
    hg_range_pop(call);
    return status;
}

bool hg_call_is_decided(const hg_call *call)
{
    const hg_request request = request_of(call);
    return !is_on_device(&call->problem->p) && !call->engine->rules.logs_decisions &&
           hg_decision_holds(&request, call->trace);
}

int hg_call_decide(hg_call *call)
{
    const int status = hg_call_explain(call);
    if (status == HGATE_OK && call->trace->n_usable == 0) {
        return hg_decide_error(call->trace);
    }
    return status;
}

/* ---- fallback ----------------------------------------------------------- */

/* What a plan chose may have become impossible since: a device was lost, or this process is a fork.
 */
static bool may_still_run(const hg_call *call, int i)
{
    const hg_candidate *candidate = &hg_trace_candidates(call->trace).items[i];
    if (call->is_forked && !(candidate->kernel->flags & HGATE_KERNEL_FORK_SAFE)) {
        return false;
    }
    const hgate_problem *problem = &call->problem->p;
    const bool is_staged = call->trace->records[i].is_staged;
    if (!is_staged && !is_on_device(problem)) {
        return true;
    }
    const int stream_device = call->stream_device >= 0 ? call->stream_device : 0;
    return !hg_backend_is_lost(candidate->backend, is_staged ? stream_device : problem->device_id);
}

/* That arrays of the host go to a device is our own idea: where the device cannot be had, it was a
 * bad one, and no matter of routing.fallback any. */
static bool next_may_try(const hg_call *call, int failed, int status, bool is_committed)
{
    const bool is_unavailable = status == HGATE_EDEVICE_BUSY || status == HGATE_EUNAVAILABLE;
    const hg_rules *rules = &call->engine->rules;
    if (is_committed || rules->is_deterministic || rules->force[call->trace->op].plugin) {
        return false;
    }
    switch (rules->fallback) {
    case HG_FALLBACK_NEVER:
        return false;
    case HG_FALLBACK_MEMORY:
        return status == HGATE_ENOMEM || (is_unavailable && call->trace->records[failed].is_staged);
    default:
        return status == HGATE_ENOMEM || is_unavailable;
    }
}

/* One warning for each kernel and reason. */
static void warn(const hg_call *call, int failed, int status, int next)
{
    const hg_candidates list = hg_trace_candidates(call->trace);
    const hg_candidate *from = &list.items[failed], *to = &list.items[next];
    const unsigned bit = 1u << -status;
    if (atomic_fetch_or_explicit(&from->health->warned, bit, memory_order_relaxed) & bit) {
        return;
    }
    hg_log_line(call->engine->log, HGATE_LOG_WARN, "route",
                "%s: %s/%s failed with %s, taking %s/%s", hg_op_row(call->trace->op)->word,
                from->backend->plugin->name, from->kernel->name, hgate_status_name(status),
                to->backend->plugin->name, to->kernel->name);
}

/* Place in the order of the next kernel that may still run, from `k` on; n_usable when there is
 * none. */
static int next_in_order(const hg_call *call, int k)
{
    while (k < call->trace->n_usable && !may_still_run(call, call->trace->order[k])) {
        k++;
    }
    return k;
}

static int none_left(const hg_call *call)
{
    const hgate_problem *problem = &call->problem->p;
    if (call->is_forked) {
        return hg_error(is_on_device(problem) ? HGATE_EFORK : HGATE_ENOKERNEL,
                        "no planned kernel may run in a forked child");
    }
    return hg_error(HGATE_EDEVICE_LOST, "cuda:%d failed earlier in this process",
                    problem->device_id);
}

/* Tries kernels in their order as long as the rules allow. */
static int try_in_order(hg_call *call, int (*try_one)(hg_call *call, int i, bool *is_committed))
{
    int k = next_in_order(call, 0);
    if (k == call->trace->n_usable) {
        return none_left(call);
    }
    for (;;) {
        const int i = call->trace->order[k];
        bool is_committed = false;
        const int status = try_one(call, i, &is_committed);
        k = next_in_order(call, k + 1);
        if (status == HGATE_OK || k == call->trace->n_usable ||
            !next_may_try(call, i, status, is_committed)) {
            return status;
        }
        hg_range_push(call, "fallback");
        hg_range_pop(call);
        warn(call, i, status, call->trace->order[k]);
    }
}

/* ---- run ---------------------------------------------------------------- */

/* The plain partner was perhaps never estimated: a gate or a forced choice had it refused. */
static int look_at_plain(hg_call *call, int plain)
{
    const hgate_trace *trace = call->trace;
    if (trace->records[plain].state != HG_STATE_REFUSED) {
        return HGATE_OK;
    }
    char words[HG_TRACE_WORDS];
    hg_text why = hg_text_over(words, sizeof words);
    const hg_request request = request_of(call);
    return hg_decide_plain(&request, call->trace, plain, &why)
               ? HGATE_OK
               : hg_error(HGATE_ENOKERNEL, "%s", words);
}

static int run_plain(hg_call *call, int from, bool *is_committed)
{
    const hg_candidates list = hg_trace_candidates(call->trace);
    const int plain = list.items[from].plain;
    int status = look_at_plain(call, plain);
    if (status != HGATE_OK) {
        return status;
    }
    hg_attempt *attempt = hg_trace_attempt(call->trace, plain);
    attempt->is_plain = true;
    status = hg_run_candidate(call, plain, attempt);
    if (status == HGATE_RUN_PLAIN) {
        status = hg_error(HGATE_EPLUGIN, "%s/%s: a plain kernel asks for a plain kernel",
                          list.items[plain].backend->plugin->name, list.items[plain].kernel->name);
        attempt->status = status;
    }
    *is_committed = attempt->is_committed;
    return status;
}

static int run_one(hg_call *call, int i, bool *is_committed)
{
    hg_attempt *attempt = hg_trace_attempt(call->trace, i);
    const int status = hg_run_candidate(call, i, attempt);
    *is_committed = attempt->is_committed;
    return status == HGATE_RUN_PLAIN ? run_plain(call, i, is_committed) : status;
}

int hg_call_run(hg_call *call)
{
    call->trace->n_attempts = 0;
    if (!hg_arguments_have_output(call->problem)) {
        return HGATE_OK; /* nothing to write: no kernel is started on nothing */
    }
    return try_in_order(call, run_one);
}

/* ---- prepare ------------------------------------------------------------ */

static int prepare_one(hg_call *call, int i, bool *is_committed)
{
    *is_committed = false;
    const int status = hg_prepare_candidate(call, i);
    hg_record *record = &call->trace->records[i];
    if (status != HGATE_OK) {
        hg_text text = hg_text_over(record->text, sizeof record->text);
        hg_text_printf(&text, "could not be prepared: %s", hgate_status_name(status));
        record->state = HG_STATE_REFUSED;
        record->reason = HG_REASON_MEMORY;
        record->is_own_refusal = true;
    }
    return status;
}

/* The kernels that could not be prepared leave the order: no run tries them again. */
static void forget_refused(hgate_trace *trace)
{
    int kept = 0;
    for (int k = 0; k < trace->n_usable; k++) {
        if (trace->records[trace->order[k]].state != HG_STATE_REFUSED) {
            trace->order[kept++] = trace->order[k];
        }
    }
    trace->n_usable = kept;
    if (kept > 0 && trace->order[0] != trace->chosen) {
        trace->chosen = trace->order[0];
        trace->why = HG_REASON_FALLBACK;
        trace->records[trace->chosen].state = HG_STATE_CHOSEN;
        trace->records[trace->chosen].reason = HG_REASON_FALLBACK;
    }
}

int hg_call_prepare(hg_call *call)
{
    int status = try_in_order(call, prepare_one);
    forget_refused(call->trace);
    if (status != HGATE_OK) {
        return status;
    }
    /* the workspace of the plain partner too, so that data may turn out bad without an allocation
     */
    const int plain = hg_trace_candidates(call->trace).items[call->trace->chosen].plain;
    if (plain < 0 || look_at_plain(call, plain) != HGATE_OK) {
        return HGATE_OK;
    }
    return hg_reserve_candidate(call, plain);
}

void hg_call_end(hg_call *call)
{
    if (call->exec && call->exec->hooks.event) {
        call->exec->hooks.event(call->exec->hooks.user, call->trace);
    }
}
