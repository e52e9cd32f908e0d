/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a trace: one line for each kernel, and one for the choice. */
#include "core/route/trace.h"

#include "core/tensor/op_table.h"
#include "core/tensor/problem.h"

#include <headgate/status.h>
#include <math.h>
#include <stddef.h>

/* ---- single words ------------------------------------------------------- */

const char *hg_reason_word(hg_reason reason)
{
    static const char *const words[] = {
        [HG_REASON_NONE] = "",
        [HG_REASON_KILLED] = "killed",
        [HG_REASON_NOT_FORCED] = "not_forced",
        [HG_REASON_DTYPE] = "dtype",
        [HG_REASON_SPACE] = "space",
        [HG_REASON_DEVICE] = "device",
        [HG_REASON_DETERMINISM] = "determinism",
        [HG_REASON_FORKED] = "forked",
        [HG_REASON_GATE] = "gate",
        [HG_REASON_NOT_FINITE] = "not_finite",
        [HG_REASON_SHAPE] = "shape",
        [HG_REASON_LIMIT] = "limit",
        [HG_REASON_FEATURE] = "feature",
        [HG_REASON_OTHER] = "other",
        [HG_REASON_MEMORY] = "memory",
        [HG_REASON_BAD_ESTIMATE] = "bad_estimate",
        [HG_REASON_COST] = "cost",
        [HG_REASON_TIE] = "tie",
        [HG_REASON_PREFERENCE] = "preference",
        [HG_REASON_REFERENCE] = "reference",
        [HG_REASON_ONLY] = "only",
        [HG_REASON_QUICKEST] = "quickest",
        [HG_REASON_FORCED] = "forced",
        [HG_REASON_FALLBACK] = "fallback",
        [HG_REASON_STAND_IN] = "stand_in",
    };
    return words[reason];
}

const char *hg_state_word(hg_state state)
{
    return state == HG_STATE_CHOSEN     ? "chosen"
           : state == HG_STATE_COSTLIER ? "costlier"
                                        : "refused";
}

void hg_put_space(uint32_t space, int device_id, hg_text *out)
{
    switch (space) {
    case HGATE_SPACE_HOST:
        hg_text_put(out, "host");
        break;
    case HGATE_SPACE_CUDA_HOST:
        hg_text_put(out, "pinned");
        break;
    default:
        hg_text_printf(out, "%s:%d", space == HGATE_SPACE_CUDA ? "cuda" : "managed", device_id);
    }
}

static void put_spaces(uint32_t spaces, hg_text *out)
{
    static const char *const words[] = {"host", "cuda", "pinned", "managed"};
    const char *between = "";
    for (int bit = 0; bit < 4; bit++) {
        if (spaces >> bit & 1) {
            hg_text_printf(out, "%s%s", between, words[bit]);
            between = " or ";
        }
    }
}

static void put_dtypes(uint32_t dtypes, hg_text *out)
{
    const char *between = "";
    for (uint32_t bit = HGATE_F32; bit <= HGATE_C128; bit <<= 1) {
        if (dtypes & bit) {
            hg_text_printf(out, "%s%s", between, hg_dtype_word(bit));
            between = ", ";
        }
    }
}

void hg_put_seconds(double seconds, hg_text *out)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    /* 0.9995: what three digits round up to the unit is told in the unit */
    while (i + 1 < sizeof units / sizeof *units && seconds < 0.9995 * units[i].unit) {
        i++;
    }
    const double value = seconds / units[i].unit;
    hg_text_printf(out, value >= 999.5 ? "%.0f %s" : "%.3g %s", value, units[i].name);
}

void hg_put_bytes(size_t bytes, hg_text *out)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t i = 0;
    while (value >= 1024 && i + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        i++;
    }
    hg_text_printf(out, value < 10 && i > 0 ? "%.1f %s" : "%.0f %s", value, units[i]);
}

static void put_name(const hgate_trace *trace, int i, hg_text *out)
{
    const hg_candidate *candidate = &hg_trace_candidates(trace).items[i];
    hg_text_printf(out, "%s/%s", candidate->backend->plugin->name, candidate->kernel->name);
}

void hg_trace_put_problem(const hgate_trace *trace, hg_text *out)
{
    const hg_op *row = hg_op_row(trace->op);
    hg_text_put(out, row->word);
    for (int i = 0; i < trace->n_dims; i++) {
        hg_text_printf(out, " %s=%lld", row->dims[i], (long long)trace->dims[i]);
    }
    const char *dtype = hg_dtype_word(trace->dtype);
    hg_text_printf(out, ", %s in ", dtype ? dtype : "?");
    hg_put_space(trace->space, trace->device_id, out);
    hg_text_put(out, " memory");
}

/* ---- refusals ----------------------------------------------------------- */

static void put_space_refusal(const hgate_trace *trace, const hg_candidate *candidate, hg_text *out)
{
    const hg_config *config = hg_catalog_rules(trace->catalog)->config;
    static const char key[] = "routing.stage_host_input";
    const bool is_host = trace->space == HGATE_SPACE_HOST || trace->space == HGATE_SPACE_CUDA_HOST;
    hg_text_put(out, "arrays are in ");
    hg_put_space(trace->space, trace->device_id, out);
    hg_text_put(out, " memory, the kernel works in ");
    put_spaces(candidate->kernel->spaces, out);
    hg_text_put(out, " memory");
    if (!is_host) {
        return;
    }
    if (!hg_catalog_rules(trace->catalog)->stages_host_input) {
        hg_text_printf(out, " and %s is never (%s)", key, hg_config_origin(config, key));
    } else {
        hg_text_put(out, " and its plugin does not copy arrays");
    }
}

static void put_device_refusal(const hg_record *record, hg_text *out)
{
    if (isnan(record->value)) {
        hg_text_printf(out, "cuda:%.0f failed earlier in this process", record->limit);
    } else {
        hg_text_printf(out, "the stream is on cuda:%.0f, the arrays are on cuda:%.0f",
                       record->value, record->limit);
    }
}

static void put_fault(const hg_record *record, hg_text *out)
{
    static const char *const texts[] = {
        [HG_FAULT_NONE] = "",
        [HG_FAULT_STATUS] = "the estimate failed",
        [HG_FAULT_NAN] = "the estimate is not a number",
        [HG_FAULT_NEGATIVE] = "the estimate is negative",
        [HG_FAULT_INFINITE] = "the estimate is more than a hundred years",
        [HG_FAULT_ZERO] = "the estimate is zero although there is work",
        [HG_FAULT_TERMS] = "the estimate has work terms that are negative or not declared",
        [HG_FAULT_MUTED] = "muted after 3 estimates that could not be used",
    };
    hg_text_put(out, texts[record->fault]);
    if (record->fault == HG_FAULT_NEGATIVE || record->fault == HG_FAULT_INFINITE) {
        hg_text_printf(out, ": %g s", record->value);
    }
}

static void put_force(const hgate_trace *trace, hg_text *out)
{
    const hg_force *force = &hg_catalog_rules(trace->catalog)->force[trace->op];
    hg_text_printf(out, "routing.force.%s is %s", hg_op_row(trace->op)->word, force->plugin);
    if (force->kernel) {
        hg_text_printf(out, "/%s", force->kernel);
    }
    hg_text_printf(out, " (%s)", force->origin);
}

static void put_refusal(const hgate_trace *trace, const hg_record *record,
                        const hg_candidate *candidate, hg_text *out)
{
    const hg_rules *rules = hg_catalog_rules(trace->catalog);
    switch (record->reason) {
    case HG_REASON_KILLED:
        hg_text_printf(out, "%s is false (%s)", record->setting.key, record->setting.origin);
        break;
    case HG_REASON_NOT_FORCED:
        put_force(trace, out);
        break;
    case HG_REASON_DTYPE:
        hg_text_printf(out, "arrays are %s, the kernel takes ", hg_dtype_word(trace->dtype));
        put_dtypes(candidate->kernel->dtypes, out);
        break;
    case HG_REASON_SPACE:
        put_space_refusal(trace, candidate, out);
        break;
    case HG_REASON_DEVICE:
        put_device_refusal(record, out);
        break;
    case HG_REASON_DETERMINISM:
        hg_text_printf(out,
                       "routing.deterministic is true (%s), the kernel does not repeat its bits",
                       hg_config_origin(rules->config, "routing.deterministic"));
        break;
    case HG_REASON_FORKED:
        hg_text_put(out,
                    "this process is a forked child, what the kernel uses did not survive that");
        break;
    case HG_REASON_GATE:
    case HG_REASON_NOT_FINITE:
        hg_gate_put_refusal(record->gate, rules, record->value, record->limit, out);
        break;
    case HG_REASON_MEMORY:
        hg_text_printf(out, "needs %.0f bytes of workspace, %s is %.0f (%s)", record->value,
                       record->setting.key, record->limit, record->setting.origin);
        break;
    case HG_REASON_BAD_ESTIMATE:
        put_fault(record, out);
        break;
    default:
        break;
    }
}

/* ---- kernels that could have served ------------------------------------- */

static void put_costlier(const hgate_trace *trace, const hg_record *record, hg_text *out)
{
    const hg_record *chosen = &trace->records[trace->chosen];
    hg_text_put(out, "predicted ");
    hg_put_seconds(record->seconds, out);
    switch (record->reason) {
    case HG_REASON_TIE:
        hg_text_put(out, ", a tie; ");
        put_name(trace, trace->chosen, out);
        hg_text_put(out, " comes first");
        break;
    case HG_REASON_PREFERENCE:
        hg_text_put(out, "; ");
        put_name(trace, trace->chosen, out);
        hg_text_put(out, " comes first in routing.prefer");
        break;
    case HG_REASON_REFERENCE:
        hg_text_put(out, "; the plain kernel, for when nothing else is left");
        break;
    default:
        if (chosen->seconds > 0) {
            hg_text_printf(out, ", %.3g times the chosen", record->seconds / chosen->seconds);
        }
    }
}

void hg_trace_put_reason(const hgate_trace *trace, int i, hg_text *out)
{
    const hg_record *record = &trace->records[i];
    if (record->state == HG_STATE_CHOSEN) {
        hg_trace_put_choice(trace, out);
    } else if (record->state == HG_STATE_COSTLIER) {
        put_costlier(trace, record, out);
    } else if (record->is_own_refusal) {
        const char *text = record->text[0] ? record->text : "the kernel gives no reason";
        hg_text_put(out, text);
    } else {
        put_refusal(trace, record, &hg_trace_candidates(trace).items[i], out);
    }
}

/* ---- the choice --------------------------------------------------------- */

static void put_why(const hgate_trace *trace, hg_text *out)
{
    const hg_record *chosen = &trace->records[trace->chosen];
    switch (trace->why) {
    case HG_REASON_STAND_IN:
        hg_text_put(out, "vals hold NaN or infinity, so it stands in: ");
        put_force(trace, out);
        break;
    case HG_REASON_FORCED:
        put_force(trace, out);
        break;
    case HG_REASON_ONLY:
        hg_text_put(out, "the only kernel that may serve this");
        break;
    case HG_REASON_FALLBACK:
        hg_text_put(out, "the first that could be prepared");
        break;
    case HG_REASON_PREFERENCE:
        hg_text_put(out, "routing.strategy is prefer and its plugin comes first");
        break;
    case HG_REASON_TIE:
        hg_text_printf(out, "within %.3g %% of the quickest of %d, and first in routing.prefer",
                       100 * hg_catalog_rules(trace->catalog)->tie_margin, trace->n_usable);
        break;
    default:
        hg_text_printf(out, "the quickest of %d by prediction", trace->n_usable);
    }
    hg_text_put(out, "; predicted ");
    hg_put_seconds(chosen->seconds, out);
    if (trace->n_usable > 1) {
        hg_text_put(out, ", next ");
        put_name(trace, trace->order[1], out);
        hg_text_put(out, " with ");
        hg_put_seconds(trace->records[trace->order[1]].seconds, out);
    }
}

static void put_after_attempts(const hgate_trace *trace, hg_text *out)
{
    const hg_attempt *last = &trace->attempts[trace->n_attempts - 1];
    const hg_attempt *before = trace->n_attempts > 1 ? last - 1 : NULL;
    if (last->is_plain && before) {
        hg_text_put(out, "takes the values that ");
        put_name(trace, before->candidate, out);
        hg_text_put(out, " must not meet");
    } else if (before) {
        put_name(trace, before->candidate, out);
        hg_text_printf(out, " failed with %s", hgate_status_name(before->status));
    } else {
        hg_text_put(out, "the planned kernel may not run any more");
    }
}

bool hg_trace_lacks_device(const hgate_trace *trace)
{
    const bool is_on_device =
        trace->space == HGATE_SPACE_CUDA || trace->space == HGATE_SPACE_CUDA_MANAGED;
    return is_on_device && !hg_catalog_has_device(trace->catalog);
}

bool hg_trace_put_unusable(const hgate_trace *trace, hg_text *out)
{
    const int n = trace->plugins ? hg_plugins_count(trace->plugins) : 0;
    const char *between = "not usable: ";
    for (int i = 0; i < n; i++) {
        const hg_plugin *plugin = hg_plugins_get(trace->plugins, i);
        if (plugin->status != HGATE_PLUGIN_USABLE && plugin->status != HGATE_PLUGIN_SHADOWED) {
            hg_text_printf(out, "%s%s (%s)", between, plugin->name ? plugin->name : plugin->path,
                           plugin->reason[0] ? plugin->reason
                                             : hg_plugin_status_word(plugin->status));
            between = "; ";
        }
    }
    return between[0] == ';';
}

void hg_trace_put_choice(const hgate_trace *trace, hg_text *out)
{
    const int served = hg_trace_served(trace);
    if (served < 0) {
        hg_text_put(out, "no kernel may serve ");
        hg_trace_put_problem(trace, out);
        if (hg_trace_lacks_device(trace)) {
            hg_text_put(out, "; ");
            if (!hg_trace_put_unusable(trace, out)) {
                hg_text_put(out, "no plugin for device memory was found");
            }
        }
    } else if (served != trace->chosen) {
        put_after_attempts(trace, out);
    } else {
        put_why(trace, out);
    }
}
