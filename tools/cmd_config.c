/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate config check FILE | show | list: is a file right, what is in force, which keys exist. */
#include "core/config/schema.h"
#include "tools/command.h"
#include "tools/document.h"
#include "tools/report.h"
#include "tools/session.h"
#include "tools/table.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- check ------------------------------------------------------------------------------- */

/* Standard input, up to the limit of a file and one byte more. */
static int load_stdin(hgate_config *config)
{
    enum { LIMIT = (1 << 20) + 1 };
    hg_text text = hg_text_growing(NULL);
    char block[4096];
    size_t n;
    while (text.length < LIMIT && (n = fread(block, 1, sizeof block, stdin)) > 0) {
        hg_text_put_n(&text, block, n);
    }
    const int status = text.is_cut ? hg_error_memory("stdin", text.length)
                                   : hgate_config_load_text(config, text.data, text.length, "-");
    hg_text_release(&text);
    return status;
}

static int tell_check(const char *path, int status)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "file", path);
    hg_json_key_bool(json, "valid", status == HGATE_OK);
    hg_json_key(json, "errors");
    hg_json_array_begin(json);
    for (const char *line = status == HGATE_OK ? "" : hgate_last_error(); *line;) {
        const size_t n = strcspn(line, "\n");
        hg_text one = hg_text_growing(NULL);
        hg_text_put_n(&one, line, n);
        hg_json_string(json, one.data);
        hg_text_release(&one);
        line += n + (line[n] == '\n');
    }
    hg_json_array_end(json);
    return cli_document_end(&document);
}

static int check(const cli_options *options)
{
    const char *path = options->words[1];
    hgate_config *config = NULL;
    if (strcmp(path, "-") != 0 && access(path, F_OK) != 0) {
        return hg_error(CLI_NO_INPUT, "%s: cannot read: %s", path, strerror(errno));
    }
    int status = hgate_config_new(&config);
    if (status == HGATE_OK) {
        status = strcmp(path, "-") == 0 ? load_stdin(config) : hgate_config_load(config, path);
    }
    if (status == HGATE_OK || status == HGATE_ECONFIG) {
        if (options->count[OPT_JSON]) {
            const int told = tell_check(path, status);
            status = told != HGATE_OK     ? told
                     : status == HGATE_OK ? CLI_DONE
                                          : CLI_TOLD + cli_exit_code(status);
        } else if (status == HGATE_OK && !options->count[OPT_QUIET]) {
            printf("%s: no errors\n", path);
        }
    }
    hgate_config_free(config);
    return status;
}

/* ---- show -------------------------------------------------------------------------------- */

static int show(const cli_options *options)
{
    hgate_config *config = NULL;
    hg_text text = hg_text_growing(NULL);
    int status = cli_session_config(options, NULL, NULL, 0, &config);
    if (status == HGATE_OK) {
        status = hgate_config_dump(config, cli_write_text, &text);
    }
    if (status == HGATE_OK && options->count[OPT_JSON]) {
        cli_document document;
        cli_document_begin(&document);
        hg_json_key_string(&document.json, "yaml", text.data);
        status = cli_document_end(&document);
    } else if (status == HGATE_OK) {
        (void)cli_write_stdout(NULL, text.data, text.length);
    }
    hg_text_release(&text);
    hgate_config_free(config);
    return status;
}

/* ---- list -------------------------------------------------------------------------------- */

/* "file env api", as the row allows. */
static void put_where(const hg_schema_row *row, hg_text *text)
{
    static const struct {
        unsigned bit;
        const char *word;
    } places[] = {{HG_SET_BY_FILE, "file"}, {HG_SET_BY_ENVIRONMENT, "env"}, {HG_SET_BY_API, "api"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (row->where & places[i].bit) {
            hg_text_printf(text, "%s%s", text->length ? " " : "", places[i].word);
        }
    }
}

static void list_text(const hg_schema *schema)
{
    for (size_t i = 0; i < schema->n_rows; i++) {
        const hg_schema_row *row = &schema->rows[i];
        char where[32], values[512];
        hg_text where_text = hg_text_over(where, sizeof where);
        hg_text values_text = hg_text_over(values, sizeof values);
        put_where(row, &where_text);
        hg_schema_put_values(row, &values_text);
        printf("%s = %s\n", row->key, row->fallback[0] ? row->fallback : "(none)");
        cli_table table;
        cli_table_begin(&table, 4, 1, NULL);
        cli_table_add(&table, "%s", row->help);
        cli_table_add(&table, "%s; set by %s%s%s", values, where, row->env ? ", variable " : "",
                      row->env ? row->env : "");
        cli_table_end(&table, stdout);
    }
}

static int list_json(const hg_schema *schema)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key(json, "keys");
    hg_json_array_begin(json);
    for (size_t i = 0; i < schema->n_rows; i++) {
        const hg_schema_row *row = &schema->rows[i];
        char where[32], values[512];
        hg_text where_text = hg_text_over(where, sizeof where);
        hg_text values_text = hg_text_over(values, sizeof values);
        put_where(row, &where_text);
        hg_schema_put_values(row, &values_text);
        hg_json_object_begin(json);
        hg_json_key_string(json, "key", row->key);
        hg_json_key_string(json, "default", row->fallback[0] ? row->fallback : NULL);
        hg_json_key_string(json, "values", values);
        hg_json_key_string(json, "where", where);
        hg_json_key_string(json, "variable", row->env);
        hg_json_key_string(json, "help", row->help);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
    return cli_document_end(&document);
}

static int list(const cli_options *options)
{
    const hg_schema *schema = hg_schema_headgate();
    if (options->count[OPT_JSON]) {
        return list_json(schema);
    }
    list_text(schema);
    return CLI_DONE;
}

/* ---- the command ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int n_words; /* the name included */
    int (*run)(const cli_options *options);
    const char *help;
} actions[] = {
    {"check", 2, check, "check FILE  report every error of a file with its position; - is stdin"},
    {"show", 1, show, "show        print the settings in force, each with where it came from"},
    {"list", 1, list, "list        print every key with default, values and help"},
};
enum { N_ACTIONS = sizeof actions / sizeof actions[0] };

int cmd_config(const cli_options *options)
{
    if (options->n_words == 0) {
        return cli_usage("expected check, show or list");
    }
    for (int i = 0; i < N_ACTIONS; i++) {
        if (strcmp(options->words[0], actions[i].name) == 0) {
            return options->n_words == actions[i].n_words
                       ? actions[i].run(options)
                       : cli_usage("config %s: expected %s", actions[i].name,
                                   actions[i].n_words > 1 ? "one file" : "no more words");
        }
    }
    return cli_usage("config: unknown word '%s', expected check, show or list", options->words[0]);
}

int cmd_config_help(const cli_options *options, FILE *to)
{
    (void)options;
    fprintf(to, "\n");
    for (int i = 0; i < N_ACTIONS; i++) {
        fprintf(to, "  %s\n", actions[i].help);
    }
    return CLI_DONE;
}
