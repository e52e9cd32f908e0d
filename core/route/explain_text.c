/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace for people: the answer first, then what it rests on. */
#include "core/route/explain.h"

#include "core/tensor/op_table.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

enum { width = 80, indent = 4, line_bytes = 2048 };

/* A line under construction, and where finished lines go. */
typedef struct sheet {
    hgate_write_fn write;
    void *user;
    int status;
    hg_text line;
    char buffer[line_bytes]; /* what is longer ends in dots */
} sheet;

static void end_line(sheet *page)
{
    static const char dots[] = "...";
    if (page->line.is_cut) {
        hg_text_cut_to(&page->line, line_bytes - 1 - sizeof dots);
        page->line.is_cut = false;
        hg_text_put(&page->line, dots);
    }
    hg_text_put_char(&page->line, '\n');
    if (page->status == HGATE_OK &&
        page->write(page->user, page->line.data, page->line.length) != 0) {
        page->status = HGATE_ESTOPPED;
    }
    hg_text_clear(&page->line);
}

static void pad_to(sheet *page, size_t column)
{
    const size_t length = page->line.length;
    hg_text_put_repeated(&page->line, ' ', length < column ? column - length : 1);
}

/* A text that is right-aligned to end at a column. */
static void put_right(sheet *page, const char *text, size_t end)
{
    const size_t length = strlen(text);
    pad_to(page, end > length ? end - length : 0);
    hg_text_put(&page->line, text);
}

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

static void put_kernel(sheet *page, const hgate_trace *trace, int i)
{
    const hg_candidate *candidate = &hg_trace_candidates(trace).items[i];
    hg_text_printf(&page->line, "%s/%s", candidate->backend->plugin->name, candidate->kernel->name);
}

/* Words, broken between them so that lines stay within the width. */
static void put_wrapped(sheet *page, const char *words)
{
    size_t column = indent;
    pad_to(page, indent);
    while (*words) {
        const size_t length = strcspn(words, " ");
        if (column > indent && column + 1 + length > width) {
            end_line(page);
            pad_to(page, indent);
            column = indent;
        }
        if (column > indent) {
            hg_text_put_char(&page->line, ' ');
            column++;
        }
        hg_text_put_n(&page->line, words, length);
        column += length;
        words += length;
        words += strspn(words, " ");
    }
    end_line(page);
}

/* ---- the answer --------------------------------------------------------- */

static void write_unusable(sheet *page, const hgate_trace *trace)
{
    const int n = trace->plugins ? hg_plugins_count(trace->plugins) : 0;
    const char *between = "not usable: ";
    for (int i = 0; i < n; i++) {
        const hg_plugin *plugin = hg_plugins_get(trace->plugins, i);
        if (plugin->status != HGATE_PLUGIN_USABLE && plugin->status != HGATE_PLUGIN_SHADOWED) {
            hg_text_printf(
                &page->line, "%s%s (%s)", between, plugin->name ? plugin->name : plugin->path,
                plugin->reason[0] ? plugin->reason : hg_plugin_status_word(plugin->status));
            between = "; ";
        }
    }
    if (page->line.length > 0) {
        end_line(page);
    } else if (trace->chosen < 0 && trace->space != HGATE_SPACE_HOST &&
               !hg_catalog_has_device(trace->catalog)) {
        hg_text_put(&page->line, "no plugin for device memory was found");
        end_line(page);
    }
}

static void write_answer(sheet *page, const hgate_trace *trace)
{
    const int served = hg_trace_served(trace);
    hg_trace_put_problem(trace, &page->line);
    hg_text_printf(&page->line, ", up to %d thread%s", trace->threads,
                   trace->threads > 1 ? "s" : "");
    end_line(page);
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
        end_line(page);
        hg_text_put(&page->line, "why: ");
        hg_trace_put_choice(trace, &page->line);
    } else {
        hg_text_printf(&page->line, "chosen: none, each of %d kernels is refused below", trace->n);
    }
    end_line(page);
    const hg_calib *calib = hg_catalog_calib(trace->catalog);
    hg_text_printf(&page->line, "constants: %s%s", hg_calib_origin(calib),
                   hg_calib_matches(calib) ? "" : " (of another machine)");
    end_line(page);
    write_unusable(page, trace);
}

/* ---- the tables --------------------------------------------------------- */

static void write_row(sheet *page, const hgate_trace *trace, int i, size_t names)
{
    const hg_record *record = &trace->records[i];
    char cell[64];
    hg_text text = hg_text_over(cell, sizeof cell);
    put_kernel(page, trace, i);
    pad_to(page, names + 2);
    hg_text_put(&page->line, hg_state_word(record->state));
    if (record->threads > 0) {
        hg_put_seconds(record->seconds, &text);
        put_right(page, cell, names + 21);
        hg_text_clear(&text);
        hg_text_put_int64(&text, record->threads);
        put_right(page, cell, names + 30);
        hg_text_clear(&text);
        hg_put_bytes(record->cost.ws_host + record->cost.ws_device, &text);
        put_right(page, cell, names + 41);
        hg_text_clear(&text);
        hg_put_bytes(record->staged, &text);
        put_right(page, cell, names + 50);
    }
    end_line(page);
    char words[HG_TRACE_WORDS];
    hg_text reason = hg_text_over(words, sizeof words);
    hg_text_printf(&reason, "%s: ", hg_reason_word(record->reason));
    hg_trace_put_reason(trace, i, &reason);
    put_wrapped(page, words);
}

/* Usable ones in their order, then the refused ones. */
static void write_candidates(sheet *page, const hgate_trace *trace)
{
    const size_t names = longest_name(trace);
    end_line(page);
    hg_text_put(&page->line, "kernel");
    pad_to(page, names + 2);
    hg_text_put(&page->line, "state");
    put_right(page, "predicted", names + 21);
    put_right(page, "threads", names + 30);
    put_right(page, "workspace", names + 41);
    put_right(page, "copied", names + 50);
    end_line(page);
    for (int k = 0; k < trace->n_usable; k++) {
        write_row(page, trace, trace->order[k], names);
    }
    for (int i = 0; i < trace->n; i++) {
        if (trace->records[i].state == HG_STATE_REFUSED) {
            write_row(page, trace, i, names);
        }
    }
}

static void put_number(sheet *page, const char *what, double value)
{
    if (!isnan(value)) {
        hg_text_printf(&page->line, "%s ", what);
        hg_text_put_real(&page->line, value);
    }
}

static void write_gates(sheet *page, const hgate_trace *trace)
{
    bool is_first = true;
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        const hg_verdict *verdict = &trace->verdicts[g];
        if (verdict->ruling == HG_RULING_NONE) {
            continue;
        }
        if (is_first) {
            end_line(page);
            hg_text_put(&page->line, "gates");
            end_line(page);
        }
        is_first = false;
        pad_to(page, indent);
        hg_text_printf(&page->line, "%-42s %-6s", hg_gate_name((hg_gate)g),
                       hg_ruling_word(verdict->ruling));
        put_number(page, " value", verdict->value);
        put_number(page, " limit", verdict->limit);
        end_line(page);
    }
}

static void write_attempts(sheet *page, const hgate_trace *trace)
{
    for (int k = 0; k < trace->n_attempts; k++) {
        const hg_attempt *attempt = &trace->attempts[k];
        if (k == 0) {
            end_line(page);
            hg_text_put(&page->line, "runs");
            end_line(page);
        }
        pad_to(page, indent);
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
        end_line(page);
    }
}

int hg_explain_text(const hgate_trace *trace, hgate_write_fn write, void *user)
{
    sheet page = {.write = write, .user = user, .status = HGATE_OK};
    page.line = hg_text_over(page.buffer, sizeof page.buffer);
    write_answer(&page, trace);
    write_candidates(&page, trace);
    write_gates(&page, trace);
    write_attempts(&page, trace);
    return page.status;
}
