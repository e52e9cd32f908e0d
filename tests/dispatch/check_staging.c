// SPDX-License-Identifier: BSD-3-Clause
// Host arrays on a device: what is copied, when, into which memory, and what the trace says. The
// device is fake: its memory is the host's, but a kernel that were given the caller's own arrays
// would be noticed.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

// The device is quicker than the host, whatever is copied.
static hgate_engine *open_both(const char *config, const char *options)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%s\nplugins: {fake-device: {options: {seconds_det: 1e-6, fill: 3%s%s}}}", config,
             options[0] ? ", " : "", options);
    return opened("good device", text, NULL, NULL);
}

static bool is_filled_with(const question *q, int arg, double value)
{
    const double *at = (const double *)q->memory[arg];
    for (size_t i = 0; i < question_bytes / sizeof *at; i++) {
        if (at[i] != value) {
            return false;
        }
    }
    return true;
}

START_TEST(copies_in_runs_copies_out)
{
    hgate_engine *engine = open_both("", "ws_device_bytes: 1000");
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    ck_assert_int_eq(hgate_exec_set_stream(exec, 1, (void *)0x10), HGATE_OK);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    question_poison(&q);
    ck_assert_msg(hg_dispatch(engine, exec, &q.problem) == HGATE_OK, "%s", hgate_last_error());
    ck_assert(is_filled_with(&q, HGATE_VISIBILITY_ANGLES_AZ, 3));
    ck_assert(is_filled_with(&q, HGATE_VISIBILITY_ANGLES_ZA, 3));
    ck_assert_int_eq(opened_count(engine, "device", "copy_in"), 1);
    ck_assert_int_eq(opened_count(engine, "device", "copy_out"), 2);
    ck_assert_int_eq(opened_count(engine, "device", "ws_alloc"), 1);
    ck_assert_int_eq(opened_count(engine, "device", "last_device"), 1);
    ck_assert_int_eq(opened_count(engine, "device", "last_stream"), 0x10);
    ck_assert_int_eq(opened_count(engine, "device", "last_ws_device_bytes"), 1000);
    ck_assert_int_eq(opened_count(engine, "device", "last_check"), HGATE_CHECK_NONE);
    ck_assert_int_ge(opened_count(engine, "device", "sync"), 1);
    /* the second call finds its memory */
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "ws_alloc"), 1);
    const hgate_trace *trace;
    hgate_exec_last_trace(exec, &trace);
    ck_assert(trace->records[trace->chosen].is_staged);
    ck_assert_uint_eq(trace->records[trace->chosen].staged, 3 * question_bytes);
    hgate_exec_free(exec);
    ck_assert_int_eq(opened_count(engine, "device", "ws_free"), 1);
    hgate_close(engine);
}
END_TEST

START_TEST(outputs_that_are_read_are_copied_both_ways)
{
    hgate_engine *engine = open_both("", "");
    question q;
    question_ask(&q, "visibility_gram m=3 k=5 beta_out=0.5");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "copy_in"), 2);
    ck_assert_int_eq(opened_count(engine, "device", "copy_out"), 1);
    question_ask(&q, "visibility_gram m=3 k=5");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "copy_in"), 3);
    ck_assert_int_eq(opened_count(engine, "device", "copy_out"), 2);
    ck_assert_int_eq(opened_count(engine, "device", "ws_free"),
                     opened_count(engine, "device", "ws_alloc"));
    hgate_close(engine);
}
END_TEST

// What a call leaves alone in an output must not come back as what the device's memory held.
START_TEST(outputs_that_are_written_in_part_are_copied_both_ways)
{
    hgate_engine *engine = open_both("", "");
    question q;
    question_ask(&q, "visibility_horizon nsrc=17");
    ck_assert_msg(hg_dispatch(engine, NULL, &q.problem) == HGATE_OK, "%s", hgate_last_error());
    const long n_outputs = opened_count(engine, "device", "copy_out");
    ck_assert_int_ge(n_outputs, 2);
    ck_assert_int_eq(opened_count(engine, "device", "copy_in"), 2 + n_outputs);
    hgate_close(engine);
}
END_TEST

START_TEST(never_when_the_setting_says_so)
{
    hgate_engine *engine = open_both("routing: {stage_host_input: never}", "");
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "run"), 0);
    ck_assert_int_eq(opened_count(engine, "good", "run"), 1);
    hgate_close(engine);
}
END_TEST

START_TEST(device_arrays_stay_where_they_are)
{
    hgate_engine *engine = open_both("", "");
    question q;
    question_ask(&q, "visibility_angles nsrc=17 mem=cuda:1");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert(is_filled_with(&q, HGATE_VISIBILITY_ANGLES_AZ, 3));
    ck_assert_int_eq(opened_count(engine, "device", "copy_in"), 0);
    ck_assert_int_eq(opened_count(engine, "device", "copy_out"), 0);
    ck_assert_int_eq(opened_count(engine, "device", "last_device"), 1);
    ck_assert_int_eq(opened_count(engine, "device", "last_check"), HGATE_CHECK_VALUES);
    hgate_close(engine);
}
END_TEST

START_TEST(a_full_device_sends_host_arrays_to_the_host)
{
    hgate_engine *engine = open_both("", "device_memory: 512");
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    question_poison(&q);
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert(is_filled_with(&q, HGATE_VISIBILITY_ANGLES_AZ, 1)); /* fake-good's */
    hgate_close(engine);
}
END_TEST

// A device that another process has, or whose libraries are missing, is no error of a call that
// never asked for it; whoever forbids the next kernel, or asks for the device, gets to know.
START_TEST(a_device_that_cannot_be_had_sends_host_arrays_to_the_host)
{
    static const struct {
        const char *routing, *options;
        const char *words;
        int status;
    } rows[] = {
        {"", "fail_status: -11", "", HGATE_OK},
        {"", "fail_status: -10", "", HGATE_OK},
        {"", "fail_status: -20", "", HGATE_EINTERNAL},
        {"routing: {fallback: never}", "fail_status: -11", "", HGATE_EDEVICE_BUSY},
        {"routing: {deterministic: true}", "fail_status: -11", "", HGATE_EDEVICE_BUSY},
        {"routing: {force: {visibility_angles: fake-device}}", "fail_status: -10", "",
         HGATE_EUNAVAILABLE},
        {"", "fail_status: -11", " mem=cuda:0", HGATE_EDEVICE_BUSY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[64];
        hgate_engine *engine = open_both(rows[i].routing, rows[i].options);
        question q;
        snprintf(words, sizeof words, "visibility_angles nsrc=17%s", rows[i].words);
        question_ask(&q, words);
        question_poison(&q);
        ck_assert_msg(hg_dispatch(engine, NULL, &q.problem) == rows[i].status, "row %zu: %s", i,
                      hgate_last_error());
        ck_assert(rows[i].status ? question_is_untouched(&q)
                                 : is_filled_with(&q, HGATE_VISIBILITY_ANGLES_AZ, 1));
        hgate_close(engine);
    }
}
END_TEST

// What a staged kernel wrote is not the caller's output yet: another kernel may still serve.
START_TEST(a_staged_kernel_that_fails_late)
{
    hgate_engine *engine = open_both("", "fail_status: -8, fail_after_write: 1");
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    ck_assert(is_filled_with(&q, HGATE_VISIBILITY_ANGLES_AZ, 1));
    hgate_close(engine);
}
END_TEST

START_TEST(a_lost_device_is_left_alone)
{
    hgate_engine *engine = open_both("", "fail_status_det: -12");
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    question_poison(&q);
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_EDEVICE_LOST);
    ck_assert(question_is_untouched(&q));
    /* from now on: host arrays on the host, device arrays nowhere */
    const long runs = opened_count(engine, "device", "run");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    question_ask(&q, "visibility_angles nsrc=17 mem=cuda:0");
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_EDEVICE_LOST);
    ck_assert_int_eq(opened_count(engine, "device", "run"), runs);
    hgate_close(engine);
}
END_TEST

START_TEST(a_plan_notices_a_lost_device)
{
    hgate_engine *engine = open_both("", "");
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    const hg_problem *problem = &q.problem;
    hgate_plan *plan;
    ck_assert_int_eq(hg_plan_new(engine, NULL, &problem, 1, &plan), HGATE_OK);
    ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "run"), 1);
    for (int i = 0; i < engine->n_usable; i++) {
        hg_catalog_lose(engine->catalog, i, 0);
    }
    ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, problem), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "run"), 1);
    ck_assert_int_eq(opened_count(engine, "good", "run"), 1);
    const hgate_trace *trace;
    const char *reason;
    hgate_plan_trace(plan, &trace);
    hgate_trace_choice(trace, NULL, NULL, &reason);
    ck_assert_str_eq(reason, "the planned kernel may not run any more");
    hgate_plan_free(plan);

    question_ask(&q, "visibility_angles nsrc=17 mem=cuda:1");
    ck_assert_int_eq(hg_plan_new(engine, NULL, &problem, 1, &plan), HGATE_OK);
    for (int i = 0; i < engine->n_usable; i++) {
        hg_catalog_lose(engine->catalog, i, 1);
    }
    ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, problem), HGATE_EDEVICE_LOST);
    ck_assert_str_eq(hgate_last_error(), "cuda:1 failed earlier in this process");
    hgate_plan_free(plan);
    hgate_close(engine);
}
END_TEST

// The tables of a plan are copied once, model and data each time; both directions share the tables'
// copy.
START_TEST(a_plan_copies_its_tables_once)
{
    hgate_engine *engine = open_both("", "prepared_bytes_det: 7");
    question forward, adjoint;
    question_ask(&forward, "kirchhoff_forward ns=3 nr=5 nt=7 nx=2 nz=4 ni=8");
    question_ask(&adjoint, "kirchhoff_adjoint ns=3 nr=5 nt=7 nx=2 nz=4 ni=8");
    const hg_problem *problems[] = {&forward.problem, &adjoint.problem};
    hgate_plan *plan;
    ck_assert_msg(hg_plan_new(engine, NULL, problems, 2, &plan) == HGATE_OK, "%s",
                  hgate_last_error());
    const long tables = opened_count(engine, "device", "copy_in");
    ck_assert_int_eq(tables, 2); /* trav_src and trav_rec */
    ck_assert_int_eq(opened_count(engine, "device", "prepare"), 1);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(hg_plan_execute(plan, NULL, i % 2, problems[i % 2]), HGATE_OK);
        ck_assert_int_eq(opened_count(engine, "device", "copy_in"), tables + 1 + i);
        ck_assert_int_eq(opened_count(engine, "device", "copy_out"), 1 + i);
        ck_assert_int_eq(opened_count(engine, "device", "last_prepared"), 1);
    }
    ck_assert_int_eq(opened_count(engine, "device", "prepare"), 1);
    const char *plugin, *kernel;
    size_t prepared, ws_host, ws_device;
    ck_assert_int_eq(hg_plan_side(plan, 1, &plugin, &kernel, &prepared, &ws_host, &ws_device),
                     HGATE_OK);
    ck_assert_str_eq(plugin, "fake-device");
    ck_assert_str_eq(kernel, "det");
    ck_assert_uint_eq(prepared, 0); /* the object of side 0 */
    ck_assert_int_eq(hg_plan_side(plan, 0, &plugin, &kernel, &prepared, &ws_host, &ws_device),
                     HGATE_OK);
    ck_assert_uint_eq(prepared, 7);
    hgate_plan_free(plan);
    ck_assert_int_eq(opened_count(engine, "device", "discard"), 1);
    ck_assert_int_eq(opened_count(engine, "device", "ws_free"),
                     opened_count(engine, "device", "ws_alloc"));
    hgate_close(engine);
}
END_TEST

START_TEST(facts_of_device_data_are_derived)
{
    hgate_engine *engine = open_both("", "work_fraction: 0.625, vals_finite: 0");
    question q;
    hgate_trace *trace;
    question_ask(&q, "curvature mem=cuda:0");
    ck_assert_int_eq(hg_explain(engine, NULL, &q.problem, &trace), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "derive"), 1);
    ck_assert_double_eq(trace->facts.work_fraction, 0.625);
    ck_assert_int_eq(trace->facts.vals_finite, 0);
    ck_assert_int_eq(trace->verdicts[HG_GATE_FINITE_VALS].ruling, HG_RULING_NAMED);
    hgate_trace_free(trace);
    /* without data there is nothing to derive from */
    question_ask(&q, "curvature mem=cuda:0 data=0");
    ck_assert_int_eq(hg_explain(engine, NULL, &q.problem, &trace), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "derive"), 1);
    ck_assert_int_eq(trace->verdicts[HG_GATE_WORK_FRACTION].ruling, HG_RULING_LATER);
    hgate_trace_free(trace);
    hgate_close(engine);
}
END_TEST

START_TEST(stream_and_arrays_on_two_devices)
{
    hgate_engine *engine = open_both("", "");
    hgate_exec *exec;
    hgate_exec_new(engine, &exec);
    hgate_exec_set_stream(exec, 1, NULL);
    question q;
    question_ask(&q, "visibility_angles mem=cuda:0");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_EDEVICE);
    ck_assert_str_eq(hgate_last_error(), "exec: the stream is on cuda:1, the arrays are on cuda:0");
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("staging");
    TCase *tests = tcase_create("staging");
    tcase_add_test(tests, copies_in_runs_copies_out);
    tcase_add_test(tests, outputs_that_are_read_are_copied_both_ways);
    tcase_add_test(tests, outputs_that_are_written_in_part_are_copied_both_ways);
    tcase_add_test(tests, never_when_the_setting_says_so);
    tcase_add_test(tests, device_arrays_stay_where_they_are);
    tcase_add_test(tests, a_full_device_sends_host_arrays_to_the_host);
    tcase_add_test(tests, a_device_that_cannot_be_had_sends_host_arrays_to_the_host);
    tcase_add_test(tests, a_staged_kernel_that_fails_late);
    tcase_add_test(tests, a_lost_device_is_left_alone);
    tcase_add_test(tests, a_plan_notices_a_lost_device);
    tcase_add_test(tests, a_plan_copies_its_tables_once);
    tcase_add_test(tests, facts_of_device_data_are_derived);
    tcase_add_test(tests, stream_and_arrays_on_two_devices);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
