// SPDX-License-Identifier: BSD-3-Clause
// Data that a kernel must not meet: found before the run (facts) or by the kernel itself
// (HGATE_RUN_PLAIN).
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

/* ---- known beforehand ------------------------------------------------------- */

#define MACHINE                                                                                    \
    "cpu-serial/full=9 cpu-serial/symmetric=3 cpu-serial/pair=4 cpu-serial/reference=99 "          \
    "cpu-fftw/fft=1 cuda/fft=2 cuda/full=1"

typedef struct stand_in_row {
    const char *config, *question, *chosen;
    hg_reason why;
} stand_in_row;

static const stand_in_row stand_ins[] = {
    /* free choice: full */
    {"routing: {stage_host_input: never}", "finite=0", "cpu-serial/full", HG_REASON_QUICKEST},
    {"routing: {stage_host_input: never}", "finite=1 f=0.5", "cpu-fftw/fft", HG_REASON_QUICKEST},
    /* forced kernels are replaced by the full kernel of their plugin, or of cpu-serial */
    {"routing: {force: {curvature: cpu-serial/symmetric}}", "finite=1 f=0.5",
     "cpu-serial/symmetric", HG_REASON_FORCED},
    {"routing: {force: {curvature: cpu-serial/symmetric}}", "finite=0 f=0.5", "cpu-serial/full",
     HG_REASON_STAND_IN},
    {"routing: {force: {curvature: cpu-serial/pair}}", "finite=0", "cpu-serial/full",
     HG_REASON_STAND_IN},
    {"routing: {force: {curvature: cpu-fftw/fft}}", "finite=0", "cpu-serial/full",
     HG_REASON_STAND_IN},
    {"routing: {force: {curvature: cpu-fftw}}", "finite=0", "cpu-serial/full", HG_REASON_STAND_IN},
    {"routing: {force: {curvature: cpu-serial}}", "finite=0", "cpu-serial/full", HG_REASON_FORCED},
    {"routing: {force: {curvature: cuda/fft}}", "finite=0 mem=cuda:0", "cuda/full",
     HG_REASON_STAND_IN},
    {"routing: {force: {curvature: cpu-serial/full}}", "finite=0", "cpu-serial/full",
     HG_REASON_FORCED},
    /* options for finite data do not stand in the way */
    {"routing: {force: {curvature: cpu-fftw/fft}}\nops: {curvature: {direct: off}}", "finite=0",
     "cpu-serial/full", HG_REASON_STAND_IN},
    {"ops: {curvature: {fft: force}}\nrouting: {stage_host_input: never}", "finite=0",
     "cpu-serial/full", HG_REASON_QUICKEST},
    /* a kill switch does */
    {"routing: {force: {curvature: cpu-fftw/fft}}\n"
     "kernels: {curvature: {cpu-serial: {full: {enabled: false}}}}",
     "finite=0", "none", HG_REASON_NONE},
    /* a forced kernel does not switch off gates */
    {"routing: {force: {curvature: cpu-serial/symmetric}}", "finite=1 f=0.71", "none",
     HG_REASON_NONE},
    {"routing: {force: {curvature: cpu-serial/symmetric}}\n"
     "gates: {curvature: {symmetric_max_work_fraction: off}}",
     "finite=1 f=0.1", "none", HG_REASON_NONE},
    {"routing: {force: {curvature: cpu-serial/pair}}", "finite=1 f=0.1", "none", HG_REASON_NONE},
};

START_TEST(stands_in)
{
    const stand_in_row *row = &stand_ins[_i];
    char words[128];
    snprintf(words, sizeof words, "curvature ny=3 nx=5 n=4 s=2 nnz=6 %s", row->question);
    world *w = world_new("curvature", MACHINE, row->config);
    question q;
    question_ask(&q, words);
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_str_eq(world_chosen(trace), row->chosen);
    ck_assert_str_eq(hg_reason_word(trace->why), hg_reason_word(row->why));
    world_free(w);
}
END_TEST

START_TEST(the_trace_says_so)
{
    world *w = world_new("curvature", MACHINE, "routing: {force: {curvature: cpu-fftw/fft}}");
    question q;
    question_ask(&q, "curvature f=0.5 finite=0");
    char words[HG_TRACE_WORDS];
    hg_text text = hg_text_over(words, sizeof words);
    hg_trace_put_choice(world_decide(w, &q), &text);
    ck_assert_str_eq(words, "vals hold NaN or infinity, so it stands in: routing.force.curvature "
                            "is cpu-fftw/fft (test.yaml:2:19); predicted 9 s");
    world_free(w);
}
END_TEST

/* ---- found by the kernel ------------------------------------------------------ */

// fake-gated in its order of seconds.
static hgate_engine *open_gated(const char *config, const char *options)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%s\nplugins: {fake-gated: {options: {seconds_symmetric: 1e-5, seconds_fft: 2e-5, "
             "seconds_full: 1e-2, %s}}}",
             config, options);
    return opened("gated good", text, NULL, NULL);
}

START_TEST(runs_the_plain_kernel)
{
    static const char *const configs[] = {
        "", "routing: {force: {curvature: fake-gated/symmetric}}", "routing: {deterministic: true}",
        "routing: {fallback: never}", "ops: {curvature: {direct: force}}"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        hgate_engine *engine =
            open_gated(configs[i], "fail_status_symmetric: 1, ws_bytes_full: 4096");
        hgate_exec *exec;
        ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
        question q;
        question_ask(&q, "curvature"); /* nothing is known of vals */
        question_poison(&q);
        ck_assert_msg(hg_dispatch(engine, exec, &q.problem) == HGATE_OK, "%s", hgate_last_error());
        ck_assert(!question_is_untouched(&q));
        ck_assert_str_eq(opened_last_kernel(engine, "gated"), "full");
        ck_assert_int_eq(opened_count(engine, "gated", "last_ws_bytes"), 4096);
        ck_assert_int_eq(opened_count(engine, "gated", "run"), 2);
        const hgate_trace *trace;
        const char *kernel, *reason;
        hgate_exec_last_trace(exec, &trace);
        hgate_trace_choice(trace, NULL, &kernel, &reason);
        ck_assert_str_eq(kernel, "full");
        ck_assert_str_eq(reason, "takes the values that fake-gated/symmetric must not meet");
        ck_assert_int_eq(trace->n_attempts, 2);
        ck_assert(trace->attempts[1].is_plain);
        hgate_exec_free(exec);
        hgate_close(engine);
    }
}
END_TEST

START_TEST(plain_kernel_that_is_switched_off)
{
    hgate_engine *engine = open_gated(
        "kernels: {curvature: {fake-gated: {full: {enabled: false}}}}", "fail_status_symmetric: 1");
    question q;
    question_ask(&q, "curvature");
    question_poison(&q);
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_ENOKERNEL);
    ck_assert_str_eq(hgate_last_error(),
                     "the plain kernel fake-gated/full is refused: "
                     "kernels.curvature.fake-gated.full.enabled is false (test.yaml:2:43)");
    ck_assert(question_is_untouched(&q));
    hgate_close(engine);
}
END_TEST

START_TEST(plain_kernel_that_fails)
{
    static const struct {
        const char *options;
        int status;
    } rows[] = {{"fail_status_symmetric: 1, fail_status_full: -7", HGATE_EVALUE},
                {"fail_status_symmetric: 1, fail_status_full: 1", HGATE_EPLUGIN}};
    for (int i = 0; i < 2; i++) {
        hgate_engine *engine = open_gated("", rows[i].options);
        question q;
        question_ask(&q, "curvature");
        ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), rows[i].status);
        hgate_close(engine);
    }
}
END_TEST

START_TEST(in_a_plan_without_allocation)
{
    hgate_engine *engine = open_gated("", "fail_status_symmetric: 1, ws_bytes_full: 4096");
    question q;
    question_ask(&q, "curvature ny=3 nx=5 n=4 s=0 nnz=0 data=0");
    const hg_problem *problem = &q.problem;
    hgate_plan *plan;
    ck_assert_int_eq(hg_plan_new(engine, NULL, &problem, 1, &plan), HGATE_OK);
    question_ask(&q, "curvature ny=3 nx=5 n=4 s=2 nnz=6");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, problem), HGATE_OK);
        ck_assert_str_eq(opened_last_kernel(engine, "gated"), "full");
    }
    size_t host = 0;
    ck_assert_int_eq(hgate_plan_workspace(plan, &host, NULL), HGATE_OK);
    ck_assert_uint_eq(host, 4096);
    hgate_plan_free(plan);
    hgate_close(engine);
}
END_TEST

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

int main(void)
{
    Suite *suite = suite_create("plain");
    TCase *tests = tcase_create("plain");
    tcase_add_loop_test(tests, stands_in, 0, COUNT(stand_ins));
    tcase_add_test(tests, the_trace_says_so);
    tcase_add_test(tests, runs_the_plain_kernel);
    tcase_add_test(tests, plain_kernel_that_is_switched_off);
    tcase_add_test(tests, plain_kernel_that_fails);
    tcase_add_test(tests, in_a_plan_without_allocation);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
