/* SPDX-License-Identifier: BSD-3-Clause */
/* From command line options to an open engine and its log. */
#include "tools/session.h"

#include "core/base/text.h"
#include "core/engine/engine_int.h"
#include "tools/report.h"
#include "tools/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int set_all(const cli_options *options, hgate_config *config)
{
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && i < options->n_settings; i++) {
        const char *equals = strchr(options->settings[i], '=');
        char key[256];
        const size_t n = (size_t)(equals - options->settings[i]);
        if (n >= sizeof key) {
            return cli_usage("--set: the key of '%.40s...' is too long", options->settings[i]);
        }
        memcpy(key, options->settings[i], n);
        key[n] = '\0';
        status = hgate_config_set(config, key, equals + 1);
    }
    return status;
}

static int force(const char *op, const char *backend, hgate_config *config)
{
    char key[128];
    hg_text text = hg_text_over(key, sizeof key);
    hg_text_printf(&text, "routing.force.%s", op);
    return hgate_config_set(config, key, backend);
}

/* plugins.files with one file. */
static int add_plugin(const char *file, hgate_config *config)
{
    char *path = realpath(file, NULL);
    if (!path) {
        return hg_error(CLI_NO_INPUT, "%s: cannot read: %s", file, strerror(errno));
    }
    hg_text text = hg_text_growing(NULL);
    hg_text_printf(&text, "[%s]", path);
    const int status = hgate_config_set(config, "plugins.files", text.data);
    hg_text_release(&text);
    free(path);
    return status;
}

int cli_session_config(const cli_options *options, const char *op, const cli_setting *more, int n,
                       hgate_config **out)
{
    hgate_config *config = NULL;
    int status = hgate_config_new(&config);
    if (status == HGATE_OK && options->text[OPT_CONFIG]) {
        status = hgate_config_load(config, options->text[OPT_CONFIG]);
    }
    if (status == HGATE_OK && options->count[OPT_VERBOSE] > 0) {
        status = hgate_config_set(config, "log.level",
                                  options->count[OPT_VERBOSE] > 1 ? "debug" : "info");
    } else if (status == HGATE_OK && options->count[OPT_QUIET] > 0) {
        status = hgate_config_set(config, "log.level", "error");
    }
    if (status == HGATE_OK && op && options->text[OPT_BACKEND]) {
        status = force(op, options->text[OPT_BACKEND], config);
    }
    if (status == HGATE_OK && options->text[OPT_ASSUME_DEVICE]) {
        status = hgate_config_set(config, "plugins.cuda.options.assume_device",
                                  options->text[OPT_ASSUME_DEVICE]);
    }
    if (status == HGATE_OK && options->text[OPT_PLUGIN]) {
        status = add_plugin(options->text[OPT_PLUGIN], config);
    }
    if (status == HGATE_OK) {
        status = set_all(options, config);
    }
    for (int i = 0; status == HGATE_OK && i < n; i++) {
        status = hgate_config_set(config, more[i].key, more[i].value);
    }
    if (status != HGATE_OK) {
        hgate_config_free(config);
        return status;
    }
    *out = config;
    return HGATE_OK;
}

/* The library has filtered by level and escaped the text. */
static void write_line(void *user, int level, const char *component, const char *text)
{
    static const char *const names[] = {"", "error", "warning", "info", "debug", "trace"};
    const cli_session *session = user;
    const char *name = level >= 1 && level <= HGATE_LOG_TRACE ? names[level] : "";
    fprintf(session->log, "headgate: %s: %s: %s\n", name, component, text);
}

static int open_log(cli_session *session, const cli_options *options)
{
    const char *path = options->text[OPT_LOG_FILE];
    session->log = path ? fopen(path, "a") : stderr;
    if (path && session->log) { /* a process that is killed has told what it told */
        (void)setvbuf(session->log, NULL, _IOLBF, 0);
    }
    return session->log ? CLI_DONE
                        : hg_error(CLI_CANNOT_WRITE, "%s: cannot write: %s", path, strerror(errno));
}

int cli_session_open(cli_session *session, const cli_options *options, const char *op,
                     const cli_setting *more, int n)
{
    hgate_config *config = NULL;
    hgate_options open_options;
    *session = (cli_session){0};
    int status = open_log(session, options);
    if (status == CLI_DONE) {
        status = cli_session_config(options, op, more, n, &config);
    }
    if (status == CLI_DONE) {
        status = hgate_options_init(&open_options);
    }
    if (status == CLI_DONE) {
        open_options.config = config;
        open_options.log = write_line;
        open_options.log_user = session;
        status = hg_engine_open(&open_options, cli_trial(), &session->engine);
    }
    if (status == CLI_DONE) {
        status = hgate_exec_new(session->engine, &session->exec);
    }
    hgate_config_free(config);
    if (status != CLI_DONE) {
        cli_session_close(session);
    }
    return status;
}

void cli_session_close(cli_session *session)
{
    hgate_exec_free(session->exec);
    hgate_close(session->engine);
    if (session->log && session->log != stderr) {
        fclose(session->log);
    }
    *session = (cli_session){0};
}
