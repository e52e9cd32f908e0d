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
    bool is_noisy, is_staged;
    bool is_yardstick; /* only chosen when nothing else is left, so it has no part in regrets */
} cli_timed;

typedef struct cli_point {
    const char *problem; /* belongs to the grid */
    int op;
    int n;
    cli_timed *kernels; /* those that ran */
    int chosen, best;   /* -1: none */
    int chosen_before;  /* by the engine that measured, once another one was asked; -1 */
    hgate_trace *trace; /* of the choice; free it before the session is closed */
} cli_point;

/** Which kernels are measured, and for how long. */
typedef struct cli_point_rules {
    const char *kernels; /* a list as that of --kernels */
    double longest;      /* none for which the engine predicts more seconds than this */
    double most_seconds; /* on one kernel whose least time is not sure */
} cli_point_rules;

/** Measures one problem with the engine of a session. A problem that nothing can serve has n = 0.
 */
int cli_point_measure(cli_point *point, const char *problem, const cli_session *session,
                      const cli_options *options, const cli_point_rules *rules);
/** Asks another engine for its choice and its predictions at the same point. */
int cli_point_ask(cli_point *point, const cli_session *session, const cli_options *options);
void cli_point_free(cli_point *point);

/** Seconds of the chosen over those of the best; NaN where there was no choice between two. */
double cli_point_regret(const cli_point *point);

/** The same for the choice before. */
double cli_point_regret_before(const cli_point *point);

/** How the regrets of points are spread. */
typedef struct cli_spread {
    int n;                      /* points with a choice; the rest means nothing for 0 */
    double small, medium;       /* share of regrets up to 1.1, up to 1.5 */
    double middle, most, worst; /* 95 of 100 are not above `most` */
} cli_spread;

int cli_points_spread(const cli_point *points, int n, double (*regret)(const cli_point *point),
                      cli_spread *spread);
/** Members of one point, in an open object. */
void cli_point_put(hg_json *json, const cli_point *point);

#endif
