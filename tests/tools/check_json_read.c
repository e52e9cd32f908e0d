/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON reader: values, what is refused and where, what the writer makes comes back. */
#include "tools/json_read.h"

#include "core/base/error.h"
#include "tools/report.h"

#include "tests/harness.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

static int read_text(const char *text, hg_arena *arena, cli_json **out)
{
    hg_arena_init(arena, NULL);
    return cli_json_read(text, strlen(text), "t", arena, out);
}

START_TEST(values)
{
    hg_arena arena;
    cli_json *d;
    ck_assert_int_eq(read_text(" {\"a\":1.5e-3, \"b\" : [true,false,null,\"x\\ny\\u00e9\\\"\\/\"],"
                               "\"c\":{\"d\":-7},\"e\":{},\"f\":[]}\n",
                               &arena, &d),
                     CLI_DONE);
    ck_assert_double_eq(cli_json_number(d, "a"), 1.5e-3);
    ck_assert_str_eq(cli_json_member(d, "a")->text, "1.5e-3");
    const cli_json *b = cli_json_member(d, "b")->first;
    ck_assert_int_eq(b->kind, CLI_JSON_BOOL);
    ck_assert_double_eq(b->number, 1);
    ck_assert_double_eq(b->next->number, 0);
    ck_assert_int_eq(b->next->next->kind, CLI_JSON_NULL);
    ck_assert_str_eq(b->next->next->next->text, "x\ny\xc3\xa9\"/");
    ck_assert_ptr_null(b->next->next->next->next);
    ck_assert_double_eq(cli_json_number(cli_json_member(d, "c"), "d"), -7);
    ck_assert_ptr_null(cli_json_member(d, "e")->first);
    ck_assert_ptr_null(cli_json_member(d, "f")->first);
    ck_assert(isnan(cli_json_number(d, "b")));
    ck_assert_str_eq(cli_json_text(d, "nothing"), "");
    ck_assert_ptr_null(cli_json_member(NULL, "a"));
    hg_arena_release(&arena);
}
END_TEST

static const struct {
    const char *text, *where;
} refused[] = {
    {"", "t:1:1: "},         {"{", "t:1:2: "},          {"{\"a\"}", "t:1:5: "},
    {"{\"a\":}", "t:1:6: "}, {"{\"a\":1,}", "t:1:8: "}, {"[1,\n2", "t:2:2: "},
    {"[1 2]", "t:1:4: "},    {"[01]", "t:1:2: "},       {"[nan]", "t:1:2: "},
    {"[1] x", "t:1:5: "},    {"\"abc", "t:1:2: "},      {"\"a\\", "t:1:2: "},
    {"\"\\q\"", "t:1:3: "},  {"\"\\u12\"", "t:1:3: "},  {"\"\\u0000\"", "t:1:3: "},
    {"\"a\nb\"", "t:1:3: "},
};

START_TEST(what_is_refused)
{
    hg_arena arena;
    cli_json *d;
    ck_assert_int_eq(read_text(refused[_i].text, &arena, &d), CLI_DATA);
    ck_assert_msg(strncmp(hgate_last_error(), refused[_i].where, strlen(refused[_i].where)) == 0,
                  "%s: %s", refused[_i].text, hgate_last_error());
    hg_arena_release(&arena);
}
END_TEST

START_TEST(depth_is_bounded)
{
    char text[400];
    hg_arena arena;
    cli_json *d;
    memset(text, '[', 200);
    memset(text + 200, ']', 199);
    text[399] = '\0';
    ck_assert_int_eq(read_text(text, &arena, &d), CLI_DATA);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "deeply"));
    hg_arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_read");
    TCase *tests = tcase_create("json_read");
    tcase_add_test(tests, values);
    tcase_add_loop_test(tests, what_is_refused, 0, (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(tests, depth_is_bounded);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
