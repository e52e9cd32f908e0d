/* SPDX-License-Identifier: BSD-3-Clause */
/* Strict decoding: the limits of each form, and everything that must be refused. */
#include "core/base/utf8.h"

#include "tests/harness.h"

#include <string.h>

START_TEST(first_and_last_of_each_length)
{
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t code_point;
    } rows[] = {
        {"\x01", 1, 0x1},
        {"\x7f", 1, 0x7f},
        {"\xc2\x80", 2, 0x80},
        {"\xdf\xbf", 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xed\x9f\xbf", 3, 0xd7ff},
        {"\xee\x80\x80", 3, 0xe000},
        {"\xef\xbf\xbf", 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t c = 0;
        ck_assert_uint_eq(hg_utf8_next(rows[i].bytes, strlen(rows[i].bytes), &c), rows[i].length);
        ck_assert_uint_eq(c, rows[i].code_point);
        ck_assert_uint_eq(hg_utf8_next(rows[i].bytes, rows[i].length - 1, &c), 0);
    }
    uint32_t c = 7;
    ck_assert_uint_eq(hg_utf8_next("", 1, &c), 1); /* NUL is a code point like others */
    ck_assert_uint_eq(c, 0);
}
END_TEST

START_TEST(refused)
{
    static const char *const rows[] = {
        "\x80",             /* continuation alone */
        "\xc1\xbf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* above the last code point */
        "\xf8\x88\x80\x80", /* five bytes */
        "\xff",
        "\xc3(", /* continuation missing */
    };
    uint32_t c = 7;
    ck_assert_uint_eq(hg_utf8_next(rows[_i], strlen(rows[_i]), &c), 0);
    ck_assert_uint_eq(c, 7);
}
END_TEST

START_TEST(controls)
{
    ck_assert(hg_is_control(0) && hg_is_control(0x1b) && hg_is_control(0x7f));
    ck_assert(hg_is_control(0x80) && hg_is_control(0x9f));
    ck_assert(hg_is_control(0x200e) && hg_is_control(0x202e) && hg_is_control(0x2069));
    ck_assert(!hg_is_control(0x2010) && !hg_is_control(0x202f) && !hg_is_control(0x20ac));
    ck_assert(!hg_is_control(' ') && !hg_is_control('~') && !hg_is_control(0xa0));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("utf8");
    TCase *tests = tcase_create("utf8");
    tcase_add_test(tests, first_and_last_of_each_length);
    tcase_add_loop_test(tests, refused, 0, 9);
    tcase_add_test(tests, controls);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
