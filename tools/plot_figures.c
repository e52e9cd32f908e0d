/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of times: one problem, predicted against measured, regrets. */
#include "tools/gnuplot.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

/* Colours that most people can tell apart (Okabe and Ito). */
const char *cli_plot_colour(int i)
{
    static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                          "#56B4E9", "#D55E00", "#F0E442", "#000000"};
    return colours[i % (int)(sizeof colours / sizeof *colours)];
}

/* Filled square, circle, triangle up, triangle down, diamond: another one every 8 colours. */
int cli_plot_symbol(int i)
{
    static const int symbols[] = {5, 7, 9, 11, 13};
    return symbols[i / 8 % (int)(sizeof symbols / sizeof *symbols)];
}

const char *cli_plot_unit(double seconds, double *scale)
{
    static const struct {
        const char *name;
        double scale;
    } units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}};
    int i = 0;
    while (i < 2 && seconds * units[i].scale < 1) {
        i++;
    }
    *scale = units[i].scale;
    return units[i].name;
}

/* ---- one problem -------------------------------------------------------- */

/* One more line of a title; the text is empty afterwards. */
static void put_line(hg_text *script, hg_text *line)
{
    hg_text_put(script, ".\"\\n\".");
    cli_gnuplot_put_text(script, line->data ? line->data : "");
    hg_text_release(line);
    *line = hg_text_growing(NULL);
}

enum { TITLE_LENGTH = 72 }; /* what a line has room for beside the key */

void cli_plot_put_title(const char *what, const cli_json *problem, const char *but, const char *and,
                        hg_text *script)
{
    hg_text line = hg_text_growing(NULL);
    hg_text_put(script, "set title ");
    cli_gnuplot_put_text(script, what);
    for (const cli_json *key = problem ? problem->first : NULL; key; key = key->next) {
        if ((but && strcmp(key->key, but) == 0) || (and&&strcmp(key->key, and) == 0)) {
            continue;
        }
        if (line.length + strlen(key->key) + strlen(key->text) > TITLE_LENGTH) {
            put_line(script, &line);
        }
        hg_text_printf(&line, "%s%s=%s", line.length ? " " : "", key->key, key->text);
    }
    put_line(script, &line);
    hg_text_put(script, " noenhanced\n");
    hg_text_release(&line);
}

int cli_plot_kernels(cli_plot *plot, const cli_options *options, hg_text *script)
{
    (void)options;
    const cli_spot *spot = &plot->spots[0];
    double longest = 0, scale;
    if (plot->n != 1 || spot->n == 0) {
        return hg_error(CLI_DATA, "plot: --kind kernels shows one problem, the documents have %d",
                        spot->n == 0 && plot->n == 1 ? 0 : plot->n);
    }
    for (int i = 0; i < spot->n; i++) {
        longest = fmax(longest, fmax(spot->marks[i].seconds, spot->marks[i].predicted));
    }
    const char *unit = cli_plot_unit(longest, &scale);
    hg_text_put(script, "$data << EOD\n");
    for (int i = 0; i < spot->n; i++) {
        const cli_mark *mark = &spot->marks[i];
        cli_gnuplot_put_text(script, mark->name);
        hg_text_printf(script, " %.6g %.6g\n", mark->seconds * scale,
                       isnan(mark->predicted) ? 0 : mark->predicted * scale);
    }
    hg_text_put(script, "EOD\n");
    cli_plot_put_title(spot->op, spot->problem, NULL, NULL, script);
    hg_text_printf(script,
                   "set style data histograms\nset style histogram clustered gap 1\n"
                   "set style fill solid 0.9 border -1\nset yrange [0:*]\nset grid ytics lt 1 lc "
                   "rgb \"#d8d8d8\"\n"
                   "set xtics rotate by -30 noenhanced\nset ylabel \"time of a call / %s\"\n"
                   "set xlabel \"kernel\"\nset key outside right top\n"
                   "plot $data using 2:xtic(1) title \"measured\" lc rgb \"%s\", "
                   "$data using 3 title \"predicted\" lc rgb \"%s\"\n",
                   unit, cli_plot_colour(0), cli_plot_colour(1));
    return CLI_DONE;
}

/* ---- predicted against measured ----------------------------------------- */

static int list_plugins(cli_plot *plot, cli_names *plugins)
{
    int status = CLI_DONE;
    for (int i = 0; i < plot->n; i++) {
        for (int k = 0; k < plot->spots[i].n && status == CLI_DONE; k++) {
            status = cli_names_add(plugins, plot->spots[i].marks[k].plugin, plot);
        }
    }
    return status;
}

static bool is_wanted(const cli_spot *spot, const cli_options *options)
{
    const char *op = options->text[OPT_OP];
    return !op || strcmp(op, spot->op) == 0;
}

/* Seconds measured and predicted of a plugin's kernels; how many. */
static int put_pairs(const cli_plot *plot, const cli_options *options, const char *plugin,
                     hg_text *script)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        for (int k = 0; k < spot->n && is_wanted(spot, options); k++) {
            if (strcmp(spot->marks[k].plugin, plugin) == 0 && spot->marks[k].predicted > 0) {
                hg_text_printf(script, "%.6g %.6g\n", spot->marks[k].seconds,
                               spot->marks[k].predicted);
                n++;
            }
        }
    }
    return n;
}

int cli_plot_predicted(cli_plot *plot, const cli_options *options, hg_text *script)
{
    cli_names plugins = {.n = 0};
    const int status = list_plugins(plot, &plugins);
    if (status != CLI_DONE) {
        return status;
    }
    int pairs = 0;
    for (int p = 0; p < plugins.n; p++) {
        hg_text_printf(script, "$p%d << EOD\n", p);
        pairs += put_pairs(plot, options, plugins.names[p], script);
        hg_text_put(script, "EOD\n");
    }
    if (pairs == 0) {
        return hg_error(CLI_DATA, "plot: the documents have no kernels with a prediction");
    }
    hg_text_printf(script,
                   "set title \"predicted against measured, %d runs of kernels\" noenhanced\n"
                   "set logscale xy\nset format xy \"10^{%%T}\"\n" CLI_PLOT_GRID
                   "set key top left Left "
                   "reverse box width 3 opaque\n"
                   "set xlabel \"measured time / s\"\nset ylabel \"predicted time / s\"\n"
                   "plot x with lines lc rgb \"#404040\" title \"equal\", "
                   "2*x with lines dt 2 lc rgb \"#808080\" title \"factor 2\", "
                   "x/2 with lines dt 2 lc rgb \"#808080\" notitle",
                   pairs);
    for (int p = 0; p < plugins.n; p++) {
        hg_text_printf(script, ", $p%d using 1:2 with points pt %d ps 0.5 lc rgb \"%s\" title ", p,
                       cli_plot_symbol(p), cli_plot_colour(p));
        cli_gnuplot_put_text(script, plugins.names[p]);
        hg_text_put(script, " noenhanced");
    }
    hg_text_put_char(script, '\n');
    return CLI_DONE;
}

/* ---- regrets ------------------------------------------------------------ */

enum { N_BINS = 11 }; /* 1.00, up to 1.05, ... 1.10, ..., 1.50, more */

static int bin_of(double regret)
{
    const double bin = regret <= 1 ? 0 : ceil((regret - 1) / 0.05 - 1e-9);
    return bin < N_BINS ? (int)bin : N_BINS;
}

static int count(const cli_plot *plot, const cli_options *options, bool is_before, int *bins)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        const double regret = is_before ? spot->regret_before : spot->regret;
        if (!isnan(regret) && is_wanted(spot, options)) {
            bins[bin_of(regret)]++;
            n++;
        }
    }
    return n;
}

int cli_plot_regret(cli_plot *plot, const cli_options *options, hg_text *script)
{
    int before[N_BINS + 1] = {0}, after[N_BINS + 1] = {0};
    const int n = count(plot, options, false, after), n_before = count(plot, options, true, before);
    if (n == 0) {
        return hg_error(CLI_DATA, "plot: the documents have no point with a choice");
    }
    hg_text_put(script, "$regret << EOD\n");
    for (int i = 0; i <= N_BINS; i++) {
        if (i == 0) {
            hg_text_put(script, "\"best\"");
        } else {
            hg_text_printf(script, i < N_BINS ? "\"%.2f\"" : "\"more\"", 1 + 0.05 * i);
        }
        hg_text_printf(script, " %.4g %.4g\n", 100.0 * after[i] / n,
                       n_before ? 100.0 * before[i] / n_before : 0);
    }
    hg_text_printf(script,
                   "EOD\nset title \"regret of the choices at %d points\" noenhanced\n"
                   "set style data histograms\nset style histogram clustered gap 1\n"
                   "set style fill solid 0.9 border -1\nset yrange [0:*]\nset grid ytics lt 1 lc "
                   "rgb \"#d8d8d8\"\n"
                   "set xtics rotate by -45\n%s\n"
                   "set xlabel \"time of the chosen kernel / time of the best, up to\"\n"
                   "set ylabel \"share of the points / %%\"\n",
                   n, n_before > 0 ? "set key top right nobox" : "unset key");
    if (n_before > 0) {
        hg_text_printf(script,
                       "plot $regret using 3:xtic(1) title \"before\" lc rgb \"%s\", "
                       "$regret using 2 title \"after\" lc rgb \"%s\"\n",
                       cli_plot_colour(1), cli_plot_colour(0));
    } else {
        hg_text_printf(script, "plot $regret using 2:xtic(1) notitle lc rgb \"%s\"\n",
                       cli_plot_colour(0));
    }
    return CLI_DONE;
}
