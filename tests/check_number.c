/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers from text and back. The comma locale has a program of its own, check_locale. */
#include "core/base/number.h"

#include "tests/harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

START_TEST(integers)
{
    static const struct {
        const char *text;
        hg_parse result;
        int64_t value;
    } rows[] = {
        {"0", HG_PARSE_OK, 0},
        {"-0", HG_PARSE_OK, 0},
        {"+7", HG_PARSE_OK, 7},
        {"-31", HG_PARSE_OK, -31},
        {"9223372036854775807", HG_PARSE_OK, INT64_MAX},
        {"-9223372036854775808", HG_PARSE_OK, INT64_MIN},
        {"9223372036854775808", HG_PARSE_RANGE, 0},
        {"-9223372036854775809", HG_PARSE_RANGE, 0},
        {"99999999999999999999999", HG_PARSE_RANGE, 0},
        {"", HG_PARSE_SYNTAX, 0},
        {"-", HG_PARSE_SYNTAX, 0},
        {"+-1", HG_PARSE_SYNTAX, 0},
        {" 1", HG_PARSE_SYNTAX, 0},
        {"1 ", HG_PARSE_SYNTAX, 0},
        {"1.0", HG_PARSE_SYNTAX, 0},
        {"1e3", HG_PARSE_SYNTAX, 0},
        {"0x10", HG_PARSE_SYNTAX, 0},
        {"1_000", HG_PARSE_SYNTAX, 0},
        {"010", HG_PARSE_SYNTAX, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t out = 77;
        ck_assert_msg(hg_parse_int64(rows[i].text, strlen(rows[i].text), &out) == rows[i].result,
                      "\"%s\"", rows[i].text);
        ck_assert_int_eq(out, rows[i].result == HG_PARSE_OK ? rows[i].value : 77);
    }
}
END_TEST

START_TEST(only_the_given_bytes_count)
{
    int64_t whole = 0;
    double real = 0;
    ck_assert_int_eq(hg_parse_int64("12345", 3, &whole), HG_PARSE_OK);
    ck_assert_int_eq(whole, 123);
    ck_assert_int_eq(hg_parse_real("1.25e3", 4, &real), HG_PARSE_OK);
    ck_assert(real == 1.25);
    ck_assert_int_eq(hg_parse_real("1.25\0", 5, &real), HG_PARSE_SYNTAX);
}
END_TEST

START_TEST(reals)
{
    static const struct {
        const char *text;
        hg_parse result;
        double value;
    } rows[] = {
        {"0", HG_PARSE_OK, 0},
        {"0.7", HG_PARSE_OK, 0.7},
        {"-2.5e-3", HG_PARSE_OK, -0.0025},
        {"1e-3", HG_PARSE_OK, 1e-3},
        {"1E+5", HG_PARSE_OK, 1e5},
        {"1.7976931348623157e308", HG_PARSE_OK, DBL_MAX},
        {"5e-324", HG_PARSE_OK, 0x1p-1074},
        {"0e-999", HG_PARSE_OK, 0},
        {"1e400", HG_PARSE_RANGE, 0},
        {"-1e400", HG_PARSE_RANGE, 0},
        {"1e-400", HG_PARSE_RANGE, 0},
        {"", HG_PARSE_SYNTAX, 0},
        {".5", HG_PARSE_SYNTAX, 0},
        {"5.", HG_PARSE_SYNTAX, 0},
        {"0,7", HG_PARSE_SYNTAX, 0},
        {"1e", HG_PARSE_SYNTAX, 0},
        {"1e+", HG_PARSE_SYNTAX, 0},
        {"1e5x", HG_PARSE_SYNTAX, 0},
        {"0x1p3", HG_PARSE_SYNTAX, 0},
        {"nan", HG_PARSE_SYNTAX, 0},
        {"inf", HG_PARSE_SYNTAX, 0},
        {".inf", HG_PARSE_SYNTAX, 0},
        {"1 000", HG_PARSE_SYNTAX, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double out = 77;
        ck_assert_msg(hg_parse_real(rows[i].text, strlen(rows[i].text), &out) == rows[i].result,
                      "\"%s\"", rows[i].text);
        ck_assert_msg(out == (rows[i].result == HG_PARSE_OK ? rows[i].value : 77), "\"%s\"",
                      rows[i].text);
    }
}
END_TEST

START_TEST(absurdly_long_numbers_are_refused)
{
    char digits[300];
    memset(digits, '1', sizeof digits);
    double out;
    ck_assert_int_eq(hg_parse_real(digits, sizeof digits, &out), HG_PARSE_SYNTAX);
    ck_assert_int_eq(hg_parse_real(digits, 100, &out), HG_PARSE_OK);
}
END_TEST

START_TEST(printed_with_few_digits)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},
                {-0.0, "-0"},
                {0.1, "0.1"},
                {0.7, "0.7"},
                {1e5, "100000"},
                {1e300, "1e+300"},
                {1.0 / 3, "0.3333333333333333"},
                {0.1 + 0.2, "0.30000000000000004"},
                {NAN, "nan"},
                {HUGE_VAL, "inf"},
                {-HUGE_VAL, "-inf"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[HG_REAL_CHARS];
        hg_format_real(text, rows[i].value);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

START_TEST(printed_numbers_come_back)
{
    uint64_t state = 88172645463325252u;
    int n_finite = 0;
    for (int i = 0; i < 20000; i++) {
        state ^= state << 13; /* xorshift64 of Marsaglia */
        state ^= state >> 7;
        state ^= state << 17;
        double value, back;
        memcpy(&value, &state, sizeof value);
        char text[HG_REAL_CHARS];
        hg_format_real(text, value);
        if (isfinite(value)) {
            n_finite++;
            ck_assert_int_eq(hg_parse_real(text, strlen(text), &back), HG_PARSE_OK);
            ck_assert_msg(memcmp(&back, &value, sizeof value) == 0, "%s", text);
        }
    }
    ck_assert_int_gt(n_finite, 19000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");
    TCase *tests = tcase_create("number");
    tcase_add_test(tests, integers);
    tcase_add_test(tests, only_the_given_bytes_count);
    tcase_add_test(tests, reals);
    tcase_add_test(tests, absurdly_long_numbers_are_refused);
    tcase_add_test(tests, printed_with_few_digits);
    tcase_add_test(tests, printed_numbers_come_back);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
