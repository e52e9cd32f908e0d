// SPDX-License-Identifier: BSD-3-Clause
// Every allocation fails in turn, in every step of an engine's life: a clean error each time,
// outputs untouched, nothing lost, and the engine goes on.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

static const char settings[] =
    "plugins: {fake-good: {options: {ws_bytes: 500, seconds_loose: 9, seconds_linear: 8}}, "
    "fake-device: {options: {seconds: 1e-6, ws_device_bytes: 300}}}\n"
    "routing: {fallback: never}";

// Opens with the n-th allocation failing; NULL when it did.
static hgate_engine *try_open(const hgate_config *api, failing_alloc *state, long n)
{
    hgate_options options;
    hgate_options_init(&options);
    options.config = api;
    memset(state, 0, sizeof *state);
    state->fail_only = n;
    options.allocator = failing_allocator(state);
    hgate_engine *engine = NULL;
    const int status = hgate_open(&options, &engine);
    ck_assert_msg(status == HGATE_OK || status == HGATE_ENOMEM, "%d: %s", status,
                  hgate_last_error());
    ck_assert((status == HGATE_OK) == (engine != NULL));
    if (status != HGATE_OK) {
        ck_assert_ptr_nonnull(strstr(hgate_last_error(), "memory"));
        ck_assert_int_eq(state->live, 0);
    }
    return engine;
}

// A plugin whose probe finds no memory is a record, no error of open: then the engine has fewer
// plugins.
START_TEST(open_and_close)
{
    hgate_config *api = opened_config("good device bad-magic", settings);
    failing_alloc state;
    int n_failed = 0, n_without = 0;
    for (long n = 1;; n++) {
        hgate_engine *engine = try_open(api, &state, n);
        const bool is_beyond = state.calls < n;
        n_failed += engine == NULL;
        n_without += engine != NULL && engine->n_usable < 2;
        hgate_close(engine);
        ck_assert_int_eq(state.live, 0);
        if (is_beyond) {
            break;
        }
    }
    ck_assert_int_gt(n_failed, 15);
    ck_assert_int_gt(n_without, 0);
    hgate_config_free(api);
}
END_TEST

// One step of a life: what it did, and what is left to undo.
typedef struct life_step {
    const char *name;
    int (*run)(hgate_engine *engine, question *q);
} life_step;

static int exec_new(hgate_engine *engine, question *q)
{
    (void)q;
    hgate_exec *exec = NULL;
    const int status = hgate_exec_new(engine, &exec);
    ck_assert((status == HGATE_OK) == (exec != NULL));
    hgate_exec_free(exec);
    return status;
}

static int one_shot(hgate_engine *engine, question *q)
{
    return hg_dispatch(engine, NULL, &q->problem);
}

static int one_shot_with_context(hgate_engine *engine, question *q)
{
    hgate_exec *exec = NULL;
    int status = hgate_exec_new(engine, &exec);
    if (status == HGATE_OK) {
        status = hg_dispatch(engine, exec, &q->problem);
    }
    hgate_exec_free(exec);
    return status;
}

static int explain(hgate_engine *engine, question *q)
{
    hgate_trace *trace = NULL;
    const int status = hg_explain(engine, NULL, &q->problem, &trace);
    ck_assert((status == HGATE_OK) == (trace != NULL));
    hgate_trace_free(trace);
    return status;
}

static int plan_and_run(hgate_engine *engine, question *q)
{
    hgate_plan *plan = NULL;
    const hg_problem *problems[] = {&q->problem};
    int status = hg_plan_new(engine, NULL, problems, 1, &plan);
    ck_assert((status == HGATE_OK) == (plan != NULL));
    for (int i = 0; i < 2 && status == HGATE_OK; i++) {
        status = hg_plan_execute(plan, NULL, 0, &q->problem);
    }
    hgate_plan_free(plan);
    return status;
}

static const life_step steps[] = {
    {"exec_new", exec_new},
    {"one_shot", one_shot},
    {"one_shot_with_context", one_shot_with_context},
    {"explain", explain},
    {"plan_and_run", plan_and_run},
};

static const char *const questions[] = {
    "visibility_angles nsrc=17", "kirchhoff_forward ns=3 nr=5 ni=7",
    "curvature ny=3 nx=5 n=4 s=2 nnz=6", "visibility_angles nsrc=17 mem=cuda:0"};

static void each_allocation_of(const life_step *step, const char *words, const char *fakes)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    hgate_engine *engine = opened(fakes, settings, NULL, &allocator);
    const long live = state.live;
    question q;
    for (long n = 1;; n++) {
        question_ask(&q, words);
        question_poison(&q);
        state.calls = 0;
        state.fail_only = n;
        const int status = step->run(engine, &q);
        if (state.calls < n) {
            ck_assert_msg(status == HGATE_OK, "%s of %s: %s", step->name, words,
                          hgate_last_error());
            break;
        }
        ck_assert_msg(status == HGATE_ENOMEM, "%s of %s: allocation %ld: %d", step->name, words, n,
                      status);
        ck_assert(question_is_untouched(&q) || step->run == plan_and_run);
        ck_assert_int_eq(state.live, live);
    }
    state.fail_only = 0;
    question_ask(&q, words);
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    hgate_close(engine);
    ck_assert_int_eq(state.live, 0);
}

START_TEST(each_step)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        each_allocation_of(&steps[_i], questions[i], "good device");
    }
    for (size_t i = 0; i < 3; i++) {
        each_allocation_of(&steps[_i], questions[i], "good");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("each_allocation");
    TCase *tests = tcase_create("each_allocation");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, open_and_close);
    tcase_add_loop_test(tests, each_step, 0, (int)(sizeof steps / sizeof *steps));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
