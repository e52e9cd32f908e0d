// SPDX-License-Identifier: BSD-3-Clause
// Every row of the decision tables: the kernel that is chosen, why, and why others are not.
#include "tests/dispatch/decisions.h"
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const decision_table *const tables[] = {&decisions_curvature, &decisions_emi,
                                               &decisions_visibility, &decisions_kirchhoff,
                                               &decisions_general};
enum { n_tables = (int)(sizeof tables / sizeof *tables) };

static void check_refused(const decision_row *row, const hgate_trace *trace)
{
    char *copy = strdup(row->refused), *rest = copy;
    for (const char *entry; (entry = strtok_r(rest, ",", &rest)) != NULL;) {
        char kernel[80], reason[80];
        ck_assert_int_eq(sscanf(entry, " %79s %79s", kernel, reason), 2);
        const hg_record *record = world_record(trace, kernel);
        ck_assert_int_eq(record->state, HG_STATE_REFUSED);
        const bool is_gate = record->gate != HG_GATE_COUNT && strchr(reason, '.');
        ck_assert_str_eq(is_gate ? hg_gate_name(record->gate) : hg_reason_word(record->reason),
                         reason);
    }
    free(copy);
}

static void check_row(const decision_row *row)
{
    char op[40];
    ck_assert_int_eq(sscanf(row->question, "%39s", op), 1);
    world *w = world_new(op, row->machine, row->config);
    question q;
    question_ask(&q, row->question);
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_msg(strcmp(world_chosen(trace), row->chosen) == 0, "%s on %s with %s: %s, not %s",
                  row->question, row->machine, row->config ? row->config : "defaults",
                  world_chosen(trace), row->chosen);
    ck_assert_msg(strcmp(hg_reason_word(trace->why), row->why) == 0, "%s: because of %s, not %s",
                  row->question, hg_reason_word(trace->why), row->why);
    if (row->refused) {
        check_refused(row, trace);
    }
    world_free(w);
}

START_TEST(each_row)
{
    for (int i = 0; i < tables[_i]->n; i++) {
        check_row(&tables[_i]->rows[i]);
    }
}
END_TEST

START_TEST(there_are_two_hundred)
{
    int n = 0;
    for (int i = 0; i < n_tables; i++) {
        n += tables[i]->n;
    }
    ck_assert_int_ge(n, 200);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decisions");
    TCase *tests = tcase_create("decisions");
    tcase_add_loop_test(tests, each_row, 0, n_tables);
    tcase_add_test(tests, there_are_two_hundred);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
