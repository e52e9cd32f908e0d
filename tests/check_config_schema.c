/* SPDX-License-Identifier: BSD-3-Clause */
/* How keys are found, refused and described; on the make-believe schema. */
#include "core/config/schema.h"

#include "tests/car_schema.h"
#include "tests/harness.h"

static const hg_schema_row *find(const char *key, char *why, size_t size)
{
    hg_text text = hg_text_over(why, size);
    return hg_schema_find(&car_schema, key, &text);
}

START_TEST(keys_that_are_there)
{
    static const struct {
        const char *key, *row;
    } rows[] = {
        {"version", "version"},
        {"body.doors", "body.doors"},
        {"plugins.diesel.enabled", "plugins.<plugin>.enabled"},
        {"plugins.a-9.options.x_1", "plugins.<plugin>.options.<key>"},
        {"plugins.petrol.options.grade", "plugins.<plugin>.options.<key>"},
        {"plugins.diesel.options.grade", "plugins.diesel.options.grade"},
        {"kernels.drive_back.steam.first_1.enabled", "kernels.<op>.<plugin>.<kernel>.enabled"},
        {"ops.noise.enabled", "ops.<word>.enabled"},
        {"ops.honk.enabled", "ops.<word>.enabled"},
        {"routing.force.honk", "routing.force.<op>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char why[200];
        const hg_schema_row *row = find(rows[i].key, why, sizeof why);
        ck_assert_msg(row != NULL, "%s: %s", rows[i].key, why);
        ck_assert_str_eq(row->key, rows[i].row);
        ck_assert_str_eq(why, "");
        ck_assert_ptr_eq(hg_schema_find(&car_schema, rows[i].key, NULL), row);
    }
}
END_TEST

START_TEST(keys_that_are_not)
{
    static const struct {
        const char *key, *why;
    } rows[] = {
        {"", "unknown key \"\""},
        {".", "unknown key \"\""},
        {"body", "\"body\" is a section, not a key"},
        {"plugins.diesel", "\"plugins.diesel\" is a section, not a key"},
        {"body.", "unknown key \"body.\""},
        {"body..doors", "unknown key \"body.\""},
        {"body.doors.front", "\"body.doors\" has no keys below it"},
        {"bdoy.doors", "unknown key \"bdoy\"; did you mean \"body\"?"},
        {"body.door", "unknown key \"body.door\"; did you mean \"body.doors\"?"},
        {"trip.doors", "unknown key \"trip.doors\"; did you mean \"body.doors\"?"},
        {"doors", "unknown key \"doors\"; did you mean \"body.doors\"?"},
        {"zebra", "unknown key \"zebra\""},
        {"routing.force.hunk", "unknown key \"routing.force.hunk\"; did you mean "
                               "\"routing.force.honk\"?"},
        {"routing.force.noise", "unknown key \"routing.force.noise\"; expected the word of an "
                                "operation there"},
        {"ops.niose.enabled", "unknown key \"ops.niose\"; did you mean \"ops.noise\"?"},
        {"plugins.Diesel.enabled", "unknown key \"plugins.Diesel\"; did you mean "
                                   "\"plugins.diesel\"?"},
        {"plugins.under_score.enabled", "unknown key \"plugins.under_score\"; expected a plugin's "
                                        "name (a-z, 0-9 and -, at most 31) there"},
        {"kernels.drive.diesel.da-sh.enabled",
         "unknown key \"kernels.drive.diesel.da-sh\"; expected a kernel's name (a-z, 0-9 and _, at "
         "most 31) there"},
        {"kernels.drive.diesel.first.enable",
         "unknown key \"kernels.drive.diesel.first.enable\"; did you mean "
         "\"kernels.drive.diesel.first.enabled\"?"},
        {"plugins.x.options.A", "unknown key \"plugins.x.options.A\"; expected an option's name "
                                "(a-z, 0-9 and _, at most 31) there"},
        {"calibration.constants.x.A-", "unknown key \"calibration.constants.x.A-\"; expected a "
                                       "constant's name (a-z, 0-9 and _, at most 47) there"},
        {"x\n\033y", "unknown key \"x\\x0a\\x1by\""},
        {"<plugin>", "unknown key \"<plugin>\"; did you mean \"plugins\"?"},
        {"routing.force.<op>",
         "unknown key \"routing.force.<op>\"; expected the word of an operation "
         "there"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char why[300];
        ck_assert_ptr_null(find(rows[i].key, why, sizeof why));
        ck_assert_str_eq(why, rows[i].why);
        ck_assert_ptr_null(hg_schema_find(&car_schema, rows[i].key, NULL));
    }
}
END_TEST

START_TEST(steps)
{
    const hg_schema_row *row;
    ck_assert_int_eq(hg_schema_step(&car_schema, "body", 4, &row), HG_STEP_SECTION);
    ck_assert_ptr_null(row);
    ck_assert_int_eq(hg_schema_step(&car_schema, "body.doors.front", 10, &row), HG_STEP_LEAF);
    ck_assert_str_eq(row->key, "body.doors");
    ck_assert_int_eq(hg_schema_step(&car_schema, "body.doors.front", 16, &row), HG_STEP_UNKNOWN);
    ck_assert_int_eq(hg_schema_step(&car_schema, "", 0, &row), HG_STEP_SECTION);
}
END_TEST

START_TEST(names)
{
    static const struct {
        const char *kind, *name;
        bool is_good;
    } rows[] = {
        {"<plugin>", "cpu-serial", true},
        {"<plugin>", "cpu_serial", false},
        {"<plugin>", "", false},
        {"<plugin>", "a123456789012345678901234567890", true},
        {"<plugin>", "a1234567890123456789012345678901", false},
        {"<kernel>", "fp16x3", true},
        {"<kernel>", "fp-16", false},
        {"<kernel>", "A", false},
        {"<constant>", "a12345678901234567890123456789012345678901234_7", true},
        {"<constant>", "a123456789012345678901234567890123456789012345_8", false},
        {"<zebra>", "a", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(hg_schema_is_name(rows[i].kind, rows[i].name, strlen(rows[i].name)) ==
                          rows[i].is_good,
                      "%s %s", rows[i].kind, rows[i].name);
    }
}
END_TEST

START_TEST(values_in_words)
{
    static const struct {
        const char *key, *values;
    } rows[] = {
        {"version", "1"},
        {"body.doors", "an integer from 2 to 5"},
        {"body.colour", "red, green, blue, 7 or off"},
        {"body.mass", "a number above 0 and below 10, or auto"},
        {"body.roof", "true or false"},
        {"body.wheels", "4, which is fixed"},
        {"body.tank", "bytes (12345, 64KiB, 512MiB, 2GiB)"},
        {"body.key", "an absolute path"},
        {"body.serial", "an integer"},
        {"body.rust", "a number of at most 0.5"},
        {"body.din", "a number below 0.5"},
        {"gates.car.speed", "a number from 0 to 300, or auto or off"},
        {"trip.roads", "a list of at most 3 absolute paths"},
        {"trip.crew", "a list of at most 2 plugin names"},
        {"routing.force.honk", "PLUGIN or PLUGIN/KERNEL"},
        {"plugins.x.options.y", "a word or a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char values[200];
        hg_text text = hg_text_over(values, sizeof values);
        hg_schema_put_values(hg_schema_find(&car_schema, rows[i].key, NULL), &text);
        ck_assert_str_eq(values, rows[i].values);
    }
}
END_TEST

START_TEST(words)
{
    ck_assert(hg_words_have("auto off", "auto", 4));
    ck_assert(hg_words_have("auto off", "off", 3));
    ck_assert(!hg_words_have("auto off", "auto off", 8));
    ck_assert(!hg_words_have("auto off", "aut", 3));
    ck_assert(!hg_words_have("auto off", "", 0));
    ck_assert(!hg_words_have(NULL, "off", 3));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config_schema");
    TCase *tests = tcase_create("config_schema");
    tcase_add_test(tests, keys_that_are_there);
    tcase_add_test(tests, keys_that_are_not);
    tcase_add_test(tests, steps);
    tcase_add_test(tests, names);
    tcase_add_test(tests, values_in_words);
    tcase_add_test(tests, words);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
