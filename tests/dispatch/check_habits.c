// SPDX-License-Identifier: BSD-3-Clause
// Plugins that leave something behind: what the engine puts back and tells, and what does no harm.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/fake/record.h"
#include "tests/harness.h"

#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static unsigned mode_bits(void)
{
    unsigned bits = (unsigned)fegetround();
#if defined(__x86_64__)
    bits ^= _mm_getcsr() & ~0x3fU;
#endif
    return bits;
}

static int call(hgate_engine *engine)
{
    question q;
    hgate_exec *exec;
    question_ask(&q, "visibility_angles nsrc=17");
    question_poison(&q);
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    const int status = hg_dispatch(engine, exec, &q.problem);
    ck_assert_int_eq(question_is_untouched(&q), status != HGATE_OK);
    hgate_exec_free(exec);
    return status;
}

START_TEST(the_floating_point_mode_is_put_back)
{
    static heard h;
    const int modes[] = {FE_TONEAREST, FE_DOWNWARD}; // the host's own, whatever it is
    fesetround(modes[_i]);
    const unsigned before = mode_bits();
    hgate_engine *engine = opened("fp-mode", NULL, &h, NULL);
    ck_assert_uint_eq(mode_bits(), before);
    ck_assert_msg(strstr(h.text, "headgate-fake-fp-mode.so: changed the floating-point mode while "
                                 "it was loaded; it is put back"),
                  "%s", h.text);
    ck_assert_int_eq(call(engine), HGATE_OK);
    ck_assert_uint_eq(mode_bits(), before);
    ck_assert_msg(strstr(h.text, "visibility_angles/fake-fp-mode/det: changed the floating-point "
                                 "mode; it is put back"),
                  "%s", h.text);
    hgate_close(engine);
    ck_assert_uint_eq(mode_bits(), before);
    fesetround(FE_TONEAREST);
}
END_TEST

static bool keeps_exceptions(void)
{
    volatile float tiny = 1.1754944e-38f;
    tiny *= 0.3f;
    (void)tiny;
    return fetestexcept(FE_UNDERFLOW) != 0;
}

START_TEST(who_changes_nothing_is_not_told_of)
{
    static heard h;
    hgate_engine *engine =
        opened("good", "plugins: {fake-good: {options: {habit: fp_flags}}}", &h, NULL);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_DOWNWARD);
    ck_assert_int_eq(call(engine), HGATE_OK);
    ck_assert_int_eq(fegetround(), FE_DOWNWARD);
    // an exception that was raised is no mode; valgrind's processor keeps none
    ck_assert(fetestexcept(FE_UNDERFLOW) || !keeps_exceptions());
    fesetround(FE_TONEAREST);
    hgate_close(engine);
    ck_assert_ptr_null(strstr(h.text, "floating-point"));
}
END_TEST

static void wait_for_tick(hgate_engine *engine)
{
    const long now = opened_count(engine, "leaves-thread", "ticks");
    const struct timespec time = {0, 1000000};
    while (opened_count(engine, "leaves-thread", "ticks") == now) {
        nanosleep(&time, NULL);
    }
}

// Its code is never unmapped, so the thread goes on after the engine is gone, and is there for the
// next.
START_TEST(a_thread_left_running_does_no_harm)
{
    for (int i = 0; i < 3; i++) {
        hgate_engine *engine = opened("leaves-thread", NULL, NULL, NULL);
        ck_assert_int_eq(call(engine), HGATE_OK);
        wait_for_tick(engine);
        hgate_close(engine);
        const struct timespec time = {0, 5000000};
        nanosleep(&time, NULL);
    }
}
END_TEST

static void *caller(void *engine)
{
    for (int i = 0; i < 50; i++) {
        if (call(engine) != HGATE_OK) {
            return engine;
        }
    }
    return NULL;
}

START_TEST(the_thread_count_of_blas_is_the_hosts_again)
{
    static const char *const settings[] = {
        "plugins: {fake-blas-threads: {options: {}}}",
        "plugins: {fake-blas-threads: {options: {sleep: 1e-4}}}",
    };
    hgate_engine *engine = opened("blas-threads", settings[_i], NULL, NULL);
    ck_assert_int_eq(opened_count(engine, "blas-threads", "blas_threads"), 4);
    ck_assert_int_eq(call(engine), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "blas-threads", "last_blas_inside"), 1);
    ck_assert_int_eq(opened_count(engine, "blas-threads", "blas_threads"), 4);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, caller, engine), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    ck_assert_int_eq(opened_count(engine, "blas-threads", "last_blas_inside"), 1);
    ck_assert_int_eq(opened_count(engine, "blas-threads", "blas_threads"), 4);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("habits");
    TCase *tests = tcase_create("habits");
    tcase_add_loop_test(tests, the_floating_point_mode_is_put_back, 0, 2);
    tcase_add_test(tests, who_changes_nothing_is_not_told_of);
    tcase_add_test(tests, a_thread_left_running_does_no_harm);
    tcase_add_loop_test(tests, the_thread_count_of_blas_is_the_hosts_again, 0, 2);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
