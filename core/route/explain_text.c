/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace for people: the answer first, then what it rests on. */
#include "core/route/explain.h"
#include "core/route/sheet.h"

#include "core/tensor/op_table.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

static size_t longest_name(const hgate_trace *trace)
{
    const hg_candidates list = hg_trace_candidates(trace);
    size_t longest = strlen("kernel");
    for (int i = 0; i < trace->n; i++) {
        const size_t length =
            strlen(list.items[i].backend->plugin->name) + 1 + strlen(list.items[i].kernel->name);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void put_kernel(hg_sheet *page, const hgate_trace *trace, int i)
{
    const hg_candidate *candidate = &hg_trace_candidates(trace).items[i];
    hg_text_printf(&page->line, "%s/%s", candidate->backend->plugin->name, candidate->kernel->name);
}

/* ---- the answer --------------------------------------------------------- */

static void write_unusable(hg_sheet *page, const hgate_trace *trace)
{
    if (hg_trace_put_unusable(trace, &page->line)) {
        hg_sheet_end_line(page);
    } else if (trace->chosen < 0 && hg_trace_lacks_device(trace)) {
        hg_text_put(&page->line, "no plugin for device memory was found");
        hg_sheet_end_line(page);
    }
}

static void write_answer(hg_sheet *page, const hgate_trace *trace)
{
    const int served = hg_trace_served(trace);
    hg_trace_put_problem(trace, &page->line);
    hg_text_printf(&page->line, ", up to %d thread%s", trace->threads,
                   trace->threads > 1 ? "s" : "");
    hg_sheet_end_line(page);
    if (served >= 0) {
        const hg_record *record = &trace->records[served];
        hg_text_put(&page->line, "chosen: ");
        put_kernel(page, trace, served);
        hg_text_printf(&page->line, " on %d thread%s", record->threads,
                       record->threads > 1 ? "s" : "");
        if (record->is_staged) {
            hg_text_put(&page->line, ", ");
            hg_put_bytes(record->staged, &page->line);
            hg_text_put(&page->line, " copied to and from the device");
        }
        hg_sheet_end_line(page);
        hg_text_put(&page->line, "why: ");
        hg_trace_put_choice(trace, &page->line);
    } else if (trace->n == 0) {
        hg_text_put(&page->line, "chosen: none, no usable plugin has a kernel for it");
    } else if (trace->n == 1) {
        hg_text_put(&page->line, "chosen: none, the only kernel is refused below");
    } else {
        hg_text_printf(&page->line, "chosen: none, each of %d kernels is refused below", trace->n);
    }
    hg_sheet_end_line(page);
    const hg_calib *calib = hg_catalog_calib(trace->catalog);
    hg_text_printf(&page->line, "constants: %s", hg_calib_origin(calib));
    if (hg_calib_refusal(calib)) {
        hg_text_printf(&page->line, " (%s)", hg_calib_refusal(calib));
    }
    hg_sheet_end_line(page);
    write_unusable(page, trace);
}

/* ---- the tables --------------------------------------------------------- */

static void write_row(hg_sheet *page, const hgate_trace *trace, int i, size_t names)
{
    const hg_record *record = &trace->records[i];
    char cell[64];
    hg_text text = hg_text_over(cell, sizeof cell);
    put_kernel(page, trace, i);
    hg_sheet_pad_to(page, names + 2);
    hg_text_put(&page->line, hg_state_word(record->state));
    if (record->threads > 0) {
        hg_put_seconds(record->seconds, &text);
        hg_sheet_put_right(page, cell, names + 21);
        hg_text_clear(&text);
        hg_text_put_int64(&text, record->threads);
        hg_sheet_put_right(page, cell, names + 30);
        hg_text_clear(&text);
        hg_put_bytes(record->cost.ws_host + record->cost.ws_device, &text);
        hg_sheet_put_right(page, cell, names + 41);
        hg_text_clear(&text);
        hg_put_bytes(record->staged, &text);
        hg_sheet_put_right(page, cell, names + 50);
    }
    hg_sheet_end_line(page);
    char words[HG_TRACE_WORDS];
    if (!record->is_own_refusal && record->text[0]) {
        hg_text how = hg_text_over(words, sizeof words);
        hg_text_printf(&how, "how: %s", record->text);
        hg_sheet_put_wrapped(page, words);
    }
    if (record->state == HG_STATE_CHOSEN) {
        return; /* its reason is in the answer */
    }
    hg_text reason = hg_text_over(words, sizeof words);
    hg_text_printf(&reason, "%s: ", hg_reason_word(record->reason));
    hg_trace_put_reason(trace, i, &reason);
    hg_sheet_put_wrapped(page, words);
}

/* Usable ones in their order, then the refused ones. */
static void write_candidates(hg_sheet *page, const hgate_trace *trace)
{
    const size_t names = longest_name(trace);
    hg_sheet_end_line(page);
    hg_text_put(&page->line, "kernel");
    hg_sheet_pad_to(page, names + 2);
    hg_text_put(&page->line, "state");
    hg_sheet_put_right(page, "predicted", names + 21);
    hg_sheet_put_right(page, "threads", names + 30);
    hg_sheet_put_right(page, "workspace", names + 41);
    hg_sheet_put_right(page, "copied", names + 50);
    hg_sheet_end_line(page);
    for (int k = 0; k < trace->n_usable; k++) {
        write_row(page, trace, trace->order[k], names);
    }
    for (int i = 0; i < trace->n; i++) {
        if (trace->records[i].state == HG_STATE_REFUSED) {
            write_row(page, trace, i, names);
        }
    }
}

static void write_gate(hg_sheet *page, const hgate_trace *trace, hg_gate gate)
{
    const hg_verdict *verdict = &trace->verdicts[gate];
    const char *key = hg_gate_key(gate);
    char cell[64] = "-";
    hg_text text = hg_text_over(cell, sizeof cell);
    hg_sheet_pad_to(page, HG_SHEET_INDENT);
    hg_text_put(&page->line, hg_gate_name(gate));
    hg_sheet_pad_to(page, 44);
    hg_text_put(&page->line, hg_ruling_word(verdict->ruling));
    if (isnan(verdict->value)) {
        hg_text_put_char(&text, '-');
    } else {
        hg_text_printf(&text, "%.6g", verdict->value);
    }
    hg_sheet_put_right(page, cell, 61);
    hg_text_clear(&text);
    hg_gate_put_limit(gate, verdict->limit, &text);
    hg_sheet_put_right(page, cell, 75);
    if (key) {
        const char *origin = hg_config_origin(hg_catalog_rules(trace->catalog)->config, key);
        if (strcmp(origin, "default") != 0) {
            hg_text_printf(&page->line, "  (%s)", origin);
        }
    }
    hg_sheet_end_line(page);
}

static void write_gates(hg_sheet *page, const hgate_trace *trace)
{
    bool is_first = true;
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        if (trace->verdicts[g].ruling == HG_RULING_NONE) {
            continue;
        }
        if (is_first) {
            hg_sheet_end_line(page);
            hg_text_put(&page->line, "gate");
            hg_sheet_pad_to(page, 44);
            hg_text_put(&page->line, "verdict");
            hg_sheet_put_right(page, "value", 61);
            hg_sheet_put_right(page, "limit", 75);
            hg_sheet_end_line(page);
        }
        is_first = false;
        write_gate(page, trace, (hg_gate)g);
    }
}

static void write_notes(hg_sheet *page, const hgate_trace *trace)
{
    const hg_op *row = hg_op_row(trace->op);
    if (trace->threads_capped) {
        hg_sheet_end_line(page);
        hg_sheet_put_wrapped(page, "one thread: fewer points than ops.emi.cpu.threads_min_points");
    }
    if (trace->unaligned) {
        hg_text *line = &page->line;
        hg_sheet_end_line(page);
        hg_sheet_pad_to(page, HG_SHEET_INDENT);
        hg_text_printf(line, "not at a multiple of %d bytes:", HG_ALIGNMENT);
        for (int i = 0; i < row->n_args; i++) {
            if (trace->unaligned >> i & 1) {
                hg_text_printf(line, " %s", row->args[i].name);
            }
        }
        hg_sheet_end_line(page);
    }
}

static void write_attempts(hg_sheet *page, const hgate_trace *trace)
{
    for (int k = 0; k < trace->n_attempts; k++) {
        const hg_attempt *attempt = &trace->attempts[k];
        if (k == 0) {
            hg_sheet_end_line(page);
            hg_text_put(&page->line, "runs");
            hg_sheet_end_line(page);
        }
        hg_sheet_pad_to(page, HG_SHEET_INDENT);
        put_kernel(page, trace, attempt->candidate);
        hg_text_printf(&page->line, "  %s",
                       attempt->status > 0 ? "asks for the plain kernel"
                                           : hgate_status_name(attempt->status));
        if (!isnan(attempt->measured)) {
            hg_text_put(&page->line, ", measured ");
            hg_put_seconds(attempt->measured, &page->line);
            hg_text_printf(&page->line, ", %.3g times the prediction",
                           attempt->measured / trace->records[attempt->candidate].seconds);
        }
        hg_sheet_end_line(page);
    }
}

int hg_explain_text(const hgate_trace *trace, hgate_write_fn write, void *user)
{
    hg_sheet page;
    hg_sheet_init(&page, write, user);
    write_answer(&page, trace);
    write_candidates(&page, trace);
    write_gates(&page, trace);
    write_notes(&page, trace);
    write_attempts(&page, trace);
    return page.status;
}
