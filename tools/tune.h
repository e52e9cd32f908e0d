/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of headgate tune: what was measured, what was fitted. */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "core/calib/file.h"
#include "tools/point.h"

/** Points of one grid, measured from the front. */
typedef struct cli_points {
    cli_grid grid;
    cli_point *points; /* room for all of the grid */
    int n, most;       /* measured; wanted */
} cli_points;

typedef struct cli_tune {
    const cli_options *options;
    cli_session session;   /* with the constants as they were */
    cli_points fit, check; /* points of the fit, and others that judge it */
    double limit, seconds; /* to be spent on measuring, spent */
    bool is_interrupted;
    hg_text path;            /* of the calibration file */
    hg_calib_entry *entries; /* what goes into it */
    size_t n_entries;
} cli_tune;

/** Measures both grids side by side until they are done, the time is over or Ctrl-C comes. */
int cli_tune_measure(cli_tune *tune);
/** Fits the constants of every plugin, and takes over those of an older file of this machine that
 *  were not measured now. HGATE_ENOKERNEL where there is nothing to fit. */
int cli_tune_fit(cli_tune *tune, const hg_machine *machine);
/** Writes the file. */
int cli_tune_write(const cli_tune *tune, const hg_machine *machine);
/** Asks an engine that uses the new file for its choices at the points of the check. */
int cli_tune_ask(cli_tune *tune);
/** Prints what came out: tables or a document. */
int cli_tune_tell(const cli_tune *tune);

#endif
