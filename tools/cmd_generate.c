/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate generate OP KEY=VALUE... -o IN.h5: realistic input of any size. */
#include "tools/case_file.h"
#include "tools/command.h"
#include "tools/document.h"
#include "tools/outfile.h"
#include "tools/problem_arg.h"
#include "tools/report.h"

#include "core/tensor/shape_rule.h"

static int store(const cli_case *c, const char *path, const cli_outfile *out)
{
    h5io_file *file = NULL;
    int status = h5io_create(out->fd, path, &file);
    if (status != CLI_DONE) {
        return status;
    }
    status = cli_case_store(c, file);
    if (status != CLI_DONE) {
        h5io_close(file);
        return status;
    }
    return h5io_finish(file);
}

static size_t input_bytes(const cli_case *c)
{
    size_t bytes = 0;
    for (int i = 0; i < c->row->n_args; i++) {
        bytes += c->arrays[i].is_given && cli_case_is_input(c, i) ? c->arrays[i].bytes : 0;
    }
    return bytes;
}

static void tell_text(const cli_case *c, const char *path)
{
    printf("%s: input of %s, %.1f MB\n", path, c->row->word, 1e-6 * (double)input_bytes(c));
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *array = &c->arrays[i];
        if (array->is_given && cli_case_is_input(c, i)) {
            char shape[128];
            hg_text text = hg_text_over(shape, sizeof shape);
            hg_shape_describe(&text, array->dl.ndim, array->shape);
            printf("  %-10s %-5s %s\n", c->row->args[i].name, cli_type_word(array->type), shape);
        }
    }
}

static int tell_json(const cli_case *c, const char *path)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "op", c->row->word);
    hg_json_key_string(json, "file", path);
    hg_json_key_int(json, "bytes", (int64_t)input_bytes(c));
    hg_json_key(json, "arrays");
    hg_json_object_begin(json);
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *array = &c->arrays[i];
        if (array->is_given && cli_case_is_input(c, i)) {
            hg_json_key(json, c->row->args[i].name);
            hg_json_array_begin(json);
            for (int k = 0; k < array->dl.ndim; k++) {
                hg_json_int(json, array->shape[k]);
            }
            hg_json_array_end(json);
        }
    }
    hg_json_object_end(json);
    return cli_document_end(&document);
}

int cmd_generate(const cli_options *options)
{
    cli_case c;
    cli_outfile out;
    const char *path = options->text[OPT_OUTPUT];
    int status = cli_problem_read(&c, options->n_words, options->words);
    if (status == CLI_DONE && !path) {
        status = cli_usage("no output file; give it with -o");
    }
    if (status == CLI_DONE) {
        status = cli_problem_shape(&c);
    }
    if (status == CLI_DONE) {
        /* early: a folder that cannot be written should not cost a minute of work */
        status = cli_outfile_open(&out, path, NULL);
    }
    if (status == CLI_DONE) {
        status = cli_problem_fill(&c, options);
        if (status == CLI_DONE) {
            status = store(&c, path, &out);
        }
        if (status == CLI_DONE) {
            status = cli_outfile_commit(&out);
        } else {
            cli_outfile_abandon(&out);
        }
    }
    if (status == CLI_DONE && options->count[OPT_JSON]) {
        status = tell_json(&c, path);
    } else if (status == CLI_DONE && !options->count[OPT_QUIET]) {
        tell_text(&c, path);
    }
    cli_case_free(&c);
    return status;
}
