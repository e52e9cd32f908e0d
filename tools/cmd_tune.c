/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate tune: measures the constants of the cost model and writes the calibration file. Nothing
 * but this command ever does. */
#include "core/engine/engine_int.h"
#include "tools/command.h"
#include "tools/report.h"
#include "tools/signals.h"
#include "tools/tune.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_limit =
    100; /* seconds: the whole grids on two quiet cores, with room */

static int check_plugin(const cli_tune *tune)
{
    const char *name = tune->options->text[OPT_ONLY_PLUGIN];
    if (name && !hg_plugins_find(tune->session.engine->plugins, name)) {
        return hg_error(HGATE_EUNAVAILABLE, "--plugin: plugin %s is not usable; see headgate info",
                        name);
    }
    return CLI_DONE;
}

/* Absolute, as the configuration wants it. */
static int find_path(cli_tune *tune, const hg_machine *machine)
{
    const char *named = tune->options->text[OPT_OUTPUT];
    char folder[PATH_MAX];
    if (!named) {
        return hg_calib_user_path(machine, &tune->path)
                   ? CLI_DONE
                   : cli_usage("neither XDG_CACHE_HOME nor HOME is set; say -o FILE");
    }
    if (named[0] != '/') {
        hg_text_printf(&tune->path, "%s/", getcwd(folder, sizeof folder) ? folder : ".");
    }
    hg_text_put(&tune->path, named);
    return tune->path.is_cut ? hg_error_memory("path", strlen(named)) : CLI_DONE;
}

int cli_tune_ask(cli_tune *tune)
{
    cli_session session;
    const cli_setting settings[] = {{"calibration.file", tune->path.data},
                                    {"calibration.on_mismatch", "error"}};
    int status = cli_session_open(&session, tune->options, NULL, settings, 2);
    if (status == CLI_DONE) {
        for (int i = 0; status == CLI_DONE && i < tune->check.n; i++) {
            status = cli_point_ask(&tune->check.points[i], &session, tune->options);
        }
        cli_session_close(&session);
    }
    return status;
}

static int run(cli_tune *tune, const hg_machine *machine)
{
    int status = find_path(tune, machine);
    if (status == CLI_DONE) { /* now, not when all is measured */
        status = hg_calib_file_prepare(tune->path.data);
        status = status == HGATE_ECONFIG ? CLI_CANNOT_WRITE : status;
    }
    if (status == CLI_DONE) {
        cli_signals_note_interrupt();
        status = cli_tune_measure(tune);
    }
    if (status == CLI_DONE) {
        status = cli_tune_fit(tune, machine);
    }
    if (status == CLI_DONE) {
        status = cli_tune_write(tune, machine);
    }
    if (status == CLI_DONE) {
        status = cli_tune_ask(tune);
    }
    return status == CLI_DONE ? cli_tune_tell(tune) : status;
}

static void release(cli_points *points)
{
    for (int i = 0; i < points->n; i++) {
        cli_point_free(&points->points[i]);
    }
    hg_free(NULL, points->points);
    cli_grid_free(&points->grid);
}

int cmd_tune(const cli_options *options)
{
    cli_tune tune = {.options = options, .limit = default_limit, .path = hg_text_growing(NULL)};
    const cli_op *op = NULL;
    hg_machine machine;
    int status = options->n_words > 0 ? cli_usage("tune takes no arguments; --op OP limits it")
                                      : cli_options_time_limit(options, &tune.limit);
    if (status == CLI_DONE && options->text[OPT_OP]) {
        status = cli_op_find(options->text[OPT_OP], &op);
    }
    if (status == CLI_DONE) {
        status = cli_session_open(&tune.session, options, NULL, NULL, 0);
    }
    if (status != CLI_DONE) {
        hg_text_release(&tune.path);
        return status;
    }
    status = check_plugin(&tune);
    if (status == CLI_DONE) {
        const hgate_engine *engine = tune.session.engine;
        status = hg_machine_read(engine->usable, engine->n_usable, NULL, &machine);
    }
    if (status == CLI_DONE) {
        status = run(&tune, &machine);
        hg_machine_release(&machine);
    }
    release(&tune.fit);
    release(&tune.check);
    hg_free(NULL, tune.entries);
    hg_text_release(&tune.path);
    cli_session_close(&tune.session);
    return status;
}
