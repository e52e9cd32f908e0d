/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids: every combination once, every point a problem, every operation there. */
#include "tools/grid.h"

#include "tools/problem_arg.h"

#include "tests/harness.h"

#include <string.h>

static void expect_point(const char *line, int i, const char *expected)
{
    char buffer[128];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    cli_grid_put_point(line, i, &text);
    ck_assert_str_eq(buffer, expected);
}

START_TEST(lines_are_expanded)
{
    const char *line = "emi n={5,12} batch=7 dtype={c64,c128,f32}";
    ck_assert_int_eq(cli_grid_points("emi n=5"), 1);
    ck_assert_int_eq(cli_grid_points(line), 6);
    expect_point("emi n=5", 0, "emi n=5");
    expect_point(line, 0, "emi n=5 batch=7 dtype=c64");
    expect_point(line, 1, "emi n=12 batch=7 dtype=c64");
    expect_point(line, 4, "emi n=5 batch=7 dtype=f32");
    expect_point(line, 5, "emi n=12 batch=7 dtype=f32");
}
END_TEST

static const char *const *const all_lines[] = {cli_grid_fit_lines, cli_grid_check_lines};

START_TEST(every_point_is_a_problem)
{
    cli_grid grid;
    bool has_op[HGATE_OP_COUNT] = {false};
    ck_assert_int_eq(cli_grid_new(&grid, all_lines[_i], NULL, NULL), 0);
    ck_assert_int_ge(grid.n, 150);
    for (int i = 0; i < grid.n; i++) {
        char text[256];
        char *words[16], *rest = NULL;
        int n = 0;
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(grid.points[i], grid.points[k]);
        }
        snprintf(text, sizeof text, "%s", grid.points[i]);
        for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            words[n++] = word;
        }
        cli_case c;
        ck_assert_msg(cli_problem_read(&c, n, words) == 0, "%s: %s", grid.points[i],
                      hgate_last_error());
        has_op[c.op->op] = true;
        cli_case_free(&c);
    }
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        ck_assert_msg(has_op[op], "no point of %s", hgate_op_name(op));
    }
    cli_grid_free(&grid);
}
END_TEST

START_TEST(nothing_is_judged_that_was_fitted)
{
    cli_grid fit, check;
    ck_assert_int_eq(cli_grid_new(&fit, cli_grid_fit_lines, NULL, NULL), 0);
    ck_assert_int_eq(cli_grid_new(&check, cli_grid_check_lines, NULL, NULL), 0);
    for (int i = 0; i < fit.n; i++) {
        for (int k = 0; k < check.n; k++) {
            ck_assert_str_ne(fit.points[i], check.points[k]);
        }
    }
    cli_grid_free(&fit);
    cli_grid_free(&check);
}
END_TEST

START_TEST(a_grid_of_one_operation)
{
    cli_grid grid, again;
    ck_assert_int_eq(cli_grid_new(&grid, cli_grid_check_lines, "visibility", NULL), 0);
    ck_assert_int_eq(cli_grid_new(&again, cli_grid_check_lines, "visibility", NULL), 0);
    ck_assert_int_gt(grid.n, 3);
    ck_assert_int_eq(grid.n, again.n);
    for (int i = 0; i < grid.n; i++) {
        ck_assert_int_eq(strncmp(grid.points[i], "visibility ", 11), 0);
        ck_assert_str_eq(grid.points[i], again.points[i]);
    }
    cli_grid_free(&grid);
    cli_grid_free(&again);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grid");
    TCase *tests = tcase_create("grid");
    tcase_add_test(tests, lines_are_expanded);
    tcase_add_loop_test(tests, every_point_is_a_problem, 0, 2);
    tcase_add_test(tests, nothing_is_judged_that_was_fitted);
    tcase_add_test(tests, a_grid_of_one_operation);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
