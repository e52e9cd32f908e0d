/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate selftest: each kernel of each plugin against the reference, on small problems. */
#include "tools/command.h"
#include "tools/document.h"
#include "tools/problem_arg.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/runner.h"
#include "tools/selftest_problems.h"
#include "tools/table.h"

#include "core/base/alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 12 };

typedef struct selftest {
    const cli_options *options;
    const char *only;      /* name of that plugin; NULL: all */
    cli_document document; /* rows, with --json */
    cli_table table;       /* rows, without: the failed ones */
    int n_passed, n_failed, n_refused;
} selftest;

/* ---- rows ---------------------------------------------------------------------------------------
 */

static const char *verdict_of(const cli_runner *runner)
{
    return runner->status != HGATE_OK
               ? cli_exit_code(runner->status) == CLI_UNAVAILABLE ? "refused" : "failed"
           : cli_runner_differs(runner) ? "failed"
                                        : "passed";
}

static void put_json(selftest *t, const char *problem, const char *dtype, const cli_runner *runner,
                     const char *verdict)
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

static void put_text(selftest *t, const char *problem, const char *dtype, const cli_runner *runner)
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

static void note(selftest *t, const char *problem, const char *dtype, const cli_runner *runner)
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

/* ---- one problem --------------------------------------------------------------------------------
 */

static int make_case(cli_case *c, const char *problem, const char *dtype)
{
    char text[256];
    char *words[MAX_WORDS];
    int n = 0;
    snprintf(text, sizeof text, "%s dtype=%s", problem, dtype);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word && n < MAX_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
    }
    static const cli_options no_options;
    int status = cli_problem_read(c, n, words);
    if (status == CLI_DONE) {
        status = cli_problem_shape(c);
    }
    if (status == CLI_DONE) {
        status = cli_problem_fill(c, &no_options);
    }
    return status == CLI_DONE ? cli_case_allocate(c) : status;
}

static int run_reference(selftest *t, cli_case *c, cli_runner *runners, int n,
                         cli_outputs *expected, const char *problem, const char *dtype)
{
    for (int i = 0; i < n; i++) {
        if (runners[i].is_yardstick) {
            cli_runner_start(&runners[i], c, t->options);
            const int status =
                runners[i].status == HGATE_OK ? cli_outputs_keep(expected, c) : runners[i].status;
            if (runners[i].status != HGATE_OK) {
                note(t, problem, dtype, &runners[i]);
            }
            cli_runner_stop(&runners[i]);
            return status;
        }
    }
    return hg_error(HGATE_ENOKERNEL, "%s: no plugin has a reference kernel", c->row->word);
}

static int run_problem(selftest *t, const hgate_engine *engine, const char *problem,
                       const char *dtype)
{
    cli_case c;
    cli_runner *runners = NULL;
    cli_outputs expected = {0};
    int n = 0;
    int status = make_case(&c, problem, dtype);
    if (status == CLI_DONE) {
        status = cli_runners_list(engine, c.op->op, &runners, &n);
    }
    if (status == CLI_DONE &&
        run_reference(t, &c, runners, n, &expected, problem, dtype) != HGATE_OK) {
        n = 0; /* nothing to compare with: told as a failure of the reference */
    }
    for (int i = 0; status == CLI_DONE && i < n; i++) {
        const bool is_wanted = !t->only || strcmp(t->only, runners[i].plugin) == 0;
        if (is_wanted && !runners[i].is_yardstick) {
            cli_runner_start(&runners[i], &c, t->options);
            cli_runner_judge(&runners[i], &c, &expected);
            note(t, problem, dtype, &runners[i]);
            cli_runner_stop(&runners[i]);
        }
    }
    cli_outputs_free(&expected);
    cli_runners_free(runners, n);
    cli_case_free(&c);
    return status;
}

/* ---- all problems -------------------------------------------------------------------------------
 */

static bool is_same_op(const char *a, const char *b)
{
    const size_t n = strcspn(a, " ");
    return n == strcspn(b, " ") && strncmp(a, b, n) == 0;
}

static int run_all(selftest *t, const hgate_engine *engine)
{
    static const char *const dtypes[] = {"f32", "f64"};
    const bool is_quick = t->options->count[OPT_QUICK] > 0;
    cli_progress progress;
    int n = 0, status = CLI_DONE;
    while (cli_selftest_problems[n]) {
        n++;
    }
    cli_progress_start(&progress, t->options, "testing");
    for (int i = 0; status == CLI_DONE && i < n; i++) {
        const char *problem = cli_selftest_problems[i];
        if (is_quick && i > 0 && is_same_op(problem, cli_selftest_problems[i - 1])) {
            continue;
        }
        for (int k = 0; status == CLI_DONE && k < 2; k++) {
            status = run_problem(t, engine, problem, dtypes[k]);
        }
        cli_progress_at(&progress, i, n);
    }
    cli_progress_end(&progress);
    return status;
}

static void begin(selftest *t)
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

static void drop(selftest *t)
{
    if (t->options->count[OPT_JSON]) {
        cli_document_drop(&t->document);
    } else {
        cli_table_drop(&t->table);
    }
}

static int tell(selftest *t)
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

/* The name of the plugin that a file turned out to be. */
static int find_plugin(selftest *t, const hgate_engine *engine, const char *file)
{
    char path[PATH_MAX];
    if (!realpath(file, path)) {
        return hg_error(CLI_NO_INPUT, "%s: cannot read: %s", file, strerror(errno));
    }
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        hgate_plugin_info info = {.struct_size = sizeof info};
        if (hgate_plugin_get(engine, i, &info) == HGATE_OK && strcmp(info.path, path) == 0) {
            t->only = info.name;
            return info.status == HGATE_PLUGIN_USABLE
                       ? CLI_DONE
                       : hg_error(HGATE_EUNAVAILABLE, "%s: %s: %s", path, info.status_name,
                                  info.reason);
        }
    }
    return hg_error(HGATE_EUNAVAILABLE, "%s: was not loaded", path);
}

int cmd_selftest(const cli_options *options)
{
    selftest t = {.options = options};
    cli_session session;
    if (options->n_words > 0) {
        return cli_usage("selftest takes no words, found '%s'", options->words[0]);
    }
    int status = cli_session_open(&session, options, NULL, NULL, 0);
    if (status != CLI_DONE) {
        return status;
    }
    if (options->text[OPT_PLUGIN]) {
        status = find_plugin(&t, session.engine, options->text[OPT_PLUGIN]);
    }
    if (status == CLI_DONE) {
        begin(&t);
        status = run_all(&t, session.engine);
        if (status == CLI_DONE && t.n_passed + t.n_failed + t.n_refused == 0) {
            status = hg_error(HGATE_ENOKERNEL, "no plugin has a kernel to test");
        }
        if (status == CLI_DONE) {
            status = tell(&t);
        } else {
            drop(&t);
        }
    }
    cli_session_close(&session);
    return status == CLI_DONE && t.n_failed > 0 ? CLI_DIFFERS : status;
}
