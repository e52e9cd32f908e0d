// SPDX-License-Identifier: BSD-3-Clause
// When the next kernel may try, when it may not, and what is left of it in trace, log and message.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// fake-good in its order: det 1 ms, loose 2 ms, linear 5 ms, reference.
#define ORDER "seconds_linear: 5e-3"

typedef struct fallback_row {
    const char *routing;  /* keys under routing: */
    const char *options;  /* of fake-good */
    int status;           /* of the call */
    const char *attempts; /* kernels with their status, in order */
    bool is_untouched;    /* outputs afterwards */
} fallback_row;

static const fallback_row rows[] = {
    {"", "", HGATE_OK, "det 0", false},
    /* the reason decides: memory by default, the other two on request */
    {"", "fail_status_det: -8", HGATE_OK, "det -8, loose 0", false},
    {"", "fail_status_det: -11", HGATE_EDEVICE_BUSY, "det -11", true},
    {"", "fail_status_det: -10", HGATE_EUNAVAILABLE, "det -10", true},
    {"fallback: any", "fail_status_det: -8", HGATE_OK, "det -8, loose 0", false},
    {"fallback: any", "fail_status_det: -11", HGATE_OK, "det -11, loose 0", false},
    {"fallback: any", "fail_status_det: -10", HGATE_OK, "det -10, loose 0", false},
    {"fallback: never", "fail_status_det: -8", HGATE_ENOMEM, "det -8", true},
    {"fallback: never", "fail_status_det: -11", HGATE_EDEVICE_BUSY, "det -11", true},
    /* results and faults are no reasons, whatever the setting */
    {"fallback: any", "fail_status_det: -1", HGATE_EINVAL, "det -1", true},
    {"fallback: any", "fail_status_det: -2", HGATE_ESHAPE, "det -2", true},
    {"fallback: any", "fail_status_det: -7", HGATE_EVALUE, "det -7", true},
    {"fallback: any", "fail_status_det: -12", HGATE_EDEVICE_LOST, "det -12", true},
    {"fallback: any", "fail_status_det: -14", HGATE_EPLUGIN, "det -14", true},
    {"fallback: any", "fail_status_det: -17", HGATE_ESTATE, "det -17", true},
    {"fallback: any", "fail_status_det: -19", HGATE_ESTOPPED, "det -19", true},
    {"fallback: any", "fail_status_det: -20", HGATE_EINTERNAL, "det -20", true},
    /* several in a row, down to the plain kernel, and none left */
    {"", "fail_status_det: -8, fail_status_loose: -8", HGATE_OK, "det -8, loose -8, linear 0",
     false},
    {"", "fail_status_det: -8, fail_status_loose: -8, fail_status_linear: -8", HGATE_OK,
     "det -8, loose -8, linear -8, reference 0", false},
    {"", "fail_status: -8", HGATE_ENOMEM, "det -8, loose -8, linear -8, reference -8", true},
    /* another failure ends it */
    {"", "fail_status_det: -8, fail_status_loose: -7", HGATE_EVALUE, "det -8, loose -7", true},
    /* after the first write there is no way back */
    {"", "fail_status_det: -8, fail_after_write: 1", HGATE_ENOMEM, "det -8", false},
    {"fallback: any", "fail_status_det: -11, fail_after_write: 1", HGATE_EDEVICE_BUSY, "det -11",
     false},
    /* neither for a forced choice, nor when bits must repeat */
    {"force: {visibility_angles: fake-good}", "fail_status_det: -8", HGATE_ENOMEM, "det -8", true},
    {"force: {visibility_angles: fake-good/det}", "fail_status_det: -8", HGATE_ENOMEM, "det -8",
     true},
    {"deterministic: true", "fail_status_det: -8", HGATE_ENOMEM, "det -8", true},
    /* memory that cannot even be had for the workspace */
    {"", "ws_bytes_det: 4611686018427387904", HGATE_OK, "det -8, loose 0", false},
    /* a workspace that turns out too small, or is overrun, is the plugin's fault */
    {"fallback: any", "ws_bytes_det: 64, ws_lie_det: refuse", HGATE_EPLUGIN, "det -14", true},
    {"fallback: any", "ws_bytes_det: 64, ws_lie_det: overrun", HGATE_EPLUGIN, "det -14", false},
    /* a number that is no status */
    {"fallback: any", "fail_status_det: 4711", HGATE_EPLUGIN, "det -14", true},
    {"fallback: any", "fail_status_det: -99", HGATE_EPLUGIN, "det -14", true},
    /* a plain kernel that does not exist */
    {"fallback: any", "fail_status_det: 1", HGATE_EPLUGIN, "det -14", true},
};

static hgate_engine *open_row(const char *routing, const char *options, heard *h)
{
    char config[1024];
    snprintf(config, sizeof config, "routing: {%s}\nplugins: {fake-good: {options: {%s%s%s}}}",
             routing, ORDER, options[0] ? ", " : "", options);
    return opened("good", config, h, NULL);
}

static void list_attempts(const hgate_trace *trace, char *out, size_t size)
{
    hg_text text = hg_text_over(out, size);
    for (int k = 0; k < trace->n_attempts; k++) {
        const hg_attempt *attempt = &trace->attempts[k];
        hg_text_printf(&text, "%s%s %d", k ? ", " : "",
                       hg_trace_candidates(trace).items[attempt->candidate].kernel->name,
                       attempt->status);
    }
}

static void check_row(const fallback_row *row, bool is_planned)
{
    hgate_engine *engine = open_row(row->routing, row->options, NULL);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    question_poison(&q);
    hgate_plan *plan = NULL;
    int status;
    if (is_planned) {
        const hg_problem *problem = &q.problem;
        ck_assert_int_eq(hg_plan_new(engine, exec, &problem, 1, &plan), HGATE_OK);
        status = hg_plan_execute(plan, exec, 0, problem);
    } else {
        status = hg_dispatch(engine, exec, &q.problem);
    }
    ck_assert_int_eq(status, row->status);
    ck_assert_int_eq(question_is_untouched(&q), row->is_untouched);
    const hgate_trace *trace;
    char attempts[256];
    ck_assert_int_eq(hgate_exec_last_trace(exec, &trace), HGATE_OK);
    list_attempts(trace, attempts, sizeof attempts);
    ck_assert_str_eq(attempts, row->attempts);
    if (is_planned) {
        ck_assert_int_eq(hgate_plan_trace(plan, &trace), HGATE_OK);
        list_attempts(trace, attempts, sizeof attempts);
        ck_assert_str_eq(attempts, row->attempts);
    }
    hgate_plan_free(plan);
    hgate_exec_free(exec);
    hgate_close(engine);
}

START_TEST(one_shot)
{
    check_row(&rows[_i], false);
}
END_TEST

// The same rules hold in a plan; what a plan could not even reserve it has passed over when it was
// made.
START_TEST(planned)
{
    if (!strstr(rows[_i].options, "ws_bytes_det: 46")) {
        check_row(&rows[_i], true);
    }
}
END_TEST

START_TEST(a_plan_passes_over_what_cannot_be_prepared)
{
    static const char *const options[] = {"ws_bytes_det: 4611686018427387904", "fail_prepare: -8"};
    static const char *const kernels[] = {"loose", "linear"};
    for (int i = 0; i < 2; i++) {
        hgate_engine *engine = open_row("", options[i], NULL);
        question q;
        question_ask(&q, "visibility_angles nsrc=17");
        const hg_problem *problem = &q.problem;
        hgate_plan *plan;
        ck_assert_msg(hg_plan_new(engine, NULL, &problem, 1, &plan) == HGATE_OK, "%s",
                      hgate_last_error());
        for (int run = 0; run < 3; run++) {
            ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, problem), HGATE_OK);
        }
        ck_assert_int_eq(opened_count(engine, "good", "run"), 3);
        ck_assert_str_eq(opened_last_kernel(engine, "good"), kernels[i]);
        const hgate_trace *trace;
        const char *reason;
        ck_assert_int_eq(hgate_plan_trace(plan, &trace), HGATE_OK);
        ck_assert_int_eq(hgate_trace_choice(trace, NULL, NULL, &reason), HGATE_OK);
        ck_assert_ptr_nonnull(strstr(reason, "the first that could be prepared"));
        hgate_plan_free(plan);
        hgate_close(engine);
    }
}
END_TEST

START_TEST(a_plan_that_cannot_be_made)
{
    hgate_engine *engine = open_row("fallback: never", "fail_prepare: -8", NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    const hg_problem *problem = &q.problem;
    hgate_plan *plan = NULL;
    ck_assert_int_eq(hg_plan_new(engine, NULL, &problem, 1, &plan), HGATE_ENOMEM);
    ck_assert_ptr_null(plan);
    ck_assert_str_eq(hgate_last_error(), "prepare was told to fail");
    hgate_close(engine);
}
END_TEST

START_TEST(one_warning_for_a_kernel_and_a_reason)
{
    heard h;
    hgate_engine *engine =
        open_row("fallback: any", "fail_status_det: -8, fail_status_loose: -11", &h);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
    }
    ck_assert_str_eq(h.text,
                     "2 route: visibility_angles: fake-good/det failed with HGATE_ENOMEM, taking "
                     "fake-good/loose\n"
                     "2 route: visibility_angles: fake-good/loose failed with HGATE_EDEVICE_BUSY, "
                     "taking fake-good/linear\n");
    hgate_close(engine);
}
END_TEST

START_TEST(the_choice_after_a_fallback)
{
    hgate_engine *engine = open_row("", "fail_status_det: -8", NULL);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    const hgate_trace *trace;
    const char *kernel, *reason;
    double predicted, measured;
    hgate_exec_last_trace(exec, &trace);
    ck_assert_int_eq(hgate_trace_choice(trace, NULL, &kernel, &reason), HGATE_OK);
    ck_assert_str_eq(kernel, "loose");
    ck_assert_str_eq(reason, "fake-good/det failed with HGATE_ENOMEM");
    ck_assert_int_eq(hgate_trace_seconds(trace, &predicted, &measured), HGATE_OK);
    ck_assert_double_eq(predicted, 2e-3);
    ck_assert(isnan(measured));
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(messages_of_failures)
{
    static const struct {
        const char *options, *text;
    } failures[] = {
        {"fail_status_det: -7", "det was told to fail"},
        {"fail_status_det: 4711", "fake-good/det: answered with a number that is no status (4711)"},
        {"ws_bytes_det: 64, ws_lie_det: overrun", "fake-good/det: wrote behind its workspace (0)"},
        {"fail_status_det: 1", "fake-good/det: asks for a plain kernel that it does not have (1)"},
        {"fail_status_det: 1, fail_after_write: 1",
         "fake-good/det: asks for the plain kernel after it has written (1)"},
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        hgate_engine *engine = open_row("", failures[i].options, NULL);
        question q;
        question_ask(&q, "visibility_angles nsrc=17");
        ck_assert_int_lt(hg_dispatch(engine, NULL, &q.problem), 0);
        ck_assert_str_eq(hgate_last_error(), failures[i].text);
        hgate_close(engine);
    }
}
END_TEST

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

int main(void)
{
    Suite *suite = suite_create("fallback");
    TCase *tests = tcase_create("fallback");
    tcase_add_loop_test(tests, one_shot, 0, COUNT(rows));
    tcase_add_loop_test(tests, planned, 0, COUNT(rows));
    tcase_add_test(tests, a_plan_passes_over_what_cannot_be_prepared);
    tcase_add_test(tests, a_plan_that_cannot_be_made);
    tcase_add_test(tests, one_warning_for_a_kernel_and_a_reason);
    tcase_add_test(tests, the_choice_after_a_fallback);
    tcase_add_test(tests, messages_of_failures);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
