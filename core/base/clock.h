/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic time, and timing by the minimum of repeats. */
#ifndef HG_BASE_CLOCK_H
#define HG_BASE_CLOCK_H

#include <stdint.h>

/** Seconds since some fixed moment; never runs backwards. */
double hg_now(void);

/** How long a repeated measurement goes on. */
typedef struct hg_timing_plan {
    int64_t min_runs;     /* at least so many runs, at least 1 */
    double min_seconds;   /* and until so much time is collected */
    double limit_seconds; /* but no new run after so much; 0 = no limit */
} hg_timing_plan;

typedef struct hg_timing {
    double min_seconds;
    double mean_seconds;
    double max_seconds;
    int64_t runs;
} hg_timing;

/** Runs `body` once to warm up, then as the plan says. A non-zero result of `body` ends it and is
 *  returned; `out` is set on success only. */
int hg_time_repeats(int (*body)(void *user), void *user, const hg_timing_plan *plan,
                    hg_timing *out);

#endif
