/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be read as a configuration file, and which file is read. */
#include "core/base/error.h"
#include "core/config/builder.h"
#include "core/config/file.h"
#include "core/config/yaml.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

static const char *path_of(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, const char *text, size_t n)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(text, 1, n, f) == n && fclose(f) == 0);
    return path;
}

static const char *write_text(const char *name, const char *text)
{
    return write_file(name, text, strlen(text));
}

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/headgate-config-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void)
{
    static const char *const names[] = {"a.yaml", "b.yaml", "pipe"};
    for (size_t i = 0; i < 3; i++) {
        unlink(path_of(names[i]));
    }
    rmdir(folder);
    unsetenv("HEADGATE_CONFIG");
    unsetenv("HEADGATE_THREADS");
}

START_TEST(whole_files)
{
    char text[5000];
    memset(text, 'x', sizeof text);
    write_file("a.yaml", text, sizeof text);
    hg_file file;
    ck_assert_int_eq(hg_file_read(path_of("a.yaml"), 5000, NULL, &file), HGATE_OK);
    ck_assert_uint_eq(file.n, 5000);
    ck_assert_int_eq(memcmp(file.text, text, 5000), 0);
    hg_free(NULL, file.text);
    file.n = 77;
    ck_assert_int_eq(hg_file_read(path_of("a.yaml"), 4999, NULL, &file), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "/a.yaml:1:1: larger than 4999 bytes"));
    ck_assert_uint_eq(file.n, 77);
    write_text("a.yaml", "");
    ck_assert_int_eq(hg_file_read(path_of("a.yaml"), 10, NULL, &file), HGATE_OK);
    ck_assert_uint_eq(file.n, 0);
    hg_free(NULL, file.text);
}
END_TEST

START_TEST(what_is_no_file)
{
    ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
    static const struct {
        const char *path, *why;
    } rows[] = {
        {"/", ":1:1: not a regular file"},
        {"/dev/null", ":1:1: not a regular file"},
        {"/dev/zero", ":1:1: not a regular file"},
        {"pipe", "pipe:1:1: not a regular file"},
        {"missing", "missing:1:1: cannot read: No such file or directory"},
        {"missing/x", "missing/x:1:1: cannot read: No such file or directory"},
        {"/dev/null/x", ":1:1: cannot read: Not a directory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_file file;
        const char *path = rows[i].path[0] == '/' ? rows[i].path : path_of(rows[i].path);
        ck_assert_int_eq(hg_file_read(path, 1000, NULL, &file), HGATE_ECONFIG);
        ck_assert_msg(strstr(hgate_last_error(), rows[i].why) != NULL, "%s", hgate_last_error());
        ck_assert_int_eq(strncmp(hgate_last_error(), path, strlen(path)), 0);
    }
}
END_TEST

START_TEST(a_file_too_large_is_refused)
{
    write_text("a.yaml", "version: 1\n");
    ck_assert_int_eq(truncate(path_of("a.yaml"), 2 * HG_YAML_BYTES), 0);
    hgate_config *config;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    ck_assert_int_eq(hgate_config_load(config, path_of("a.yaml")), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "/a.yaml:1:1: larger than 1048576 bytes"));
    hgate_config_free(config);
}
END_TEST

START_TEST(without_memory)
{
    write_text("a.yaml", "version: 1\n");
    failing_alloc state = {.fail_from = 1};
    const hg_allocator allocator = failing_allocator(&state);
    hg_file file;
    ck_assert_int_eq(hg_file_read(path_of("a.yaml"), 1000, &allocator, &file), HGATE_ENOMEM);
    hg_settings settings;
    hg_settings_init(&settings, hg_schema_headgate(), &allocator);
    ck_assert_int_eq(hg_yaml_read_file(&settings, path_of("a.yaml")), HGATE_ENOMEM);
    hg_settings_release(&settings);
}
END_TEST

/* Value and origin of threads.max with these sources; the origin's folder is left out. */
static void expect_threads(const hgate_config *api, const char *named, const char *system_file,
                           int64_t threads, const char *origin)
{
    char variable[400];
    snprintf(variable, sizeof variable, "HEADGATE_CONFIG=%s", named ? named : "");
    const char *const environment[] = {variable, NULL};
    const hg_sources sources = {hg_schema_headgate(), api, environment, system_file};
    hg_config *config;
    ck_assert_msg(hg_config_merge(&sources, NULL, NULL, &config) == HGATE_OK, "%s",
                  hgate_last_error());
    ck_assert_int_eq(hg_config_int(config, "threads.max"), threads);
    const char *found = hg_config_origin(config, "threads.max");
    const char *slash = strrchr(found, '/');
    ck_assert_str_eq(slash ? slash + 1 : found, origin);
    hg_config_release(config);
}

START_TEST(which_file_counts)
{
    char a[300], b[300], missing[300];
    snprintf(a, sizeof a, "%s", write_text("a.yaml", "version: 1\nthreads: {max: 3}\n"));
    snprintf(b, sizeof b, "%s", write_text("b.yaml", "version: 1\nthreads: {max: 5}\n"));
    snprintf(missing, sizeof missing, "%s", path_of("missing"));
    hgate_config *config;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);

    expect_threads(NULL, NULL, NULL, 0, "default");
    expect_threads(NULL, NULL, missing, 0, "default");
    expect_threads(NULL, NULL, b, 5, "b.yaml:2:11");
    expect_threads(NULL, a, b, 3, "a.yaml:2:11");
    expect_threads(config, a, b, 3, "a.yaml:2:11");
    ck_assert_int_eq(hgate_config_load(config, b), HGATE_OK);
    expect_threads(config, a, NULL, 5, "b.yaml:2:11");
    ck_assert_int_eq(hgate_config_load(config, a), HGATE_OK); /* the later one counts, key by key */
    expect_threads(config, missing, missing, 3, "a.yaml:2:11");
    hgate_config_free(config);
}
END_TEST

START_TEST(a_file_that_is_named_must_be_there)
{
    char variable[400];
    snprintf(variable, sizeof variable, "HEADGATE_CONFIG=%s", path_of("missing"));
    const char *const environment[] = {variable, NULL};
    hg_sources sources = {.schema = hg_schema_headgate(), .environment = environment};
    hg_config *config;
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &config), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "/missing:1:1: cannot read: "));
    sources.environment = NULL;
    sources.system_file = write_text("a.yaml", "version: 1\nthreads: {mx: 3}\n");
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &config), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "a.yaml:2:11: unknown key \"threads.mx\""));
}
END_TEST

START_TEST(resolve_reads_the_environment)
{
    char path[300];
    snprintf(path, sizeof path, "%s", write_text("a.yaml", "version: 1\nlog: {level: debug}\n"));
    setenv("HEADGATE_CONFIG", path, 1);
    setenv("HEADGATE_THREADS", "7", 1);
    hg_config *config;
    ck_assert_int_eq(hg_config_resolve(NULL, NULL, NULL, &config), HGATE_OK);
    ck_assert_str_eq(hg_config_text(config, "log.level"), "debug");
    ck_assert_int_eq(hg_config_int(config, "threads.max"), 7);
    ck_assert_str_eq(hg_config_origin(config, "threads.max"), "env HEADGATE_THREADS");
    hg_config_release(config);
    setenv("HEADGATE_THREADS", "seven", 1);
    ck_assert_int_eq(hg_config_resolve(NULL, NULL, NULL, &config), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(),
                     "env HEADGATE_THREADS: threads.max: expected an integer from 0 "
                     "to 4096, found \"seven\"");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config_file");
    TCase *tests = tcase_create("config_file");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, whole_files);
    tcase_add_test(tests, what_is_no_file);
    tcase_add_test(tests, a_file_too_large_is_refused);
    tcase_add_test(tests, without_memory);
    tcase_add_test(tests, which_file_counts);
    tcase_add_test(tests, a_file_that_is_named_must_be_there);
    tcase_add_test(tests, resolve_reads_the_environment);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
