/* SPDX-License-Identifier: BSD-3-Clause */
/* The two places that list every key, config/headgate.yaml and the table of headgate.yaml(5), say
 * what the schema says. Run with "yaml" or "man" as the argument, this program prints what belongs
 * there. */
#include "core/config/builder.h"
#include "core/config/value.h"

#include "core/base/error.h"
#include "tests/harness.h"

#include <ctype.h>
#include <stdio.h>

static char *read_source(const char *name)
{
    enum { room = 1 << 17 };
    const char *top = getenv("abs_top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
    char *text = calloc(1, room);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "no file %s", path);
    ck_assert_uint_lt(fread(text, 1, room, f), room);
    fclose(f);
    return text;
}

/* ---- config/headgate.yaml ---- */

static const char yaml_head[] =
    "# SPDX-License-Identifier: BSD-3-Clause\n"
    "# Settings of Headgate. Every key stands here at its default, commented out. To change one, "
    "take the\n"
    "# \"# \" off its line and off the lines of the sections it is in. A name in <> stands for one "
    "of your\n"
    "# choice; a name in [] is an environment variable that sets the key too. The manual page is\n"
    "# headgate.yaml(5); \"headgate config check FILE\" tells what is wrong with a file.\n"
    "version: 1\n";

static size_t common_sections(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++) {
        common = a[i] == '.' ? i + 1 : common;
    }
    return common;
}

/* "#", then so many spaces that the text is `depth` sections deep. */
static void put_indent(hg_text *out, size_t depth)
{
    hg_text_put_char(out, '#');
    hg_text_put_repeated(out, ' ', 1 + 2 * depth);
}

static void put_yaml_row(hg_text *out, const char *previous, const hg_schema_row *row)
{
    const size_t common = common_sections(previous, row->key);
    size_t depth = 0;
    if (common == 0) {
        hg_text_put_char(out, '\n');
    }
    for (const char *part = row->key, *dot; (dot = strchr(part, '.')); part = dot + 1, depth++) {
        if ((size_t)(part - row->key) >= common) {
            put_indent(out, depth);
            hg_text_printf(out, "%.*s:\n", (int)(dot - part), part);
        }
    }
    put_indent(out, depth);
    hg_text_printf(out, "# %s", row->help);
    if (row->env) {
        hg_text_printf(out, " [%s]", row->env);
    }
    hg_text_put_char(out, '\n');
    put_indent(out, depth);
    const char *last = strrchr(row->key, '.') + 1;
    hg_text_printf(out, "%s: %s  # ", last, *row->fallback ? row->fallback : "~");
    hg_schema_put_values(row, out);
    hg_text_put_char(out, '\n');
}

static void put_yaml(hg_text *out)
{
    const hg_schema *schema = hg_schema_headgate();
    hg_text_put(out, yaml_head);
    const char *previous = "";
    for (size_t i = 0; i < schema->n_rows; i++) {
        if (schema->rows[i].role != HG_KEY_VERSION) {
            put_yaml_row(out, previous, &schema->rows[i]);
            previous = schema->rows[i].key;
        }
    }
}

START_TEST(the_yaml_file_is_that_of_the_schema)
{
    hg_text expected = hg_text_growing(NULL);
    put_yaml(&expected);
    char *found = read_source("config/headgate.yaml");
    ck_assert_str_eq(found, expected.data);
    free(found);
    hg_text_release(&expected);
}
END_TEST

static uint64_t hash_of(const char *yaml, size_t n)
{
    hgate_config *api;
    ck_assert_int_eq(hgate_config_new(&api), HGATE_OK);
    ck_assert_msg(hgate_config_load_text(api, yaml, n, "x") == HGATE_OK, "%s\n%s",
                  hgate_last_error(), yaml);
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = api};
    hg_config *config;
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &config), HGATE_OK);
    const uint64_t hash = hg_config_hash(config);
    hg_config_release(config);
    hgate_config_free(api);
    return hash;
}

/* Puts a line in, without its "# " and with names for the placeholders. */
static void put_uncommented(hg_text *out, const char *line, size_t n)
{
    static const struct {
        const char *placeholder, *name;
    } names[] = {{"<plugin>", "mine"}, {"<op>", "emi"},    {"<word>", "evd"},
                 {"<kernel>", "fast"}, {"<key>", "speed"}, {"<constant>", "launch"}};
    for (size_t at = n >= 2 && memcmp(line, "# ", 2) == 0 ? 2 : 0; at < n;) {
        const char *name = NULL;
        for (size_t i = 0; i < sizeof names / sizeof names[0] && !name; i++) {
            const size_t length = strlen(names[i].placeholder);
            if (n - at >= length && memcmp(line + at, names[i].placeholder, length) == 0) {
                name = names[i].name;
                at += length;
            }
        }
        if (name) {
            hg_text_put(out, name);
        } else {
            hg_text_put_char(out, line[at++]);
        }
    }
    hg_text_put_char(out, '\n');
}

START_TEST(the_yaml_file_sets_nothing_with_comments_or_without)
{
    static const char nothing[] = "version: 1\n";
    const uint64_t expected = hash_of(nothing, sizeof nothing - 1);
    char *file = read_source("config/headgate.yaml");
    ck_assert_uint_eq(hash_of(file, strlen(file)), expected);

    hg_text text = hg_text_growing(NULL);
    const char *body = strstr(file, "version: 1\n");
    ck_assert_ptr_nonnull(body);
    for (const char *line = body; *line;) {
        const size_t n = strcspn(line, "\n");
        put_uncommented(&text, line, n);
        line += n + (line[n] == '\n');
    }
    ck_assert_uint_eq(hash_of(text.data, text.length), expected);
    hg_text_release(&text);
    free(file);
}
END_TEST

START_TEST(examples_are_good)
{
    static const char *const names[] = {"cpu-only", "deterministic", "force-a-kernel",
                                        "kill-a-gate", "custom-plugin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[100];
        snprintf(path, sizeof path, "config/examples/%s.yaml", names[i]);
        char *text = read_source(path);
        static const char nothing[] = "version: 1\n";
        ck_assert_msg(hash_of(text, strlen(text)) != hash_of(nothing, sizeof nothing - 1), "%s",
                      path);
        free(text);
    }
}
END_TEST

/* ---- doc/man/headgate.yaml.5 ---- */

static const char keys_begin[] = ".\\\" keys begin: printed by tests/check_config_pages man\n";
static const char keys_end[] = ".\\\" keys end\n";

/* Text with the characters that troff takes for its own. */
static void put_troff(hg_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\') {
            hg_text_put_char(out, '\\');
        }
        hg_text_put_char(out, *text);
    }
}

static void put_man_row(hg_text *out, const hg_schema_row *row)
{
    char values[200];
    hg_text text = hg_text_over(values, sizeof values);
    hg_schema_put_values(row, &text);
    hg_text_put(out, ".TP\n.B ");
    put_troff(out, row->key);
    hg_text_put_char(out, '\n');
    hg_text_put_char(out, (char)toupper((unsigned char)row->help[0]));
    put_troff(out, row->help + 1);
    hg_text_put(out, ".\n.br\nDefault: ");
    put_troff(out, *row->fallback ? row->fallback : "none");
    hg_text_put(out, ". Values: ");
    put_troff(out, values);
    hg_text_put(out, ".\n.br\nSet by: file");
    hg_text_put(out, row->where & HG_SET_BY_ENVIRONMENT ? ", environment" : "");
    if (row->env) {
        hg_text_printf(out, " (%s)", row->env);
    }
    hg_text_put(out, row->where & HG_SET_BY_API ? ", call.\n" : ".\n");
}

static void put_man(hg_text *out)
{
    const hg_schema *schema = hg_schema_headgate();
    hg_text_put(out, keys_begin);
    for (size_t i = 0; i < schema->n_rows; i++) {
        put_man_row(out, &schema->rows[i]);
    }
    hg_text_put(out, keys_end);
}

START_TEST(the_manual_page_has_the_table_of_the_schema)
{
    hg_text expected = hg_text_growing(NULL);
    put_man(&expected);
    char *page = read_source("doc/man/headgate.yaml.5");
    char *begin = strstr(page, keys_begin), *end = strstr(page, keys_end);
    ck_assert(begin && end && begin < end);
    end[strlen(keys_end)] = '\0';
    ck_assert_str_eq(begin, expected.data);
    free(page);
    hg_text_release(&expected);
}
END_TEST

START_TEST(the_manual_page_names_every_variable)
{
    static const char *const others[] = {"HEADGATE_CONFIG", "HEADGATE_SET", "HEADGATE_DISABLE",
                                         "HEADGATE_FORCE"};
    char *page = read_source("doc/man/headgate.yaml.5");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_msg(strstr(page, others[i]) != NULL, "%s", others[i]);
    }
    free(page);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 2) {
        hg_text out = hg_text_growing(NULL);
        if (strcmp(argv[1], "yaml") == 0) {
            put_yaml(&out);
        } else {
            put_man(&out);
        }
        fputs(out.data, stdout);
        hg_text_release(&out);
        return 0;
    }
    Suite *suite = suite_create("config_pages");
    TCase *tests = tcase_create("config_pages");
    tcase_add_test(tests, the_yaml_file_is_that_of_the_schema);
    tcase_add_test(tests, the_yaml_file_sets_nothing_with_comments_or_without);
    tcase_add_test(tests, examples_are_good);
    tcase_add_test(tests, the_manual_page_has_the_table_of_the_schema);
    tcase_add_test(tests, the_manual_page_names_every_variable);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
