// SPDX-License-Identifier: BSD-3-Clause
// A planned call allocates nothing once it is warm: neither through the engine's allocator nor
// behind its back.
#include "core/engine/dispatch.h"
#include "tests/alloc/count_malloc.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

enum { warm_up = 2, n_runs = 100 };

typedef struct steady_row {
    const char *question;
    const char *settings;
    bool has_exec;
} steady_row;

#define WORKSPACE "ws_bytes: 4000, prepared_bytes: 10"

static const steady_row rows[] = {
    {"visibility_angles nsrc=17", "plugins: {fake-good: {options: {" WORKSPACE "}}}", true},
    {"visibility_angles nsrc=17", "plugins: {fake-good: {options: {" WORKSPACE "}}}", false},
    {"kirchhoff_adjoint ns=3 nr=5 ni=7", "plugins: {fake-good: {options: {" WORKSPACE "}}}", true},
    /* decided again in each run */
    {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5 finite=1", "", true},
    {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5 finite=0", "", false},
    /* data for the plain kernel in each run */
    {"curvature ny=3 nx=5 n=4 s=2 nnz=6",
     "plugins: {fake-gated: {options: {seconds_symmetric: 1e-9, fail_status_symmetric: 1, "
     "ws_bytes_full: 999}}}",
     true},
    /* copied to a device and back in each run */
    {"visibility_gram m=3 k=5 beta_out=1",
     "plugins: {fake-device: {options: {seconds: 1e-9, ws_device_bytes: 77}}}", true},
    {"visibility_gram m=3 k=5 mem=cuda:1", "", true},
    /* a kernel that fails in each run, and the next one */
    {"visibility_angles nsrc=17",
     "plugins: {fake-good: {options: {fail_status_det: -8, " WORKSPACE "}}}", true},
    {"visibility_angles nsrc=17", "trace: {timing: true, ranges: callback}", true},
};

START_TEST(nothing_is_allocated)
{
    const steady_row *row = &rows[_i];
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    heard h;
    hgate_engine *engine = opened("good gated device", row->settings, &h, &allocator);
    hgate_exec *exec = NULL;
    if (row->has_exec) {
        ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    }
    question q;
    question_ask(&q, row->question);
    const hg_problem *problem = &q.problem;
    hgate_plan *plan = NULL;
    ck_assert_msg(hg_plan_new(engine, exec, &problem, 1, &plan) == HGATE_OK, "%s",
                  hgate_last_error());
    long calls = 0, mallocs = 0;
    int failed = HGATE_OK;
    for (int i = 0; i < warm_up + n_runs; i++) {
        if (i == warm_up) {
            calls = state.calls;
            mallocs = count_malloc();
        }
        failed |= hg_plan_execute(plan, exec, 0, problem); /* Check's own macros allocate */
    }
    const long new_mallocs = count_malloc() - mallocs;
    ck_assert_msg(failed == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(state.calls, calls);
    ck_assert_int_eq(new_mallocs, 0);
    hgate_plan_free(plan);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

// The same through the public calls, arguments checked and all.
START_TEST(nothing_is_allocated_by_a_public_call)
{
    hgate_engine *engine = opened("good", "", NULL, NULL);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    enum { n = 7 };
    double crd[3 * n] = {0}, az[n], za[n];
    for (int i = 0; i < n; i++) {
        crd[2 * n + i] = 1; // straight up
    }
    int64_t crd_shape[] = {3, n}, shape[] = {n};
    const DLDataType f64 = {HGATE_DL_FLOAT, 64, 1};
    const DLDevice host = {(DLDeviceType)HGATE_DL_CPU, 0};
    const DLTensor in = {.data = crd, .device = host, .ndim = 2, .dtype = f64, .shape = crd_shape};
    DLTensor out_az = {.data = az, .device = host, .ndim = 1, .dtype = f64, .shape = shape};
    DLTensor out_za = {.data = za, .device = host, .ndim = 1, .dtype = f64, .shape = shape};
    hgate_plan *plan;
    ck_assert_msg(hgate_visibility_angles_plan(engine, exec, NULL, &in, &out_az, &out_za, &plan) ==
                      HGATE_OK,
                  "%s", hgate_last_error());
    long mallocs = 0;
    int failed = HGATE_OK;
    for (int i = 0; i < warm_up + n_runs; i++) {
        mallocs = i == warm_up ? count_malloc() : mallocs;
        failed |= hgate_visibility_angles_run(plan, exec, &in, &out_az, &out_za);
    }
    const long new_mallocs = count_malloc() - mallocs;
    ck_assert_int_eq(failed, HGATE_OK);
    ck_assert_int_eq(new_mallocs, 0);
    hgate_plan_free(plan);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(the_counter_counts)
{
    const long before = count_malloc();
    void *volatile pieces[] = {malloc(10), calloc(2, 10), aligned_alloc(64, 64), strdup("text")};
    for (int i = 0; i < 4; i++) {
        free(pieces[i]);
    }
    ck_assert_int_ge(count_malloc() - before, 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steady");
    TCase *tests = tcase_create("steady");
    tcase_add_test(tests, the_counter_counts);
    tcase_add_loop_test(tests, nothing_is_allocated, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tests, nothing_is_allocated_by_a_public_call);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
