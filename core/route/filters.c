/* SPDX-License-Identifier: BSD-3-Clause */
/* The filters: one function each, and the table that says in which order a kernel meets them. The
 * first that refuses writes the reason. */
#include "core/base/mathx.h"
#include "core/route/decide.h"

#include <math.h>
#include <string.h>

typedef struct filter_row {
    hg_reason reason; /* unless the filter gives a closer one */
    bool (*passes)(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record);
} filter_row;

static bool refuse(hg_record *record, hg_cause setting, double value, double limit)
{
    record->setting = setting;
    record->value = value;
    record->limit = limit;
    return false;
}

static bool plugin_is_on(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record)
{
    (void)the_case, (void)i;
    const hg_cause off = candidate->backend->off;
    return !off.key || refuse(record, off, NAN, NAN);
}

static bool kernel_is_on(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record)
{
    (void)the_case, (void)i;
    return !candidate->off.key || refuse(record, candidate->off, NAN, NAN);
}

static bool is_the_forced(hg_case *the_case, int i, const hg_candidate *candidate,
                          hg_record *record)
{
    (void)record;
    const hg_force *force = &the_case->rules->force[candidate->kernel->op];
    if (!force->plugin || i == the_case->stand_in) {
        return true;
    }
    return strcmp(force->plugin, candidate->backend->plugin->name) == 0 &&
           (!force->kernel || strcmp(force->kernel, candidate->kernel->name) == 0);
}

static bool takes_dtype(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record)
{
    (void)i, (void)record;
    return (candidate->kernel->dtypes & the_case->problem.dtype) != 0;
}

/* Host arrays may be copied to a device where the setting allows it and the plugin can. */
static bool can_stage(hg_case *the_case, const hg_candidate *candidate)
{
    const hgate_plugin *plugin = candidate->backend->plugin->descriptor;
    if (!the_case->rules->stages_host_input || !(candidate->kernel->spaces & HGATE_SPACE_CUDA) ||
        !plugin->copy || !plugin->ws_alloc || !plugin->ws_free) {
        return false;
    }
    if (!the_case->is_laid_out) {
        the_case->is_laid_out =
            hg_staged_make(&the_case->problem, the_case->staging_device, &the_case->staged);
    }
    return the_case->is_laid_out;
}

static bool reaches_memory(hg_case *the_case, int i, const hg_candidate *candidate,
                           hg_record *record)
{
    (void)i;
    uint32_t reach = the_case->problem.space;
    switch (the_case->problem.space) {
    case HGATE_SPACE_CUDA_HOST: /* pinned, but host memory all the same */
        reach |= HGATE_SPACE_HOST;
        break;
    case HGATE_SPACE_CUDA_MANAGED: /* the host can read it, which is only right when no device
                                      kernel may come */
        reach |= HGATE_SPACE_CUDA;
        if (!hg_catalog_has_device(the_case->request->catalog)) {
            reach |= HGATE_SPACE_HOST;
        }
        break;
    default:
        break;
    }
    if (candidate->kernel->spaces & reach) {
        return true;
    }
    record->is_staged = (reach & HGATE_SPACE_HOST) && can_stage(the_case, candidate);
    return record->is_staged;
}

static bool device_is_right(hg_case *the_case, int i, const hg_candidate *candidate,
                            hg_record *record)
{
    (void)i;
    static const uint32_t on_device = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED;
    if (!(hg_case_problem(the_case, record)->space & on_device) ||
        !(candidate->kernel->spaces & on_device)) {
        return true;
    }
    const int device = hg_case_problem(the_case, record)->device_id;
    const int stream_device = the_case->request->stream_device;
    if (stream_device >= 0 && stream_device != device) {
        return refuse(record, (hg_cause){NULL, NULL}, stream_device, device);
    }
    return !hg_backend_is_lost(candidate->backend, device) ||
           refuse(record, (hg_cause){NULL, NULL}, NAN, device);
}

static bool is_deterministic(hg_case *the_case, int i, const hg_candidate *candidate,
                             hg_record *record)
{
    (void)i, (void)record;
    return !the_case->rules->is_deterministic ||
           (candidate->kernel->flags & HGATE_KERNEL_DETERMINISTIC) != 0;
}

static bool survives_fork(hg_case *the_case, int i, const hg_candidate *candidate,
                          hg_record *record)
{
    (void)i, (void)record;
    return !the_case->request->is_forked ||
           (candidate->kernel->flags & HGATE_KERNEL_FORK_SAFE) != 0;
}

static bool gate_refuses(const hg_verdict *verdict, hg_gate gate, const hg_candidate *candidate,
                         const hg_record *record)
{
    switch (verdict->ruling) {
    case HG_RULING_NAMED:
        return (candidate->gates & HG_GATE_BIT(gate)) != 0;
    case HG_RULING_OTHERS:
        return verdict->only ? strcmp(candidate->kernel->name, verdict->only) != 0
                             : (candidate->outside & HG_GATE_BIT(gate)) != 0;
    case HG_RULING_STAGED:
        return record->is_staged;
    default:
        return false;
    }
}

static bool refuse_by_gate(hg_record *record, hg_gate gate, double value, double limit)
{
    record->gate = gate;
    if (gate == HG_GATE_FINITE_VALS) {
        record->reason = HG_REASON_NOT_FINITE;
    }
    return refuse(record, (hg_cause){NULL, NULL}, value, limit);
}

static bool gates_pass(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record)
{
    (void)i;
    for (uint32_t left = the_case->refusing; left != 0; left &= left - 1) {
        const int g = __builtin_ctz(left);
        const hg_verdict *verdict = &the_case->trace->verdicts[g];
        if (gate_refuses(verdict, (hg_gate)g, candidate, record)) {
            return refuse_by_gate(record, (hg_gate)g, verdict->value, verdict->limit);
        }
    }
    return true;
}

static hg_reason reason_of(int code)
{
    static const hg_reason reasons[] = {
        [HGATE_REFUSE_NONE] = HG_REASON_OTHER,
        [HGATE_REFUSE_DTYPE] = HG_REASON_DTYPE,
        [HGATE_REFUSE_SPACE] = HG_REASON_SPACE,
        [HGATE_REFUSE_SHAPE] = HG_REASON_SHAPE,
        [HGATE_REFUSE_LIMIT] = HG_REASON_LIMIT,
        [HGATE_REFUSE_DEVICE] = HG_REASON_DEVICE,
        [HGATE_REFUSE_NOT_FINITE] = HG_REASON_NOT_FINITE,
        [HGATE_REFUSE_FEATURE] = HG_REASON_FEATURE,
        [HGATE_REFUSE_OTHER] = HG_REASON_OTHER,
    };
    const int n = (int)(sizeof reasons / sizeof *reasons);
    return code >= 0 && code < n ? reasons[code] : HG_REASON_OTHER;
}

static bool kernel_supports(hg_case *the_case, int i, const hg_candidate *candidate,
                            hg_record *record)
{
    (void)i;
    const hgate_kernel *kernel = candidate->kernel;
    if (!kernel->supports) {
        return true;
    }
    hgate_reason reason; /* not cleared: the text is long, and most kernels write none */
    reason.struct_size = sizeof reason;
    reason.code = HGATE_REFUSE_NONE;
    reason.text[0] = '\0';
    reason.value = reason.limit = NAN;
    hgate_problem *problem = hg_case_problem(the_case, record);
    problem->threads = the_case->trace->threads;
    const int status = kernel->supports(candidate->backend->plugin->state, problem, &reason);
    reason.text[sizeof reason.text - 1] = '\0'; /* the plugin's word is not taken for it */
    strcpy(record->text, reason.text);
    if (status == HGATE_OK) {
        return true;
    }
    record->is_own_refusal = true;
    record->reason = reason_of(reason.code);
    return refuse(record, (hg_cause){NULL, NULL}, reason.value, reason.limit);
}

/* ---- after the estimate ------------------------------------------------- */

static bool is_within(hg_record *record, const hg_rules *rules, const char *key, size_t bytes,
                      size_t limit)
{
    if (limit == 0 || bytes <= limit) {
        return true;
    }
    const hg_cause setting = {key, hg_config_origin(rules->config, key)};
    return refuse(record, setting, (double)bytes, (double)limit);
}

static bool memory_suffices(hg_case *the_case, int i, const hg_candidate *candidate,
                            hg_record *record)
{
    (void)i;
    const hg_rules *rules = the_case->rules;
    const size_t host = record->cost.ws_host;
    size_t device = record->cost.ws_device;
    if (record->is_staged && (!hg_size_add(device, the_case->staged.kept_block, &device) ||
                              !hg_size_add(device, the_case->staged.run_block, &device))) {
        device = SIZE_MAX;
    }
    const bool is_curvature = candidate->kernel->op <= HGATE_OP_CURVATURE_DATA_VECTOR;
    const size_t family_limit = is_curvature ? rules->curvature_limit : 0;
    static const char family_key[] = "ops.curvature.max_workspace_bytes";
    return is_within(record, rules, "memory.host_workspace_limit", host, rules->host_limit) &&
           is_within(record, rules, "memory.device_workspace_limit", device, rules->device_limit) &&
           is_within(record, rules, family_key, host, family_limit) &&
           is_within(record, rules, family_key, record->cost.ws_device, family_limit);
}

/* The gate on prepared tables, which only the estimate knows. */
static bool tables_fit(hg_case *the_case, int i, const hg_candidate *candidate, hg_record *record)
{
    (void)i, (void)candidate;
    hg_verdict *verdict = &the_case->trace->verdicts[HG_GATE_TABLE_BYTES];
    const double bytes = (double)record->cost.prepared_bytes;
    if (verdict->ruling == HG_RULING_NONE) {
        return true;
    }
    verdict->value = bytes > verdict->value || isnan(verdict->value) ? bytes : verdict->value;
    return verdict->ruling == HG_RULING_PASS || bytes <= verdict->limit ||
           refuse_by_gate(record, HG_GATE_TABLE_BYTES, bytes, verdict->limit);
}

static bool estimate_is_usable(hg_case *the_case, int i, const hg_candidate *candidate,
                               hg_record *record)
{
    (void)the_case, (void)i, (void)candidate;
    return record->fault == HG_FAULT_NONE ||
           refuse(record, (hg_cause){NULL, NULL}, record->seconds, NAN);
}

/* ---- the table ---------------------------------------------------------- */

static const filter_row before_estimate[] = {
    {HG_REASON_KILLED, plugin_is_on},
    {HG_REASON_KILLED, kernel_is_on},
    {HG_REASON_NOT_FORCED, is_the_forced},
    {HG_REASON_DTYPE, takes_dtype},
    {HG_REASON_SPACE, reaches_memory},
    {HG_REASON_DEVICE, device_is_right},
    {HG_REASON_DETERMINISM, is_deterministic},
    {HG_REASON_FORKED, survives_fork},
    {HG_REASON_GATE, gates_pass},
    {HG_REASON_OTHER, kernel_supports},
};

static const filter_row after_estimate[] = {
    {HG_REASON_GATE, tables_fit},
    {HG_REASON_MEMORY, memory_suffices},
    {HG_REASON_BAD_ESTIMATE, estimate_is_usable},
};

static bool pass_all(const filter_row *rows, size_t n, hg_case *the_case, int i, hg_record *record)
{
    const hg_candidate *candidate = &the_case->list.items[i];
    for (size_t f = 0; f < n; f++) {
        if (!rows[f].passes(the_case, i, candidate, record)) {
            if (record->reason == HG_REASON_NONE) {
                record->reason = rows[f].reason;
            }
            return false;
        }
    }
    return true;
}

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

bool hg_filter(hg_case *the_case, int i, hg_record *record)
{
    if (!pass_all(before_estimate, COUNT(before_estimate), the_case, i, record)) {
        return false;
    }
    hg_cost_estimate(the_case, &the_case->list.items[i], record);
    return pass_all(after_estimate, COUNT(after_estimate), the_case, i, record);
}
