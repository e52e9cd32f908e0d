// SPDX-License-Identifier: BSD-3-Clause
// The execution context: its settings, its hooks, its trace, waiting for a stream.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static hgate_exec *new_exec(hgate_engine *engine)
{
    hgate_exec *exec = NULL;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    return exec;
}

START_TEST(wrong_arguments)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    const hgate_trace *trace;
    hgate_hooks hooks = {.struct_size = 8};
    ck_assert_int_eq(hgate_exec_new(NULL, &exec), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_new(engine, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_set_threads(NULL, 1), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_set_threads(exec, -1), HGATE_EVALUE);
    ck_assert_int_eq(hgate_exec_set_threads(exec, 4097), HGATE_EVALUE);
    ck_assert_str_eq(hgate_last_error(), "threads: is 4097, expected 0 to 4096");
    ck_assert_int_eq(hgate_exec_set_stream(NULL, 0, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_set_stream(exec, -1, NULL), HGATE_EVALUE);
    ck_assert_int_eq(hgate_exec_set_hooks(NULL, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_set_hooks(exec, &hooks), HGATE_EABI);
    ck_assert_int_eq(hgate_exec_set_hooks(exec, NULL), HGATE_OK);
    ck_assert_int_eq(hgate_exec_last_trace(NULL, &trace), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_last_trace(exec, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_last_trace(exec, &trace), HGATE_ESTATE);
    ck_assert_int_eq(hgate_exec_sync(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_exec_sync(exec), HGATE_OK);
    hgate_exec_free(NULL);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

typedef struct thread_row {
    const char *config;
    int set, expected; /* fake-good's det gains nothing from threads: what it was allowed counts */
} thread_row;

static const thread_row thread_rows[] = {
    {"", 3, 3},
    {"threads: {max: 2}", 3, 2},
    {"threads: {max: 5}", 3, 3},
    {"threads: {max: 1}", 0, 1},
};

START_TEST(threads_that_are_allowed)
{
    const thread_row *row = &thread_rows[_i];
    hgate_engine *engine = opened("good", row->config, NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    ck_assert_int_eq(hgate_exec_set_threads(exec, row->set), HGATE_OK);
    question q;
    question_ask(&q, "visibility_angles");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    const hgate_trace *trace;
    hgate_exec_last_trace(exec, &trace);
    ck_assert_int_eq(trace->threads, row->expected);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

/* ---- hooks -------------------------------------------------------------------- */

typedef struct diary {
    char text[1024];
    int events, stop_at;
    const hgate_trace *trace;
} diary;

static void push(void *user, const char *name)
{
    diary *d = user;
    strcat(d->text, "(");
    strcat(d->text, name);
}

static void pop(void *user)
{
    strcat(((diary *)user)->text, ")");
}

static void event(void *user, const hgate_trace *trace)
{
    diary *d = user;
    d->events++;
    d->trace = trace;
}

static int progress(void *user, int64_t done, int64_t total)
{
    diary *d = user;
    char line[32];
    snprintf(line, sizeof line, "%lld/%lld ", (long long)done, (long long)total);
    strcat(d->text, line);
    return done == d->stop_at;
}

static void set_hooks(hgate_exec *exec, diary *d)
{
    memset(d, 0, sizeof *d);
    d->stop_at = -1;
    const hgate_hooks hooks = {sizeof hooks, d, push, pop, event, progress};
    ck_assert_int_eq(hgate_exec_set_hooks(exec, &hooks), HGATE_OK);
}

START_TEST(ranges_around_the_steps)
{
    static const struct {
        const char *config, *text;
    } rows[] = {
        {"trace: {ranges: callback}", "(decide)(visibility_angles/fake-good/det)"},
        {"trace: {ranges: callback}\nplugins: {fake-good: {options: {fail_status_det: -8}}}",
         "(decide)(visibility_angles/fake-good/det)(fallback)"
         "(visibility_angles/fake-good/linear)"},
        {"trace: {ranges: off}", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_engine *engine = opened("good", rows[i].config, NULL, NULL);
        hgate_exec *exec = new_exec(engine);
        diary d;
        set_hooks(exec, &d);
        question q;
        question_ask(&q, "visibility_angles");
        ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
        ck_assert_str_eq(d.text, rows[i].text);
        hgate_exec_free(exec);
        hgate_close(engine);
    }
}
END_TEST

START_TEST(ranges_around_copies)
{
    hgate_engine *engine = opened("device", "trace: {ranges: callback}", NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    diary d;
    set_hooks(exec, &d);
    question q;
    question_ask(&q, "visibility_angles");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    ck_assert_str_eq(d.text, "(decide)(stage in)(visibility_angles/fake-device/det)(stage out)");
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(an_event_after_each_operation)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    diary d;
    set_hooks(exec, &d);
    question q;
    question_ask(&q, "visibility_angles");
    const hg_problem *problem = &q.problem;
    ck_assert_int_eq(hg_dispatch(engine, exec, problem), HGATE_OK);
    ck_assert_int_eq(d.events, 1);
    const hgate_trace *trace;
    hgate_exec_last_trace(exec, &trace);
    ck_assert_ptr_eq(d.trace, trace);
    hgate_plan *plan;
    ck_assert_int_eq(hg_plan_new(engine, exec, &problem, 1, &plan), HGATE_OK);
    ck_assert_int_eq(d.events, 1);
    ck_assert_int_eq(hg_plan_execute(plan, exec, 0, problem), HGATE_OK);
    ck_assert_int_eq(d.events, 2);
    hgate_plan_free(plan);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(progress_may_stop_a_call)
{
    hgate_engine *engine =
        opened("good", "plugins: {fake-good: {options: {progress: 3}}}", NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    diary d;
    set_hooks(exec, &d);
    question q;
    question_ask(&q, "visibility_angles");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    ck_assert_str_eq(d.text, "0/3 1/3 2/3 ");
    set_hooks(exec, &d);
    d.stop_at = 1;
    question_poison(&q);
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_ESTOPPED);
    ck_assert_str_eq(d.text, "0/3 1/3 ");
    ck_assert(question_is_untouched(&q));
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

/* ---- trace, time, waiting ----------------------------------------------------------- */

START_TEST(measured_when_asked)
{
    hgate_engine *engine = opened("good",
                                  "trace: {timing: true}\n"
                                  "plugins: {fake-good: {options: {sleep: 0.003}}}",
                                  NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    question q;
    question_ask(&q, "visibility_angles");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    const hgate_trace *trace;
    double predicted, measured;
    hgate_exec_last_trace(exec, &trace);
    ck_assert_int_eq(hgate_trace_seconds(trace, &predicted, &measured), HGATE_OK);
    ck_assert_double_eq(predicted, 1e-3);
    ck_assert_double_ge(measured, 0.003);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(decisions_in_the_log)
{
    heard h;
    hgate_engine *engine = opened("good", "trace: {explain: true}", &h, NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=3");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert_ptr_nonnull(
        strstr(h.text, "2 explain: visibility_angles nsrc=3, f64 in host memory"));
    ck_assert_ptr_nonnull(strstr(h.text, "2 explain: chosen: fake-good/det on 1 thread\n"));
    hgate_close(engine);
}
END_TEST

START_TEST(sync_waits_and_tells_late_errors)
{
    hgate_engine *engine =
        opened("device good", "plugins: {fake-device: {options: {sync_status: -12}}}", NULL, NULL);
    hgate_exec *exec = new_exec(engine);
    hgate_exec_set_stream(exec, 1, NULL);
    ck_assert_int_eq(hgate_exec_sync(exec), HGATE_OK); /* nothing to wait for */
    exec->unfinished = 3;
    ck_assert_int_eq(hgate_exec_sync(exec), HGATE_EDEVICE_LOST);
    ck_assert_str_eq(hgate_last_error(), "fake-device: device failed and stays unusable in this "
                                         "process");
    ck_assert_int_eq(opened_count(engine, "device", "sync"), 1);
    ck_assert_int_eq(hgate_exec_sync(exec), HGATE_OK);
    question q;
    question_ask(&q, "visibility_angles mem=cuda:1");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_EDEVICE_LOST);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(a_trace_query_of_nothing)
{
    const char *text;
    ck_assert_int_eq(hgate_trace_choice(NULL, &text, NULL, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_trace_seconds(NULL, NULL, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_trace_json(NULL, NULL, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_trace_text(NULL, NULL, NULL), HGATE_EINVAL);
    hgate_trace_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exec");
    TCase *tests = tcase_create("exec");
    tcase_add_test(tests, wrong_arguments);
    tcase_add_loop_test(tests, threads_that_are_allowed, 0,
                        (int)(sizeof thread_rows / sizeof *thread_rows));
    tcase_add_test(tests, ranges_around_the_steps);
    tcase_add_test(tests, ranges_around_copies);
    tcase_add_test(tests, an_event_after_each_operation);
    tcase_add_test(tests, progress_may_stop_a_call);
    tcase_add_test(tests, measured_when_asked);
    tcase_add_test(tests, decisions_in_the_log);
    tcase_add_test(tests, sync_waits_and_tells_late_errors);
    tcase_add_test(tests, a_trace_query_of_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
