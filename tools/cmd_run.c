/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate run OP IN.h5 -o OUT.h5: one operation, from file to file. */
#include "tools/case_file.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/run_case.h"

#include "core/base/clock.h"

#include <string.h>

/* A bar over all calls of the case. */
typedef struct bar {
    cli_progress progress;
    int64_t step, steps;
} bar;

static int on_progress(void *user, int64_t done, int64_t total)
{
    bar *b = user;
    cli_progress_at(&b->progress, b->step * total + done, b->steps * total);
    return 0;
}

static bool on_step(void *user, int64_t step, int64_t steps)
{
    bar *b = user;
    b->step = step;
    b->steps = steps;
    return false;
}

static int execute(cli_session *session, cli_case *c, const cli_options *options, cli_outcome *to)
{
    bar b = {.steps = 1};
    hgate_hooks hooks = {.struct_size = sizeof hooks, .user = &b, .progress = on_progress};
    int status = hgate_exec_set_hooks(session->exec, &hooks);
    if (status != HGATE_OK) {
        return status;
    }
    cli_progress_start(&b.progress, options, c->row->word);
    const double start = hg_now();
    status = cli_run_calls(c, session, on_step, &b);
    to->seconds = hg_now() - start;
    cli_progress_end(&b.progress);
    return status == HGATE_OK ? cli_run_outcome(session, to) : status;
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

static int run_here(cli_case *c, cli_session *session, const cli_options *options,
                    cli_outcome *result)
{
    int status = cli_case_read(c, options->words[1], UINT32_MAX);
    if (status == CLI_DONE) {
        status = cli_case_allocate(c);
    }
    if (status == CLI_DONE) {
        status = execute(session, c, options, result);
    }
    if (status == CLI_DONE && c->op->op == HGATE_OP_VISIBILITY_HORIZON) {
        cut_to_n_up(c);
    }
    return status;
}

/* From the input file to a finished temporary; the session stays open for its trace. */
static int work(cli_case *c, cli_session *session, const cli_options *options,
                const cli_outfile *out, cli_decision *decision, cli_outcome *result)
{
    int status = cli_run_survey(c, session, options);
    if (status == CLI_DONE) {
        status = options->text[OPT_DEVICES]
                     ? cli_run_on_devices(c, session, options, decision, result)
                     : run_here(c, session, options, result);
    }
    return status == CLI_DONE ? cli_run_store(c, result, out) : status;
}

static int run_file(cli_case *c, cli_session *session, const cli_options *options)
{
    cli_outfile out;
    cli_decision decision;
    cli_outcome result = {0};
    int status = cli_outfile_open(&out, options->text[OPT_OUTPUT], options->words[1]);
    if (status != CLI_DONE) {
        return status;
    }
    status = work(c, session, options, &out, &decision, &result);
    if (status != CLI_DONE) {
        cli_outfile_abandon(&out);
        return status;
    }
    status = cli_outfile_commit(&out);
    return status == CLI_DONE
               ? cli_run_tell(c, &result, options->text[OPT_DEVICES], NULL, NULL, options)
               : status;
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
                arg->role == HG_IN      ? "input"
                : arg->role == HG_INOUT ? "both"
                                        : "output",
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
