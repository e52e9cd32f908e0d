/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a problem and an engine meet. */
#include "tools/case_session.h"

#include "core/config/config.h"
#include "core/engine/dispatch.h"
#include "tools/attribute.h"
#include "tools/report.h"

#include <string.h>

/* A caller who passes params overrules the configuration, so what the file or the command line left
 * open has to be filled in from there. */
static int fill_from_config(cli_case *c, const hgate_engine *engine)
{
    const hg_config *config = hg_engine_config(engine);
    const hg_option *option;
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && (option = cli_op_attribute(c->op, i)); i++) {
        if (c->is_set >> i & 1 || !option->key ||
            strcmp(hg_config_origin(config, option->key), "default") == 0) {
            continue;
        }
        if (option->kind == HG_OPTION_CHOICE) {
            status = cli_attribute_set_word(c, option, hg_config_text(config, option->key));
        } else {
            hg_option_put(option, &c->scalars, hg_config_real(config, option->key));
        }
    }
    return status;
}

/* The set-up operations of kirchhoff take no params: their check level goes to the engine. */
static int extra_settings(const cli_case *c, cli_setting *settings)
{
    const hg_option *first = cli_op_attribute(c->op, 0);
    if (first && first->offset == offsetof(cli_scalars, setup_check) && c->is_set & 1) {
        settings[0] = (cli_setting){first->key, first->words[c->scalars.setup_check]};
        return 1;
    }
    return 0;
}

static int open_with(cli_case *c, cli_session *session, const cli_options *options, const char *op,
                     const cli_setting *settings, int n)
{
    int status = cli_session_open(session, options, op, settings, n);
    if (status == HGATE_OK) {
        status = hgate_exec_set_threads(session->exec, c->threads);
        if (status == HGATE_OK) {
            status = fill_from_config(c, session->engine);
        }
        if (status != HGATE_OK) {
            cli_session_close(session);
        }
    }
    return status;
}

int cli_case_open(cli_case *c, cli_session *session, const cli_options *options)
{
    cli_setting settings[1];
    const int n = extra_settings(c, settings);
    return open_with(c, session, options, c->row->word, settings, n);
}

int cli_case_open_forced(cli_case *c, cli_session *session, const cli_options *options,
                         const char *kernel)
{
    char key[128];
    cli_setting settings[2];
    const int n = extra_settings(c, settings);
    hg_text text = hg_text_over(key, sizeof key);
    hg_text_printf(&text, "routing.force.%s", c->row->word);
    settings[n] = (cli_setting){key, kernel};
    return open_with(c, session, options, NULL, settings, n + 1);
}
