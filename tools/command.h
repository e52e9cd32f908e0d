/* SPDX-License-Identifier: BSD-3-Clause */
/* The sub-commands of headgate. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "tools/options.h"

typedef struct cli_command {
    const char *name;
    const char *arguments; /* as in the first line of the help text */
    const char *summary;   /* one line */
    cli_opt_mask options;  /* beside CLI_COMMON */
    int (*run)(const cli_options *options);
    /* More help, for instance on an operation that was named; NULL: none. */
    int (*help)(const cli_options *options, FILE *to);
} cli_command;

int cmd_info(const cli_options *options);
int cmd_config(const cli_options *options);
int cmd_config_help(const cli_options *options, FILE *to);
int cmd_generate(const cli_options *options);
int cmd_run(const cli_options *options);
int cmd_run_help(const cli_options *options, FILE *to);
int cmd_explain(const cli_options *options);
int cmd_bench(const cli_options *options);
int cmd_plot(const cli_options *options);
int cmd_tune(const cli_options *options);
int cmd_selftest(const cli_options *options);
/** KEY=VALUE of the operation that the words name, for generate, explain and bench. */
int cmd_problem_help(const cli_options *options, FILE *to);

#endif
