/* SPDX-License-Identifier: BSD-3-Clause */
/* Time does not run backwards, and repeats follow their plan. No figure in seconds is expected. */
#include "core/base/clock.h"

#include "tests/harness.h"

START_TEST(time_does_not_run_backwards)
{
    double last = hg_now();
    for (int i = 0; i < 10000; i++) {
        const double now = hg_now();
        ck_assert(now >= last);
        last = now;
    }
    ck_assert(last > 0);
}
END_TEST

typedef struct counter {
    int runs;
    int fail_at; /* 0: never */
} counter;

static int count(void *user)
{
    counter *c = user;
    c->runs++;
    return c->runs == c->fail_at ? -31 : 0;
}

START_TEST(runs_as_planned)
{
    counter c = {0};
    hg_timing timing;
    const hg_timing_plan plan = {.min_runs = 7};
    ck_assert_int_eq(hg_time_repeats(count, &c, &plan, &timing), 0);
    ck_assert_int_eq(timing.runs, 7);
    ck_assert_int_eq(c.runs, 8); /* one to warm up */
    ck_assert(timing.min_seconds >= 0);
    ck_assert(timing.min_seconds <= timing.mean_seconds);
    ck_assert(timing.mean_seconds <= timing.max_seconds);
}
END_TEST

START_TEST(goes_on_until_enough_time_is_collected)
{
    counter c = {0};
    hg_timing timing;
    const hg_timing_plan plan = {.min_runs = 1, .min_seconds = 1e-4};
    ck_assert_int_eq(hg_time_repeats(count, &c, &plan, &timing), 0);
    ck_assert(timing.mean_seconds * (double)timing.runs >= 0.99e-4);
}
END_TEST

START_TEST(the_limit_ends_it)
{
    counter c = {0};
    hg_timing timing;
    const hg_timing_plan plan = {.min_runs = INT64_MAX, .min_seconds = 1e9, .limit_seconds = 1e-4};
    ck_assert_int_eq(hg_time_repeats(count, &c, &plan, &timing), 0);
    ck_assert_int_ge(timing.runs, 1);
}
END_TEST

START_TEST(failure_is_passed_on)
{
    for (int at = 1; at <= 3; at++) {
        counter c = {.fail_at = at};
        hg_timing timing = {.runs = 77};
        const hg_timing_plan plan = {.min_runs = 5};
        ck_assert_int_eq(hg_time_repeats(count, &c, &plan, &timing), -31);
        ck_assert_int_eq(c.runs, at);
        ck_assert_int_eq(timing.runs, 77);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("clock");
    tcase_add_test(tests, time_does_not_run_backwards);
    tcase_add_test(tests, runs_as_planned);
    tcase_add_test(tests, goes_on_until_enough_time_is_collected);
    tcase_add_test(tests, the_limit_ends_it);
    tcase_add_test(tests, failure_is_passed_on);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
