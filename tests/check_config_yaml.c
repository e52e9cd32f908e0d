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

/* Reads text with the schema of Headgate; the last error, and how many events were looked at. */
static int read_text(const char *text, size_t n, long *events)
{
    hg_settings settings;
    hg_settings_init(&settings, hg_schema_headgate(), NULL);
    const int status = hg_yaml_read(&settings, text, n, "x.yaml", events);
    hg_settings_release(&settings);
    return status;
}

START_TEST(nesting_is_cut_off_at_the_limit)
{
    hg_text text = hg_text_growing(NULL);
    hg_text_put(&text, "version: 1\nthreads: ");
    hg_text_put_repeated(&text, '[', 40000);
    long events = 0;
    ck_assert_int_eq(read_text(text.data, text.length, &events), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "x.yaml:2:25: nested more than 16 deep");
    ck_assert_int_lt(events, 30);
    ck_assert_int_eq(read_text(text.data + 20, 40000, &events), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "x.yaml:1:1: expected keys and values");
    hg_text_release(&text);

    /* one level less is another matter */
    static const char deep[] = "version: 1\nx: [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]\n";
    ck_assert_int_eq(read_text(deep, sizeof deep - 1, &events), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "x.yaml:2:1: unknown key \"x\"");
}
END_TEST

START_TEST(events_are_limited)
{
    long events;
    for (int extra = 0; extra < 2; extra++) {
        hg_text text = hg_text_growing(NULL);
        hg_text_put(&text, "version: 1\nplugins: {x: {options: {");
        for (int i = 0; i < 9991 + extra; i++) {
            hg_text_printf(&text, "k%d: ~,", i);
        }
        hg_text_put(&text, "}}}\n");
        const int status = read_text(text.data, text.length, &events);
        if (extra) {
            ck_assert_int_eq(status, HGATE_ECONFIG);
            ck_assert_ptr_nonnull(strstr(hgate_last_error(), ": more than 20000 events"));
            ck_assert_int_eq(events, HG_YAML_EVENTS + 1);
        } else {
            ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
            ck_assert_int_le(events, HG_YAML_EVENTS);
            ck_assert_int_ge(events, HG_YAML_EVENTS - 1);
        }
        hg_text_release(&text);
    }
}
END_TEST

START_TEST(size_is_limited)
{
    hg_text text = hg_text_growing(NULL);
    hg_text_put(&text, "version: 1\n#");
    hg_text_put_repeated(&text, 'x', HG_YAML_BYTES - text.length - 1);
    hg_text_put_char(&text, '\n');
    ck_assert_uint_eq(text.length, HG_YAML_BYTES);
    ck_assert_msg(read_text(text.data, text.length, NULL) == HGATE_OK, "%s", hgate_last_error());
    hg_text_put_char(&text, '\n');
    ck_assert_int_eq(read_text(text.data, text.length, NULL), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "x.yaml:1:1: larger than 1048576 bytes");
    hg_text_release(&text);
}
END_TEST

START_TEST(scalars_are_limited)
{
    for (size_t extra = 0; extra < 2; extra++) {
        hg_text text = hg_text_growing(NULL);
        hg_text_put(&text, "version: 1\nlog: {file: /");
        hg_text_put_repeated(&text, 'x', HG_YAML_SCALAR_BYTES - 1 + extra);
        hg_text_put(&text, "}\n");
        ck_assert_int_eq(read_text(text.data, text.length, NULL), extra ? HGATE_ECONFIG : HGATE_OK);
        hg_text_release(&text);
    }
}
END_TEST

START_TEST(all_or_nothing)
{
    hgate_config *config;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    static const char good[] =
        "version: 1\nthreads: {max: 3}\nplugins: {cpu-seral: {enabled: true}}\n";
    static const char bad[] =
        "version: 1\nthreads: {max: 5}\nplugins: {cpu-openm: {enabled: true}}\n"
        "log: {level: x}\n";
    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(hgate_config_load_text(config, bad, sizeof bad - 1, "bad"), HGATE_ECONFIG);
        ck_assert_int_eq(config->has_file, round > 0);
        ck_assert_uint_eq(config->settings.count, round > 0 ? 3 : 0);
        ck_assert_ptr_eq(config->settings.first_note, config->settings.last_note);
        ck_assert_int_eq(config->settings.first_note != NULL, round > 0);
        if (round == 0) {
            ck_assert_int_eq(hgate_config_load_text(config, good, sizeof good - 1, "good"),
                             HGATE_OK);
        }
    }
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = config};
    hg_config *merged;
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &merged), HGATE_OK);
    ck_assert_int_eq(hg_config_int(merged, "threads.max"), 3);
    ck_assert_str_eq(hg_config_text(merged, "log.level"), "warn");
    hg_config_release(merged);
    hgate_config_free(config);
}
END_TEST

START_TEST(a_label_is_harmless)
{
    hg_settings settings;
    hg_settings_init(&settings, hg_schema_headgate(), NULL);
    ck_assert_int_eq(hg_yaml_read(&settings, "x: 1", 4, "a\033b\n", NULL), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "a\\x1bb\\x0a:1:1: unknown key \"x\"\n"
                                         "a\\x1bb\\x0a:1:1: \"version: 1\" is missing");
    hg_settings_release(&settings);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13; /* xorshift64 of Marsaglia */
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* One edit: a byte replaced, taken out, put in, or a piece of the text copied elsewhere. */
static size_t edit(char *text, size_t n, size_t room, uint64_t *state)
{
    static const char bytes[] = "[]{}:,-#&*!|>'\"%~ \n\t0123456789.eabz\x80\xff\x1b";
    const size_t at = next_random(state) % n;
    const char byte = bytes[next_random(state) % (sizeof bytes - 1)];
    switch (next_random(state) % 4) {
    case 0:
        text[at] = byte;
        return n;
    case 1:
        memmove(text + at, text + at + 1, n - at - 1);
        return n - 1;
    case 2:
        memmove(text + at + 1, text + at, n - at);
        text[at] = byte;
        return n + 1;
    default: {
        const size_t from = next_random(state) % n;
        const size_t length = next_random(state) % 40;
        if (from + length > n || n + length > room) {
            return n;
        }
        char piece[40];
        memcpy(piece, text + from, length);
        memmove(text + at + length, text + at, n - at);
        memcpy(text + at, piece, length);
        return n + length;
    }
    }
}

START_TEST(an_edited_file_is_read_or_refused_with_a_position)
{
    enum { room = 1 << 14 };
    const char *top = getenv("abs_top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/config/good/everything.yaml", top ? top : ".");
    size_t n_original;
    char *original = read_whole(path, &n_original);
    char *text = malloc(room);
    uint64_t state = 88172645463325252u;
    int n_read = 0, n_refused = 0;
    for (int i = 0; i < 2000; i++) {
        memcpy(text, original, n_original);
        const size_t n = edit(text, n_original, room, &state);
        if (read_text(text, n, NULL) == HGATE_OK) {
            n_read++;
            continue;
        }
        n_refused++;
        int line = 0, column = 0;
        ck_assert_msg(sscanf(hgate_last_error(), "x.yaml:%d:%d: ", &line, &column) == 2, "%s",
                      hgate_last_error());
        ck_assert(line >= 1 && line <= 75 && column >= 1);
    }
    ck_assert_int_gt(n_read, 200);
    ck_assert_int_gt(n_refused, 200);
    free(text);
    free(original);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const char good[] = "version: 1\nplugins: {path: [/a, /b], cuda: {enabled: false}}\n"
                               "kernels: {emi: {cuda: {blok: {enabled: false}}}}\n"
                               "log: {file: /x, level: ~}\n";
    static const char bad[] = "version: 2\nplugins: {path: [a, b], cda: {enabled: 1}}\nx: y\n";
    int n_failures = 0;
    for (int is_bad = 0; is_bad < 2; is_bad++) {
        const char *text = is_bad ? bad : good;
        for (long n = 1;; n++) {
            failing_alloc state = {.fail_from = n};
            const hg_allocator allocator = failing_allocator(&state);
            hg_settings settings;
            hg_settings_init(&settings, hg_schema_headgate(), &allocator);
            const int status = hg_yaml_read(&settings, text, strlen(text), "x", NULL);
            ck_assert(status == HGATE_OK || settings.first == NULL);
            hg_settings_release(&settings);
            ck_assert_int_eq(state.live, 0);
            if (state.calls < n) {
                ck_assert_int_eq(status, is_bad ? HGATE_ECONFIG : HGATE_OK);
                break;
            }
            /* a list of problems may be cut short for want of memory, and is still one */
            ck_assert(status == HGATE_ENOMEM || (is_bad && status == HGATE_ECONFIG));
            n_failures++;
        }
    }
    ck_assert_int_ge(n_failures, 6);
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
    tcase_add_test(tests, nesting_is_cut_off_at_the_limit);
    tcase_add_test(tests, events_are_limited);
    tcase_add_test(tests, size_is_limited);
    tcase_add_test(tests, scalars_are_limited);
    tcase_add_test(tests, all_or_nothing);
    tcase_add_test(tests, a_label_is_harmless);
    tcase_add_test(tests, an_edited_file_is_read_or_refused_with_a_position);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
