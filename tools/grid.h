/* SPDX-License-Identifier: BSD-3-Clause */
/* The grids of problems that `tune` and `bench --regret` measure. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "core/base/text.h"

/** Lines "OP KEY={A,B} KEY=C"; each combination of the alternatives is a point. Ends with NULL. */
extern const char *const cli_grid_lines[];

/** Points of a line. */
int cli_grid_points(const char *line);
/** The i-th point of a line, "OP KEY=A KEY=C". */
void cli_grid_put_point(const char *line, int i, hg_text *out);

/** A list of points: of one operation, or of all (NULL), in a fixed order that mixes the
 * operations, so that a list that is cut short still has some of each. */
typedef struct cli_grid {
    char **points;
    int n;
} cli_grid;

int cli_grid_new(cli_grid *grid, const char *op);
void cli_grid_free(cli_grid *grid);

#endif
