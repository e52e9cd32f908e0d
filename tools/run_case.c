/* SPDX-License-Identifier: BSD-3-Clause */
/* From a file's shapes to an output file, with whatever runs the calls in between. */
#include "tools/run_case.h"

#include "core/base/text.h"
#include "core/engine/engine_int.h"
#include "core/plugin/registry.h"
#include "core/route/decide.h"
#include "tools/case_file.h"
#include "tools/document.h"
#include "tools/report.h"

#include <stdio.h>

int cli_run_survey(cli_case *c, cli_session *session, const cli_options *options)
{
    int status = cli_case_survey(c, options->words[1], options->count[OPT_QUIET] > 0);
    if (status == CLI_DONE) {
        status = cli_case_open(c, session, options);
    }
    if (status == CLI_DONE) {
        cli_case_shape_outputs(c);
        status = c->status;
    }
    return status;
}

int cli_run_decide(cli_case *c, const cli_session *session, cli_decision *decision)
{
    const char *plugin = "", *name = "", *reason = "";
    cli_call call = {.form = CLI_EXPLAIN, .engine = session->engine, .exec = session->exec};
    cli_case_arguments(c, &call);
    int status = c->op->call(&call);
    if (status == HGATE_OK && hg_trace_served(call.trace) < 0) {
        status = hg_decide_error(call.trace); /* explain takes that for an answer */
    }
    if (status == HGATE_OK) {
        status = hgate_trace_choice(call.trace, &plugin, &name, &reason);
    }
    if (status == HGATE_OK) {
        hg_text kernel = hg_text_over(decision->kernel, sizeof decision->kernel);
        hg_text words = hg_text_over(decision->reason, sizeof decision->reason);
        hg_text_printf(&kernel, "%s/%s", plugin, name);
        hg_text_put(&words, reason);
    }
    hgate_trace_free(call.trace);
    return status;
}

/* ---- surveys larger than a device ---- */

typedef struct steps {
    bool (*at_step)(void *user, int64_t step, int64_t steps);
    void *user;
    int64_t n; /* groups */
} steps;

static int on_group(void *user, int64_t group, int64_t ngroups, int phase, double seconds,
                    size_t bytes)
{
    steps *s = user;
    (void)seconds, (void)bytes;
    s->n = ngroups;
    return s->at_step && s->at_step(s->user, group + (phase == HGATE_GROUP_COPY_OUT), ngroups);
}

/* Does the kernel that found no memory run on a device, and can what it does be cut? The facility
 * knows no factors. */
static bool can_be_grouped(const cli_case *c, const cli_session *session)
{
    const hgate_trace *trace = NULL;
    const char *plugin = "", *kernel, *reason;
    if ((c->op->op != HGATE_OP_KIRCHHOFF_FORWARD && c->op->op != HGATE_OP_KIRCHHOFF_ADJOINT) ||
        c->scalars.alpha != 1.0 || c->scalars.beta != 0.0 ||
        hgate_exec_last_trace(session->exec, &trace) != HGATE_OK ||
        hgate_trace_choice(trace, &plugin, &kernel, &reason) != HGATE_OK) {
        return false;
    }
    const hg_plugin *owner = hg_plugins_find(session->engine->plugins, plugin);
    return owner && owner->descriptor->ws_alloc;
}

static int run_grouped(cli_case *c, cli_call *call, steps *s)
{
    call->form = CLI_GROUPED;
    (void)hgate_group_params_init(&call->group);
    call->group.device_id = call->exec->device_id >= 0 ? call->exec->device_id : 0;
    call->group.progress = on_group;
    call->group.user = s;
    const int status = c->op->call(call);
    c->groups = s->n;
    return status;
}

int cli_run_calls(cli_case *c, const cli_session *session,
                  bool (*at_step)(void *user, int64_t step, int64_t steps), void *user)
{
    const int64_t n = cli_case_steps(c);
    cli_call call = {.form = CLI_ONCE, .engine = session->engine, .exec = session->exec};
    int status = HGATE_OK;
    c->groups = 0;
    cli_case_arguments(c, &call);
    for (int64_t step = 0; status == HGATE_OK && step < n; step++) {
        if (at_step && at_step(user, step, n)) {
            return hg_error(HGATE_ESTOPPED, "another worker has failed");
        }
        cli_case_at_step(c, step);
        status = c->op->call(&call);
    }
    if (status == HGATE_ENOMEM && can_be_grouped(c, session)) {
        steps s = {at_step, user, 0};
        status = run_grouped(c, &call, &s);
    }
    return status == HGATE_OK ? hgate_exec_sync(session->exec) : status;
}

int cli_run_outcome(const cli_session *session, cli_outcome *to)
{
    const int status = hgate_exec_last_trace(session->exec, &to->trace);
    return status == HGATE_OK ? hgate_trace_choice(to->trace, &to->plugin, &to->kernel, &to->reason)
                              : status;
}

/* ---- the output file --------------------------------------------------------------------- */

int cli_run_store_head(const cli_case *c, const cli_outcome *from, h5io_file *file)
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

int cli_run_store(const cli_case *c, const cli_outcome *from, const cli_outfile *out)
{
    h5io_file *file = NULL;
    int status = h5io_create(out->fd, out->path, &file);
    if (status != CLI_DONE) {
        return status;
    }
    status = cli_run_store_head(c, from, file);
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

/* ---- what is told ------------------------------------------------------------------------ */

int cli_run_tell(const cli_case *c, const cli_outcome *from, const char *workers,
                 void (*put)(void *user, hg_json *json), void *user, const cli_options *options)
{
    if (!options->count[OPT_JSON]) {
        if (!options->count[OPT_QUIET]) {
            printf("%s: %s/%s, %.3g s%s%s", c->row->word, from->plugin, from->kernel, from->seconds,
                   workers ? ", " : "", workers ? workers : "");
            if (c->groups > 0) {
                printf(", in %lld groups of sources", (long long)c->groups);
            }
            printf(": %s\n", from->reason);
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
    if (workers) {
        hg_json_key_string(&document.json, "workers", workers);
    }
    if (c->groups > 0) {
        hg_json_key_int(&document.json, "groups", c->groups);
    }
    if (put) {
        put(user, &document.json);
    }
    hg_json_key_string(&document.json, "output", options->text[OPT_OUTPUT]);
    const int status = cli_document_put_trace(&document, "trace", from->trace);
    if (status != HGATE_OK) {
        cli_document_drop(&document);
        return status;
    }
    return cli_document_end(&document);
}
