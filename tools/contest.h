/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of an operation against each other on one problem. */
#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include "tools/progress.h"
#include "tools/runner.h"

typedef struct cli_contest {
    cli_case *c;                /* filled, outputs allocated */
    const cli_session *session; /* an engine that chooses freely */
    const cli_options *options; /* for the engines of the single kernels */
    cli_runner *runners;        /* n of them take part */
    int n, n_listed;
    cli_runner reference;
    bool has_reference, is_verified;
    cli_outputs expected; /* what the reference gave */
    char chosen_plugin[64], chosen_kernel[64];
    hgate_trace *trace;  /* of the choice; whoever wants to keep it takes it out */
    double most_seconds; /* on one kernel */
} cli_contest;

/** Lists the kernels that take part and asks the engine for its choice. kernels: "all", a list of
 *  PLUGIN and PLUGIN/KERNEL, or NULL for all but the reference, unless it is the only one.
 *  HGATE_ENOKERNEL where none is left. */
int cli_contest_begin(cli_contest *contest, const char *kernels);
/** Runs the reference once, so that the others are compared with it. */
int cli_contest_verify(cli_contest *contest);
/** Runs and times all, turn by turn. Kernels that refuse keep their reason. */
void cli_contest_run(cli_contest *contest, cli_progress *progress);
void cli_contest_end(cli_contest *contest);

/** What the engine takes by itself; "" where nothing can serve. */
int cli_contest_ask(cli_contest *contest);
/** What it predicts for a kernel; NaN. */
double cli_contest_predicted(const cli_contest *contest, const char *plugin, const char *kernel);
/** Takes out kernels for which it predicts more seconds; not yet started. */
void cli_contest_drop_slow(cli_contest *contest, double longest);
/** Is it the kernel that the engine chose? */
bool cli_contest_is_chosen(const cli_contest *contest, const cli_runner *runner);
/** The chosen and the quickest of those that ran; NULL: none. */
const cli_runner *cli_contest_chosen(const cli_contest *contest);
const cli_runner *cli_contest_best(const cli_contest *contest);
/** Seconds of the chosen over those of the best; NaN where one of them did not run. */
double cli_contest_regret(const cli_contest *contest);

#endif
