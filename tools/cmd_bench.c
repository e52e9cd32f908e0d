/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate bench OP KEY=VALUE...: every kernel of an operation on one problem, side by side. */
#include "tools/bench.h"
#include "tools/command.h"
#include "tools/problem_arg.h"
#include "tools/progress.h"
#include "tools/report.h"

#include "core/base/text.h"

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
static int sort_out(cli_bench *bench, const char *list)
{
    int n = 0;
    for (int i = 0; i < bench->n_listed; i++) {
        const cli_runner runner = bench->runners[i];
        if (runner.is_yardstick) {
            bench->reference = runner;
            bench->has_reference = true;
        }
        if (is_wanted(&runner, list)) {
            bench->runners[n++] = runner;
        }
    }
    if (n == 0 && !list && bench->has_reference) {
        bench->runners[n++] = bench->reference; /* there is no other one */
    }
    bench->n = n;
    return n > 0 ? CLI_DONE
                 : hg_error(HGATE_ENOKERNEL, "%s: no plugin has a kernel that is wanted here",
                            bench->c->row->word);
}

/* The reference runs once: it is slow, and its time is of no interest. */
static int make_reference(cli_bench *bench, const cli_options *options)
{
    if (options->count[OPT_NO_VERIFY] || !bench->has_reference) {
        return CLI_DONE;
    }
    cli_runner_start(&bench->reference, bench->c, options);
    if (bench->reference.status == HGATE_OK) {
        bench->is_verified = true;
        const int status = cli_outputs_keep(&bench->expected, bench->c);
        cli_runner_stop(&bench->reference);
        return status;
    }
    cli_warn("not verified: %s/%s: %s", bench->reference.plugin, bench->reference.kernel,
             bench->reference.text);
    cli_runner_stop(&bench->reference);
    return CLI_DONE;
}

/* Turn by turn, A B A B: what disturbs the machine disturbs all kernels alike. */
static void time_all(cli_bench *bench, const cli_options *options)
{
    cli_progress progress;
    int n_done = 0;
    cli_progress_start(&progress, options, "timing");
    while (n_done < bench->n) {
        n_done = 0;
        for (int i = 0; i < bench->n; i++) {
            if (cli_runner_is_done(&bench->runners[i])) {
                n_done++;
            } else {
                cli_runner_time(&bench->runners[i]);
            }
            cli_progress_at(&progress, n_done, bench->n);
        }
    }
    cli_progress_end(&progress);
}

/* What the engine takes when nobody forces it. */
static int ask_choice(cli_bench *bench, const cli_session *session)
{
    cli_call call = {.form = CLI_EXPLAIN, .engine = session->engine, .exec = session->exec};
    const char *plugin = "", *kernel = "", *reason;
    DLTensor tensors[HGATE_MAX_ARGS];
    cli_case_arguments(bench->c, &call);
    cli_device_pretend(bench->c, tensors, &call);
    int status = bench->c->op->call(&call);
    if (status == HGATE_OK) {
        status = hgate_trace_choice(call.trace, &plugin, &kernel, &reason);
    }
    snprintf(bench->chosen_plugin, sizeof bench->chosen_plugin, "%s", plugin);
    snprintf(bench->chosen_kernel, sizeof bench->chosen_kernel, "%s", kernel);
    hgate_trace_free(call.trace);
    return status;
}

static int run(cli_bench *bench, const cli_options *options)
{
    cli_session session;
    int status = cli_case_open(bench->c, &session, options);
    if (status != CLI_DONE) {
        return status;
    }
    status = cli_runners_list(session.engine, bench->c->op->op, &bench->runners, &bench->n_listed);
    if (status == CLI_DONE) {
        status = sort_out(bench, options->text[OPT_KERNELS]);
    }
    if (status == CLI_DONE) {
        status = ask_choice(bench, &session);
    }
    if (status == CLI_DONE) {
        status = make_reference(bench, options);
    }
    for (int i = 0; status == CLI_DONE && i < bench->n; i++) {
        cli_runner_start(&bench->runners[i], bench->c, options);
        if (bench->is_verified) {
            cli_runner_judge(&bench->runners[i], bench->c, &bench->expected);
        }
    }
    if (status == CLI_DONE) {
        time_all(bench, options);
        status = cli_bench_tell(bench, options->count[OPT_JSON] > 0);
    }
    cli_runners_free(bench->runners, bench->n);
    cli_outputs_free(&bench->expected);
    cli_session_close(&session); /* last: the names of the kernels are its */
    return status;
}

int cmd_bench(const cli_options *options)
{
    cli_case c;
    cli_bench bench = {.c = &c};
    int status = cli_problem_read(&c, options->n_words, options->words);
    if (status == CLI_DONE) {
        status = cli_problem_shape(&c);
    }
    if (status == CLI_DONE) {
        status = cli_problem_fill(&c, options);
    }
    if (status == CLI_DONE) {
        status = cli_case_allocate(&c);
    }
    if (status == CLI_DONE) {
        status = run(&bench, options);
    }
    cli_case_free(&c);
    return status == CLI_DONE && bench.is_different ? CLI_DIFFERS : status;
}
