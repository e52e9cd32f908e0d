/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on configurations, and the dump that reads back the same. */
#include "core/config/builder.h"
#include "core/config/print.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "tests/car_schema.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <headgate/headgate.h>

static int take(void *user, const char *text, size_t n)
{
    hg_text_put_n(user, text, n);
    return 0;
}

static int stop(void *user, const char *text, size_t n)
{
    (void)user;
    (void)text;
    (void)n;
    return 1;
}

static hgate_config *new_config(void)
{
    hgate_config *config;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    return config;
}

START_TEST(missing_arguments)
{
    hgate_config *config = new_config();
    ck_assert_int_eq(hgate_config_new(NULL), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "config: is NULL");
    ck_assert_int_eq(hgate_config_load(NULL, "/x"), HGATE_EINVAL);
    ck_assert_int_eq(hgate_config_load(config, NULL), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "path: is NULL");
    ck_assert_int_eq(hgate_config_load_text(NULL, "", 0, "x"), HGATE_EINVAL);
    ck_assert_int_eq(hgate_config_load_text(config, NULL, 1, "x"), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "yaml: is NULL");
    ck_assert_int_eq(hgate_config_load_text(config, NULL, 0, NULL), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "text:1:1: \"version: 1\" is missing");
    ck_assert_int_eq(hgate_config_set(NULL, "log.level", "info"), HGATE_EINVAL);
    ck_assert_int_eq(hgate_config_set(config, NULL, "info"), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "key: is NULL");
    ck_assert_int_eq(hgate_config_dump(config, NULL, NULL), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "write: is NULL");
    hgate_config_free(config);
    hgate_config_free(NULL);
}
END_TEST

START_TEST(keys_that_cannot_be_set)
{
    static const struct {
        const char *key, *value, *message;
    } rows[] = {
        {"log.levl", "info", "unknown key \"log.levl\"; did you mean \"log.level\"?"},
        {"log", "info", "\"log\" is a section, not a key"},
        {"log.level", "loud",
         "log.level: expected off, error, warn, info, debug or trace, found "
         "\"loud\""},
        {"version", "1", "\"version\" may not be set by a call"},
        {"threads.max", "4\n", "threads.max: expected an integer from 0 to 4096, found \"4\\x0a\""},
        {"gates.emi.require_regularized", "false",
         "gates.emi.require_regularized: expected true, which is fixed, found \"false\""},
    };
    hgate_config *config = new_config();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(hgate_config_set(config, rows[i].key, rows[i].value), HGATE_ECONFIG);
        ck_assert_str_eq(hgate_last_error(), rows[i].message);
        ck_assert_uint_eq(config->settings.count, 0);
    }
    hgate_config_free(config);
}
END_TEST

START_TEST(null_means_the_default)
{
    hgate_config *config = new_config();
    ck_assert_int_eq(hgate_config_set(config, "threads.max", "3"), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, "threads.max", NULL), HGATE_OK);
    ck_assert_int_eq(hg_config_builder_set(config, "log.level", "info", "command line"), HGATE_OK);
    hg_config *merged;
    ck_assert_int_eq(hg_config_resolve(config, NULL, NULL, &merged), HGATE_OK);
    ck_assert_int_eq(hg_config_int(merged, "threads.max"), 0);
    ck_assert_str_eq(hg_config_origin(merged, "threads.max"), "api");
    ck_assert_str_eq(hg_config_origin(merged, "log.level"), "command line");
    hg_config_release(merged);
    hgate_config_free(config);
}
END_TEST

START_TEST(an_engine_keeps_what_the_caller_frees)
{
    hgate_config *config = new_config();
    ck_assert_int_eq(hgate_config_set(config, "plugins.path", "/a, /b"), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, "kernels.emi.cuda.block.enabled", "false"), HGATE_OK);
    hg_config *merged;
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = config};
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &merged), HGATE_OK);
    hgate_config_free(config);
    ck_assert_str_eq(hg_config_item(merged, "plugins.path", 1), "/b");
    ck_assert(hg_config_killed_kernel(merged, "emi", "cuda", "block", NULL, NULL));
    hg_config_release(merged);
}
END_TEST

START_TEST(the_dump_reads_back_the_same)
{
    static const char yaml[] =
        "version: 1\n"
        "log: {level: debug}\n"
        "plugins:\n"
        "  path: [/a, \"/with space\", '/with \"quotes\": # x']\n"
        "  mine: {options: {x: \"~\", y: 'a: b', z: -, empty: ''}}\n"
        "  cuda-2: {enabled: false}\n"
        "  cuda: {enabled: false}\n"
        "kernels: {emi: {cuda: {block: {enabled: false}}}}\n"
        "gates: {curvature: {symmetric_max_work_fraction: off, symmetric_kappa: 0.1}}\n"
        "ops: {visibility: {fused_z: on}, curvature: {max_workspace_bytes: 1500MiB}}\n"
        "routing: {force: {emi: cpu-serial/single, evd: ~}, prefer: []}\n"
        "calibration: {constants: {cpu-serial: {a_b: 1.0000000000000002e-9}}}\n";
    setenv("HEADGATE_PLUGIN_PATH", "/e:/a", 1);
    setenv("HEADGATE_DISABLE", "op:evd,cpu-fftw", 1);
    hgate_config *config = new_config(), *again = new_config();
    ck_assert_msg(hgate_config_load_text(config, yaml, sizeof yaml - 1, "in.yaml") == HGATE_OK,
                  "%s", hgate_last_error());
    ck_assert_int_eq(hgate_config_set(config, "threads.max", "3"), HGATE_OK);
    hg_text dump = hg_text_growing(NULL);
    ck_assert_int_eq(hgate_config_dump(config, take, &dump), HGATE_OK);
    ck_assert_int_eq(strncmp(dump.data, "version: 1  # in.yaml:1:1\n", 26), 0);
    ck_assert_ptr_nonnull(
        strstr(dump.data, "\nthreads:\n  blas: guard  # default\n  max: 3  # api\n"));
    ck_assert_ptr_nonnull(
        strstr(dump.data, "\n      block:\n        enabled: false  # in.yaml:8:32\n"));
    ck_assert_ptr_nonnull(strstr(dump.data, "\n  file: ~  # default\n"));

    ck_assert_msg(hgate_config_load_text(again, dump.data, dump.length, "dump") == HGATE_OK,
                  "%s\n%s", hgate_last_error(), dump.data);
    hg_config *one, *other;
    ck_assert_int_eq(hg_config_resolve(config, NULL, NULL, &one), HGATE_OK);
    ck_assert_int_eq(hg_config_resolve(again, NULL, NULL, &other), HGATE_OK);
    ck_assert_uint_eq(hg_config_hash(one), hg_config_hash(other));
    ck_assert_uint_eq(hg_config_entry_count(one), hg_config_entry_count(other));
    for (size_t i = 0; i < hg_config_entry_count(one); i++) {
        const hg_config_entry a = hg_config_entry_at(one, i), b = hg_config_entry_at(other, i);
        ck_assert_str_eq(a.key, b.key);
        ck_assert_pstr_eq(a.text, b.text);
    }
    ck_assert_str_eq(hg_config_text(one, "plugins.mine.options.x"), "~");
    hg_config_release(one);
    hg_config_release(other);
    hg_text_release(&dump);
    hgate_config_free(config);
    hgate_config_free(again);
}
END_TEST

START_TEST(dump_without_a_configuration)
{
    hg_text dump = hg_text_growing(NULL);
    ck_assert_int_eq(hgate_config_dump(NULL, take, &dump), HGATE_OK);
    /* Where the library is installed already, the version is that of the installed file. */
    ck_assert_int_eq(strncmp(dump.data, "version: 1  # ", 14), 0);
    ck_assert_ptr_nonnull(strstr(dump.data, "\ncalibration:\n  file: ~"));
    hg_text_release(&dump);
    ck_assert_int_eq(hgate_config_dump(NULL, stop, NULL), HGATE_ESTOPPED);
    setenv("HEADGATE_THREADS", "x", 1);
    ck_assert_int_eq(hgate_config_dump(NULL, take, NULL), HGATE_ECONFIG);
}
END_TEST

START_TEST(without_memory)
{
    for (long n = 1;; n++) {
        failing_alloc state = {.fail_from = n};
        const hg_allocator allocator = failing_allocator(&state);
        hgate_config *config = NULL;
        int status = hg_config_builder_new(&car_schema, &allocator, &config);
        if (status == HGATE_OK) {
            status = hgate_config_set(config, "body.colour", "blue");
        }
        hg_text ignored = hg_text_growing(NULL);
        if (status == HGATE_OK) {
            status = hgate_config_dump(config, take, &ignored);
        }
        hg_text_release(&ignored);
        hgate_config_free(config);
        ck_assert_int_eq(state.live, 0);
        if (status == HGATE_OK) {
            ck_assert_int_ge(n, 6);
            break;
        }
        ck_assert_int_eq(status, HGATE_ENOMEM);
        ck_assert_ptr_nonnull(strstr(hgate_last_error(), "memory"));
    }
}
END_TEST

/* Also what the harness has set for tests that load plugins. */
static void clear_environment(void)
{
    static const char *const names[] = {"HEADGATE_PLUGIN_PATH", "HEADGATE_DISABLE",
                                        "HEADGATE_THREADS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
}

int main(void)
{
    Suite *suite = suite_create("config_api");
    TCase *tests = tcase_create("config_api");
    tcase_add_checked_fixture(tests, clear_environment, NULL);
    tcase_add_test(tests, missing_arguments);
    tcase_add_test(tests, keys_that_cannot_be_set);
    tcase_add_test(tests, null_means_the_default);
    tcase_add_test(tests, an_engine_keeps_what_the_caller_frees);
    tcase_add_test(tests, the_dump_reads_back_the_same);
    tcase_add_test(tests, dump_without_a_configuration);
    tcase_add_test(tests, without_memory);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
