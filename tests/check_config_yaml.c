/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that must be read and files that must be refused, with the exact messages; and the limits.
 *
 * tests/config/bad holds NAME.yaml with NAME.expected, the message as it must be; tests/config/good
 * the same with every setting that is not a default, one a line. Run with a file's path as the
 * argument, this program prints what it has to say of it. */
#include "core/base/error.h"
#include "core/config/builder.h"
#include "core/config/yaml.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <dirent.h>
#include <stdio.h>

/* Bytes of a file, with a terminator; "no such file" for none. No assertions: main calls it too. */
static char *read_whole(const char *path, size_t *n)
{
    enum { room = 1 << 16 };
    char *text = calloc(1, room);
    FILE *f = fopen(path, "rb");
    *n = f ? fread(text, 1, room - 1, f) : (size_t)snprintf(text, room, "no such file");
    if (f) {
        fclose(f);
    }
    return text;
}

/* What there is to say of a file: the message, or its settings. */
static void put_result(hg_text *out, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    size_t n;
    char *text = read_whole(path, &n);
    hgate_config *config;
    if (hgate_config_new(&config) != HGATE_OK) {
        abort();
    }
    const int status = hgate_config_load_text(config, text, n, name);
    free(text);
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = config};
    hg_config *merged;
    if (status != HGATE_OK) {
        hg_text_printf(out, "%s\n", hgate_last_error());
    } else if (hg_config_merge(&sources, NULL, NULL, &merged) == HGATE_OK) {
        for (size_t i = 0; i < hg_config_entry_count(merged); i++) {
            const hg_config_entry e = hg_config_entry_at(merged, i);
            if (strcmp(e.origin, "default") != 0) {
                hg_text_printf(out, "%s %s # %s\n", e.key, e.text ? e.text : "~", e.origin);
            }
        }
        hg_config_release(merged);
    } else {
        hg_text_printf(out, "%s\n", hgate_last_error());
    }
    hgate_config_free(config);
}

static int is_yaml(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static void compare_folder(const char *folder, int at_least)
{
    const char *top = getenv("abs_top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/config/%s", top ? top : ".", folder);
    struct dirent **entries;
    const int n = scandir(path, &entries, is_yaml, alphasort);
    ck_assert_int_ge(n, at_least);
    for (int i = 0; i < n; i++) {
        const int length = (int)strlen(entries[i]->d_name) - (int)strlen(".yaml");
        char yaml[2048], expected[2048];
        snprintf(yaml, sizeof yaml, "%s/%s", path, entries[i]->d_name);
        snprintf(expected, sizeof expected, "%s/%.*s.expected", path, length, entries[i]->d_name);
        hg_text result = hg_text_growing(NULL);
        put_result(&result, yaml);
        size_t unused;
        char *wanted = read_whole(expected, &unused);
        ck_assert_str_eq(result.data, wanted);
        free(wanted);
        hg_text_release(&result);
        free(entries[i]);
    }
    free(entries);
}

START_TEST(bad_files_are_refused_word_for_word)
{
    compare_folder("bad", 60);
}
END_TEST

START_TEST(good_files_are_read)
{
    compare_folder("good", 5);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 2) {
        hg_text result = hg_text_growing(NULL);
        put_result(&result, argv[1]);
        fputs(result.data, stdout);
        hg_text_release(&result);
        return 0;
    }
    Suite *suite = suite_create("config_yaml");
    TCase *tests = tcase_create("config_yaml");
    tcase_add_test(tests, bad_files_are_refused_word_for_word);
    tcase_add_test(tests, good_files_are_read);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
