/* SPDX-License-Identifier: BSD-3-Clause */
/* What a selftest prints: failures as a table, or every result as a document. */
#include "tools/report.h"
#include "tools/selftest.h"

#include <string.h>

/* The configuration itself was read before: with a forced kernel it can only be wrong in that the
 * kernel is switched off. */
static bool is_refusal(const cli_runner *runner)
{
    return runner->status == HGATE_ECONFIG || cli_exit_code(runner->status) == CLI_UNAVAILABLE;
}

static const char *verdict_of(const cli_runner *runner)
{
    return runner->status != HGATE_OK   ? is_refusal(runner) ? "refused" : "failed"
           : cli_runner_differs(runner) ? "failed"
                                        : "passed";
}

static void put_json(cli_selftest *t, const char *problem, const char *dtype,
                     const cli_runner *runner, const char *verdict)
{
    hg_json *json = &t->document.json;
    hg_json_object_begin(json);
    hg_json_key_string(json, "op", hg_op_row(runner->op->op)->word);
    hg_json_key_string(json, "problem", problem);
    hg_json_key_string(json, "dtype", dtype);
    hg_json_key_string(json, "plugin", runner->plugin);
    hg_json_key_string(json, "kernel", runner->kernel);
    hg_json_key_string(json, "result", verdict);
    hg_json_key_real(json, "max_error", runner->error);
    hg_json_key_real(json, "tolerance", runner->tolerance);
    hg_json_key_string(json, "text", runner->status != HGATE_OK ? runner->text : NULL);
    hg_json_object_end(json);
}

static void put_text(cli_selftest *t, const char *problem, const char *dtype,
                     const cli_runner *runner)
{
    cli_table_add(&t->table, "%s/%s", runner->plugin, runner->kernel);
    if (runner->status != HGATE_OK) {
        cli_table_add(&t->table, "%s dtype=%s: %s: %s", problem, dtype,
                      hgate_status_name(runner->status), runner->text);
    } else {
        cli_table_add(&t->table, "%s dtype=%s: error %.3g, at most %.3g", problem, dtype,
                      runner->error, runner->tolerance);
    }
}

void cli_selftest_note(cli_selftest *t, const char *problem, const char *dtype,
                       const cli_runner *runner)
{
    const char *verdict = verdict_of(runner);
    t->n_passed += strcmp(verdict, "passed") == 0;
    t->n_failed += strcmp(verdict, "failed") == 0;
    t->n_refused += strcmp(verdict, "refused") == 0;
    if (t->options->count[OPT_JSON]) {
        put_json(t, problem, dtype, runner, verdict);
    } else if (strcmp(verdict, "failed") == 0 || t->options->count[OPT_VERBOSE]) {
        put_text(t, problem, dtype, runner);
    }
}

void cli_selftest_note_lost(cli_selftest *t, const hgate_plugin_info *plugin)
{
    const char *name = plugin->name ? plugin->name : plugin->path;
    t->n_failed++;
    if (t->options->count[OPT_JSON]) {
        hg_json *json = &t->document.json;
        hg_json_object_begin(json);
        hg_json_key_string(json, "plugin", name);
        hg_json_key_string(json, "result", "failed");
        hg_json_key_string(json, "text", plugin->reason);
        hg_json_object_end(json);
    } else {
        cli_table_add(&t->table, "%s", name);
        cli_table_add(&t->table, "%s", plugin->reason);
    }
}

void cli_selftest_begin(cli_selftest *t)
{
    static const char *const heads[] = {"kernel", "problem"};
    if (t->options->count[OPT_JSON]) {
        cli_document_begin(&t->document);
        hg_json_key(&t->document.json, "results");
        hg_json_array_begin(&t->document.json);
    } else {
        cli_table_begin(&t->table, 0, 2, heads);
    }
}

void cli_selftest_drop(cli_selftest *t)
{
    if (t->options->count[OPT_JSON]) {
        cli_document_drop(&t->document);
    } else {
        cli_table_drop(&t->table);
    }
}

int cli_selftest_tell(cli_selftest *t)
{
    if (t->options->count[OPT_JSON]) {
        hg_json *json = &t->document.json;
        hg_json_array_end(json);
        hg_json_key_int(json, "passed", t->n_passed);
        hg_json_key_int(json, "failed", t->n_failed);
        hg_json_key_int(json, "refused", t->n_refused);
        return cli_document_end(&t->document);
    }
    cli_table_end(&t->table, stdout);
    printf("%d passed, %d failed, %d refused\n", t->n_passed, t->n_failed, t->n_refused);
    return CLI_DONE;
}
