// SPDX-License-Identifier: BSD-3-Clause
// Runs of a plan that has run before, under every kernel: none takes memory, and what has not to
// read from the device copies nothing and waits for nothing. On a stream that the host captures
// into a graph those work, and the others are refused before anything is started and without harm
// to the capture. No device is needed: the plugin is linked with a double, which knows the calls
// that a capture does not survive.
#include "tests/cuda/on_double.h"

static bool is_of_curvature(const cli_case *c)
{
    return strncmp(c->row->word, "curvature", 9) == 0;
}

// What has to read from the device: what checks find in M, how many sources are up, which points a
// rule has left to another kernel.
static bool waits(const cli_case *c, const char *kernel, bool checks)
{
    const int op = c->op->op;
    if (op == HGATE_OP_EMI && strcmp(kernel, "cuda/library") != 0) {
        return c->scalars.params.emi.rule == HGATE_EMI_BETA_FIXED;
    }
    return op == HGATE_OP_VISIBILITY || op == HGATE_OP_VISIBILITY_HORIZON ||
           (checks && is_of_curvature(c));
}

// A run with nothing left to make.
static int run_again(cli_call *call, const cli_case *c, const char *kernel, bool reads)
{
    shared.takes = shared.crossings = shared.waits = 0;
    const int status = c->op->call(call);
    ck_assert_msg(status == HGATE_OK, "%s of %s: %s", kernel, c->row->word, hgate_last_error());
    ck_assert_msg(shared.takes == 0, "%s of %s takes memory", kernel, c->row->word);
    // whether M is worth another route is counted for each M, where the stream may wait
    reads |= c->op->op == HGATE_OP_CURVATURE;
    ck_assert_msg((shared.crossings > 0) == reads && (shared.waits > 0) == reads,
                  "%s of %s: %ld copies between host and device, %ld waits", kernel, c->row->word,
                  shared.crossings, shared.waits);
    return status;
}

// A plan of one kernel, run before the capture and in it. Did it run?
static bool plan_and_capture(const cli_case *c, const char *kernel, bool checks)
{
    static char stream[1];
    hgate_engine *engine = open_double(c->row->word, kernel);
    hgate_exec *exec;
    real_outputs outputs;
    real_outputs_make(&outputs, c);
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    ck_assert_int_eq(hgate_exec_set_stream(exec, 0, stream), HGATE_OK);
    cli_call call = {.form = CLI_PLAN, .engine = engine, .exec = exec};
    cli_case_arguments(&outputs.mine, &call);
    int status = c->op->call(&call);
    call.form = CLI_RUN;
    if (status == HGATE_OK) {
        status = c->op->call(&call);
    }
    if (status == HGATE_OK) {
        status = run_again(&call, c, kernel, waits(c, kernel, checks));
    }
    const bool is_served = status == HGATE_OK;
    if (is_served) {
        const long launches = shared.launches;
        shared.captured = 1;
        status = c->op->call(&call);
        ck_assert_msg(shared.captured == 1, "%s of %s: the capture does not survive %s", kernel,
                      c->row->word, shared.failed);
        ck_assert_msg(status == (waits(c, kernel, checks) ? HGATE_ESTATE : HGATE_OK),
                      "%s of %s: %d, %s", kernel, c->row->word, status, hgate_last_error());
        ck_assert_msg(status == HGATE_OK || shared.launches == launches,
                      "%s of %s: refused after something was started", kernel, c->row->word);
        ck_assert_int_eq(shared.pending, 0);
        shared.captured = 0;
    }
    hgate_plan_free(call.plan);
    hgate_exec_free(exec);
    hgate_close(engine);
    ck_assert_int_eq(shared.live, 0);
    real_outputs_free(&outputs);
    return is_served;
}

START_TEST(runs_of_plans)
{
    hgate_engine *all = open_double(NULL, NULL);
    int n = 0;
    for (int form = 0; form < 4; form++) {
        const bool is_wide = form % 2, checks = form / 2;
        char words[256], name[128];
        cli_case c;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[_i], is_wide ? "f64" : "f32");
        make_on_device(&c, words);
        if (is_of_curvature(&c) && !checks) {
            c.scalars.params.curvature.check = HGATE_CHECK_NONE;
        }
        for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            n += plan_and_capture(&c, name, checks);
        }
        cli_case_free(&c);
    }
    hgate_close(all);
    ck_assert_int_gt(n, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_capture");
    TCase *tests = tcase_create("cuda_capture");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_loop_test(tests, runs_of_plans, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
