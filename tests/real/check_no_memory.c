// SPDX-License-Identifier: BSD-3-Clause
// Every allocation of every kernel of the real plugins fails in turn, in one-shot calls, plans,
// their runs and explanations: a clean error each time, outputs untouched, nothing lost, and the
// engine goes on.
#include "tests/failing_alloc.h"
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <stdio.h>
#include <string.h>

typedef struct attempt {
    real_outputs *outputs;
    hgate_engine *engine;
} attempt;

static int call_form(attempt *a, cli_form form, cli_call *call)
{
    call->form = form;
    call->engine = a->engine;
    cli_case_arguments(&a->outputs->mine, call);
    return a->outputs->mine.op->call(call);
}

static int one_shot(attempt *a)
{
    return real_call(a->outputs, a->engine, NULL);
}

static int explain(attempt *a)
{
    cli_call call = {0};
    const int status = call_form(a, CLI_EXPLAIN, &call);
    require((status == HGATE_OK) == (call.trace != NULL));
    hgate_trace_free(call.trace);
    return status;
}

static int plan_and_run(attempt *a)
{
    cli_call call = {0};
    cli_outputs_poison(&a->outputs->mine);
    int status = call_form(a, CLI_PLAN, &call);
    require((status == HGATE_OK) == (call.plan != NULL));
    if (status == HGATE_OK) {
        status = call_form(a, CLI_RUN, &call);
    }
    hgate_plan_free(call.plan);
    return status;
}

static const struct {
    const char *name;
    int (*run)(attempt *a);
} forms[] = {{"one-shot", one_shot}, {"explain", explain}, {"plan and run", plan_and_run}};
enum { N_FORMS = sizeof forms / sizeof *forms };

// The n-th allocation of a call fails, n = 1, 2, ... until a call has fewer. How many failed.
static long each_allocation(const cli_case *c, const char *kernel, int form)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    const hgate_allocator own = {allocator.alloc, allocator.free, allocator.user};
    real_outputs outputs;
    attempt a = {.outputs = &outputs};
    real_outputs_make(&outputs, c);
    a.engine =
        real_open(c->row->word, kernel,
                  "ops: {curvature: {exact_triangle: false}}\nrouting: {fallback: never}", &own);
    const long live = state.live;
    long n = 1;
    for (;; n++) {
        state.calls = 0;
        state.fail_only = n;
        cli_outputs_poison(&outputs.mine);
        const int status = forms[form].run(&a);
        if (status == HGATE_ENOKERNEL || state.calls < n) {
            ck_assert_msg(status == HGATE_OK || status == HGATE_ENOKERNEL, "%s of %s, %s: %s",
                          kernel, c->row->word, forms[form].name, hgate_last_error());
            break;
        }
        ck_assert_msg(status == HGATE_ENOMEM, "%s of %s, %s: allocation %ld: status %d: %s", kernel,
                      c->row->word, forms[form].name, n, status, hgate_last_error());
        ck_assert_msg(real_is_untouched(&outputs), "%s of %s, %s: allocation %ld: outputs written",
                      kernel, c->row->word, forms[form].name, n);
        ck_assert_msg(state.live == live, "%s of %s, %s: allocation %ld: %ld pieces lost", kernel,
                      c->row->word, forms[form].name, n, state.live - live);
    }
    hgate_close(a.engine);
    ck_assert_int_eq(state.live, 0);
    real_outputs_free(&outputs);
    return n - 1;
}

START_TEST(each_kernel)
{
    hgate_engine *all = real_open(NULL, NULL, NULL, NULL);
    long n_failed = 0;
    for (int wide = 0; wide < 2; wide++) {
        char words[256];
        cli_case c;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[_i], wide ? "f64" : "f32");
        real_make(&c, words);
        for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            char name[128];
            ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            for (int form = 0; form < N_FORMS && info.spaces & HGATE_SPACE_HOST; form++) {
                n_failed += each_allocation(&c, name, form);
            }
        }
        cli_case_free(&c);
    }
    hgate_close(all);
    ck_assert_int_ge(n_failed, 12); // a plan and a trace ask for memory, whatever the kernel does
}
END_TEST

START_TEST(open_and_close)
{
    int n_failed = 0;
    for (long n = 1;; n++) {
        failing_alloc state = {.fail_only = n};
        const hg_allocator allocator = failing_allocator(&state);
        hgate_options options;
        hgate_engine *engine = NULL;
        hgate_options_init(&options);
        options.allocator = (hgate_allocator){allocator.alloc, allocator.free, allocator.user};
        const int status = hgate_open(&options, &engine);
        ck_assert_msg(status == HGATE_OK || status == HGATE_ENOMEM, "allocation %ld: %d: %s", n,
                      status, hgate_last_error());
        ck_assert((status == HGATE_OK) == (engine != NULL));
        hgate_close(engine);
        ck_assert_int_eq(state.live, 0);
        n_failed += status != HGATE_OK;
        if (state.calls < n) {
            break;
        }
    }
    ck_assert_int_gt(n_failed, 15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("no_memory");
    TCase *tests = tcase_create("no_memory");
    tcase_add_test(tests, open_and_close);
    tcase_add_loop_test(tests, each_kernel, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
