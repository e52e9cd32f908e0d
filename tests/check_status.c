/* SPDX-License-Identifier: BSD-3-Clause */
/* Every status has a name and a text of its own; other numbers have some too. */
#include <headgate/status.h>

#include "tests/harness.h"

#include <limits.h>
#include <string.h>

START_TEST(names_and_texts_are_distinct)
{
    for (int a = HGATE_EINTERNAL; a <= HGATE_OK; a++) {
        ck_assert_int_eq(strncmp(hgate_status_name(a), "HGATE_", 6), 0);
        ck_assert_str_ne(hgate_status_name(a), "HGATE_UNKNOWN");
        ck_assert_str_ne(hgate_status_text(a), "unknown status");
        for (int b = HGATE_EINTERNAL; b < a; b++) {
            ck_assert_str_ne(hgate_status_name(a), hgate_status_name(b));
            ck_assert_str_ne(hgate_status_text(a), hgate_status_text(b));
        }
    }
    ck_assert_str_eq(hgate_status_name(HGATE_ESHAPE), "HGATE_ESHAPE");
}
END_TEST

START_TEST(other_numbers)
{
    static const int numbers[] = {HGATE_EINTERNAL - 1, 1, INT_MIN, INT_MAX};
    ck_assert_str_eq(hgate_status_name(numbers[_i]), "HGATE_UNKNOWN");
    ck_assert_str_eq(hgate_status_text(numbers[_i]), "unknown status");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("status");
    TCase *tests = tcase_create("status");
    tcase_add_test(tests, names_and_texts_are_distinct);
    tcase_add_loop_test(tests, other_numbers, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
