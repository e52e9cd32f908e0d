/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate info: version, machine, plugins with their kernels, and why a plugin is not used. */
#include "tools/command.h"
#include "tools/document.h"
#include "tools/machine_info.h"
#include "tools/report.h"
#include "tools/session.h"
#include "tools/table.h"
#include "tools/trial.h"

#include <headgate/plugin.h>
#include <string.h>

/* Called for each kernel of a plugin, in the order of operations. */
typedef void (*kernel_fn)(void *user, const char *op, const char *kernel);

static void each_kernel(const hgate_engine *engine, const char *plugin, kernel_fn visit, void *user)
{
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        const int n = hgate_kernel_count(engine, op);
        for (int i = 0; i < n; i++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            if (hgate_kernel_get(engine, op, i, &info) == HGATE_OK &&
                strcmp(info.plugin, plugin) == 0) {
                visit(user, hgate_op_name(op), info.name);
            }
        }
    }
}

/* ---- text -------------------------------------------------------------------------------- */

static void add_row(void *table, const char *key, const char *value)
{
    cli_table_add(table, "%s", key);
    cli_table_add(table, "%s", value);
}

/* Kernels of one operation on one line. */
typedef struct kernel_lines {
    cli_table *table;
    const char *op;
    hg_text names;
} kernel_lines;

static void end_line(kernel_lines *lines)
{
    if (lines->op) {
        cli_table_add(lines->table, "%s", lines->op);
        cli_table_add(lines->table, "%s", lines->names.data);
        hg_text_clear(&lines->names);
    }
}

static void add_kernel(void *user, const char *op, const char *kernel)
{
    kernel_lines *lines = user;
    if (lines->op && strcmp(lines->op, op) != 0) {
        end_line(lines);
    }
    lines->op = op;
    hg_text_printf(&lines->names, "%s%s", lines->names.length ? " " : "", kernel);
}

static void print_plugin(const hgate_engine *engine, int i, const hgate_plugin_info *plugin)
{
    const bool is_usable = plugin->status == HGATE_PLUGIN_USABLE;
    cli_table table;
    printf("\n%s: %s\n", plugin->name ? plugin->name : "(plugin without a name)",
           plugin->status_name);
    cli_table_begin(&table, 2, 2, NULL);
    add_row(&table, "file", plugin->path);
    if (!is_usable) {
        add_row(&table, "reason", plugin->reason);
    }
    if (plugin->version) {
        add_row(&table, "version", plugin->version);
    }
    if (plugin->license) {
        add_row(&table, "licence", plugin->license);
    }
    if (is_usable) {
        (void)hgate_plugin_describe(engine, i, add_row, &table);
        kernel_lines lines = {&table, NULL, hg_text_growing(NULL)};
        each_kernel(engine, plugin->name, add_kernel, &lines);
        end_line(&lines);
        hg_text_release(&lines.names);
    }
    cli_table_end(&table, stdout);
}

static int print_text(const hgate_engine *engine)
{
    cli_table table;
    cli_table_begin(&table, 0, 2, NULL);
    cli_table_add(&table, "headgate");
    cli_table_add(&table, "%s, plugin ABI %d.%d", hgate_version(), HGATE_PLUGIN_ABI_MAJOR,
                  HGATE_PLUGIN_ABI_MINOR);
    cli_machine_each(add_row, &table);
    cli_table_end(&table, stdout);
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        hgate_plugin_info plugin = {.struct_size = sizeof plugin};
        const int status = hgate_plugin_get(engine, i, &plugin);
        if (status != HGATE_OK) {
            return status;
        }
        print_plugin(engine, i, &plugin);
    }
    if (hgate_plugin_count(engine) == 0) {
        printf("\nno plugin files were found; see plugins.path in headgate.yaml(5)\n");
    }
    return HGATE_OK;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void put_row(void *json, const char *key, const char *value)
{
    hg_json_key_string(json, key, value);
}

static void put_kernel(void *user, const char *op, const char *kernel)
{
    hg_json *json = user;
    hg_json_object_begin(json);
    hg_json_key_string(json, "op", op);
    hg_json_key_string(json, "kernel", kernel);
    hg_json_object_end(json);
}

static void put_plugin(hg_json *json, const hgate_engine *engine, int i,
                       const hgate_plugin_info *plugin)
{
    hg_json_object_begin(json);
    hg_json_key_string(json, "name", plugin->name);
    hg_json_key_string(json, "path", plugin->path);
    hg_json_key_string(json, "status", plugin->status_name);
    hg_json_key_string(json, "reason", plugin->reason);
    hg_json_key_string(json, "version", plugin->version);
    hg_json_key_string(json, "licence", plugin->license);
    hg_json_key_string(json, "description", plugin->description);
    hg_json_key(json, "properties");
    hg_json_object_begin(json);
    if (plugin->status == HGATE_PLUGIN_USABLE) {
        (void)hgate_plugin_describe(engine, i, put_row, json);
    }
    hg_json_object_end(json);
    hg_json_key(json, "kernels");
    hg_json_array_begin(json);
    if (plugin->status == HGATE_PLUGIN_USABLE) {
        each_kernel(engine, plugin->name, put_kernel, json);
    }
    hg_json_array_end(json);
    hg_json_object_end(json);
}

static int print_json(const hgate_engine *engine)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "version", hgate_version());
    hg_json_key_int(json, "plugin_abi", HGATE_PLUGIN_ABI_MAJOR);
    cli_machine_put(json);
    hg_json_key(json, "plugins");
    hg_json_array_begin(json);
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        hgate_plugin_info plugin = {.struct_size = sizeof plugin};
        const int status = hgate_plugin_get(engine, i, &plugin);
        if (status != HGATE_OK) {
            cli_document_drop(&document);
            return status;
        }
        put_plugin(json, engine, i, &plugin);
    }
    hg_json_array_end(json);
    return cli_document_end(&document);
}

int cmd_info(const cli_options *options)
{
    cli_session session;
    if (options->n_words > 0) {
        return cli_usage("info takes no words, found '%s'", options->words[0]);
    }
    int status = options->count[OPT_PROBE_ISOLATED] ? cli_trial_start(options) : CLI_DONE;
    if (status == CLI_DONE) {
        status = cli_session_open(&session, options, NULL, NULL, 0);
    }
    if (status == HGATE_OK) {
        status = options->count[OPT_JSON] ? print_json(session.engine) : print_text(session.engine);
        cli_session_close(&session);
    }
    return status;
}
