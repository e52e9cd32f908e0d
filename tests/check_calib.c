// SPDX-License-Identifier: BSD-3-Clause
// Constants in force: the plugin's own, what is set over them, and settings that cannot be.
#include "core/calib/calib.h"
#include "tests/dispatch/opened.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

// fake-good declares call (1, from 0 to 1000) and byte (1e-11, from 0 to 1).
START_TEST(defaults_of_the_plugins)
{
    hgate_engine *engine = opened("good other", NULL, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(hg_calib_constants(engine->calib, i)[0], 1);
        ck_assert_double_eq(hg_calib_constants(engine->calib, i)[1], 1e-11);
        ck_assert_int_eq(hg_calib_source(engine->calib, i, 0), HG_CONSTANT_DEFAULT);
    }
    ck_assert_str_eq(hg_calib_origin(engine->calib), "defaults");
    ck_assert(hg_calib_matches(engine->calib));
    hgate_close(engine);
}
END_TEST

START_TEST(settings_win)
{
    hgate_engine *engine =
        opened("good other", "calibration: {constants: {fake-other: {byte: 2e-9}}}", NULL, NULL);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[1], 1e-11);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 1)[1], 2e-9);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 1)[0], 1);
    ck_assert_int_eq(hg_calib_source(engine->calib, 1, 1), HG_CONSTANT_SETTING);
    ck_assert_int_eq(hg_calib_source(engine->calib, 0, 1), HG_CONSTANT_DEFAULT);
    hgate_engine *plain = opened("good other", NULL, NULL, NULL);
    ck_assert_uint_ne(hg_calib_hash(engine->calib), hg_calib_hash(plain->calib));
    hgate_engine *again = opened("good other", NULL, NULL, NULL);
    ck_assert_uint_eq(hg_calib_hash(again->calib), hg_calib_hash(plain->calib));
    hgate_close(engine);
    hgate_close(plain);
    hgate_close(again);
}
END_TEST

START_TEST(settings_that_cannot_be)
{
    static const struct {
        const char *config, *text; /* NULL: accepted */
    } rows[] = {
        {"calibration: {constants: {fake-good: {bite: 1}}}",
         "test.yaml:2:39: calibration.constants.fake-good.bite: plugin fake-good has no constant "
         "of that name"},
        {"calibration: {constants: {fake-good: {byte: 1.5}}}",
         "test.yaml:2:39: calibration.constants.fake-good.byte: 1.5 is outside 0 ... 1 s/byte"},
        {"calibration: {constants: {fake-good: {byte: 1}}}", NULL},
        {"calibration: {constants: {fake-good: {byte: 0}}}", NULL},
        /* of a plugin that is not here: it may be elsewhere */
        {"calibration: {constants: {cuda: {anything: 9}}}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_config *api = opened_config("good", rows[i].config);
        hgate_options options;
        hgate_options_init(&options);
        options.config = api;
        hgate_engine *engine = NULL;
        const int status = hgate_open(&options, &engine);
        ck_assert_int_eq(status, rows[i].text ? HGATE_ECONFIG : HGATE_OK);
        if (rows[i].text) {
            ck_assert_str_eq(hgate_last_error(), rows[i].text);
        }
        hgate_close(engine);
        hgate_config_free(api);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calib");
    TCase *tests = tcase_create("calib");
    tcase_add_test(tests, defaults_of_the_plugins);
    tcase_add_test(tests, settings_win);
    tcase_add_test(tests, settings_that_cannot_be);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
