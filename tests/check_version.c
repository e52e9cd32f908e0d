// SPDX-License-Identifier: BSD-3-Clause
// The version numbers of header and library agree with each other.
#include <headgate/version.h>

#include "tests/harness.h"

#include <stdio.h>

START_TEST(text_is_made_of_the_numbers)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", HGATE_VERSION_MAJOR, HGATE_VERSION_MINOR,
             HGATE_VERSION_PATCH);
    ck_assert_str_eq(HGATE_VERSION_STRING, expected);
}
END_TEST

START_TEST(library_answers_as_its_header)
{
    ck_assert_str_eq(hgate_version(), HGATE_VERSION_STRING);
    ck_assert_int_eq(hgate_version_number(), HGATE_VERSION_NUMBER);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("version");
    TCase *tests = tcase_create("version");
    tcase_add_test(tests, text_is_made_of_the_numbers);
    tcase_add_test(tests, library_answers_as_its_header);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
