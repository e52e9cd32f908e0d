/* SPDX-License-Identifier: BSD-3-Clause */
/* What a benchmark prints: a table for people, a document for programs. */
#include "tools/bench.h"
#include "tools/document.h"
#include "tools/machine_info.h"
#include "tools/problem_arg.h"
#include "tools/table.h"

#include <math.h>
#include <string.h>

static bool is_chosen(const cli_bench *bench, const cli_runner *runner)
{
    return strcmp(runner->plugin, bench->chosen_plugin) == 0 &&
           strcmp(runner->kernel, bench->chosen_kernel) == 0;
}

/* Seconds of the chosen kernel over those of the best; NaN where the chosen one was not timed. */
static double regret(const cli_bench *bench)
{
    double best = INFINITY, chosen = NAN;
    for (int i = 0; i < bench->n; i++) {
        const cli_runner *runner = &bench->runners[i];
        if (runner->status == HGATE_OK && runner->n_runs > 0) {
            best = fmin(best, cli_runner_min(runner));
            chosen = is_chosen(bench, runner) ? cli_runner_min(runner) : chosen;
        }
    }
    return chosen / best;
}

static double rate(const cli_bench *bench, const cli_runner *runner)
{
    return bench->c->op->work(bench->c) / cli_runner_min(runner);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void put_member(void *user, const char *key, const char *value, bool is_number)
{
    hg_json *json = user;
    if (is_number) {
        hg_json_key(json, key);
        hg_json_raw(json, value, strlen(value));
    } else {
        hg_json_key_string(json, key, value);
    }
}

static void put_result(hg_json *json, const cli_bench *bench, const cli_runner *runner)
{
    const bool runs = runner->status == HGATE_OK;
    hg_json_object_begin(json);
    hg_json_key_string(json, "plugin", runner->plugin);
    hg_json_key_string(json, "kernel", runner->kernel);
    hg_json_key_string(json, "status",
                       !runs                        ? hgate_status_name(runner->status)
                       : cli_runner_differs(runner) ? "differs"
                                                    : "ok");
    if (!runs) {
        hg_json_key_string(json, "text", runner->text);
    }
    hg_json_key_real(json, "seconds", cli_runner_min(runner));
    hg_json_key_real(json, "median", cli_runner_median(runner));
    hg_json_key_int(json, "runs", runner->n_runs);
    hg_json_key_real(json, "max_error", runner->error);
    hg_json_key_real(json, "rate", rate(bench, runner));
    hg_json_key_string(json, "rate_unit", bench->c->op->work_unit);
    hg_json_key_real(json, "predicted", runner->predicted);
    hg_json_object_end(json);
}

static int tell_json(const cli_bench *bench)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "op", bench->c->row->word);
    hg_json_key(json, "problem");
    hg_json_object_begin(json);
    cli_problem_each(bench->c, put_member, json);
    hg_json_object_end(json);
    cli_machine_put(json);
    hg_json_key_string(json, "measure", cli_outputs_measure(bench->c->op));
    hg_json_key(json, "results");
    hg_json_array_begin(json);
    for (int i = 0; i < bench->n; i++) {
        put_result(json, bench, &bench->runners[i]);
    }
    hg_json_array_end(json);
    hg_json_key(json, "chosen");
    hg_json_object_begin(json);
    hg_json_key_string(json, "plugin", bench->chosen_plugin);
    hg_json_key_string(json, "kernel", bench->chosen_kernel);
    hg_json_object_end(json);
    hg_json_key_real(json, "regret", regret(bench));
    return cli_document_end(&document);
}

/* ---- text -------------------------------------------------------------------------------- */

static void print_member(void *user, const char *key, const char *value, bool is_number)
{
    (void)user, (void)is_number;
    printf(" %s=%s", key, value);
}

static void add_number(cli_table *table, double value, const char *remark)
{
    if (isnan(value)) {
        cli_table_add(table, "-");
    } else {
        cli_table_add(table, "%.3g%s", value, remark);
    }
}

static void tell_text(const cli_bench *bench)
{
    static const char *const heads[] = {"kernel",    "seconds", "median",
                                        "predicted", "rate",    "error"};
    cli_table table;
    printf("%s", bench->c->row->word);
    cli_problem_each(bench->c, print_member, NULL);
    printf("\n");
    cli_table_begin(&table, 0, 6, heads);
    for (int i = 0; i < bench->n; i++) {
        const cli_runner *runner = &bench->runners[i];
        if (runner->status != HGATE_OK) {
            continue;
        }
        cli_table_add(&table, "%s/%s%s", runner->plugin, runner->kernel,
                      is_chosen(bench, runner) ? " *" : "");
        add_number(&table, cli_runner_min(runner), "");
        add_number(&table, cli_runner_median(runner), "");
        add_number(&table, runner->predicted, "");
        add_number(&table, rate(bench, runner), "");
        add_number(&table, runner->error, cli_runner_differs(runner) ? " TOO LARGE" : "");
    }
    cli_table_end(&table, stdout);
    for (int i = 0; i < bench->n; i++) {
        const cli_runner *runner = &bench->runners[i];
        if (runner->status != HGATE_OK) {
            printf("%s/%s: %s: %s\n", runner->plugin, runner->kernel,
                   hgate_status_name(runner->status), runner->text);
        }
    }
    printf("rate in %s", bench->c->op->work_unit);
    if (bench->is_verified) {
        printf("; error against the reference: %s", cli_outputs_measure(bench->c->op));
    }
    printf("\n* is chosen");
    if (!isnan(regret(bench))) {
        printf(", regret %.3g", regret(bench));
    }
    printf("\n");
}

int cli_bench_tell(cli_bench *bench, bool is_json)
{
    for (int i = 0; i < bench->n; i++) {
        bench->is_different = bench->is_different || cli_runner_differs(&bench->runners[i]);
    }
    if (is_json) {
        return tell_json(bench);
    }
    tell_text(bench);
    return HGATE_OK;
}
