/* SPDX-License-Identifier: BSD-3-Clause */
/* Forcing one kernel, running it, timing it. */
#include "tools/runner.h"

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/route/trace.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cli_runners_list(const hgate_engine *engine, int op, cli_runner **out, int *n)
{
    const int count = hgate_kernel_count(engine, op);
    int yardstick = -1;
    cli_runner *runners = hg_calloc(NULL, (size_t)count + 1, sizeof *runners);
    if (!runners) {
        return hg_error_memory("kernels", (size_t)count * sizeof *runners);
    }
    for (int i = 0; i < count; i++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        const int status = hgate_kernel_get(engine, op, i, &info);
        if (status != HGATE_OK) {
            hg_free(NULL, runners);
            return status;
        }
        runners[i].plugin = info.plugin;
        runners[i].kernel = info.name;
        if (info.flags & HGATE_KERNEL_REFERENCE &&
            (yardstick < 0 || strcmp(info.plugin, "cpu-serial") == 0)) {
            yardstick = i;
        }
        runners[i].predicted = NAN;
        runners[i].error = NAN;
    }
    if (yardstick >= 0) {
        runners[yardstick].is_yardstick = true;
    }
    *out = runners;
    *n = count;
    return HGATE_OK;
}

void cli_runners_free(cli_runner *runners, int n)
{
    for (int i = 0; runners && i < n; i++) {
        cli_runner_stop(&runners[i]);
    }
    hg_free(NULL, runners);
}

/* Where no kernel may serve, the message tells each one's reason; that of the forced one counts. */
static void keep_failure(cli_runner *runner, int status)
{
    char name[128];
    hg_text own = hg_text_over(name, sizeof name);
    hg_text_printf(&own, " %s/%s: ", runner->plugin, runner->kernel);
    const char *message = hgate_last_error();
    const char *reason = status == HGATE_ENOKERNEL ? strstr(message, name) : NULL;
    message = reason ? reason + own.length : message;
    const char *end = reason ? strstr(message, "; ") : NULL;
    hg_text text = hg_text_over(runner->text, sizeof runner->text);
    hg_text_put_n(&text, message, end ? (size_t)(end - message) : strlen(message));
    runner->status = status;
}

/* A kernel that wrote behind an array of the case may have done so anywhere. */
static int check_ends(const cli_runner *runner, cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++) {
        if (cli_array_was_overrun(&c->arrays[i])) {
            return hg_error(HGATE_EPLUGIN, "%s/%s: wrote behind the end of %s", runner->plugin,
                            runner->kernel, c->row->args[i].name);
        }
    }
    return HGATE_OK;
}

static int run_once(cli_runner *runner, double *seconds)
{
    runner->call.form = CLI_RUN;
    const double start = hg_now();
    int status = runner->op->call(&runner->call);
    if (status == HGATE_OK) {
        status = hgate_exec_sync(runner->session.exec);
    }
    *seconds = hg_now() - start;
    return status;
}

/* What the decision behind the last run had counted and predicted. */
static void read_prediction(cli_runner *runner)
{
    const hgate_trace *trace = NULL;
    if (hgate_exec_last_trace(runner->session.exec, &trace) != HGATE_OK) {
        return;
    }
    const int served = hg_trace_served(trace);
    if (served >= 0) {
        runner->predicted = trace->records[served].seconds;
        runner->is_staged = trace->records[served].is_staged;
        memcpy(runner->terms, trace->records[served].cost.terms, sizeof runner->terms);
    }
}

/* The yardstick is a kernel of the host, whatever it is compared with. */
static bool is_on_device(const cli_runner *runner, const cli_case *c)
{
    return c->device >= 0 && !runner->is_yardstick;
}

void cli_runner_start(cli_runner *runner, cli_case *c, const cli_options *options)
{
    char kernel[128];
    hg_text text = hg_text_over(kernel, sizeof kernel);
    hg_text_printf(&text, "%s/%s", runner->plugin, runner->kernel);
    runner->op = c->op;
    int status = cli_case_open_forced(c, &runner->session, options, kernel);
    if (status == HGATE_OK) {
        runner->call = (cli_call){
            .form = CLI_PLAN, .engine = runner->session.engine, .exec = runner->session.exec};
        cli_case_arguments(c, &runner->call);
        cli_outputs_poison(c);
    }
    if (status == HGATE_OK && is_on_device(runner, c)) {
        status = cli_device_place(&runner->device, c, runner->session.engine, runner->plugin,
                                  &runner->call);
    }
    if (status == HGATE_OK) {
        status = c->op->call(&runner->call);
    }
    if (status == HGATE_OK) {
        double warm_up;
        status = run_once(runner, &warm_up);
    }
    if (status == HGATE_OK) {
        status = cli_device_fetch(&runner->device, c);
    }
    if (status == HGATE_OK) {
        status = check_ends(runner, c);
    }
    if (status == HGATE_OK) {
        read_prediction(runner);
    } else {
        keep_failure(runner, status);
    }
}

void cli_runner_judge(cli_runner *runner, const cli_case *c, const cli_outputs *reference)
{
    if (runner->status == HGATE_OK) {
        runner->error = cli_outputs_error(c, reference);
        runner->tolerance = cli_outputs_tolerance(c);
    }
}

bool cli_runner_differs(const cli_runner *runner)
{
    return runner->status == HGATE_OK && runner->error > runner->tolerance;
}

void cli_runner_time(cli_runner *runner)
{
    double seconds;
    const int status = run_once(runner, &seconds);
    if (status != HGATE_OK) {
        keep_failure(runner, status);
    } else if (runner->n_runs < CLI_RUNS) {
        runner->seconds[runner->n_runs++] = seconds;
        runner->total += seconds;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cli_runner_min(const cli_runner *runner)
{
    double least = runner->n_runs > 0 ? runner->seconds[0] : NAN;
    for (int i = 1; i < runner->n_runs; i++) {
        least = fmin(least, runner->seconds[i]);
    }
    return least;
}

double cli_runner_median(const cli_runner *runner)
{
    double sorted[CLI_RUNS];
    if (runner->n_runs == 0) {
        return NAN;
    }
    memcpy(sorted, runner->seconds, (size_t)runner->n_runs * sizeof sorted[0]);
    qsort(sorted, (size_t)runner->n_runs, sizeof sorted[0], ascending);
    return 0.5 * (sorted[(runner->n_runs - 1) / 2] + sorted[runner->n_runs / 2]);
}

/* The least time counts once two more runs came close to it: a busy neighbour lengthens runs, and
 * none is shortened. */
static bool is_confirmed(const cli_runner *runner)
{
    enum { WITNESSES = 3 };
    const double close = 1.1 * cli_runner_min(runner);
    int n = 0;
    for (int i = 0; i < runner->n_runs && n < WITNESSES; i++) {
        n += runner->seconds[i] <= close;
    }
    return n == WITNESSES;
}

bool cli_runner_is_noisy(const cli_runner *runner)
{
    return !is_confirmed(runner) || cli_runner_median(runner) > 1.2 * cli_runner_min(runner);
}

bool cli_runner_is_done(const cli_runner *runner, double most_seconds)
{
    enum { LEAST_RUNS = 5, PATIENCE = 2 };
    const double least_seconds = 0.02;
    if (runner->status != HGATE_OK || runner->n_runs == CLI_RUNS || runner->total >= most_seconds) {
        return true;
    }
    if (runner->n_runs < LEAST_RUNS || runner->total < least_seconds || !is_confirmed(runner)) {
        return false;
    }
    return (runner->n_runs >= PATIENCE * LEAST_RUNS && runner->total >= PATIENCE * least_seconds) ||
           !cli_runner_is_noisy(runner);
}

void cli_runner_stop(cli_runner *runner)
{
    hgate_plan_free(runner->call.plan);
    runner->call.plan = NULL;
    cli_device_free(&runner->device);
    cli_session_close(&runner->session);
}
