// SPDX-License-Identifier: BSD-3-Clause
// Any list of arguments, one a line: read as options of any command, as a problem, as settings.
#include "core/base/error.h"
#include "tests/fuzz/fuzz.h"
#include "tools/options.h"
#include "tools/problem_arg.h"
#include "tools/report.h"
#include "tools/session.h"

#include <string.h>

const char *const fuzz_corpus[] = {"tests/fuzz/corpus/command_line", NULL};
const fuzz_limit fuzz_limits = {0.5, 64 << 20};

enum { MAX_WORDS = 64 };

// curvature is told apart: its mask is made when it is shaped, at any size that was asked for.
static void read_problem(const cli_options *options)
{
    cli_case c;
    int status = cli_problem_read(&c, options->n_words, options->words);
    if (status == CLI_DONE && c.op->op != HGATE_OP_CURVATURE) {
        status = cli_problem_shape(&c);
    }
    const int code = cli_exit_code(status);
    fuzz_require(code == CLI_DONE || code == CLI_USAGE || code == CLI_DATA || code == CLI_NO_MEMORY,
                 hgate_last_error());
    cli_case_free(&c);
}

static void read_settings(const cli_options *options)
{
    hgate_config *config = NULL;
    const int status = cli_session_config(options, "emi", NULL, 0, &config);
    const int code = cli_exit_code(status);
    fuzz_require((status == CLI_DONE) == (config != NULL), "a status and its result");
    fuzz_require(code == CLI_DONE || code == CLI_USAGE || code == CLI_CONFIG ||
                     code == CLI_NO_INPUT,
                 hgate_last_error());
    hgate_config_free(config);
}

void fuzz_one(const uint8_t *data, size_t n)
{
    char *argv[MAX_WORDS + 2] = {NULL};
    int argc = 1;
    char name[] = "command", *text = malloc(n + 1);
    fuzz_require(text, "memory");
    memcpy(text, data, n);
    text[n] = '\0';
    argv[0] = name;
    for (char *at = text; *at && argc <= MAX_WORDS; argc++) {
        argv[argc] = at;
        at += strcspn(at, "\n");
        at += *at ? (*at = '\0', 1) : 0;
    }
    cli_options options;
    const int status = cli_options_read(&options, ~(cli_opt_mask)0, argc, argv);
    fuzz_require(status == CLI_DONE || status == CLI_USAGE, hgate_last_error());
    if (status == CLI_DONE) {
        read_settings(&options);
        if (options.n_words > 0) {
            read_problem(&options);
        }
    }
    cli_options_free(&options);
    free(text);
}
