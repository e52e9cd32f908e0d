/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate run OP IN.h5 -o OUT.h5: one operation, from file to file. */
#include "tools/case_file.h"
#include "tools/case_session.h"
#include "tools/command.h"
#include "tools/document.h"
#include "tools/outfile.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/session.h"

#include "core/base/clock.h"

#include <string.h>

typedef struct outcome {
    double seconds;
    const char *plugin, *kernel, *reason; /* belong to the trace of the session */
    const hgate_trace *trace;
} outcome;

static int on_progress(void *user, int64_t done, int64_t total)
{
    cli_progress_at(user, done, total);
    return 0;
}

/* What served the call, or would have where there is no element to write. */
static int read_trace(const cli_session *session, outcome *to)
{
    const int status = hgate_exec_last_trace(session->exec, &to->trace);
    return status == HGATE_OK ? hgate_trace_choice(to->trace, &to->plugin, &to->kernel, &to->reason)
                              : status;
}

/* Runs it once; with a bar while it lasts. */
static int execute(cli_session *session, cli_case *c, const cli_options *options, outcome *to)
{
    cli_progress progress;
    hgate_hooks hooks = {.struct_size = sizeof hooks, .user = &progress, .progress = on_progress};
    cli_call call = {.form = CLI_ONCE, .engine = session->engine, .exec = session->exec};
    int status = hgate_exec_set_hooks(session->exec, &hooks);
    if (status != HGATE_OK) {
        return status;
    }
    cli_case_arguments(c, &call);
    cli_progress_start(&progress, options, c->row->word);
    const double start = hg_now();
    status = c->op->call(&call);
    to->seconds = hg_now() - start;
    cli_progress_end(&progress);
    return status == HGATE_OK ? read_trace(session, to) : status;
}

/* visibility_horizon fills the first n_up columns: the file gets those and no others. */
static void cut_to_n_up(cli_case *c)
{
    const int64_t n_up = c->scalars.n_up;
    cli_array *crd = &c->arrays[HGATE_VISIBILITY_HORIZON_CRD_UP];
    const int64_t nsrc = crd->shape[1];
    const size_t bytes = cli_type_bytes(crd->type);
    for (int64_t row = 1; row < 3; row++) {
        memmove((char *)crd->dl.data + (size_t)(row * n_up) * bytes,
                (char *)crd->dl.data + (size_t)(row * nsrc) * bytes, (size_t)n_up * bytes);
    }
    crd->shape[1] = n_up;
    crd->count = 3 * n_up;
    for (int i = HGATE_VISIBILITY_HORIZON_FLUX_UP; i <= HGATE_VISIBILITY_HORIZON_INDEX; i++) {
        c->arrays[i].shape[0] = n_up;
        c->arrays[i].count = n_up;
    }
}

static int store_head(const cli_case *c, const outcome *from, h5io_file *file)
{
    const struct {
        const char *name, *text;
    } words[] = {{"op", c->row->word},
                 {"plugin", from->plugin},
                 {"kernel", from->kernel},
                 {"reason", from->reason},
                 {"version", hgate_version()}};
    int status = h5io_write_int(file, "headgate_format", 1);
    for (size_t i = 0; status == CLI_DONE && i < sizeof words / sizeof words[0]; i++) {
        status = h5io_write_text(file, words[i].name, words[i].text);
    }
    return status == CLI_DONE ? h5io_write_reals(file, "seconds", 1, &from->seconds) : status;
}

static int store(const cli_case *c, const outcome *from, const char *path, const cli_outfile *out)
{
    h5io_file *file = NULL;
    int status = h5io_create(out->fd, path, &file);
    if (status != CLI_DONE) {
        return status;
    }
    status = store_head(c, from, file);
    for (int i = 0; status == CLI_DONE && i < c->row->n_args; i++) {
        if (c->row->args[i].role != HG_IN) {
            status = h5io_write(file, cli_case_dataset(c, i), &c->arrays[i]);
        }
    }
    if (status != CLI_DONE) {
        h5io_close(file);
        return status;
    }
    return h5io_finish(file);
}

static int tell(const cli_case *c, const outcome *from, const cli_options *options)
{
    if (!options->count[OPT_JSON]) {
        if (!options->count[OPT_QUIET]) {
            printf("%s: %s/%s, %.3g s: %s\n", c->row->word, from->plugin, from->kernel,
                   from->seconds, from->reason);
        }
        return CLI_DONE;
    }
    cli_document document;
    cli_document_begin(&document);
    hg_json_key_string(&document.json, "op", c->row->word);
    hg_json_key_string(&document.json, "plugin", from->plugin);
    hg_json_key_string(&document.json, "kernel", from->kernel);
    hg_json_key_string(&document.json, "reason", from->reason);
    hg_json_key_real(&document.json, "seconds", from->seconds);
    hg_json_key_string(&document.json, "output", options->text[OPT_OUTPUT]);
    const int status = cli_document_put_trace(&document, "trace", from->trace);
    if (status != HGATE_OK) {
        cli_document_drop(&document);
        return status;
    }
    return cli_document_end(&document);
}

/* From the input file to a finished temporary; the session stays open for its trace. */
static int work(cli_case *c, cli_session *session, const cli_options *options,
                const cli_outfile *out, outcome *result)
{
    int status = cli_case_load(c, options->words[1], options->count[OPT_QUIET] > 0);
    if (status == CLI_DONE) {
        status = cli_case_open(c, session, options);
    }
    if (status == CLI_DONE) {
        cli_case_shape_outputs(c);
        status = c->status == HGATE_OK ? cli_case_allocate(c) : c->status;
    }
    if (status == CLI_DONE) {
        status = execute(session, c, options, result);
    }
    if (status == CLI_DONE && c->op->op == HGATE_OP_VISIBILITY_HORIZON) {
        cut_to_n_up(c);
    }
    return status == CLI_DONE ? store(c, result, options->text[OPT_OUTPUT], out) : status;
}

static int run_file(cli_case *c, cli_session *session, const cli_options *options)
{
    cli_outfile out;
    outcome result = {0};
    int status = cli_outfile_open(&out, options->text[OPT_OUTPUT], options->words[1]);
    if (status != CLI_DONE) {
        return status;
    }
    status = work(c, session, options, &out, &result);
    if (status != CLI_DONE) {
        cli_outfile_abandon(&out);
        return status;
    }
    status = cli_outfile_commit(&out);
    return status == CLI_DONE ? tell(c, &result, options) : status;
}

int cmd_run(const cli_options *options)
{
    const cli_op *op = NULL;
    cli_session session = {0};
    cli_case c;
    if (options->n_words != 2) {
        return cli_usage("expected an operation and an input file");
    }
    int status = cli_op_find(options->words[0], &op);
    if (status == CLI_DONE && !options->text[OPT_OUTPUT]) {
        status = cli_usage("no output file; give it with -o");
    }
    if (status == CLI_DONE) {
        cli_case_init(&c, op);
        status = run_file(&c, &session, options);
        cli_case_free(&c);
        cli_session_close(&session);
    }
    return status;
}

int cmd_run_help(const cli_options *options, FILE *to)
{
    const cli_op *op;
    const hg_option *option;
    if (options->n_words == 0) {
        return cmd_problem_help(options, to);
    }
    const int status = cli_op_find(options->words[0], &op);
    if (status != CLI_DONE) {
        return status;
    }
    const hg_op *row = hg_op_row(op->op);
    fprintf(to, "\nDatasets of %s:\n", row->word);
    for (int i = 0; i < row->n_args; i++) {
        const hg_arg *arg = &row->args[i];
        fprintf(to, "  %-13s %-8s %s%s\n", arg->name,
                arg->role == HG_IN    ? "input"
                : arg->role == HG_OUT ? "output"
                                      : "both",
                arg->shape, arg->is_optional && arg->role == HG_IN ? " (optional)" : "");
    }
    fprintf(to, "\nAttributes:\n");
    for (int i = 0; (option = cli_op_attribute(op, i)); i++) {
        fprintf(to, "  %-14s %s", option->name, option->is_required ? "required" : "");
        if (!option->is_required && option->kind == HG_OPTION_CHOICE) {
            fprintf(to, "%s", option->words[(int)option->preset]);
        } else if (!option->is_required) {
            fprintf(to, "%g", option->preset);
        }
        fprintf(to, "\n");
    }
    return CLI_DONE;
}
