/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring for headgate tune, within its time. */
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "tools/report.h"
#include "tools/signals.h"
#include "tools/tune.h"

#include <math.h>

/* Points of the fit for one of the check. */
enum { FIT_PER_CHECK = 3 };

/* Longer kernels cost more than they tell: the reference on a large problem. */
static const double longest_kernel = 0.25;

/* Part of the limit for measuring; the rest is for asking the new engine. */
static const double share_of_measuring = 0.95;

static int make_room(cli_points *points, int most)
{
    points->most = points->grid.n < most ? points->grid.n : most;
    points->points = hg_calloc(NULL, (size_t)points->most + 1, sizeof *points->points);
    return points->points
               ? CLI_DONE
               : hg_error_memory("points", (size_t)points->most * sizeof *points->points);
}

static int open_grids(cli_tune *tune)
{
    const char *op = tune->options->text[OPT_OP];
    int status = cli_grid_new(&tune->fit.grid, cli_grid_fit_lines, op, tune->session.engine);
    if (status == CLI_DONE) {
        status = cli_grid_new(&tune->check.grid, cli_grid_check_lines, op, tune->session.engine);
    }
    if (status == CLI_DONE) {
        status = make_room(&tune->fit, tune->fit.grid.n);
    }
    return status == CLI_DONE
               ? make_room(&tune->check, (tune->fit.grid.n + FIT_PER_CHECK - 1) / FIT_PER_CHECK)
               : status;
}

/* One kind after the other in turn, so that both are there whenever it ends. */
static cli_points *next(cli_tune *tune)
{
    cli_points *fit = &tune->fit, *check = &tune->check;
    if (check->n < check->most &&
        (fit->n == fit->most || (check->n + 1) * FIT_PER_CHECK <= fit->n)) {
        return check;
    }
    return fit->n < fit->most ? fit : NULL;
}

static void tell_progress(const cli_tune *tune, cli_progress *progress, double spent)
{
    enum { WHOLE = 1000000 };
    const double points =
        (double)(tune->fit.n + tune->check.n) / (tune->fit.most + tune->check.most);
    const double share = fmax(points, spent / tune->limit);
    cli_progress_at(progress, (int64_t)(share * WHOLE), WHOLE);
}

int cli_tune_measure(cli_tune *tune)
{
    /* A plugin that is named has all its kernels measured; else the reference kernels, too. */
    const char *plugin = tune->options->text[OPT_ONLY_PLUGIN];
    const cli_point_rules rules = {
        .kernels = plugin ? plugin : "all", .longest = longest_kernel, .most_seconds = 0.3};
    const double start = hg_now();
    cli_progress progress;
    cli_points *points = NULL;
    int status = open_grids(tune);
    cli_progress_start(&progress, tune->options, "measuring");
    while (status == CLI_DONE && (points = next(tune)) && !tune->is_interrupted &&
           tune->seconds < share_of_measuring * tune->limit) {
        status = cli_point_measure(&points->points[points->n], points->grid.points[points->n],
                                   &tune->session, tune->options, &rules);
        points->n++;
        tune->is_interrupted = cli_signals_interrupted();
        tune->seconds = hg_now() - start;
        tell_progress(tune, &progress, tune->seconds);
    }
    cli_progress_end(&progress);
    return status;
}
