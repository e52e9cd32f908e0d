/* SPDX-License-Identifier: BSD-3-Clause */
/* Command line options: one table drives the parser, the help texts and the tests. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_opt {
    OPT_CONFIG,
    OPT_SET,
    OPT_BACKEND,
    OPT_OUTPUT,
    OPT_DEVICES,
    OPT_ASSUME_DEVICE,
    OPT_KERNELS,
    OPT_NO_VERIFY,
    OPT_REGRET,
    OPT_OP,
    OPT_ONLY_PLUGIN,
    OPT_TIME_LIMIT,
    OPT_KIND,
    OPT_X,
    OPT_Y,
    OPT_PROBE_ISOLATED,
    OPT_QUICK,
    OPT_PLUGIN,
    OPT_JSON,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_LOG_FILE,
    OPT_COLOR,
    OPT_HELP,
    OPT_VERSION,
    OPT_COUNT
} cli_opt;

/** A set of options, for the table of commands. */
typedef uint32_t cli_opt_mask;
#define CLI_OPT(which) ((cli_opt_mask)1 << (which))
/** What every command takes. */
#define CLI_COMMON                                                                                 \
    (CLI_OPT(OPT_CONFIG) | CLI_OPT(OPT_SET) | CLI_OPT(OPT_JSON) | CLI_OPT(OPT_QUIET) |             \
     CLI_OPT(OPT_VERBOSE) | CLI_OPT(OPT_LOG_FILE) | CLI_OPT(OPT_COLOR) | CLI_OPT(OPT_HELP) |       \
     CLI_OPT(OPT_VERSION))

typedef struct cli_options {
    const char *text[OPT_COUNT]; /* last argument of an option, NULL when it was not given */
    int count[OPT_COUNT];        /* how often it was given */
    const char **settings;       /* every argument of --set, in order */
    int n_settings;
    char **words; /* what is no option: n_words of them */
    int n_words;
} cli_options;

/** Reads argv[1...]; `allowed` are the options of the command. 0, CLI_USAGE or HGATE_ENOMEM. */
int cli_options_read(cli_options *options, cli_opt_mask allowed, int argc, char **argv);
/** Seconds of --time-limit ("60", "60s", "2m"); they stay where it was not given. CLI_USAGE. */
int cli_options_time_limit(const cli_options *options, double *seconds);
void cli_options_free(cli_options *options);

/** The lines of a help text for the options of a command. */
void cli_options_help(cli_opt_mask allowed, FILE *to);

#endif
