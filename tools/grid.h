/* SPDX-License-Identifier: BSD-3-Clause */
/* The grids of problems that `tune` and `bench --regret` measure. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "core/base/text.h"

#include <headgate/engine.h>

/** Lines "OP KEY={A,B} KEY=C"; each combination of the alternatives is a point. End with NULL. The
 *  two have no problem in common: constants are fitted on one and judged on the other. */
extern const char *const cli_grid_fit_lines[];
extern const char *const cli_grid_check_lines[];

/** Points of a line. */
int cli_grid_points(const char *line);
/** The i-th point of a line, "OP KEY=A KEY=C". */
void cli_grid_put_point(const char *line, int i, hg_text *out);

/** A list of points in a fixed order that mixes the operations, so that a list that is cut short
 *  still has some of each. */
typedef struct cli_grid {
    char **points;
    int n;
} cli_grid;

/** Points of some lines: of one operation, or of all (NULL). Operations for which the engine (may
 * be NULL) has kernels for device memory have each point there, too. */
int cli_grid_new(cli_grid *grid, const char *const *lines, const char *op,
                 const hgate_engine *engine);
void cli_grid_free(cli_grid *grid);

#endif
