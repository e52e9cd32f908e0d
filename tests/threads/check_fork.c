// SPDX-License-Identifier: BSD-3-Clause
// A child of a process that has used an engine: the same answers from kernels that survive a fork,
// the others refused by name, device arrays refused, no hang, the parent unharmed.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs `body` in a child and returns its exit code; a child that hangs is killed by its alarm.
static int in_child(int (*body)(void *user), void *user)
{
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        alarm(60);
        _exit(body(user));
    }
    int state;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert_msg(WIFEXITED(state), "the child ended by signal %d", WTERMSIG(state));
    return WEXITSTATUS(state);
}

#define TELL(NUMBER, CONDITION)                                                                    \
    if (!(CONDITION)) {                                                                            \
        fprintf(stderr, "%s: %s\n", #CONDITION, hgate_last_error());                               \
        return NUMBER;                                                                             \
    }

typedef struct parent {
    hgate_engine *engine;
    hgate_exec *exec;
    hgate_plan *plan, *device_plan, *loose_plan;
    question q, device;
} parent;

static int use_in_child(void *user)
{
    parent *p = user;
    const hgate_trace *trace;
    TELL(1, hg_dispatch(p->engine, p->exec, &p->q.problem) == HGATE_OK);
    TELL(2, strcmp(opened_last_kernel(p->engine, "good"), "det") == 0);
    hgate_exec_last_trace(p->exec, &trace);
    TELL(3, trace->is_forked && trace->threads == 1);
    for (int i = 0; i < trace->n; i++) {
        const hg_candidate *candidate = &hg_trace_candidates(trace).items[i];
        const bool is_safe = candidate->kernel->flags & HGATE_KERNEL_FORK_SAFE;
        TELL(4, is_safe || trace->records[i].state == HG_STATE_REFUSED);
    }
    TELL(5, hg_plan_execute(p->plan, p->exec, 0, &p->q.problem) == HGATE_OK);
    TELL(6, hg_plan_execute(p->loose_plan, NULL, 0, &p->q.problem) == HGATE_ENOKERNEL);
    TELL(7, hg_dispatch(p->engine, p->exec, &p->device.problem) == HGATE_EFORK);
    TELL(8, hg_plan_execute(p->device_plan, NULL, 0, &p->device.problem) == HGATE_EFORK);
    hgate_engine *another = NULL;
    hgate_exec *exec = NULL;
    TELL(9, hgate_open(NULL, &another) == HGATE_OK);
    TELL(10, hgate_exec_new(another, &exec) == HGATE_OK);
    hgate_exec_free(exec);
    hgate_close(another);
    return 0;
}

static hgate_plan *plan_of(hgate_engine *engine, const question *q)
{
    const hg_problem *problem = &q->problem;
    hgate_plan *plan = NULL;
    ck_assert_msg(hg_plan_new(engine, NULL, &problem, 1, &plan) == HGATE_OK, "%s",
                  hgate_last_error());
    return plan;
}

static void set_up(parent *p)
{
    // loose would be the quickest, but does not survive a fork; nothing of fake-device does here
    p->engine = opened("good device",
                       "plugins: {fake-good: {options: {seconds_loose: 1e-9}}, "
                       "fake-device: {options: {refuse_det: no, refuse_linear: no, "
                       "refuse_reference: no}}}\n"
                       "routing: {stage_host_input: never}",
                       NULL, NULL);
    ck_assert_int_eq(hgate_exec_new(p->engine, &p->exec), HGATE_OK);
    question_ask(&p->q, "visibility_angles nsrc=5");
    question_ask(&p->device, "visibility_angles nsrc=5 mem=cuda:0");
    p->plan = plan_of(p->engine, &p->q);
    p->device_plan = plan_of(p->engine, &p->device);
    ck_assert_int_eq(hg_dispatch(p->engine, p->exec, &p->q.problem), HGATE_OK);
    ck_assert_str_eq(opened_last_kernel(p->engine, "good"), "loose");
}

static void tear_down(parent *p)
{
    hgate_plan_free(p->plan);
    hgate_plan_free(p->device_plan);
    hgate_plan_free(p->loose_plan);
    hgate_exec_free(p->exec);
    hgate_close(p->engine);
}

START_TEST(the_engine_in_a_child)
{
    parent p = {0};
    set_up(&p);
    hgate_engine *loose =
        opened("good", "routing: {force: {visibility_angles: fake-good/loose}}", NULL, NULL);
    p.loose_plan = plan_of(loose, &p.q);
    ck_assert_int_eq(in_child(use_in_child, &p), 0);
    /* the parent goes on as before */
    ck_assert_int_eq(hg_dispatch(p.engine, p.exec, &p.q.problem), HGATE_OK);
    ck_assert_str_eq(opened_last_kernel(p.engine, "good"), "loose");
    ck_assert_int_eq(hg_plan_execute(p.device_plan, NULL, 0, &p.device.problem), HGATE_OK);
    tear_down(&p);
    hgate_close(loose);
}
END_TEST

static int close_in_child(void *user)
{
    tear_down(user);
    return 0;
}

static int do_nothing(void *user)
{
    (void)user;
    return 0;
}

START_TEST(a_child_that_only_closes)
{
    parent p = {0};
    set_up(&p);
    ck_assert_int_eq(in_child(close_in_child, &p), 0);
    ck_assert_int_eq(in_child(do_nothing, NULL), 0);
    ck_assert_int_eq(hg_plan_execute(p.plan, p.exec, 0, &p.q.problem), HGATE_OK);
    tear_down(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fork");
    TCase *tests = tcase_create("fork");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_engine_in_a_child);
    tcase_add_test(tests, a_child_that_only_closes);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
