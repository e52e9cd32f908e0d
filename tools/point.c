/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring points of a grid, and the regret of the choices there. */
#include "tools/point.h"

#include "core/base/alloc.h"
#include "tools/problem_arg.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 16 };

/* A filled case from "OP KEY=VALUE ...". */
static int make_case(cli_case *c, const char *problem, const cli_options *options)
{
    char text[256];
    char *words[MAX_WORDS], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", problem);
    for (char *word = strtok_r(text, " ", &rest); word && n < MAX_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
    }
    int status = cli_problem_read(c, n, words);
    if (status == CLI_DONE) {
        status = cli_problem_shape(c);
    }
    if (status == CLI_DONE) {
        status = cli_problem_fill(c, options);
    }
    return status == CLI_DONE ? cli_case_allocate(c) : status;
}

static int find(const cli_point *point, const char *plugin, const char *kernel)
{
    for (int i = 0; i < point->n; i++) {
        if (strcmp(point->kernels[i].plugin, plugin) == 0 &&
            strcmp(point->kernels[i].kernel, kernel) == 0) {
            return i;
        }
    }
    return -1;
}

static int keep(cli_point *point, const cli_contest *contest)
{
    point->kernels = hg_calloc(NULL, (size_t)contest->n + 1, sizeof *point->kernels);
    if (!point->kernels) {
        return hg_error_memory("points", (size_t)contest->n * sizeof *point->kernels);
    }
    for (int i = 0; i < contest->n; i++) {
        const cli_runner *runner = &contest->runners[i];
        if (runner->status == HGATE_OK && runner->n_runs > 0) {
            cli_timed *timed = &point->kernels[point->n++];
            *timed = (cli_timed){.plugin = runner->plugin,
                                 .kernel = runner->kernel,
                                 .seconds = cli_runner_min(runner),
                                 .predicted = runner->predicted,
                                 .is_noisy = cli_runner_is_noisy(runner),
                                 .is_staged = runner->is_staged,
                                 .is_yardstick = runner->is_yardstick};
            memcpy(timed->terms, runner->terms, sizeof timed->terms);
        }
    }
    for (int i = 0; i < point->n; i++) {
        const cli_timed *timed = &point->kernels[i];
        if (!timed->is_yardstick &&
            (point->best < 0 || timed->seconds < point->kernels[point->best].seconds)) {
            point->best = i;
        }
    }
    point->chosen = find(point, contest->chosen_plugin, contest->chosen_kernel);
    return CLI_DONE;
}

/* Progress is told by points, not within one. */
static cli_options quiet(const cli_options *options)
{
    cli_options copy = *options;
    copy.count[OPT_QUIET] = 1;
    return copy;
}

/* Nothing to measure, by the machine or by the settings. */
static bool is_unserved(int status)
{
    return status == HGATE_ENOKERNEL || status == HGATE_EDISABLED;
}

int cli_point_measure(cli_point *point, const char *problem, const cli_session *session,
                      const cli_options *options, const cli_point_rules *rules)
{
    cli_case c;
    const cli_options silent = quiet(options);
    *point = (cli_point){.problem = problem, .chosen = -1, .chosen_before = -1, .best = -1};
    int status = make_case(&c, problem, &silent);
    if (status == CLI_DONE) {
        cli_contest contest = {
            .c = &c, .session = session, .options = &silent, .most_seconds = rules->most_seconds};
        point->op = c.op->op;
        status = cli_contest_begin(&contest, rules->kernels);
        if (status == CLI_DONE) {
            cli_contest_drop_slow(&contest, rules->longest);
            cli_contest_run(&contest, NULL);
            status = keep(point, &contest);
            point->trace = contest.trace;
            contest.trace = NULL;
        } else if (is_unserved(status)) {
            status = CLI_DONE;
        }
        cli_contest_end(&contest);
    }
    cli_case_free(&c);
    return status;
}

int cli_point_ask(cli_point *point, const cli_session *session, const cli_options *options)
{
    cli_case c;
    const cli_options silent = quiet(options);
    int status = make_case(&c, point->problem, &silent);
    if (status == CLI_DONE) {
        cli_contest contest = {.c = &c, .session = session, .options = &silent};
        status = cli_contest_ask(&contest);
        point->chosen_before = point->chosen;
        point->chosen = find(point, contest.chosen_plugin, contest.chosen_kernel);
        for (int i = 0; i < point->n; i++) {
            point->kernels[i].predicted =
                cli_contest_predicted(&contest, point->kernels[i].plugin, point->kernels[i].kernel);
        }
        hgate_trace_free(contest.trace);
    }
    cli_case_free(&c);
    return status;
}

void cli_point_free(cli_point *point)
{
    hgate_trace_free(point->trace);
    hg_free(NULL, point->kernels);
    *point = (cli_point){0};
}

/* Only where kernels that can be chosen by their cost are two or more. */
static double regret_of(const cli_point *point, int chosen)
{
    int n = 0;
    for (int i = 0; i < point->n; i++) {
        n += !point->kernels[i].is_yardstick;
    }
    return n < 2 || chosen < 0
               ? NAN
               : point->kernels[chosen].seconds / point->kernels[point->best].seconds;
}

double cli_point_regret(const cli_point *point)
{
    return regret_of(point, point->chosen);
}

double cli_point_regret_before(const cli_point *point)
{
    return regret_of(point, point->chosen_before);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int cli_points_spread(const cli_point *points, int n, double (*regret)(const cli_point *point),
                      cli_spread *spread)
{
    double *regrets = hg_calloc(NULL, (size_t)n + 1, sizeof *regrets);
    int count = 0, small = 0, medium = 0;
    if (!regrets) {
        return hg_error_memory("points", (size_t)n * sizeof *regrets);
    }
    for (int i = 0; i < n; i++) {
        const double r = regret(&points[i]);
        if (!isnan(r)) {
            regrets[count++] = r;
            small += r <= 1.1;
            medium += r <= 1.5;
        }
    }
    *spread = (cli_spread){.n = count};
    if (count > 0) {
        qsort(regrets, (size_t)count, sizeof *regrets, ascending);
        spread->small = (double)small / count;
        spread->medium = (double)medium / count;
        spread->middle = regrets[count / 2];
        spread->most = regrets[(count - 1) * 95 / 100];
        spread->worst = regrets[count - 1];
    }
    hg_free(NULL, regrets);
    return CLI_DONE;
}

static void put_name(hg_json *json, const char *key, const cli_point *point, int i)
{
    char name[128];
    hg_text text = hg_text_over(name, sizeof name);
    if (i >= 0) {
        hg_text_printf(&text, "%s/%s", point->kernels[i].plugin, point->kernels[i].kernel);
    }
    hg_json_key_string(json, key, i >= 0 ? name : NULL);
}

void cli_point_put(hg_json *json, const cli_point *point)
{
    const char *rest = point->problem + strcspn(point->problem, " ");
    hg_json_key_string(json, "op", hgate_op_name(point->op));
    hg_json_key(json, "problem");
    hg_json_object_begin(json);
    while (*rest) {
        char key[32], value[64];
        int used = 0;
        if (sscanf(rest, " %31[^=]=%63s%n", key, value, &used) != 2) {
            break;
        }
        hg_json_key_string(json, key, value);
        rest += used;
    }
    hg_json_object_end(json);
    put_name(json, "chosen", point, point->chosen);
    put_name(json, "best", point, point->best);
    hg_json_key_real(json, "regret", cli_point_regret(point));
    if (point->chosen_before >= 0) {
        put_name(json, "chosen_before", point, point->chosen_before);
        hg_json_key_real(json, "regret_before", cli_point_regret_before(point));
    }
    hg_json_key(json, "kernels");
    hg_json_array_begin(json);
    for (int i = 0; i < point->n; i++) {
        hg_json_object_begin(json);
        hg_json_key_string(json, "plugin", point->kernels[i].plugin);
        hg_json_key_string(json, "kernel", point->kernels[i].kernel);
        hg_json_key_real(json, "seconds", point->kernels[i].seconds);
        hg_json_key_real(json, "predicted", point->kernels[i].predicted);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}
