// SPDX-License-Identifier: BSD-3-Clause
// Plans: the choice is made once, the memory is there, several problems share what they prepare.
#include "core/engine/call.h"
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <string.h>

static hgate_plan *plan_of(hgate_engine *engine, hgate_exec *exec, const question *q)
{
    const hg_problem *problem = &q->problem;
    hgate_plan *plan = NULL;
    ck_assert_msg(hg_plan_new(engine, exec, &problem, 1, &plan) == HGATE_OK, "%s",
                  hgate_last_error());
    return plan;
}

START_TEST(decides_once)
{
    hgate_engine *engine = opened("good other", NULL, NULL, NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    hgate_plan *plan = plan_of(engine, NULL, &q);
    const long estimates = opened_count(engine, "good", "estimate");
    const long supports = opened_count(engine, "good", "supports");
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, &q.problem), HGATE_OK);
        ck_assert_int_eq(opened_count(engine, "good", "run"), i);
        ck_assert_int_eq(opened_count(engine, "good", "last_prepared"), 1);
    }
    ck_assert_int_eq(opened_count(engine, "good", "estimate"), estimates);
    ck_assert_int_eq(opened_count(engine, "good", "supports"), supports);
    ck_assert_int_eq(opened_count(engine, "good", "prepare"), 1);
    hgate_plan_free(plan);
    ck_assert_int_eq(opened_count(engine, "good", "discard"), 1);
    hgate_plan_free(NULL);
    hgate_close(engine);
}
END_TEST

START_TEST(a_one_shot_call_gives_everything_back)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
        ck_assert_int_eq(opened_count(engine, "good", "prepare"), i);
        ck_assert_int_eq(opened_count(engine, "good", "discard"), i);
    }
    hgate_close(engine);
}
END_TEST

// The same question has the same answer, so only another one is decided anew.
START_TEST(curvature_decides_for_what_it_meets)
{
    hgate_engine *engine =
        opened("gated",
               "plugins: {fake-gated: {options: {seconds_symmetric: 1e-5, seconds_full: 1e-4}}}\n"
               "gates: {curvature: {symmetric_kappa: 1}}\nops: {curvature: {fft: off}}",
               NULL, NULL);
    question q;
    question_ask(&q, "curvature ny=3 nx=5 n=4 s=0 nnz=0 data=0");
    hgate_plan *plan = plan_of(engine, NULL, &q);
    static const struct {
        const char *question, *kernel;
        bool is_new;
    } runs[] = {{"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5", "symmetric", true},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5", "symmetric", false},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.71", "full", true},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5 finite=0", "full", true},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5 finite=0", "full", false},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=7 f=0.5 finite=0", "full", true},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=7 f=0.7", "symmetric", true},
                {"curvature ny=3 nx=5 n=4 s=2 nnz=7 f=0.7", "symmetric", false}};
    uint64_t decision = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        question_ask(&q, runs[i].question);
        ck_assert_int_eq(hg_plan_execute(plan, NULL, 0, &q.problem), HGATE_OK);
        ck_assert_str_eq(opened_last_kernel(engine, "gated"), runs[i].kernel);
        const hgate_trace *trace;
        const char *kernel;
        hgate_plan_trace(plan, &trace);
        hgate_trace_choice(trace, NULL, &kernel, NULL);
        ck_assert_str_eq(kernel, runs[i].kernel);
        ck_assert_double_eq(trace->facts.work_fraction, q.problem.facts.work_fraction);
        ck_assert_int_eq(trace->id != decision, runs[i].is_new);
        ck_assert_int_eq(trace->n_attempts, 1);
        decision = trace->id;
    }
    hgate_plan_free(plan);
    hgate_close(engine);
}
END_TEST

START_TEST(tells_its_workspace)
{
    hgate_engine *engine =
        opened("good", "plugins: {fake-good: {options: {ws_bytes: 4321, prepared_bytes: 99}}}",
               NULL, NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    hgate_plan *plan = plan_of(engine, NULL, &q);
    size_t host = 1, device = 1;
    ck_assert_int_eq(hgate_plan_workspace(plan, &host, &device), HGATE_OK);
    ck_assert_uint_eq(host, 4321);
    ck_assert_uint_eq(device, 0);
    hgate_plan_free(plan);
    hgate_close(engine);
}
END_TEST

START_TEST(traces_of_plan_and_context)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    hgate_exec *exec;
    hgate_exec_new(engine, &exec);
    question a, b;
    question_ask(&a, "visibility_angles nsrc=17");
    question_ask(&b, "visibility_horizon nsrc=19");
    hgate_plan *plan_a = plan_of(engine, exec, &a), *plan_b = plan_of(engine, exec, &b);
    const hgate_trace *trace, *own;
    /* before the first run: the decision */
    ck_assert_int_eq(hgate_plan_trace(plan_a, &trace), HGATE_OK);
    ck_assert_int_eq(trace->op, HGATE_OP_VISIBILITY_ANGLES);
    ck_assert_int_eq(trace->n_attempts, 0);
    for (int i = 0; i < 4; i++) {
        const question *q = i % 2 ? &b : &a;
        hgate_plan *plan = i % 2 ? plan_b : plan_a;
        ck_assert_int_eq(hg_plan_execute(plan, exec, 0, &q->problem), HGATE_OK);
        hgate_plan_trace(plan, &trace);
        hgate_exec_last_trace(exec, &own);
        ck_assert_ptr_ne(trace, own);
        ck_assert_int_eq(own->op, q->problem.p.op);
        ck_assert_int_eq(trace->op, q->problem.p.op);
        ck_assert_int_eq(own->n_attempts, 1);
        ck_assert_int_eq(trace->n_attempts, 1);
        ck_assert_uint_eq(trace->id, own->id);
    }
    /* freeing what belongs to others is a no-op */
    hgate_trace_free((hgate_trace *)trace);
    hgate_trace_free((hgate_trace *)own);
    hgate_plan_free(plan_a);
    hgate_plan_free(plan_b);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

// A plan may have been made when more threads were allowed than at a run.
START_TEST(threads_of_the_moment)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    hgate_exec *exec;
    hgate_exec_new(engine, &exec);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    static const struct {
        int planned, allowed, expected;
    } rows[] = {{4, 1, 1}, {4, 3, 3}, {2, 8, 2}};
    for (int i = 0; i < 3; i++) {
        hg_call call;
        hg_keep keep;
        hg_keep_init(&keep, NULL);
        ck_assert_int_eq(hg_call_begin(&call, engine, exec, &q.problem), HGATE_OK);
        call.trace = exec->trace;
        call.workspace = &exec->workspace;
        call.keep = &keep;
        ck_assert_int_eq(hg_call_decide(&call), HGATE_OK);
        exec->trace->records[exec->trace->chosen].threads = rows[i].planned;
        call.threads = rows[i].allowed;
        ck_assert_int_eq(hg_call_run(&call), HGATE_OK);
        ck_assert_int_eq(opened_count(engine, "good", "last_threads"), rows[i].expected);
        hg_keep_release(&keep);
    }
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

START_TEST(without_a_kernel)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    question q;
    question_ask(&q, "visibility_angles mem=cuda:0");
    const hg_problem *problem = &q.problem;
    hgate_plan *plan = NULL;
    ck_assert_int_eq(hg_plan_new(engine, NULL, &problem, 1, &plan), HGATE_ENOKERNEL);
    ck_assert_ptr_null(plan);
    const hgate_trace *trace;
    size_t bytes;
    ck_assert_int_eq(hgate_plan_trace(NULL, &trace), HGATE_EINVAL);
    ck_assert_int_eq(hgate_plan_workspace(NULL, &bytes, &bytes), HGATE_EINVAL);
    hgate_close(engine);
}
END_TEST

START_TEST(two_sides_of_which_one_cannot_be)
{
    hgate_engine *engine =
        opened("gated",
               "kernels: {kirchhoff_adjoint: {fake-gated: {window: {enabled: false}, "
               "gather: {enabled: false}}}}",
               NULL, NULL);
    question forward, adjoint;
    question_ask(&forward, "kirchhoff_forward ns=3 nr=5");
    question_ask(&adjoint, "kirchhoff_adjoint ns=3 nr=5");
    const hg_problem *problems[] = {&forward.problem, &adjoint.problem};
    hgate_plan *plan = NULL;
    ck_assert_int_eq(hg_plan_new(engine, NULL, problems, 2, &plan), HGATE_ENOKERNEL);
    ck_assert_ptr_null(plan);
    hgate_close(engine);
}
END_TEST

START_TEST(copies_its_problem)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=17");
    hgate_plan *plan = plan_of(engine, NULL, &q);
    question_ask(&q, "visibility_horizon nsrc=3");
    const hg_problem *kept = hg_plan_problem(plan, 0);
    ck_assert_int_eq(kept->p.op, HGATE_OP_VISIBILITY_ANGLES);
    ck_assert_int_eq(kept->p.dims[HGATE_DIM_VISIBILITY_ANGLES_NSRC], 17);
    ck_assert_ptr_eq(hg_plan_engine(plan), engine);
    hgate_plan_free(plan);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("plan");
    tcase_add_test(tests, decides_once);
    tcase_add_test(tests, a_one_shot_call_gives_everything_back);
    tcase_add_test(tests, curvature_decides_for_what_it_meets);
    tcase_add_test(tests, tells_its_workspace);
    tcase_add_test(tests, traces_of_plan_and_context);
    tcase_add_test(tests, threads_of_the_moment);
    tcase_add_test(tests, without_a_kernel);
    tcase_add_test(tests, two_sides_of_which_one_cannot_be);
    tcase_add_test(tests, copies_its_problem);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
