/* SPDX-License-Identifier: BSD-3-Clause */
/* Text building at the edges of its buffer, with failing memory, and with hostile bytes. */
#include "core/base/text.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <wchar.h>

static const char canary[] = "canary";

START_TEST(never_past_the_end)
{
    /* every buffer size from "only the terminator" to "more than enough" */
    for (size_t size = 1; size < 24; size++) {
        char buffer[64];
        memcpy(buffer + size, canary, sizeof canary);
        hg_text text = hg_text_over(buffer, size);
        hg_text_put(&text, "gate");
        hg_text_put_char(&text, ':');
        hg_text_printf(&text, "%d/%s", 1234, "kappa");
        hg_text_put_int64(&text, -31);
        ck_assert_str_eq(buffer + size, canary);
        ck_assert_uint_eq(strlen(buffer), text.length);
        ck_assert_int_eq(strncmp(buffer, "gate:1234/kappa-31", text.length), 0);
        ck_assert_int_eq(text.is_cut, size <= strlen("gate:1234/kappa-31"));
        ck_assert(!text.is_cut || text.length == size - 1);
    }
}
END_TEST

START_TEST(nothing_follows_a_cut)
{
    char buffer[6];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put(&text, "abc");
    hg_text_put(&text, "defgh");
    hg_text_put_char(&text, '!');
    hg_text_printf(&text, "%d", 1);
    hg_text_put_repeated(&text, '-', 1000000000);
    ck_assert_str_eq(buffer, "abcde");
    ck_assert(text.is_cut);
    hg_text_clear(&text);
    ck_assert_str_eq(buffer, "");
    hg_text_put_repeated(&text, '-', 3);
    ck_assert_str_eq(buffer, "---");
    ck_assert(!text.is_cut);
    hg_text_cut_to(&text, 7);
    ck_assert_str_eq(buffer, "---");
    hg_text_cut_to(&text, 1);
    ck_assert_str_eq(buffer, "-");
    ck_assert_uint_eq(text.length, 1);
}
END_TEST

START_TEST(a_cut_does_not_split_a_code_point)
{
    static const char *const words[] = {"a\xc3\xa9", "a\xe2\x82\xac", "a\xf0\x9f\x98\x80"};
    for (int i = 0; i < 3; i++) {
        for (size_t size = 2; size <= strlen(words[i]); size++) {
            char put[16], printed[16];
            hg_text text = hg_text_over(put, size);
            hg_text_put(&text, words[i]);
            ck_assert_str_eq(put, "a");
            text = hg_text_over(printed, size);
            hg_text_printf(&text, "%s", words[i]);
            ck_assert_str_eq(printed, "a");
            ck_assert_uint_eq(text.length, 1);
        }
    }
    /* bytes that are no UTF-8 are not looked at for ever */
    char buffer[8];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put(&text, "\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    ck_assert_uint_eq(text.length, 7);
}
END_TEST

START_TEST(growing)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    hg_text text = hg_text_growing(&allocator);
    ck_assert_str_eq(text.data, "");
    hg_text_clear(&text);
    for (int i = 0; i < 1000; i++) {
        hg_text_printf(&text, "%03d,", i);
        hg_text_put(&text, "xy");
    }
    ck_assert_uint_eq(text.length, 6000);
    ck_assert_int_eq(strncmp(text.data + 5994, "999,xy", 7), 0);
    ck_assert(!text.is_cut);
    ck_assert_int_lt(state.calls, 40);
    hg_text_release(&text);
    ck_assert_str_eq(text.data, "");
    ck_assert_int_eq(state.live, 0);
}
END_TEST

START_TEST(growing_without_memory)
{
    for (long n = 1; n < 4; n++) {
        failing_alloc state = {.fail_from = n};
        const hg_allocator allocator = failing_allocator(&state);
        hg_text text = hg_text_growing(&allocator);
        for (int i = 0; i < 500; i++) {
            hg_text_put_char(&text, 'x');
            hg_text_printf(&text, "%d", i % 10);
        }
        ck_assert(text.is_cut);
        ck_assert_uint_eq(text.length, strlen(text.data));
        hg_text_release(&text);
        ck_assert_int_eq(state.live, 0);
    }
    failing_alloc state = {.fail_from = 1};
    const hg_allocator allocator = failing_allocator(&state);
    hg_text text = hg_text_growing(&allocator);
    hg_text_printf(&text, "%d", 12);
    ck_assert(text.is_cut);
    ck_assert_str_eq(text.data, "");
}
END_TEST

START_TEST(impossible_sizes)
{
    char buffer[4];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put(&text, "a");
    text.length = 1;
    hg_text_put_n(&text, "bcd", 3);
    ck_assert_str_eq(buffer, "abc");
    hg_text larger = hg_text_growing(NULL);
    hg_text_put_n(&larger, "abc", SIZE_MAX); /* refused before anything is read */
    ck_assert(larger.is_cut);
    ck_assert_uint_eq(larger.length, 0);
}
END_TEST

START_TEST(format_that_fails)
{
    char buffer[16];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put(&text, "a");
    const wchar_t no_text[] = {0x7fffffff, 0};
    hg_text_printf(&text, "%ls", no_text);
    ck_assert_str_eq(buffer, "a");
    ck_assert(text.is_cut);
}
END_TEST

START_TEST(reals)
{
    char buffer[64];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put_real(&text, 0.7);
    hg_text_put_char(&text, ' ');
    hg_text_put_real(&text, 0.1 + 0.2);
    ck_assert_str_eq(buffer, "0.7 0.30000000000000004");
}
END_TEST

START_TEST(untrusted)
{
    static const struct {
        const char *text;
        size_t n, limit;
        const char *expected;
    } rows[] = {
        {"plain \xc3\xa9", 8, 100, "plain \xc3\xa9"},
        {"a\033[31mb", 7, 100, "a\\x1b[31mb"},
        {"a\nb\tc\x7f", 6, 100, "a\\x0ab\\x09c\\x7f"},
        {"\0b", 2, 100, "\\x00b"},
        {"\xc2\x9b", 2, 100, "\\xc2\\x9b"}, /* a C1 control, one character in UTF-8 */
        {"\xff\xc3", 2, 100, "\\xff\\xc3"},
        {"abcdef", 6, 6, "abcdef"},
        {"abcdefg", 7, 6, "abcdef..."},
        {"abcd\xc3\xa9", 6, 5, "abcd..."},
        {"", 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[64];
        hg_text text = hg_text_over(buffer, sizeof buffer);
        hg_text_put_untrusted(&text, rows[i].text, rows[i].n, rows[i].limit);
        ck_assert_str_eq(buffer, rows[i].expected);
    }
}
END_TEST

START_TEST(json_strings)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"", "\"\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\b\t\n\v\f\r", "\"\\b\\t\\n\\u000b\\f\\r\""},
        {"\x01\x1f\x7f\xc2\x85", "\"\\u0001\\u001f\\u007f\\u0085\""},
        {"\xc3\xa9 \xf0\x9f\x98\x80", "\"\xc3\xa9 \xf0\x9f\x98\x80\""},
        {"a\xff"
         "b",
         "\"a\\ufffdb\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[64];
        hg_text text = hg_text_over(buffer, sizeof buffer);
        hg_text_put_json(&text, rows[i].text, strlen(rows[i].text));
        ck_assert_str_eq(buffer, rows[i].expected);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, never_past_the_end);
    tcase_add_test(tests, nothing_follows_a_cut);
    tcase_add_test(tests, a_cut_does_not_split_a_code_point);
    tcase_add_test(tests, growing);
    tcase_add_test(tests, growing_without_memory);
    tcase_add_test(tests, impossible_sizes);
    tcase_add_test(tests, format_that_fails);
    tcase_add_test(tests, reals);
    tcase_add_test(tests, untrusted);
    tcase_add_test(tests, json_strings);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
