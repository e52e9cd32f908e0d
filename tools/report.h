/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes of the command, and how a failure reaches the user.
 *
 * Functions of the command return 0, a negative status of the library, or one of these exit codes.
 * The text beside it is kept with hg_error() and printed once, by cli_report(). */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "core/base/error.h"

#include <stdbool.h>

/** The numbers of sysexits.h, by what they mean here. */
enum cli_exit {
    CLI_DONE = 0,
    CLI_DIFFERS = 1,      /* a selftest or a comparison failed */
    CLI_USAGE = 64,       /* wrong command line */
    CLI_DATA = 65,        /* input refused */
    CLI_NO_INPUT = 66,    /* input file cannot be opened */
    CLI_UNAVAILABLE = 69, /* no kernel, plugin or feature for it */
    CLI_INTERNAL = 70,    /* a fault of the library, a plugin or a device */
    CLI_NO_MEMORY = 71,
    CLI_CANNOT_WRITE = 73,
    CLI_CONFIG = 78 /* wrong configuration */
};

/** Added to an exit code by a command whose JSON document has told the failure already. */
enum { CLI_TOLD = 256 };

/** Exit code of a status of the library or of an exit code itself. */
int cli_exit_code(int status);

/** Keeps a usage message and returns CLI_USAGE. */
int cli_usage(const char *format, ...) HG_PRINTF(1, 2);

/** Prints the failure to stderr (and, for is_json, as a document to stdout); returns its exit code.
 *  command may be NULL. CLI_DIFFERS has been told by the command itself and prints nothing. */
int cli_report(const char *command, int status, bool is_json);

/** One line on stderr: "headgate: warning: ...". */
void cli_warn(const char *format, ...) HG_PRINTF(1, 2);

#endif
