/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws on stderr only; stdout belongs to the answer. */
#include "tools/progress.h"

#include "core/base/clock.h"

#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

void cli_progress_start(cli_progress *progress, const cli_options *options, const char *label)
{
    const bool is_json = options->count[OPT_JSON] > 0;
    *progress = (cli_progress){.label = label, .is_silent = options->count[OPT_QUIET] > 0};
    progress->is_bar = isatty(STDERR_FILENO) && !is_json;
    progress->start = hg_now();
    progress->last = progress->start;
}

static void draw_bar(cli_progress *progress, double share, double left)
{
    char bar[BAR_WIDTH + 1];
    const int filled = (int)(share * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%-20.20s [%s] %3d %%, %.0f s left ", progress->label, bar,
            (int)(share * 100.0), left);
    fflush(stderr);
    progress->is_drawn = true;
}

void cli_progress_at(cli_progress *progress, int64_t done, int64_t total)
{
    if (!progress || progress->is_silent || total <= 0 || done <= 0) {
        return;
    }
    const double now = hg_now();
    if (now - progress->last < (progress->is_bar ? 0.2 : 10.0)) {
        return;
    }
    const double share = done >= total ? 1.0 : (double)done / (double)total;
    const double left = (now - progress->start) * (1.0 - share) / share;
    progress->last = now;
    if (progress->is_bar) {
        draw_bar(progress, share, left);
    } else {
        fprintf(stderr, "headgate: %s: %d %%, %.0f s left\n", progress->label, (int)(share * 100.0),
                left);
    }
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_drawn) {
        fprintf(stderr, "\r%78s\r", "");
        fflush(stderr);
        progress->is_drawn = false;
    }
}
