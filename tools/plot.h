/* SPDX-License-Identifier: BSD-3-Clause */
/* What headgate plot draws: measured points from documents of bench and tune. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "core/base/text.h"
#include "tools/json_read.h"
#include "tools/options.h"

/** A kernel at a point. */
typedef struct cli_mark {
    char name[96], plugin[48]; /* name: "PLUGIN/KERNEL" */
    double seconds, predicted; /* NaN: unknown */
} cli_mark;

typedef struct cli_spot {
    const char *op;
    const cli_json *problem; /* members KEY: VALUE */
    char chosen[96], best[96];
    double regret, regret_before; /* NaN: unknown */
    int n;
    cli_mark *marks;
} cli_spot;

typedef struct cli_plot {
    hg_arena arena;
    cli_spot *spots;
    int n, room;
} cli_plot;

/** Adds the points of a document: of bench one, of bench --regret and tune all. CLI_NO_INPUT,
 *  CLI_DATA. */
int cli_plot_read(cli_plot *plot, const char *path);

/** Names in the order of their first coming, each once; memory of the plot. */
typedef struct cli_names {
    const char **names;
    int n, room;
} cli_names;

int cli_names_add(cli_names *list, const char *name, cli_plot *plot);

/** The points over one number of their problem, or two: of one operation, alike in every other key.
 */
typedef struct cli_view {
    const char *op, *x, *y; /* y: NULL where there is one axis */
    const cli_spot *like;   /* every other key has this point's value */
    int n;                  /* points that are so */
} cli_view;

/** Operation and axes by --op, --x and --y, else those with most values. CLI_USAGE, CLI_DATA. */
int cli_view_set(const cli_plot *plot, const cli_options *options, int n_axes, cli_view *v);
bool cli_view_shows(const cli_view *v, const cli_spot *spot);
/** NaN: not a number. */
double cli_view_number(const cli_spot *spot, const char *key);
/** `what` and the keys that the points have in common. */
void cli_view_put_title(const cli_view *v, const char *what, hg_text *script);
/** Axis 'x' or 'y': a scale that fits the values, which are the marks on it. */
void cli_view_put_axis(const cli_plot *plot, const cli_view *v, char axis, hg_text *script);

/** The script of a figure, behind terminal and output. CLI_USAGE or CLI_DATA where the documents do
 *  not have what it shows. */
int cli_plot_kernels(cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_predicted(cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_regret(cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_sizes(cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_map(cli_plot *plot, const cli_options *options, hg_text *script);

/** A title of `what`, and under it the keys of a problem but for two (NULL: none). */
void cli_plot_put_title(const char *what, const cli_json *problem, const char *but, const char *and,
                        hg_text *script);

/** Lines at the marks of both axes, lighter than what is drawn. */
#define CLI_PLOT_GRID "set grid lt 1 lc rgb \"#d8d8d8\"\n"

/** Largest unit of time in which this is at least 1, and what it is times. */
const char *cli_plot_unit(double seconds, double *scale);

/** Colour and symbol of the i-th series; together they repeat late. */
const char *cli_plot_colour(int i);
int cli_plot_symbol(int i);

#endif
