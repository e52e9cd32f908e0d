/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON writer: commas, nesting, values, and callbacks that stop. */
#include "core/base/json.h"

#include "core/base/text.h"
#include "tests/harness.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

typedef struct sink {
    hg_text text;
    int calls;
    int stop_at; /* this call answers non-zero; 0: none */
} sink;

static int take(void *user, const char *bytes, size_t n)
{
    sink *s = user;
    s->calls++;
    hg_text_put_n(&s->text, bytes, n);
    return s->calls == s->stop_at;
}

static sink new_sink(void)
{
    return (sink){.text = hg_text_growing(NULL)};
}

START_TEST(a_document_of_everything)
{
    sink out = new_sink();
    hg_json json;
    hg_json_init(&json, take, &out);
    hg_json_object_begin(&json);
    hg_json_key_int(&json, "schema", 1);
    hg_json_key_string(&json, "op", "emi");
    hg_json_key(&json, "problem");
    hg_json_object_begin(&json);
    hg_json_object_end(&json);
    hg_json_key(&json, "list");
    hg_json_array_begin(&json);
    hg_json_array_begin(&json);
    hg_json_int(&json, INT64_MIN);
    hg_json_real(&json, 0.1);
    hg_json_array_end(&json);
    hg_json_bool(&json, true);
    hg_json_null(&json);
    hg_json_raw(&json, "{\"a\":[2]}", 9);
    hg_json_raw(&json, "3?", 1);
    hg_json_array_end(&json);
    hg_json_key(&json, "raw");
    hg_json_raw(&json, "{}", 2);
    hg_json_key_real(&json, "nan", NAN);
    hg_json_key_real(&json, "inf", -INFINITY);
    hg_json_key_string(&json, "none", NULL);
    hg_json_key_bool(&json, "last \"one\"", false);
    hg_json_object_end(&json);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_OK);
    ck_assert_str_eq(
        out.text.data,
        "{\"schema\":1,\"op\":\"emi\",\"problem\":{},\"list\":[[-9223372036854775808,0.1],"
        "true,null,{\"a\":[2]},3],\"raw\":{},\"nan\":null,\"inf\":null,\"none\":null,\"last "
        "\\\"one\\\"\":false}");
    hg_text_release(&out.text);
}
END_TEST

START_TEST(long_strings_in_pieces)
{
    /* escapes and code points of all lengths fall on every place of a piece */
    hg_text long_text = hg_text_growing(NULL);
    for (int i = 0; i < 500; i++) {
        hg_text_put(&long_text, i % 3 ? "x" : "");
        hg_text_put(&long_text, "\xc3\xa9\xe2\x82\xac\n\xf0\x9f\x98\x80");
    }
    hg_text_put(&long_text, "\x80\x80\x80\x80");
    hg_text expected = hg_text_growing(NULL);
    hg_text_put_json(&expected, long_text.data, long_text.length);
    sink out = new_sink();
    hg_json json;
    hg_json_init(&json, take, &out);
    hg_json_string(&json, long_text.data);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_OK);
    ck_assert_str_eq(out.text.data, expected.data);
    ck_assert_int_gt(out.calls, 5);
    hg_text_release(&out.text);
    hg_text_release(&expected);
    hg_text_release(&long_text);
}
END_TEST

START_TEST(a_callback_stops_the_writer)
{
    sink out = new_sink();
    out.stop_at = 2;
    hg_json json;
    hg_json_init(&json, take, &out);
    hg_json_array_begin(&json);
    for (int i = 0; i < 5000; i++) {
        hg_json_int(&json, 123456);
    }
    hg_json_array_end(&json);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_ESTOPPED);
    ck_assert_int_eq(out.calls, 2);
    hg_text_release(&out.text);
}
END_TEST

START_TEST(wrong_nesting_is_noticed)
{
    sink out = new_sink();
    hg_json json;
    hg_json_init(&json, take, &out);
    hg_json_object_begin(&json);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_EINTERNAL);
    hg_json_init(&json, take, &out);
    hg_json_array_end(&json);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_EINTERNAL);
    hg_json_init(&json, take, &out);
    for (int i = 0; i < HG_JSON_DEPTH; i++) {
        hg_json_array_begin(&json);
    }
    ck_assert_int_eq(json.status, HGATE_OK);
    hg_json_array_begin(&json);
    ck_assert_int_eq(hg_json_finish(&json), HGATE_EINTERNAL);
    hg_text_release(&out.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json");
    TCase *tests = tcase_create("json");
    tcase_add_test(tests, a_document_of_everything);
    tcase_add_test(tests, long_strings_in_pieces);
    tcase_add_test(tests, a_callback_stops_the_writer);
    tcase_add_test(tests, wrong_nesting_is_noticed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
