/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate explain OP KEY=VALUE...: which kernel would run, and why. Nothing is run; an answer is
 * an answer, also when it is that nothing can serve the problem. */
#include "tools/case_session.h"
#include "tools/command.h"
#include "tools/device.h"
#include "tools/document.h"
#include "tools/problem_arg.h"
#include "tools/report.h"

#include <string.h>

static void put_member(void *user, const char *key, const char *value, bool is_number)
{
    hg_json *json = user;
    if (is_number) {
        hg_json_key(json, key);
        hg_json_raw(json, value, strlen(value));
    } else {
        hg_json_key_string(json, key, value);
    }
}

static void print_member(void *user, const char *key, const char *value, bool is_number)
{
    (void)user, (void)is_number;
    printf(" %s=%s", key, value);
}

/* The library refused before it looked at a kernel; still an answer. */
static int tell_refusal(const cli_case *c, int status, bool is_json)
{
    if (!is_json) {
        printf("%s", c->row->word);
        cli_problem_each(c, print_member, NULL);
        printf("\nnot served: %s: %s\n", hgate_status_name(status), hgate_last_error());
        return CLI_DONE;
    }
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    hg_json_key_string(json, "op", c->row->word);
    hg_json_key(json, "problem");
    hg_json_object_begin(json);
    cli_problem_each(c, put_member, json);
    hg_json_object_end(json);
    hg_json_key(json, "candidates");
    hg_json_array_begin(json);
    hg_json_array_end(json);
    hg_json_key_string(json, "status", hgate_status_name(status));
    hg_json_key_string(json, "text", hgate_last_error());
    return cli_document_end(&document);
}

static int tell(const cli_case *c, const hgate_trace *trace, int refusal, bool is_json)
{
    if (!trace) {
        return tell_refusal(c, refusal, is_json);
    }
    const int status = is_json ? hgate_trace_json(trace, cli_write_stdout, NULL)
                               : hgate_trace_text(trace, cli_write_stdout, NULL);
    if (is_json) {
        putchar('\n');
    }
    return status;
}

/* What is an answer about the problem, not a failure of the command. */
static bool is_answer(int status)
{
    return cli_exit_code(status) == CLI_UNAVAILABLE || cli_exit_code(status) == CLI_DATA;
}

/* Devices are assumed by the plugin cuda; without it the answer is one for this machine as it is.
 */
static void warn_without_cuda(const hgate_engine *engine, const cli_options *options)
{
    const char *assumed = options->text[OPT_ASSUME_DEVICE];
    const char *reason = "it was not built, or not found where plugins are looked for";
    if (!assumed || options->count[OPT_QUIET]) {
        return;
    }
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        hgate_plugin_info info = {.struct_size = sizeof info};
        if (hgate_plugin_get(engine, i, &info) != HGATE_OK || !info.name ||
            strcmp(info.name, "cuda") != 0) {
            continue;
        }
        if (info.status == HGATE_PLUGIN_USABLE) {
            return;
        }
        reason = info.reason[0] ? info.reason : info.status_name;
    }
    cli_warn("--assume-device %s: nothing is assumed, plugin cuda is missing: %s", assumed, reason);
}

int cmd_explain(const cli_options *options)
{
    cli_case c;
    cli_session session = {0};
    int status = cli_problem_read(&c, options->n_words, options->words);
    if (status == CLI_DONE) {
        status = cli_problem_shape(&c);
    }
    if (status == CLI_DONE) {
        status = cli_case_open(&c, &session, options);
    }
    if (status == CLI_DONE) {
        warn_without_cuda(session.engine, options);
        cli_call call = {.form = CLI_EXPLAIN, .engine = session.engine, .exec = session.exec};
        DLTensor tensors[HGATE_MAX_ARGS];
        cli_case_arguments(&c, &call);
        cli_device_pretend(&c, tensors, &call);
        status = c.op->call(&call);
        if (status == HGATE_OK || is_answer(status)) {
            status = tell(&c, call.trace, status, options->count[OPT_JSON] > 0);
        }
        hgate_trace_free(call.trace);
    }
    cli_session_close(&session);
    cli_case_free(&c);
    return status;
}
