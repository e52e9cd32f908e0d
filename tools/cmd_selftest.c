/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate selftest: each kernel of each plugin against the reference, on small problems or one
 * that is named. */
#include "tools/command.h"
#include "tools/problem_arg.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/selftest.h"
#include "tools/trial.h"

#include "core/base/alloc.h"
#include "core/base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24, LONGEST = 512 }; /* of a problem: its words, its characters */

/* ---- one problem ------------------------------------------------------------------------- */

static int make_case(cli_case *c, const char *problem, const char *dtype)
{
    char text[LONGEST + sizeof " dtype=f64"];
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

static int run_reference(cli_selftest *t, cli_case *c, cli_runner *runners, int n,
                         cli_outputs *expected, const char *problem, const char *dtype)
{
    for (int i = 0; i < n; i++) {
        if (runners[i].is_yardstick) {
            cli_runner_start(&runners[i], c, t->options);
            const int status =
                runners[i].status == HGATE_OK ? cli_outputs_keep(expected, c) : runners[i].status;
            if (runners[i].status != HGATE_OK) {
                cli_selftest_note(t, problem, dtype, &runners[i]);
            }
            cli_runner_stop(&runners[i]);
            return status;
        }
    }
    return hg_error(HGATE_ENOKERNEL, "%s: no plugin has a reference kernel", c->row->word);
}

static int run_problem(cli_selftest *t, const hgate_engine *engine, const char *problem,
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
            cli_selftest_note(t, problem, dtype, &runners[i]);
            cli_runner_stop(&runners[i]);
        }
    }
    cli_outputs_free(&expected);
    cli_runners_free(runners, n);
    cli_case_free(&c);
    return status;
}

/* ---- the problem that is named ------------------------------------------------------------ */

static int run_named(cli_selftest *t, const hgate_engine *engine)
{
    const cli_options *options = t->options;
    static const char *const dtypes[] = {"f32", "f64"};
    char problem[LONGEST];
    hg_text text = hg_text_over(problem, sizeof problem);
    size_t length = 0;
    for (int i = 0; i < options->n_words; i++) {
        length += strlen(options->words[i]) + 1;
        hg_text_printf(&text, "%s%s", i ? " " : "", options->words[i]);
    }
    if (options->count[OPT_QUICK]) {
        return cli_usage("--quick is for the problems that selftest brings");
    }
    if (options->n_words >= MAX_WORDS || length > sizeof problem) {
        return cli_usage("the problem has too many words");
    }
    int status = CLI_DONE;
    for (int k = 0; status == CLI_DONE && k < 2; k++) {
        status = run_problem(t, engine, problem, dtypes[k]);
    }
    return status;
}

/* ---- all problems ------------------------------------------------------------------------ */

static bool is_same_op(const char *a, const char *b)
{
    const size_t n = strcspn(a, " ");
    return n == strcspn(b, " ") && strncmp(a, b, n) == 0;
}

static int run_all(cli_selftest *t, const hgate_engine *engine)
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

/* The name of the plugin that a file turned out to be. */
static int find_plugin(cli_selftest *t, const hgate_engine *engine, const char *file)
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

/* A plugin that ends its process, or hangs, has failed, whatever its kernels could do. */
static void note_lost_plugins(cli_selftest *t, const hgate_engine *engine)
{
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        hgate_plugin_info info = {.struct_size = sizeof info};
        if (hgate_plugin_get(engine, i, &info) == HGATE_OK && cli_trial_failed(info.path)) {
            cli_selftest_note_lost(t, &info);
        }
    }
}

int cmd_selftest(const cli_options *options)
{
    cli_selftest t = {.options = options};
    cli_session session;
    int status = cli_trial_start(options);
    if (status == CLI_DONE) {
        status = cli_session_open(&session, options, NULL, NULL, 0);
    }
    if (status != CLI_DONE) {
        return status;
    }
    if (options->text[OPT_PLUGIN]) {
        status = find_plugin(&t, session.engine, options->text[OPT_PLUGIN]);
    }
    if (status == CLI_DONE) {
        cli_selftest_begin(&t);
        if (!t.only) {
            note_lost_plugins(&t, session.engine);
        }
        status = options->n_words > 0 ? run_named(&t, session.engine) : run_all(&t, session.engine);
        if (status == CLI_DONE && t.n_passed + t.n_failed + t.n_refused == 0) {
            status = hg_error(HGATE_ENOKERNEL, "no plugin has a kernel to test");
        }
        if (status == CLI_DONE) {
            status = cli_selftest_tell(&t);
        } else {
            cli_selftest_drop(&t);
        }
    }
    cli_session_close(&session);
    return status == CLI_DONE && t.n_failed > 0 ? CLI_DIFFERS : status;
}
