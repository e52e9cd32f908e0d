/* SPDX-License-Identifier: BSD-3-Clause */
/* The last error text: kept per thread, harmless, cut, and not cleared by success. */
#include "core/base/error.h"

#include "tests/harness.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

START_TEST(empty_at_first_then_the_last_one)
{
    ck_assert_str_eq(hgate_last_error(), "");
    ck_assert_int_eq(hg_error(HGATE_ESHAPE, "V: shape is (%d, %d)", 350, 351), HGATE_ESHAPE);
    ck_assert_str_eq(hgate_last_error(), "V: shape is (350, 351)");
    ck_assert_int_eq(hg_error(HGATE_EINVAL, "kappa: %s", hgate_last_error()), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "kappa: V: shape is (350, 351)");
}
END_TEST

START_TEST(control_characters_are_shown)
{
    hg_error(HGATE_EINVAL, "no operation \"%s\"", "e\033[2Jmi\n");
    ck_assert_str_eq(hgate_last_error(), "no operation \"e\\x1b[2Jmi\\x0a\"");
    hg_error_lines(HGATE_ECONFIG, "a.yaml:1:1: one\na.yaml:2:1: two");
    ck_assert_str_eq(hgate_last_error(), "a.yaml:1:1: one\na.yaml:2:1: two");
}
END_TEST

START_TEST(long_texts_are_cut)
{
    char text[2 * HG_ERROR_BYTES];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int is_lines = 0; is_lines < 2; is_lines++) {
        if (is_lines) {
            hg_error_lines(HGATE_ECONFIG, text);
        } else {
            hg_error(HGATE_ECONFIG, "%s", text);
        }
        const char *kept = hgate_last_error();
        ck_assert_uint_lt(strlen(kept), HG_ERROR_BYTES);
        ck_assert_uint_gt(strlen(kept), HG_ERROR_BYTES - 10);
        ck_assert_str_eq(kept + strlen(kept) - 4, "x...");
    }
}
END_TEST

START_TEST(memory)
{
    ck_assert_int_eq(hg_error_memory("workspace", (size_t)1 << 40), HGATE_ENOMEM);
    ck_assert_str_eq(hgate_last_error(), "workspace: no memory for 1099511627776 bytes");
}
END_TEST

static void *other_thread(void *unused)
{
    (void)unused;
    const char *at_first = hgate_last_error();
    const bool was_empty = at_first[0] == '\0';
    hg_error(HGATE_EINVAL, "of the other thread");
    return (void *)(was_empty && strcmp(hgate_last_error(), "of the other thread") == 0 ? "ok"
                                                                                        : "");
}

START_TEST(each_thread_has_its_own)
{
    hg_error(HGATE_EINVAL, "of this thread");
    pthread_t thread;
    void *answer;
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &answer), 0);
    ck_assert_str_eq(answer, "ok");
    ck_assert_str_eq(hgate_last_error(), "of this thread");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");
    tcase_add_test(tests, empty_at_first_then_the_last_one);
    tcase_add_test(tests, control_characters_are_shown);
    tcase_add_test(tests, long_texts_are_cut);
    tcase_add_test(tests, memory);
    tcase_add_test(tests, each_thread_has_its_own);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
