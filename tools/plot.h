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

/** The script of a figure, behind terminal and output. CLI_USAGE or CLI_DATA where the documents do
 *  not have what it shows. */
int cli_plot_kernels(const cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_predicted(const cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_regret(const cli_plot *plot, const cli_options *options, hg_text *script);
int cli_plot_map(const cli_plot *plot, const cli_options *options, hg_text *script);

/** Colour of the i-th series. */
const char *cli_plot_colour(int i);

#endif
