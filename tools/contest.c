/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part, who was chosen, who is best. */
#include "tools/contest.h"

#include "core/base/text.h"
#include "core/route/trace.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

/* Is a kernel in the list of --kernels? Without a list: all but the reference. */
static bool is_wanted(const cli_runner *runner, const char *list)
{
    char name[128];
    hg_text text = hg_text_over(name, sizeof name);
    hg_text_printf(&text, "%s/%s", runner->plugin, runner->kernel);
    if (!list) {
        return !runner->is_yardstick;
    }
    if (strcmp(list, "all") == 0) {
        return true;
    }
    while (*list) {
        const size_t n = strcspn(list, ",");
        if ((n == strlen(name) && strncmp(list, name, n) == 0) ||
            (n == strlen(runner->plugin) && strncmp(list, runner->plugin, n) == 0)) {
            return true;
        }
        list += n + (list[n] == ',');
    }
    return false;
}

/* The wanted kernels to the front; a copy of the reference apart. */
static int sort_out(cli_contest *contest, const char *list)
{
    int n = 0;
    for (int i = 0; i < contest->n_listed; i++) {
        const cli_runner runner = contest->runners[i];
        if (runner.is_yardstick) {
            contest->reference = runner;
            contest->has_reference = true;
        }
        if (is_wanted(&runner, list)) {
            contest->runners[n++] = runner;
        }
    }
    if (n == 0 && !list && contest->has_reference) {
        contest->runners[n++] = contest->reference; /* there is no other one */
    }
    contest->n = n;
    return n > 0 ? CLI_DONE
                 : hg_error(HGATE_ENOKERNEL, "%s: no plugin has a kernel that is wanted here",
                            contest->c->row->word);
}

int cli_contest_ask(cli_contest *contest)
{
    const cli_session *session = contest->session;
    cli_call call = {.form = CLI_EXPLAIN, .engine = session->engine, .exec = session->exec};
    const char *plugin = "", *kernel = "", *reason;
    DLTensor tensors[HGATE_MAX_ARGS];
    cli_case_arguments(contest->c, &call);
    cli_device_pretend(contest->c, tensors, &call);
    int status = contest->c->op->call(&call);
    if (status == HGATE_OK) {
        status = hgate_trace_choice(call.trace, &plugin, &kernel, &reason);
    }
    hgate_trace_free(contest->trace);
    contest->trace = call.trace;
    snprintf(contest->chosen_plugin, sizeof contest->chosen_plugin, "%s", plugin);
    snprintf(contest->chosen_kernel, sizeof contest->chosen_kernel, "%s", kernel);
    return status;
}

double cli_contest_predicted(const cli_contest *contest, const char *plugin, const char *kernel)
{
    const hg_candidates list =
        contest->trace ? hg_trace_candidates(contest->trace) : (hg_candidates){0, NULL};
    for (int i = 0; i < list.n; i++) {
        if (strcmp(list.items[i].backend->plugin->name, plugin) == 0 &&
            strcmp(list.items[i].kernel->name, kernel) == 0) {
            return contest->trace->records[i].seconds;
        }
    }
    return NAN;
}

void cli_contest_drop_slow(cli_contest *contest, double longest)
{
    int n = 0;
    for (int i = 0; i < contest->n; i++) {
        const cli_runner runner = contest->runners[i];
        if (!(cli_contest_predicted(contest, runner.plugin, runner.kernel) > longest)) {
            contest->runners[n++] = runner;
        }
    }
    contest->n = n;
}

int cli_contest_begin(cli_contest *contest, const char *kernels)
{
    int status = cli_runners_list(contest->session->engine, contest->c->op->op, &contest->runners,
                                  &contest->n_listed);
    if (status == CLI_DONE) {
        status = sort_out(contest, kernels);
    }
    return status == CLI_DONE ? cli_contest_ask(contest) : status;
}

int cli_contest_verify(cli_contest *contest)
{
    int status = CLI_DONE;
    if (!contest->has_reference) {
        return status;
    }
    cli_runner_start(&contest->reference, contest->c, contest->options);
    if (contest->reference.status == HGATE_OK) {
        contest->is_verified = true;
        status = cli_outputs_keep(&contest->expected, contest->c);
    } else {
        cli_warn("not verified: %s/%s: %s", contest->reference.plugin, contest->reference.kernel,
                 contest->reference.text);
    }
    cli_runner_stop(&contest->reference);
    return status;
}

/* A B A B, not A A B B: what disturbs the machine disturbs all kernels alike. */
static void time_all(cli_contest *contest, cli_progress *progress)
{
    int n_done = 0;
    while (n_done < contest->n) {
        n_done = 0;
        for (int i = 0; i < contest->n; i++) {
            if (cli_runner_is_done(&contest->runners[i], contest->most_seconds)) {
                n_done++;
            } else {
                cli_runner_time(&contest->runners[i]);
            }
            cli_progress_at(progress, n_done, contest->n);
        }
    }
}

void cli_contest_run(cli_contest *contest, cli_progress *progress)
{
    for (int i = 0; i < contest->n; i++) {
        cli_runner_start(&contest->runners[i], contest->c, contest->options);
        if (contest->is_verified) {
            cli_runner_judge(&contest->runners[i], contest->c, &contest->expected);
        }
    }
    time_all(contest, progress);
}

void cli_contest_end(cli_contest *contest)
{
    hgate_trace_free(contest->trace);
    contest->trace = NULL;
    cli_runners_free(contest->runners, contest->n);
    cli_outputs_free(&contest->expected);
}

bool cli_contest_is_chosen(const cli_contest *contest, const cli_runner *runner)
{
    return strcmp(runner->plugin, contest->chosen_plugin) == 0 &&
           strcmp(runner->kernel, contest->chosen_kernel) == 0;
}

static bool has_run(const cli_runner *runner)
{
    return runner->status == HGATE_OK && runner->n_runs > 0;
}

const cli_runner *cli_contest_chosen(const cli_contest *contest)
{
    for (int i = 0; i < contest->n; i++) {
        if (has_run(&contest->runners[i]) && cli_contest_is_chosen(contest, &contest->runners[i])) {
            return &contest->runners[i];
        }
    }
    return NULL;
}

const cli_runner *cli_contest_best(const cli_contest *contest)
{
    const cli_runner *best = NULL;
    for (int i = 0; i < contest->n; i++) {
        const cli_runner *runner = &contest->runners[i];
        if (has_run(runner) && (!best || cli_runner_min(runner) < cli_runner_min(best))) {
            best = runner;
        }
    }
    return best;
}

double cli_contest_regret(const cli_contest *contest)
{
    const cli_runner *best = cli_contest_best(contest), *chosen = cli_contest_chosen(contest);
    return best && chosen ? cli_runner_min(chosen) / cli_runner_min(best) : NAN;
}
