/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate bench OP KEY=VALUE...: every kernel of an operation on one problem, side by side; and
 * headgate bench --regret: what the engine chooses against what is best, over whole grids. */
#include "tools/bench.h"
#include "tools/command.h"
#include "tools/problem_arg.h"
#include "tools/report.h"

static int run(cli_case *c, const cli_options *options)
{
    cli_session session;
    cli_progress progress;
    int status = cli_case_open(c, &session, options);
    if (status != CLI_DONE) {
        return status;
    }
    cli_contest contest = {.c = c, .session = &session, .options = options, .most_seconds = 3.0};
    status = cli_contest_begin(&contest, options->text[OPT_KERNELS]);
    if (status == CLI_DONE && !options->count[OPT_NO_VERIFY]) {
        status = cli_contest_verify(&contest);
    }
    if (status == CLI_DONE) {
        cli_progress_start(&progress, options, "timing");
        cli_contest_run(&contest, &progress);
        cli_progress_end(&progress);
        status = cli_bench_tell(&contest, options->count[OPT_JSON] > 0);
    }
    cli_contest_end(&contest);
    cli_session_close(&session); /* last: the names of the kernels are its */
    return status;
}

static int bench_problem(const cli_options *options)
{
    cli_case c;
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
        status = run(&c, options);
    }
    cli_case_free(&c);
    return status;
}

int cmd_bench(const cli_options *options)
{
    if (!options->count[OPT_REGRET]) {
        return options->text[OPT_OP] ? cli_usage("--op is for --regret") : bench_problem(options);
    }
    return options->n_words > 0
               ? cli_usage("--regret takes its problems from the grids; --op OP limits them")
               : cli_bench_regret(options);
}
