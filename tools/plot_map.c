/* SPDX-License-Identifier: BSD-3-Clause */
/* The map of kernels: which one is best where, over two numbers of the problem. */
#include "tools/gnuplot.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <string.h>

static int list_winners(cli_plot *plot, const cli_view *v, cli_names *winners)
{
    int status = CLI_DONE;
    for (int i = 0; i < plot->n && status == CLI_DONE; i++) {
        if (cli_view_shows(v, &plot->spots[i])) {
            status = cli_names_add(winners, plot->spots[i].best, plot);
        }
    }
    return status;
}

/* Points with this winner; without one, those where another kernel was chosen. */
static int put_points(const cli_plot *plot, const cli_view *v, const char *winner, hg_text *script)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        if (cli_view_shows(v, spot) &&
            (winner ? strcmp(spot->best, winner) == 0 : strcmp(spot->best, spot->chosen) != 0)) {
            hg_text_printf(script, "%.10g %.10g\n", cli_view_number(spot, v->x),
                           cli_view_number(spot, v->y));
            n++;
        }
    }
    return n;
}

int cli_plot_map(cli_plot *plot, const cli_options *options, hg_text *script)
{
    cli_names winners = {.n = 0};
    cli_view v;
    int status = cli_view_set(plot, options, 2, &v);
    if (status == CLI_DONE) {
        status = list_winners(plot, &v, &winners);
    }
    if (status != CLI_DONE) {
        return status;
    }
    for (int w = 0; w <= winners.n; w++) {
        hg_text_printf(script, "$w%d << EOD\n", w);
        (void)put_points(plot, &v, w < winners.n ? winners.names[w] : NULL, script);
        hg_text_put(script, "EOD\n");
    }
    cli_view_put_title(&v, "quickest kernel", script);
    cli_view_put_axis(plot, &v, 'x', script);
    cli_view_put_axis(plot, &v, 'y', script);
    hg_text_put(script, CLI_PLOT_GRID "set key outside right top\nplot ");
    for (int w = 0; w < winners.n; w++) {
        hg_text_printf(script, "%s$w%d using 1:2 with points pt %d ps 3 lc rgb \"%s\" title ",
                       w ? ", " : "", w, cli_plot_symbol(w), cli_plot_colour(w));
        cli_gnuplot_put_text(script, winners.names[w]);
        hg_text_put(script, " noenhanced");
    }
    hg_text misses = hg_text_growing(NULL);
    if (put_points(plot, &v, NULL, &misses) > 0) {
        hg_text_printf(script,
                       ", $w%d using 1:2 with points pt 2 ps 2 lw 2 lc rgb \"black\" "
                       "title \"another was chosen\"",
                       winners.n);
    }
    hg_text_release(&misses);
    hg_text_put_char(script, '\n');
    return CLI_DONE;
}
