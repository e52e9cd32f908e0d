/* SPDX-License-Identifier: BSD-3-Clause */
/* One kernel on one problem: an engine that can choose nothing else, a plan, its times. */
#ifndef CLI_RUNNER_H
#define CLI_RUNNER_H

#include "tools/case_session.h"
#include "tools/compare.h"
#include "tools/device.h"

enum { CLI_RUNS = 1000 };

typedef struct cli_runner {
    const cli_op *op;
    const char *plugin, *kernel; /* belong to the engine that listed the kernels */
    bool is_yardstick;           /* the reference kernel that others are compared with */
    int status;                  /* of the last step; HGATE_OK: it runs */
    char text[512];              /* why it does not */
    cli_session session;
    cli_call call;
    cli_device device;             /* the arrays, where the problem is one of device memory */
    double predicted;              /* seconds; NaN: unknown */
    double terms[HGATE_MAX_TERMS]; /* work, as the estimate of the run counted it */
    bool is_staged;                /* arrays were copied to a device and back */
    double error, tolerance;       /* against the reference; NaN: not compared */
    int n_runs;
    double total;
    double seconds[CLI_RUNS];
} cli_runner;

/** The kernels of an operation that an engine has, as runners not yet started. The yardstick is the
 *  reference kernel of cpu-serial, or of another plugin where that one is not there. */
int cli_runners_list(const hgate_engine *engine, int op, cli_runner **runners, int *n);
void cli_runners_free(cli_runner *runners, int n);

/** Opens, plans and runs once. A refusal is kept in the runner and is no failure of this function,
 *  which only fails for want of memory. */
void cli_runner_start(cli_runner *runner, cli_case *c, const cli_options *options);
/** Compares the outputs of the last run. */
void cli_runner_judge(cli_runner *runner, const cli_case *c, const cli_outputs *reference);
/** Is an error beyond the tolerance? */
bool cli_runner_differs(const cli_runner *runner);
/** Runs once more and keeps the time. */
void cli_runner_time(cli_runner *runner);
/** Enough runs: at least five and 20 ms, the least time seen about three times, twice as many
 *  while they are noisy; or most_seconds. */
bool cli_runner_is_done(const cli_runner *runner, double most_seconds);
/** Is the least time not sure: unlike all others, or a fifth below the middle one? */
bool cli_runner_is_noisy(const cli_runner *runner);
double cli_runner_min(const cli_runner *runner);
double cli_runner_median(const cli_runner *runner);
/** Gives plan and engine back; times and error stay. */
void cli_runner_stop(cli_runner *runner);

#endif
