/* SPDX-License-Identifier: BSD-3-Clause */
/* A host with a comma for its decimal separator: our numbers stay the same, and so does the host.
 */
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/config/builder.h"

#include "tests/comma_locale.h"
#include "tests/harness.h"

START_TEST(the_locale_is_hostile)
{
    char text[16];
    snprintf(text, sizeof text, "%g", 0.7);
    ck_assert_str_eq(text, "0,7");
}
END_TEST

START_TEST(numbers_are_read_and_printed_with_a_point)
{
    double value = 77;
    ck_assert_int_eq(hg_parse_real("0.7", 3, &value), HG_PARSE_OK);
    ck_assert(value == 0.7);
    ck_assert_int_eq(hg_parse_real("0,7", 3, &value), HG_PARSE_SYNTAX);
    char text[HG_REAL_CHARS];
    hg_format_real(text, 0.7);
    ck_assert_str_eq(text, "0.7");
    hg_error(HGATE_EVALUE, "kappa is %g", 0.7);
    ck_assert_str_eq(hgate_last_error(), "kappa is 0.7");
}
END_TEST

START_TEST(settings_are_the_same)
{
    static const char yaml[] =
        "version: 1\ngates: {curvature: {symmetric_max_work_fraction: 0.6}}\n";
    static const char *const environment[] = {"HEADGATE_SET=ops.emi.kappa=2.5e4", NULL};
    hgate_config *api;
    ck_assert_int_eq(hgate_config_new(&api), HGATE_OK);
    ck_assert_int_eq(hgate_config_load_text(api, yaml, sizeof yaml - 1, "x"), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(api, "ops.emi.beta", "0.25"), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(api, "ops.emi.beta", "0,5"), HGATE_ECONFIG);
    const hg_sources sources = {hg_schema_headgate(), api, environment, NULL};
    hg_config *config;
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &config), HGATE_OK);
    ck_assert(hg_config_real(config, "gates.curvature.symmetric_max_work_fraction") == 0.6);
    ck_assert(hg_config_real(config, "ops.emi.kappa") == 2.5e4);
    ck_assert(hg_config_real(config, "ops.emi.beta") == 0.25);
    ck_assert_str_eq(hg_config_text(config, "ops.emi.beta"), "0.25");
    ck_assert_str_eq(hg_config_text(config, "ops.visibility.memory_buffer"), "0.9");
    hg_config_release(config);
    hgate_config_free(api);
}
END_TEST

START_TEST(the_host_keeps_its_locale)
{
    char buffer[32];
    hg_text out = hg_text_over(buffer, sizeof buffer);
    hg_text_printf(&out, "%.1f", 0.7);
    ck_assert_str_eq(buffer, "0.7");
    ck_assert(has_comma());
    char text[16];
    snprintf(text, sizeof text, "%g", 0.7);
    ck_assert_str_eq(text, "0,7");
}
END_TEST

int main(void)
{
    if (!set_comma_locale()) {
        puts("skipped: no locale with a decimal comma, and localedef cannot make one");
        return 77;
    }
    Suite *suite = suite_create("locale");
    TCase *tests = tcase_create("locale");
    tcase_add_test(tests, the_locale_is_hostile);
    tcase_add_test(tests, numbers_are_read_and_printed_with_a_point);
    tcase_add_test(tests, settings_are_the_same);
    tcase_add_test(tests, the_host_keeps_its_locale);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
