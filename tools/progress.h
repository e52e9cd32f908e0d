/* SPDX-License-Identifier: BSD-3-Clause */
/* How far long work is: a bar on a terminal, else a line now and then. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "tools/options.h"

typedef struct cli_progress {
    const char *label;
    bool is_bar, is_silent;
    bool is_drawn; /* something is on the line that has to be erased */
    double start, last;
} cli_progress;

void cli_progress_start(cli_progress *progress, const cli_options *options, const char *label);
/** Quick enough for inner loops: looks at the clock, seldom draws. NULL: nothing. */
void cli_progress_at(cli_progress *progress, int64_t done, int64_t total);
/** Erases the bar. */
void cli_progress_end(cli_progress *progress);

#endif
