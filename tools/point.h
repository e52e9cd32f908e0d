/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a grid: what every kernel took there, what was chosen, what would have been best. */
#ifndef CLI_POINT_H
#define CLI_POINT_H

#include "core/base/json.h"
#include "tools/contest.h"
#include "tools/grid.h"

/** One kernel at a point. */
typedef struct cli_timed {
    const char *plugin, *kernel; /* belong to the engine of the session */
    double seconds, predicted;
    double terms[HGATE_MAX_TERMS];
    bool is_noisy;
} cli_timed;

typedef struct cli_point {
    const char *problem; /* belongs to the grid */
    int op;
    int n;
    cli_timed *kernels; /* those that ran */
    int chosen, best;   /* -1: none */
    hgate_trace *trace; /* of the choice; free it before the session is closed */
} cli_point;

/** Measures one problem with the engine of a session. A problem that nothing can serve has n = 0.
 */
int cli_point_measure(cli_point *point, const char *problem, const cli_session *session,
                      const cli_options *options);
/** Asks another engine for its choice at the same point. */
int cli_point_ask(cli_point *point, const cli_session *session, const cli_options *options);
void cli_point_free(cli_point *point);

/** Seconds of the chosen over those of the best; NaN where there was no choice between two. */
double cli_point_regret(const cli_point *point);

/** Prints how the regrets of n points are spread; title stands before it. */
void cli_points_tell(const char *title, const cli_point *points, int n);
/** Members of one point, in an open object. */
void cli_point_put(hg_json *json, const cli_point *point);

#endif
