// SPDX-License-Identifier: BSD-3-Clause
// A kernel that is flagged deterministic gives the same bits in a hundred calls, one after the
// other and from eight threads at once, on a device too where there is one; and a kernel that
// claims it wrongly is found. REPEATS sets another number.
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N_CALLERS = 8 };

typedef struct caller {
    pthread_t thread;
    const cli_case *c;
    hgate_engine *engine;
    const real_outputs *expected;
    int n_calls, threads;
    const char *wrong; // NULL: nothing
} caller;

// Calls one after the other, and so many from all callers together.
static int n_repeats(void)
{
    const char *told = getenv("REPEATS");
    const int n = told ? atoi(told) : 100;
    ck_assert_int_ge(n, 2);
    return n;
}

static void *call_again(void *user)
{
    caller *me = user;
    real_outputs mine;
    hgate_exec *exec = NULL;
    if (hgate_exec_new(me->engine, &exec) != HGATE_OK ||
        hgate_exec_set_threads(exec, me->threads) != HGATE_OK) {
        me->wrong = "no context";
    }
    real_outputs_make(&mine, me->c);
    for (int i = 0; i < me->n_calls && !me->wrong; i++) {
        if (real_call(&mine, me->engine, exec) != HGATE_OK) {
            me->wrong = "a call failed";
        } else if (!real_outputs_equal(&mine, me->expected)) {
            me->wrong = "other bits";
        }
    }
    real_outputs_free(&mine);
    hgate_exec_free(exec);
    return NULL;
}

// What is wrong with the kernel that the engine runs; NULL: nothing. *n counts those that ran.
static const char *find_fault(const cli_case *c, hgate_engine *engine, int *n)
{
    const char *wrong = NULL;
    caller callers[N_CALLERS + 1];
    real_outputs expected;
    hgate_exec *exec = NULL;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    real_outputs_make(&expected, c);
    for (int threads = 1; threads <= 2 && !wrong; threads++) {
        ck_assert_int_eq(hgate_exec_set_threads(exec, threads), HGATE_OK);
        const int status = real_call(&expected, engine, exec);
        if (status == HGATE_ENOKERNEL) {
            break; // it refuses this problem
        }
        ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
        *n += 1;
        for (int i = 0; i <= N_CALLERS; i++) {
            callers[i] =
                (caller){.c = c, .engine = engine, .expected = &expected, .threads = threads};
        }
        callers[N_CALLERS].n_calls = n_repeats() - 1;
        call_again(&callers[N_CALLERS]);
        wrong = callers[N_CALLERS].wrong;
        for (int i = 0; i < N_CALLERS; i++) {
            callers[i].n_calls = 1 + n_repeats() / N_CALLERS;
            ck_assert_int_eq(pthread_create(&callers[i].thread, NULL, call_again, &callers[i]), 0);
        }
        for (int i = 0; i < N_CALLERS; i++) {
            pthread_join(callers[i].thread, NULL);
            wrong = wrong ? wrong : callers[i].wrong;
        }
    }
    real_outputs_free(&expected);
    hgate_exec_free(exec);
    return wrong;
}

// Kernels in device memory get the host arrays of the problem copied.
START_TEST(the_same_bits_a_hundred_times)
{
    hgate_engine *all = real_open(NULL, NULL, NULL, NULL);
    int n_run = 0;
    for (int wide = 0; wide < 2; wide++) {
        char words[256];
        cli_case c;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[_i], wide ? "f64" : "f32");
        real_make(&c, words);
        const int op = c.op->op;
        for (int k = 0; k < hgate_kernel_count(all, op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            char name[128];
            ck_assert_int_eq(hgate_kernel_get(all, op, k, &info), HGATE_OK);
            if (!(info.flags & HGATE_KERNEL_DETERMINISTIC)) {
                continue;
            }
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            hgate_engine *engine =
                real_open(c.row->word, name, "ops: {curvature: {exact_triangle: false}}", NULL);
            const int n_before = n_run;
            const char *wrong = find_fault(&c, engine, &n_run);
            ck_assert_msg(!wrong, "%s of %s: %s", name, words, wrong);
            // nobody is left out: but for chosen pairs, dot is not asked, and some processors lack
            // what a kernel is made of
            ck_assert_msg(n_run > n_before || strcmp(info.name, "dot") == 0 ||
                              !(info.spaces & HGATE_SPACE_HOST) ||
                              strstr(hgate_last_error(), "need the instruction set"),
                          "%s of %s did not run: %s", name, words, hgate_last_error());
            hgate_close(engine);
        }
        cli_case_free(&c);
    }
    ck_assert_int_ge(n_run, 2);
    hgate_close(all);
}
END_TEST

// fake-not-repeatable counts its runs in its results.
START_TEST(a_wrong_claim_is_found)
{
    char yaml[1024];
    cli_case c;
    int n = 0;
    snprintf(yaml, sizeof yaml,
             "plugins: {use_default_path: false, files: "
             "['%s/tests/fake/.libs/headgate-fake-not-repeatable.so']}",
             getenv("abs_top_builddir") ? getenv("abs_top_builddir") : ".");
    unsetenv("HEADGATE_PLUGIN_PATH");
    real_make(&c, "visibility_gram m=3 k=5");
    hgate_engine *engine = real_open(c.row->word, "fake-not-repeatable/det", yaml, NULL);
    const char *wrong = find_fault(&c, engine, &n);
    ck_assert_pstr_eq(wrong, "other bits");
    hgate_close(engine);
    engine = real_open(c.row->word, "fake-not-repeatable/linear", yaml, NULL);
    ck_assert_ptr_null(find_fault(&c, engine, &n)); // this one tells the truth
    hgate_close(engine);
    cli_case_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("determinism");
    TCase *tests = tcase_create("determinism");
    tcase_add_loop_test(tests, the_same_bits_a_hundred_times, 0, real_count(real_problems));
    tcase_add_test(tests, a_wrong_claim_is_found);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
