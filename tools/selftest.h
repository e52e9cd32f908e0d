/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a selftest, its problems and its report. */
#ifndef CLI_SELFTEST_H
#define CLI_SELFTEST_H

#include "tools/document.h"
#include "tools/runner.h"
#include "tools/table.h"

/** "OP KEY=VALUE ..."; the first of each operation is the one of --quick. Ends with NULL. */
extern const char *const cli_selftest_problems[];

typedef struct cli_selftest {
    const cli_options *options;
    const char *only;      /* name of that plugin; NULL: all */
    cli_document document; /* rows, with --json */
    cli_table table;       /* rows, without: the failed ones */
    int n_passed, n_failed, n_refused;
} cli_selftest;

void cli_selftest_begin(cli_selftest *t);
/** One kernel on one problem. */
void cli_selftest_note(cli_selftest *t, const char *problem, const char *dtype,
                       const cli_runner *runner);
/** A plugin that could not be tried, as a failure. */
void cli_selftest_note_lost(cli_selftest *t, const hgate_plugin_info *plugin);
/** Prints what was noted. */
int cli_selftest_tell(cli_selftest *t);
/** Frees it unprinted. */
void cli_selftest_drop(cli_selftest *t);

#endif
