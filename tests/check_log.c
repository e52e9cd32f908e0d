/* SPDX-License-Identifier: BSD-3-Clause */
/* The log: levels, the brake on repeated lines, harmless text. */
#include "core/base/log.h"

#include "core/base/text.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <headgate/status.h>
#include <stdio.h>

typedef struct lines {
    int n;
    int last_level;
    char last[2048];
    char last_component[64];
} lines;

static void take(void *user, int level, const char *component, const char *text)
{
    lines *l = user;
    l->n++;
    l->last_level = level;
    snprintf(l->last, sizeof l->last, "%s", text);
    snprintf(l->last_component, sizeof l->last_component, "%s", component);
}

static hg_log *new_log(lines *l, int level)
{
    hg_log *log = NULL;
    ck_assert_int_eq(hg_log_new(take, l, level, NULL, &log), HGATE_OK);
    return log;
}

START_TEST(levels)
{
    lines l = {0};
    hg_log *log = new_log(&l, HGATE_LOG_WARN);
    hg_log_line(log, HGATE_LOG_ERROR, "plugin", "%s: %d", "a", 31);
    ck_assert_int_eq(l.n, 1);
    ck_assert_int_eq(l.last_level, HGATE_LOG_ERROR);
    ck_assert_str_eq(l.last, "a: 31");
    ck_assert_str_eq(l.last_component, "plugin");
    hg_log_line(log, HGATE_LOG_WARN, "plugin", "b");
    hg_log_line(log, HGATE_LOG_INFO, "plugin", "c");
    hg_log_line(log, HGATE_LOG_OFF, "plugin", "d");
    ck_assert_int_eq(l.n, 2);
    ck_assert(hg_log_is_on(log, HGATE_LOG_WARN));
    ck_assert(!hg_log_is_on(log, HGATE_LOG_INFO));
    hg_log_set_level(log, HGATE_LOG_INFO);
    ck_assert(hg_log_is_on(log, HGATE_LOG_INFO));
    hg_log_set_level(log, HGATE_LOG_OFF);
    hg_log_line(log, HGATE_LOG_ERROR, "plugin", "e");
    ck_assert_int_eq(l.n, 2);
    hg_log_free(log);
    ck_assert_int_eq(l.n, 2);
}
END_TEST

START_TEST(nobody_listens)
{
    hg_log *log = NULL;
    ck_assert_int_eq(hg_log_new(NULL, NULL, HGATE_LOG_TRACE, NULL, &log), HGATE_OK);
    ck_assert(!hg_log_is_on(log, HGATE_LOG_ERROR));
    hg_log_line(log, HGATE_LOG_ERROR, "plugin", "a");
    hg_log_free(log);
    ck_assert(!hg_log_is_on(NULL, HGATE_LOG_ERROR));
    hg_log_line(NULL, HGATE_LOG_ERROR, "plugin", "a");
    hg_log_free(NULL);
}
END_TEST

START_TEST(repeats_are_counted_and_summed_up)
{
    lines l = {0};
    hg_log *log = new_log(&l, HGATE_LOG_WARN);
    for (int i = 0; i < 10; i++) {
        hg_log_line(log, HGATE_LOG_WARN, "route", "fell back");
    }
    ck_assert_int_eq(l.n, 10);
    for (int i = 0; i < 990; i++) {
        hg_log_line(log, HGATE_LOG_WARN, "route", "fell back");
    }
    ck_assert_int_eq(l.n, 10);
    hg_log_line(log, HGATE_LOG_ERROR, "route", "fell back"); /* another level is another line */
    hg_log_line(log, HGATE_LOG_WARN, "engine", "fell back"); /* another component too */
    ck_assert_int_eq(l.n, 12);
    hg_log_free(log);
    ck_assert_int_eq(l.n, 13);
    ck_assert_str_eq(l.last, "990 more times: fell back");
    ck_assert_str_eq(l.last_component, "route");
    ck_assert_int_eq(l.last_level, HGATE_LOG_WARN);
}
END_TEST

START_TEST(a_line_pushed_out_is_summed_up)
{
    lines l = {0};
    hg_log *log = new_log(&l, HGATE_LOG_WARN);
    for (int i = 0; i < 25; i++) {
        hg_log_line(log, HGATE_LOG_WARN, "route", "fell back");
    }
    int others = 0; /* enough other lines to take every slot */
    bool is_summed = false;
    for (int i = 0; i < 2000 && !is_summed; i++, others++) {
        const int before = l.n;
        hg_log_line(log, HGATE_LOG_WARN, "route", "line %d", i);
        is_summed = l.n == before + 2;
    }
    ck_assert(is_summed);
    ck_assert_int_eq(l.n, 10 + others + 1);
    hg_log_free(log);
    ck_assert_int_eq(l.n, 10 + others + 1);
}
END_TEST

START_TEST(lines_are_cut_and_harmless)
{
    lines l = {0};
    hg_log *log = new_log(&l, HGATE_LOG_WARN);
    hg_log_line(log, HGATE_LOG_WARN, "plugin", "a\033[2J\nb");
    ck_assert_str_eq(l.last, "a\\x1b[2J\\x0ab");
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    hg_log_line(log, HGATE_LOG_WARN, "plugin", "%s", text);
    ck_assert_uint_lt(strlen(l.last), 1024);
    hg_log_free(log);
}
END_TEST

START_TEST(without_memory)
{
    failing_alloc state = {.fail_from = 1};
    const hg_allocator allocator = failing_allocator(&state);
    hg_log *log = (hg_log *)&state;
    ck_assert_int_eq(hg_log_new(take, NULL, HGATE_LOG_WARN, &allocator, &log), HGATE_ENOMEM);
    ck_assert_ptr_eq(log, &state);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log");
    TCase *tests = tcase_create("log");
    tcase_add_test(tests, levels);
    tcase_add_test(tests, nobody_listens);
    tcase_add_test(tests, repeats_are_counted_and_summed_up);
    tcase_add_test(tests, a_line_pushed_out_is_summed_up);
    tcase_add_test(tests, lines_are_cut_and_harmless);
    tcase_add_test(tests, without_memory);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
