/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a decision in their order. */
#include "core/route/decide.h"

#include "core/base/error.h"
#include "core/tensor/op_table.h"

#include <math.h>
#include <string.h>

/* ---- the question ------------------------------------------------------- */

static bool has_kernel(const void *user, const char *kernel)
{
    const hg_candidates *list = user;
    for (int i = 0; i < list->n; i++) {
        if (strcmp(list->items[i].kernel->name, kernel) == 0) {
            return true;
        }
    }
    return false;
}

/* Bad values send a forced kernel that must not meet them to its plain partner; a plugin that has
 * another kernel for them needs none. */
static int find_stand_in(const hg_case *the_case)
{
    const hg_force *force = &the_case->rules->force[the_case->problem.op];
    if (!force->plugin || !hg_vals_are_bad(&the_case->problem)) {
        return -1;
    }
    int stand_in = -1;
    for (int i = 0; i < the_case->list.n; i++) {
        const hg_candidate *candidate = &the_case->list.items[i];
        if (strcmp(candidate->backend->plugin->name, force->plugin) != 0 ||
            (force->kernel && strcmp(candidate->kernel->name, force->kernel) != 0)) {
            continue;
        }
        if (!(candidate->gates & HG_GATE_BIT(HG_GATE_FINITE_VALS))) {
            return -1;
        }
        stand_in = candidate->plain;
    }
    return stand_in;
}

/* Below so many points the cost of waking a team is not worth it (ops.emi.cpu.threads_min_points).
 */
static bool caps_threads(const hg_rules *rules, const hgate_problem *problem)
{
    const bool is_per_point = problem->op == HGATE_OP_EMI || problem->op == HGATE_OP_EVD ||
                              problem->op == HGATE_OP_DS_TEMP_COH;
    return is_per_point && problem->dims[HGATE_DIM_EMI_BATCH] < rules->emi_thread_points;
}

static bool has_work(const hgate_problem *problem)
{
    const hg_op *row = hg_op_row(problem->op);
    for (int i = 0; i < problem->n_args; i++) {
        size_t bytes;
        if (problem->args[i] && row->args[i].role != HG_IN &&
            hg_tensor_bytes(problem->args[i], &bytes) && bytes > 0) {
            return true;
        }
    }
    return false;
}

static void open_case(const hg_request *request, hgate_trace *trace, hg_case *the_case)
{
    const hgate_problem *problem = &request->problem->p;
    the_case->request = request;
    the_case->rules = hg_catalog_rules(request->catalog);
    the_case->list = hg_catalog_list(request->catalog, problem->op);
    the_case->trace = trace;
    the_case->problem = *problem;
    if (request->facts) {
        the_case->problem.facts = request->facts;
    }
    the_case->has_work = has_work(problem);
    the_case->is_laid_out = false;
    the_case->refusing = 0;
    the_case->staging_device = request->stream_device >= 0 ? request->stream_device : 0;
    the_case->stand_in = find_stand_in(the_case);
}

uint32_t hg_unaligned_args(const hgate_problem *problem)
{
    uint32_t bits = 0;
    for (int i = 0; i < problem->n_args; i++) {
        const DLTensor *arg = problem->args[i];
        if (arg && ((uintptr_t)arg->data + arg->byte_offset) % HG_ALIGNMENT != 0) {
            bits |= (uint32_t)1 << i;
        }
    }
    return bits;
}

static void ask_gates(hg_case *the_case, hgate_trace *trace)
{
    hg_gates_evaluate(the_case->rules, &the_case->problem, has_kernel, &the_case->list,
                      trace->verdicts);
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        const hg_ruling ruling = trace->verdicts[g].ruling;
        if (ruling == HG_RULING_NAMED || ruling == HG_RULING_OTHERS || ruling == HG_RULING_STAGED) {
            the_case->refusing |= HG_GATE_BIT(g);
        }
    }
}

static void describe_question(const hg_case *the_case, hgate_trace *trace)
{
    const hg_request *request = the_case->request;
    const hgate_problem *problem = &the_case->problem;
    trace->id = hg_catalog_next_decision(request->catalog);
    trace->op = problem->op;
    trace->dtype = problem->dtype;
    trace->space = problem->space;
    trace->device_id = problem->device_id;
    trace->n_dims = problem->n_dims;
    memcpy(trace->dims, problem->dims, (size_t)problem->n_dims * sizeof *trace->dims);
    trace->problem_hash = hg_problem_hash(request->problem);
    trace->unaligned = hg_unaligned_args(problem);
    trace->threads_capped = request->threads > 1 && caps_threads(the_case->rules, problem);
    trace->threads = trace->threads_capped || request->threads < 1 ? 1 : request->threads;
    trace->is_forked = request->is_forked;
    trace->is_planned = request->is_planned;
    trace->stream_device = request->stream_device;
    trace->facts.is_known = 0;
    if (problem->op == HGATE_OP_CURVATURE && problem->facts) {
        trace->facts = *(const hgate_curvature_facts *)problem->facts;
    }
}

hgate_problem *hg_case_problem(hg_case *the_case, const hg_record *record)
{
    return record->is_staged ? &the_case->staged.problem : &the_case->problem;
}

/* ---- the same question again --------------------------------------------- */

static bool are_same_facts(const hgate_curvature_facts *a, const hgate_curvature_facts *b)
{
    return a->is_known && b->is_known && a->vals_finite == b->vals_finite &&
           a->work_fraction == b->work_fraction && a->pair_fraction == b->pair_fraction;
}

/* An estimate that could not be used is asked for again, until its kernel is muted. */
static bool has_bad_estimate(const hgate_trace *trace)
{
    for (int i = 0; i < trace->n; i++) {
        if (trace->records[i].fault != HG_FAULT_NONE) {
            return true;
        }
    }
    return false;
}

bool hg_decision_holds(const hg_request *request, const hgate_trace *trace)
{
    const hgate_problem *problem = &request->problem->p;
    const hgate_curvature_facts *facts = request->facts ? request->facts : problem->facts;
    return trace->id != 0 && trace->catalog == request->catalog && trace->op == problem->op &&
           trace->is_planned == request->is_planned && trace->is_forked == request->is_forked &&
           trace->threads == request->threads && trace->stream_device == request->stream_device &&
           trace->n_usable > 0 && facts && are_same_facts(&trace->facts, facts) &&
           trace->n_dims == problem->n_dims &&
           memcmp(trace->dims, problem->dims, (size_t)problem->n_dims * sizeof *trace->dims) == 0 &&
           trace->problem_hash == hg_problem_hash(request->problem) && !has_bad_estimate(trace);
}

/* ---- the answer --------------------------------------------------------- */

static void clear_record(hg_record *record)
{
    record->state = HG_STATE_REFUSED;
    record->reason = HG_REASON_NONE;
    record->is_own_refusal = false;
    record->is_staged = false;
    record->gate = HG_GATE_COUNT;
    record->setting = (hg_cause){NULL, NULL};
    record->fault = HG_FAULT_NONE;
    record->value = record->limit = NAN;
    record->threads = 0;
    record->seconds = NAN;
    record->staged = 0;
    record->text[0] = '\0';
    memset(&record->cost, 0, sizeof record->cost);
}

int hg_decide(const hg_request *request, hgate_trace *trace)
{
    hg_case the_case;
    open_case(request, trace, &the_case);
    describe_question(&the_case, trace);
    ask_gates(&the_case, trace);
    trace->n = the_case.list.n;
    trace->n_usable = 0;
    trace->n_attempts = 0;
    for (int i = 0; i < trace->n; i++) {
        hg_record *record = &trace->records[i];
        clear_record(record);
        if (hg_filter(&the_case, i, record)) {
            record->state = HG_STATE_COSTLIER;
            trace->order[trace->n_usable++] = i;
        }
    }
    hg_choose(the_case.rules, the_case.stand_in >= 0, trace);
    return trace->n_usable;
}

/* What the record said before, but for the estimate. */
static void restore_verdict(hg_record *record, const hg_record *before)
{
    record->state = before->state;
    record->reason = before->reason;
    record->is_own_refusal = before->is_own_refusal;
    record->gate = before->gate;
    record->setting = before->setting;
    record->value = before->value;
    record->limit = before->limit;
    memcpy(record->text, before->text, sizeof record->text);
}

bool hg_decide_plain(const hg_request *request, hgate_trace *trace, int i, hg_text *why)
{
    hg_case the_case;
    hg_record *record = &trace->records[i];
    const hg_record before = *record;
    open_case(request, trace, &the_case);
    the_case.stand_in = i;
    clear_record(record);
    const bool is_usable = hg_filter(&the_case, i, record);
    if (!is_usable) {
        hg_text_printf(why, "the plain kernel %s/%s is refused: ",
                       the_case.list.items[i].backend->plugin->name,
                       the_case.list.items[i].kernel->name);
        hg_trace_put_reason(trace, i, why);
    }
    restore_verdict(record, &before);
    return is_usable;
}

/* ---- no kernel ---------------------------------------------------------- */

static int status_of_none(const hgate_trace *trace)
{
    if (trace->space == HGATE_SPACE_HOST || trace->space == HGATE_SPACE_CUDA_HOST) {
        return HGATE_ENOKERNEL;
    }
    for (int i = 0; i < trace->n; i++) {
        const hg_record *record = &trace->records[i];
        if (record->reason == HG_REASON_FORKED) {
            return HGATE_EFORK;
        }
        if (record->reason == HG_REASON_DEVICE) {
            return isnan(record->value) ? HGATE_EDEVICE_LOST : HGATE_EDEVICE;
        }
    }
    return HGATE_ENOKERNEL;
}

int hg_decide_error(const hgate_trace *trace)
{
    char words[HG_ERROR_BYTES];
    hg_text text = hg_text_over(words, sizeof words);
    hg_trace_put_choice(trace, &text);
    const hg_candidates list = hg_trace_candidates(trace);
    for (int i = 0; i < trace->n; i++) {
        hg_text_printf(&text, "%s%s/%s: ", i ? "; " : ": ", list.items[i].backend->plugin->name,
                       list.items[i].kernel->name);
        hg_trace_put_reason(trace, i, &text);
    }
    return hg_error(status_of_none(trace), "%s", words);
}
