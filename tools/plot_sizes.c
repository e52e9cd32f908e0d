/* SPDX-License-Identifier: BSD-3-Clause */
/* Times over one number of the problem: a line for each kernel, rings where it was chosen. */
#include "tools/gnuplot.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

static int list_kernels(cli_plot *plot, const cli_view *v, cli_names *kernels)
{
    int status = CLI_DONE;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        for (int k = 0; k < spot->n && status == CLI_DONE && cli_view_shows(v, spot); k++) {
            status = cli_names_add(kernels, spot->marks[k].name, plot);
        }
    }
    return status;
}

/* A scale of time that fits, with marks at 1, 2 and 5 of each decade, or at 1 where there are many.
 */
static void put_times_axis(double least, double most, double scale, const char *unit,
                           hg_text *script)
{
    static const double steps[] = {1, 2, 5};
    const int n_steps = most / least > 3e3 ? 1 : 3;
    hg_text_printf(script, "set logscale y\nset yrange [%.6g:%.6g]\nset ytics (",
                   least * scale / 1.4, most * scale * 1.4);
    const char *comma = "";
    for (double decade = pow(10, floor(log10(least * scale / 1.4))); decade < most * scale * 1.4;
         decade *= 10) {
        for (int i = 0; i < n_steps; i++, comma = ", ") {
            hg_text_printf(script, "%s%.6g", comma, decade * steps[i]);
        }
    }
    hg_text_printf(script, ") nomirror\nset ylabel \"time of a call / %s\"\n", unit);
}

/* Shortest and longest time that are drawn. */
static void find_range(const cli_plot *plot, const cli_view *v, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        for (int k = 0; k < spot->n && cli_view_shows(v, spot); k++) {
            *least = fmin(*least, spot->marks[k].seconds);
            *most = fmax(*most, spot->marks[k].seconds);
        }
    }
}

/* Where a kernel was measured; only_chosen: where it was taken, too. Returns how many points. */
static int put_times(const cli_plot *plot, const cli_view *v, double scale, const char *kernel,
                     bool only_chosen, hg_text *script)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        for (int k = 0; k < spot->n && cli_view_shows(v, spot); k++) {
            const cli_mark *mark = &spot->marks[k];
            if ((!kernel || strcmp(mark->name, kernel) == 0) &&
                (!only_chosen || strcmp(mark->name, spot->chosen) == 0)) {
                hg_text_printf(script, "%.10g %.6g\n", cli_view_number(spot, v->x),
                               mark->seconds * scale);
                n++;
            }
        }
    }
    return n;
}

/* What was measured at a number twice is drawn at the middle of its times. */
static void put_lines(const cli_names *kernels, int n_chosen, hg_text *script)
{
    for (int k = 0; k < kernels->n; k++) {
        hg_text_printf(script,
                       "%s$k%d using 1:2 smooth unique with linespoints lw 2 pt %d ps 0.7 "
                       "lc rgb \"%s\" title ",
                       k ? ", " : "", k, cli_plot_symbol(k), cli_plot_colour(k));
        cli_gnuplot_put_text(script, kernels->names[k]);
        hg_text_put(script, " noenhanced");
    }
    if (n_chosen > 0) {
        hg_text_put(script, ", $chosen using 1:2 with points pt 6 ps 1.8 lw 1.5 "
                            "lc rgb \"#404040\" title \"chosen\"");
    }
    hg_text_put_char(script, '\n');
}

int cli_plot_sizes(cli_plot *plot, const cli_options *options, hg_text *script)
{
    cli_names kernels = {.n = 0};
    cli_view v;
    int status = cli_view_set(plot, options, 1, &v);
    if (status == CLI_DONE) {
        status = list_kernels(plot, &v, &kernels);
    }
    if (status != CLI_DONE) {
        return status;
    }
    double least, most, scale;
    find_range(plot, &v, &least, &most);
    if (!(most > 0)) {
        return hg_error(CLI_DATA, "plot: the points of %s have no times of kernels", v.op);
    }
    const char *unit = cli_plot_unit(most, &scale);
    for (int k = 0; k < kernels.n; k++) {
        hg_text_printf(script, "$k%d << EOD\n", k);
        (void)put_times(plot, &v, scale, kernels.names[k], false, script);
        hg_text_put(script, "EOD\n");
    }
    hg_text_put(script, "$chosen << EOD\n");
    const int n_chosen = put_times(plot, &v, scale, NULL, true, script);
    hg_text_put(script, "EOD\n");
    cli_view_put_title(&v, "time of the kernels", script);
    cli_view_put_axis(plot, &v, 'x', script);
    put_times_axis(least, most, scale, unit, script);
    hg_text_put(script, CLI_PLOT_GRID "set key outside right top Left reverse\nplot ");
    put_lines(&kernels, n_chosen, script);
    return CLI_DONE;
}
