/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of options, and getopt_long() made from it. */
#include "tools/options.h"

#include "tools/report.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_row {
    char letter; /* 0: the long form only */
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *help;
} option_row;

static const option_row rows[OPT_COUNT] = {
    [OPT_CONFIG] = {'c', "config", "FILE", "read this configuration file"},
    [OPT_SET] = {'s', "set", "KEY=VALUE", "set one key; may be repeated"},
    [OPT_BACKEND] = {'b', "backend", "PLUGIN[/KERNEL]", "only this plugin, or this kernel"},
    [OPT_OUTPUT] = {'o', "output", "FILE", "where the result goes"},
    [OPT_DEVICES] = {0, "devices", "LIST", "divide the work: GPUs by number, or cpu: 0,1"},
    [OPT_ASSUME_DEVICE] = {0, "assume-device", "NAME|FILE",
                           "decide as if this GPU was there: a100, h200 or a file"},
    [OPT_KERNELS] = {0, "kernels", "LIST", "all, or PLUGIN/KERNEL,... (all but the reference)"},
    [OPT_NO_VERIFY] = {0, "no-verify", NULL, "do not compare with the reference kernel"},
    [OPT_REGRET] = {0, "regret", NULL, "measure the grids: choices against the best kernel"},
    [OPT_OP] = {0, "op", "OP", "only this operation"},
    [OPT_ONLY_PLUGIN] = {0, "plugin", "PLUGIN", "only kernels of this plugin"},
    [OPT_TIME_LIMIT] = {0, "time-limit", "SECONDS",
                        "no longer than this: tune 100s, a plugin's probe 30s"},
    [OPT_KIND] = {0, "kind", "KIND", "kernels, predicted, regret, overview, map, sizes"},
    [OPT_X] = {0, "x", "KEY", "horizontal axis of map or sizes"},
    [OPT_Y] = {0, "y", "KEY", "vertical axis of the map"},
    [OPT_PROBE_ISOLATED] = {0, "probe-isolated", NULL,
                            "try each plugin in a process of its own first"},
    [OPT_QUICK] = {0, "quick", NULL, "one problem of each operation"},
    [OPT_PLUGIN] = {0, "plugin", "FILE", "load this plugin file too, and test only it"},
    [OPT_JSON] = {0, "json", NULL, "one JSON document on stdout"},
    [OPT_QUIET] = {'q', "quiet", NULL, "no progress, no warnings"},
    [OPT_VERBOSE] = {'v', "verbose", NULL, "tell more; twice: debug"},
    [OPT_LOG_FILE] = {0, "log-file", "FILE", "the log goes to this file"},
    [OPT_COLOR] = {0, "color", "WHEN", "auto, never or always"},
    [OPT_HELP] = {'h', "help", NULL, "this text"},
    [OPT_VERSION] = {'V', "version", NULL, "version and licence"},
};

enum { LONG_BASE = 256 }; /* what getopt_long() returns for row i: LONG_BASE + i */

static void fill_tables(cli_opt_mask allowed, char *letters, struct option *longs)
{
    *letters++ = ':'; /* a missing argument is ':', not '?' */
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(allowed & CLI_OPT(i))) {
            continue;
        }
        const int has_argument = rows[i].argument ? required_argument : no_argument;
        *longs++ = (struct option){rows[i].name, has_argument, NULL, LONG_BASE + i};
        if (rows[i].letter) {
            *letters++ = rows[i].letter;
            if (rows[i].argument) {
                *letters++ = ':';
            }
        }
    }
    *letters = '\0';
    *longs = (struct option){0};
}

static int row_of(int found)
{
    if (found >= LONG_BASE) {
        return found - LONG_BASE;
    }
    for (int i = 0; i < OPT_COUNT; i++) {
        if (rows[i].letter == found) {
            return i;
        }
    }
    return -1;
}

static int check(const cli_options *options)
{
    const char *color = options->text[OPT_COLOR];
    if (color && strcmp(color, "auto") != 0 && strcmp(color, "never") != 0 &&
        strcmp(color, "always") != 0) {
        return cli_usage("--color is '%s', expected auto, never or always", color);
    }
    for (int i = 0; i < options->n_settings; i++) {
        if (!strchr(options->settings[i], '=')) {
            return cli_usage("--set '%s': expected KEY=VALUE", options->settings[i]);
        }
    }
    return CLI_DONE;
}

int cli_options_read(cli_options *options, cli_opt_mask allowed, int argc, char **argv)
{
    *options = (cli_options){0};
    options->settings = calloc((size_t)argc + 1, sizeof *options->settings);
    if (!options->settings) {
        return hg_error_memory("options", (size_t)argc * sizeof *options->settings);
    }
    char letters[2 * OPT_COUNT + 2];
    struct option longs[OPT_COUNT + 1];
    fill_tables(allowed, letters, longs);
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    int found;
    while ((found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const int which = row_of(found);
        if (found == ':') {
            return cli_usage("option '%s' needs an argument", argv[optind - 1]);
        }
        if (which < 0) {
            return optopt > 0 && optopt < LONG_BASE
                       ? cli_usage("unknown option '-%c'", optopt)
                       : cli_usage("unknown or ambiguous option '%s'", argv[optind - 1]);
        }
        options->count[which]++;
        options->text[which] = optarg;
        if (which == OPT_SET) {
            options->settings[options->n_settings++] = optarg;
        }
    }
    options->words = argv + optind;
    options->n_words = argc - optind;
    return check(options);
}

int cli_options_time_limit(const cli_options *options, double *seconds)
{
    const char *text = options->text[OPT_TIME_LIMIT];
    if (!text) {
        return CLI_DONE;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (end != text && strcmp(end, "m") == 0) {
        value *= 60;
    } else if (end == text || (*end && strcmp(end, "s") != 0)) {
        value = 0;
    }
    if (!(value > 0 && value < 1e6)) {
        return cli_usage("--time-limit is '%s', expected seconds as 60 or 60s, or minutes as 2m",
                         text);
    }
    *seconds = value;
    return CLI_DONE;
}

void cli_options_free(cli_options *options)
{
    free(options->settings);
    options->settings = NULL;
}

void cli_options_help(cli_opt_mask allowed, FILE *to)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(allowed & CLI_OPT(i))) {
            continue;
        }
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].argument ? " " : "",
                 rows[i].argument ? rows[i].argument : "");
        if (rows[i].letter) {
            fprintf(to, "  -%c, %-26s %s\n", rows[i].letter, left, rows[i].help);
        } else {
            fprintf(to, "      %-26s %s\n", left, rows[i].help);
        }
    }
}
