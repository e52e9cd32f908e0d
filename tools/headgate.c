/* SPDX-License-Identifier: BSD-3-Clause */
/* The command `headgate`: the table of sub-commands, and nothing that one of them does. */
#include "tools/command.h"
#include "tools/report.h"
#include "tools/signals.h"

#include <headgate/headgate.h>
#include <string.h>

static const cli_command commands[] = {
    {"info", "", "machine, plugins, kernels, and why a plugin is not used",
     CLI_OPT(OPT_PROBE_ISOLATED) | CLI_OPT(OPT_TIME_LIMIT), cmd_info, NULL},
    {"config", "check FILE | show | list", "check a configuration file, print settings or keys", 0,
     cmd_config, cmd_config_help},
    {"generate", "OP [KEY=VALUE...] -o IN.h5", "write realistic input of any size",
     CLI_OPT(OPT_OUTPUT), cmd_generate, cmd_problem_help},
    {"run", "OP IN.h5 -o OUT.h5", "run an operation on the arrays of a file",
     CLI_OPT(OPT_OUTPUT) | CLI_OPT(OPT_BACKEND) | CLI_OPT(OPT_DEVICES), cmd_run, cmd_run_help},
    {"explain", "OP [KEY=VALUE...]", "tell which kernel would run and why; runs nothing",
     CLI_OPT(OPT_BACKEND) | CLI_OPT(OPT_ASSUME_DEVICE), cmd_explain, cmd_problem_help},
    {"bench", "OP [KEY=VALUE...] | --regret", "time every kernel of an operation on one problem",
     CLI_OPT(OPT_KERNELS) | CLI_OPT(OPT_NO_VERIFY) | CLI_OPT(OPT_REGRET) | CLI_OPT(OPT_OP),
     cmd_bench, cmd_problem_help},
    {"tune", "", "measure the constants of the cost model on this machine",
     CLI_OPT(OPT_ONLY_PLUGIN) | CLI_OPT(OPT_OP) | CLI_OPT(OPT_TIME_LIMIT) | CLI_OPT(OPT_OUTPUT),
     cmd_tune, NULL},
    {"plot", "FILE.json... -o OUT.svg|OUT.png", "draw what bench and tune wrote with --json",
     CLI_OPT(OPT_OUTPUT) | CLI_OPT(OPT_KIND) | CLI_OPT(OPT_OP) | CLI_OPT(OPT_X) | CLI_OPT(OPT_Y),
     cmd_plot, NULL},
    {"selftest", "[OP [KEY=VALUE...]]", "compare every kernel with the reference on small problems",
     CLI_OPT(OPT_QUICK) | CLI_OPT(OPT_PLUGIN) | CLI_OPT(OPT_TIME_LIMIT), cmd_selftest,
     cmd_problem_help},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(void)
{
    printf("Usage: headgate COMMAND [OPTIONS] [ARGUMENTS]\n\n"
           "Runs curvature, phase-linking, visibility and Kirchhoff operations on the kernel that\n"
           "suits the problem and the machine, and tells why.\n\nCommands:\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    }
    printf("\n'headgate COMMAND --help' tells more about one of them.\n");
}

static void print_version(void)
{
    printf("headgate %s\nLicence: BSD-3-Clause\n", hgate_version());
}

static int print_help(const cli_command *command, const cli_options *options)
{
    printf("Usage: headgate %s%s%s [OPTIONS]\n\n  %s\n", command->name,
           command->arguments[0] ? " " : "", command->arguments, command->summary);
    if (command->help) {
        const int status = command->help(options, stdout);
        if (status != CLI_DONE) {
            return status;
        }
    }
    printf("\nOptions:\n");
    cli_options_help(command->options | CLI_COMMON, stdout);
    return CLI_DONE;
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    cli_options options;
    int status = cli_options_read(&options, command->options | CLI_COMMON, argc, argv);
    const bool is_json = options.count[OPT_JSON] > 0;
    if (status == CLI_DONE) {
        if (options.count[OPT_HELP]) {
            status = print_help(command, &options);
        } else if (options.count[OPT_VERSION]) {
            print_version();
        } else {
            status = command->run(&options);
        }
    }
    cli_options_free(&options);
    return cli_report(command->name, status, is_json);
}

static const cli_command *find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int start(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        return cli_report(NULL, cli_usage("no command given"), false);
    }
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        print_usage();
        return CLI_DONE;
    }
    if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
        print_version();
        return CLI_DONE;
    }
    const cli_command *command = find_command(word);
    if (!command) {
        return cli_report(NULL, cli_usage("unknown command '%s'", word), false);
    }
    return run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    cli_signals_start();
    const int code = start(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return cli_report(NULL, hg_error(CLI_CANNOT_WRITE, "stdout: cannot write"), false);
    }
    return code;
}
