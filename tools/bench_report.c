/* SPDX-License-Identifier: BSD-3-Clause */
/* What a benchmark prints: a table for people, a document for programs. */
#include "tools/bench.h"
#include "tools/document.h"
#include "tools/machine_info.h"
#include "tools/problem_arg.h"
#include "tools/report.h"
#include "tools/table.h"

#include <math.h>
#include <string.h>

static double rate(const cli_contest *contest, const cli_runner *runner)
{
    return contest->c->op->work(contest->c) / cli_runner_min(runner);
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

static void put_result(hg_json *json, const cli_contest *contest, const cli_runner *runner)
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
    hg_json_key_real(json, "rate", rate(contest, runner));
    hg_json_key_string(json, "rate_unit", contest->c->op->work_unit);
    hg_json_key_real(json, "predicted", runner->predicted);
    hg_json_object_end(json);
}

static int tell_json(const cli_contest *contest)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "op", contest->c->row->word);
    hg_json_key(json, "problem");
    hg_json_object_begin(json);
    cli_problem_each(contest->c, put_member, json);
    hg_json_object_end(json);
    cli_machine_put(json);
    hg_json_key_string(json, "measure", cli_outputs_measure(contest->c->op));
    hg_json_key(json, "results");
    hg_json_array_begin(json);
    for (int i = 0; i < contest->n; i++) {
        put_result(json, contest, &contest->runners[i]);
    }
    hg_json_array_end(json);
    hg_json_key(json, "chosen");
    hg_json_object_begin(json);
    hg_json_key_string(json, "plugin", contest->chosen_plugin);
    hg_json_key_string(json, "kernel", contest->chosen_kernel);
    hg_json_object_end(json);
    hg_json_key_real(json, "regret", cli_contest_regret(contest));
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

static void tell_text(const cli_contest *contest)
{
    static const char *const heads[] = {"kernel",    "seconds", "median",
                                        "predicted", "rate",    "error"};
    cli_table table;
    printf("%s", contest->c->row->word);
    cli_problem_each(contest->c, print_member, NULL);
    printf("\n");
    cli_table_begin(&table, 0, 6, heads);
    for (int i = 0; i < contest->n; i++) {
        const cli_runner *runner = &contest->runners[i];
        if (runner->status != HGATE_OK) {
            continue;
        }
        cli_table_add(&table, "%s/%s%s", runner->plugin, runner->kernel,
                      cli_contest_is_chosen(contest, runner) ? " *" : "");
        add_number(&table, cli_runner_min(runner), "");
        add_number(&table, cli_runner_median(runner), "");
        add_number(&table, runner->predicted, "");
        add_number(&table, rate(contest, runner), "");
        add_number(&table, runner->error, cli_runner_differs(runner) ? " TOO LARGE" : "");
    }
    cli_table_end(&table, stdout);
    for (int i = 0; i < contest->n; i++) {
        const cli_runner *runner = &contest->runners[i];
        if (runner->status != HGATE_OK) {
            printf("%s/%s: %s: %s\n", runner->plugin, runner->kernel,
                   hgate_status_name(runner->status), runner->text);
        }
    }
    printf("rate in %s", contest->c->op->work_unit);
    if (contest->is_verified) {
        printf("; error against the reference: %s", cli_outputs_measure(contest->c->op));
    }
    printf("\n* is chosen");
    if (!isnan(cli_contest_regret(contest))) {
        printf(", regret %.3g", cli_contest_regret(contest));
    }
    printf("\n");
}

int cli_bench_tell(const cli_contest *contest, bool is_json)
{
    int status = HGATE_OK;
    if (is_json) {
        status = tell_json(contest);
    } else {
        tell_text(contest);
    }
    for (int i = 0; status == HGATE_OK && i < contest->n; i++) {
        status = cli_runner_differs(&contest->runners[i]) ? CLI_DIFFERS : HGATE_OK;
    }
    return status;
}
