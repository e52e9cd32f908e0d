/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed reading of single values: what is accepted, its one spelling, and what is refused. */
#include "core/config/value.h"

#include "tests/car_schema.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <headgate/status.h>
#include <stdio.h>

static const hg_schema_row *row_of(const char *key)
{
    const hg_schema_row *row = hg_schema_find(&car_schema, key, NULL);
    ck_assert_msg(row != NULL, "%s", key);
    return row;
}

static hg_arena arena;

static int read_value(const char *key, const char *text, hg_value *value, char *why, size_t size)
{
    hg_text reason = hg_text_over(why, size);
    return hg_value_read(row_of(key), text, strlen(text), &arena, value, &reason);
}

START_TEST(accepted)
{
    static const struct {
        const char *key, *text, *canonical;
        double number;
        bool is_off, is_auto;
    } rows[] = {
        {"body.roof", "true", "true", 1, false, false},
        {"body.roof", "false", "false", 0, false, false},
        {"body.doors", "+2", "2", 2, false, false},
        {"body.doors", "5", "5", 5, false, false},
        {"body.serial", "-9223372036854775808", "-9223372036854775808", -0x1p63, false, false},
        {"body.mass", "1e0", "1", 1, false, false},
        {"body.mass", "9.99999", "9.99999", 9.99999, false, false},
        {"body.mass", "auto", "auto", 0, false, true},
        {"body.colour", "green", "green", 0, false, false},
        {"body.colour", "7", "7", 7, false, false},
        {"body.colour", "off", "off", 0, true, false},
        {"body.tank", "0", "0", 0, false, false},
        {"body.tank", "17B", "17", 17, false, false},
        {"body.tank", "17 KiB", "17KiB", 17408, false, false},
        {"body.tank", "1024", "1KiB", 1024, false, false},
        {"body.tank", "2048MiB", "2GiB", 2147483648.0, false, false},
        {"body.tank", "1536MiB", "1536MiB", 1610612736.0, false, false},
        {"body.tank", "4096GiB", "4096GiB", 4398046511104.0, false, false},
        {"body.wheels", "4", "4", 4, false, false},
        {"body.key", "/a b/c", "/a b/c", 0, false, false},
        {"gates.car.speed", "off", "off", -1, true, false},
        {"gates.car.speed", "auto", "auto", 0, false, true},
        {"gates.car.speed", "-0", "0", 0, false, false},
        {"routing.force.honk", "diesel", "diesel", 0, false, false},
        {"routing.force.honk", "a-b/c_d", "a-b/c_d", 0, false, false},
        {"plugins.x.options.y", "any thing", "any thing", 0, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_value value;
        char why[200];
        ck_assert_msg(read_value(rows[i].key, rows[i].text, &value, why, sizeof why) == HGATE_OK,
                      "%s: %s: %s", rows[i].key, rows[i].text, why);
        ck_assert_str_eq(value.text, rows[i].canonical);
        ck_assert_msg(value.real == rows[i].number, "%s: %g", rows[i].text, value.real);
        if (row_of(rows[i].key)->type != HG_TYPE_REAL) {
            ck_assert_msg((double)value.integer == rows[i].number, "%s", rows[i].text);
        }
        ck_assert_int_eq(value.is_off, rows[i].is_off);
        ck_assert_int_eq(value.is_auto, rows[i].is_auto);
        ck_assert_uint_eq(value.n_items, 0);
    }
}
END_TEST

START_TEST(refused)
{
    static const struct {
        const char *key, *text, *why;
    } rows[] = {
        {"body.roof", "yes",
         "expected true or false, found \"yes\"; only these two words mean the "
         "same in all versions of YAML"},
        {"body.roof", "perhaps", "expected true or false, found \"perhaps\""},
        {"body.doors", "1", "expected an integer from 2 to 5, found \"1\""},
        {"body.doors", "6", "expected an integer from 2 to 5, found \"6\""},
        {"body.doors", "off", "expected an integer from 2 to 5, found \"off\""},
        {"body.doors", "3 ", "expected an integer from 2 to 5, found \"3 \""},
        {"body.doors", "99999999999999999999",
         "expected an integer from 2 to 5, found "
         "\"99999999999999999999\""},
        {"body.mass", "0", "expected a number above 0 and below 10, or auto, found \"0\""},
        {"body.mass", "10", "expected a number above 0 and below 10, or auto, found \"10\""},
        {"body.mass", "nan", "expected a number above 0 and below 10, or auto, found \"nan\""},
        {"body.mass", "1e-999",
         "expected a number above 0 and below 10, or auto, found \"1e-999\""},
        {"body.colour", "Red", "expected red, green, blue, 7 or off, found \"Red\""},
        {"body.colour", "red green", "expected red, green, blue, 7 or off, found \"red green\""},
        {"body.wheels", "3", "expected 4, which is fixed, found \"3\""},
        {"body.tank", "-1", "expected bytes (12345, 64KiB, 512MiB, 2GiB), found \"-1\""},
        {"body.tank", "KiB",
         "expected bytes (12345, 64KiB, 512MiB, 2GiB), found "
         "\"KiB\""},
        {"body.tank", "1kib",
         "expected bytes (12345, 64KiB, 512MiB, 2GiB), found "
         "\"1kib\""},
        {"body.tank", "1  KiB",
         "expected bytes (12345, 64KiB, 512MiB, 2GiB), found "
         "\"1  KiB\""},
        {"body.tank", "9007199254740993GiB",
         "expected bytes (12345, 64KiB, 512MiB, 2GiB)"
         ", found \"9007199254740993GiB\""},
        {"body.key", "", "expected an absolute path, found \"\""},
        {"body.key", "./x", "expected an absolute path, found \"./x\""},
        {"gates.car.speed", "300.001",
         "expected a number from 0 to 300, or auto or off, found "
         "\"300.001\""},
        {"gates.car.speed", "-1", "expected a number from 0 to 300, or auto or off, found \"-1\""},
        {"routing.force.honk", "/x", "expected PLUGIN or PLUGIN/KERNEL, found \"/x\""},
        {"routing.force.honk", "x/", "expected PLUGIN or PLUGIN/KERNEL, found \"x/\""},
        {"routing.force.honk", "x/y/z", "expected PLUGIN or PLUGIN/KERNEL, found \"x/y/z\""},
        {"routing.force.honk", "x_y", "expected PLUGIN or PLUGIN/KERNEL, found \"x_y\""},
        {"trip.roads", "/a, b", "expected a list of at most 3 absolute paths, found \"b\""},
        {"trip.roads", "/a,", "expected a list of at most 3 absolute paths, found \"\""},
        {"trip.roads", "/a,/b,/c,/d", "expected a list of at most 3 absolute paths, found 4"},
        {"trip.crew", "Ann", "expected a list of at most 2 plugin names, found \"Ann\""},
        {"body.doors", "a\033b", "expected an integer from 2 to 5, found \"a\\x1bb\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_value value = {.integer = 77};
        char why[300];
        ck_assert_int_eq(read_value(rows[i].key, rows[i].text, &value, why, sizeof why),
                         HGATE_ECONFIG);
        ck_assert_str_eq(why, rows[i].why);
        ck_assert_int_eq(value.integer, 77);
    }
}
END_TEST

START_TEST(lists)
{
    static const struct {
        const char *text, *canonical;
        size_t n;
        const char *last;
    } rows[] = {
        {"", "[]", 0, NULL},
        {"[]", "[]", 0, NULL},
        {"[ ]", "[]", 0, NULL},
        {"/a", "[/a]", 1, "/a"},
        {" [ /a ,/b c] ", "[/a, \"/b c\"]", 2, "/b c"},
        {"/a,/b,/c", "[/a, /b, /c]", 3, "/c"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_value value;
        char why[200];
        ck_assert_int_eq(read_value("trip.roads", rows[i].text, &value, why, sizeof why), HGATE_OK);
        ck_assert_str_eq(value.text, rows[i].canonical);
        ck_assert_uint_eq(value.n_items, rows[i].n);
        if (rows[i].n > 0) {
            ck_assert_str_eq(value.items[rows[i].n - 1], rows[i].last);
        }
    }
}
END_TEST

START_TEST(null_words)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const others[] = {" ", "nul", "~ ", "~ null", "none", "0"};
    for (size_t i = 0; i < 5; i++) {
        ck_assert(hg_is_null_word(nulls[i], strlen(nulls[i])));
    }
    for (size_t i = 0; i < 6; i++) {
        ck_assert(!hg_is_null_word(others[i], strlen(others[i])));
    }
}
END_TEST

START_TEST(scalars_in_a_file)
{
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"plain-1_a.b/c+d", "plain-1_a.b/c+d"},
        {"-1", "-1"},
        {"-x", "\"-x\""},
        {"-", "\"-\""},
        {"---", "\"---\""},
        {".inf", "\".inf\""},
        {"+1", "\"+1\""},
        {"", "\"\""},
        {"~", "\"~\""},
        {"null", "\"null\""},
        {"a: b", "\"a: b\""},
        {"a #b", "\"a #b\""},
        {"say \"x\"", "\"say \\\"x\\\"\""},
        {"caf\xc3\xa9", "\"caf\xc3\xa9\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[64];
        hg_text text = hg_text_over(buffer, sizeof buffer);
        hg_put_scalar(&text, rows[i].text);
        ck_assert_str_eq(buffer, rows[i].written);
    }
}
END_TEST

START_TEST(defaults_and_copies)
{
    hg_value value, copy;
    ck_assert_int_eq(hg_value_default(row_of("body.key"), &arena, &value), HGATE_OK);
    ck_assert_ptr_null(value.text);
    ck_assert_int_eq(hg_value_copy(&value, &arena, &copy), HGATE_OK);
    ck_assert_ptr_null(copy.text);
    ck_assert_int_eq(hg_value_default(row_of("trip.crew"), &arena, &value), HGATE_OK);
    ck_assert_int_eq(hg_value_copy(&value, &arena, &copy), HGATE_OK);
    ck_assert_ptr_ne(copy.text, value.text);
    ck_assert_str_eq(copy.text, "[ann, bob]");
    ck_assert_ptr_ne(copy.items[1], value.items[1]);
    ck_assert_str_eq(copy.items[1], "bob");
    ck_assert_int_eq(hg_value_default(row_of("body.tank"), &arena, &value), HGATE_OK);
    ck_assert_int_eq(value.integer, 51200);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const char *const keys[] = {"body.colour", "trip.roads"};
    static const char *const texts[] = {"blue", "/a,/b"};
    for (int k = 0; k < 2; k++) {
        int n_failures = 0;
        for (long n = 1;; n++) {
            failing_alloc state = {.fail_from = n};
            const hg_allocator allocator = failing_allocator(&state);
            hg_arena own;
            hg_arena_init(&own, &allocator);
            char ignored[100];
            hg_text why = hg_text_over(ignored, sizeof ignored);
            hg_value value = {.n_items = 77}, copy;
            int status =
                hg_value_read(row_of(keys[k]), texts[k], strlen(texts[k]), &own, &value, &why);
            if (status == HGATE_OK) {
                hg_arena_release(&own); /* the copy then needs a block of its own */
                hg_arena_init(&own, &allocator);
                status = hg_value_read(row_of(keys[k]), texts[k], strlen(texts[k]), &arena, &value,
                                       &why);
                ck_assert_int_eq(status, HGATE_OK);
                status = hg_value_copy(&value, &own, &copy);
            }
            hg_arena_release(&own);
            ck_assert_int_eq(state.live, 0);
            if (status == HGATE_OK) {
                break;
            }
            ck_assert_int_eq(status, HGATE_ENOMEM);
            n_failures++;
        }
        ck_assert_int_ge(n_failures, 2);
    }
}
END_TEST

static void set_up(void)
{
    hg_arena_init(&arena, NULL);
}

static void tear_down(void)
{
    hg_arena_release(&arena);
}

int main(void)
{
    Suite *suite = suite_create("config_value");
    TCase *tests = tcase_create("config_value");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, accepted);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, null_words);
    tcase_add_test(tests, scalars_in_a_file);
    tcase_add_test(tests, defaults_and_copies);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
