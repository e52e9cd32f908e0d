/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace as JSON, schema 1. Members may be added, never renamed or removed. */
#include "core/route/explain.h"

#include "core/base/json.h"
#include "core/tensor/op_table.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

typedef void (*put_words)(const hgate_trace *trace, hg_text *out);

static void key_words(hg_json *json, const char *key, put_words put, const hgate_trace *trace)
{
    char words[HG_TRACE_WORDS];
    hg_text text = hg_text_over(words, sizeof words);
    put(trace, &text);
    hg_json_key_string(json, key, words);
}

static void key_hash(hg_json *json, const char *key, uint64_t hash)
{
    char digits[24];
    hg_text text = hg_text_over(digits, sizeof digits);
    hg_text_printf(&text, "%016llx", (unsigned long long)hash);
    hg_json_key_string(json, key, digits);
}

/* A number that may be absent. */
static void key_number(hg_json *json, const char *key, double value)
{
    if (!isnan(value)) {
        hg_json_key_real(json, key, value);
    }
}

static void key_kernel(hg_json *json, const hgate_trace *trace, int i)
{
    const hg_candidate *candidate = &hg_trace_candidates(trace).items[i];
    hg_json_key_string(json, "plugin", candidate->backend->plugin->name);
    hg_json_key_string(json, "kernel", candidate->kernel->name);
}

/* ---- the question ------------------------------------------------------- */

static void put_space(const hgate_trace *trace, hg_text *out)
{
    hg_put_space(trace->space, trace->device_id, out);
}

static void write_problem(hg_json *json, const hgate_trace *trace)
{
    const hg_op *row = hg_op_row(trace->op);
    hg_json_key(json, "problem");
    hg_json_object_begin(json);
    for (int i = 0; i < trace->n_dims; i++) {
        hg_json_key_int(json, row->dims[i], trace->dims[i]);
    }
    hg_json_key_string(json, "dtype", hg_dtype_word(trace->dtype));
    key_words(json, "space", put_space, trace);
    hg_json_key_int(json, "threads", trace->threads);
    if (trace->facts.is_known) {
        hg_json_key_bool(json, "vals_finite", trace->facts.vals_finite != 0);
        hg_json_key_real(json, "work_fraction", trace->facts.work_fraction);
        hg_json_key_real(json, "pair_fraction", trace->facts.pair_fraction);
    }
    hg_json_object_end(json);
}

static void write_circumstances(hg_json *json, const hgate_trace *trace)
{
    const hg_rules *rules = hg_catalog_rules(trace->catalog);
    const hg_calib *calib = hg_catalog_calib(trace->catalog);
    key_hash(json, "config_hash", hg_config_hash(rules->config));
    key_hash(json, "decision_hash", hg_trace_decision_hash(trace));
    hg_json_key(json, "calibration");
    hg_json_object_begin(json);
    hg_json_key_string(json, "source", hg_calib_origin(calib));
    hg_json_key_bool(json, "match", hg_calib_refusal(calib) == NULL);
    if (hg_calib_refusal(calib)) {
        hg_json_key_string(json, "refused", hg_calib_refusal(calib));
    }
    hg_json_object_end(json);
    hg_json_key_bool(json, "deterministic", rules->is_deterministic);
    hg_json_key_bool(json, "forked", trace->is_forked);
    hg_json_key(json, "unaligned");
    hg_json_array_begin(json);
    const hg_op *row = hg_op_row(trace->op);
    for (int i = 0; i < row->n_args; i++) {
        if (trace->unaligned >> i & 1) {
            hg_json_string(json, row->args[i].name);
        }
    }
    hg_json_array_end(json);
}

static void write_kernel_names(hg_json *json, const char *words)
{
    char name[32];
    hg_json_key(json, "kernels");
    hg_json_array_begin(json);
    while (*words) {
        const size_t length = strcspn(words, " ");
        hg_text text = hg_text_over(name, sizeof name);
        hg_text_put_n(&text, words, length);
        hg_json_string(json, name);
        words += length;
        words += strspn(words, " ");
    }
    hg_json_array_end(json);
}

static void write_gates(hg_json *json, const hgate_trace *trace)
{
    hg_json_key(json, "gates");
    hg_json_array_begin(json);
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        const hg_verdict *verdict = &trace->verdicts[g];
        if (verdict->ruling == HG_RULING_NONE) {
            continue;
        }
        const char *key = hg_gate_key((hg_gate)g);
        const hg_config *config = hg_catalog_rules(trace->catalog)->config;
        hg_json_object_begin(json);
        hg_json_key_string(json, "gate", hg_gate_name((hg_gate)g));
        write_kernel_names(json, hg_gate_kernels((hg_gate)g));
        hg_json_key_real(json, "value", verdict->value);
        hg_json_key_real(json, "limit", verdict->limit);
        hg_json_key_string(json, "verdict", hg_ruling_word(verdict->ruling));
        hg_json_key_string(json, "setting", key ? hg_config_text(config, key) : NULL);
        hg_json_key_string(json, "origin", key ? hg_config_origin(config, key) : "fixed");
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}

/* ---- the answer --------------------------------------------------------- */

static void write_refusal(hg_json *json, const hg_record *record)
{
    key_number(json, "value", record->value);
    key_number(json, "limit", record->limit);
    if (record->gate != HG_GATE_COUNT) {
        hg_json_key_string(json, "gate", hg_gate_name(record->gate));
    }
    if (record->setting.key) {
        hg_json_key_string(json, "key", record->setting.key);
        hg_json_key_string(json, "origin", record->setting.origin);
    }
}

static void write_cost(hg_json *json, const hg_record *record, const hgate_kernel *kernel)
{
    hg_json_key_real(json, "seconds", record->seconds);
    hg_json_key_int(json, "threads", record->threads);
    hg_json_key(json, "terms");
    hg_json_object_begin(json);
    for (int i = 0; i < kernel->n_terms; i++) {
        hg_json_key_real(json, kernel->terms[i].name, record->cost.terms[i]);
    }
    hg_json_object_end(json);
    hg_json_key_int(json, "ws_host", (int64_t)record->cost.ws_host);
    hg_json_key_int(json, "ws_device", (int64_t)record->cost.ws_device);
    hg_json_key_int(json, "prepared", (int64_t)record->cost.prepared_bytes);
    hg_json_key_int(json, "staged", (int64_t)record->staged);
}

static void write_candidate(hg_json *json, const hgate_trace *trace, int i)
{
    const hg_record *record = &trace->records[i];
    char words[HG_TRACE_WORDS];
    hg_text text = hg_text_over(words, sizeof words);
    hg_trace_put_reason(trace, i, &text);
    hg_json_object_begin(json);
    key_kernel(json, trace, i);
    hg_json_key_string(json, "state", hg_state_word(record->state));
    hg_json_key_string(json, "reason", hg_reason_word(record->reason));
    hg_json_key_string(json, "text", words);
    if (!record->is_own_refusal && record->text[0]) {
        hg_json_key_string(json, "how", record->text);
    }
    if (record->state == HG_STATE_REFUSED) {
        write_refusal(json, record);
    }
    if (record->threads > 0) {
        write_cost(json, record, hg_trace_candidates(trace).items[i].kernel);
    }
    hg_json_object_end(json);
}

static void write_choice(hg_json *json, const hgate_trace *trace)
{
    const int served = hg_trace_served(trace);
    hg_json_key(json, "chosen");
    if (served < 0) {
        hg_json_null(json);
        key_words(json, "message", hg_trace_put_choice, trace);
        return;
    }
    hg_json_object_begin(json);
    key_kernel(json, trace, served);
    key_words(json, "reason", hg_trace_put_choice, trace);
    hg_json_key_real(json, "seconds", trace->records[served].seconds);
    hg_json_key_int(json, "threads", trace->records[served].threads);
    hg_json_object_end(json);
}

static void write_attempts(hg_json *json, const hgate_trace *trace)
{
    hg_json_key(json, "attempts");
    hg_json_array_begin(json);
    for (int k = 0; k < trace->n_attempts; k++) {
        const hg_attempt *attempt = &trace->attempts[k];
        const double predicted = trace->records[attempt->candidate].seconds;
        hg_json_object_begin(json);
        key_kernel(json, trace, attempt->candidate);
        hg_json_key_int(json, "status", attempt->status);
        hg_json_key_string(json, "status_name",
                           attempt->status > 0 ? "plain" : hgate_status_name(attempt->status));
        hg_json_key_bool(json, "committed", attempt->is_committed);
        hg_json_key_bool(json, "plain", attempt->is_plain);
        hg_json_key_real(json, "measured", attempt->measured);
        hg_json_key_real(json, "measured_over_predicted", attempt->measured / predicted);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}

static void write_plugins(hg_json *json, const hgate_trace *trace)
{
    hg_json_key(json, "unusable_plugins");
    hg_json_array_begin(json);
    const int n = trace->plugins ? hg_plugins_count(trace->plugins) : 0;
    for (int i = 0; i < n; i++) {
        const hg_plugin *plugin = hg_plugins_get(trace->plugins, i);
        if (plugin->status == HGATE_PLUGIN_USABLE) {
            continue;
        }
        hg_json_object_begin(json);
        hg_json_key_string(json, "plugin", plugin->name);
        hg_json_key_string(json, "path", plugin->path);
        hg_json_key_string(json, "status", hg_plugin_status_word(plugin->status));
        hg_json_key_string(json, "text", plugin->reason);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}

int hg_explain_json(const hgate_trace *trace, hgate_write_fn write, void *user)
{
    hg_json json;
    hg_json_init(&json, write, user);
    hg_json_object_begin(&json);
    hg_json_key_int(&json, "schema", 1);
    hg_json_key_string(&json, "op", hg_op_row(trace->op)->word);
    write_problem(&json, trace);
    write_circumstances(&json, trace);
    write_choice(&json, trace);
    write_gates(&json, trace);
    hg_json_key(&json, "candidates");
    hg_json_array_begin(&json);
    for (int i = 0; i < trace->n; i++) {
        write_candidate(&json, trace, i);
    }
    hg_json_array_end(&json);
    write_attempts(&json, trace);
    write_plugins(&json, trace);
    hg_json_object_end(&json);
    return hg_json_finish(&json);
}
