/* SPDX-License-Identifier: BSD-3-Clause */
/* The monotonic clock, and repeats timed with it. */
#include "core/base/clock.h"

#include <time.h>

double hg_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int hg_time_repeats(int (*body)(void *user), void *user, const hg_timing_plan *plan, hg_timing *out)
{
    const double begin = hg_now();
    int status = body(user);
    if (status != 0) {
        return status;
    }
    hg_timing sum = {0};
    double collected = 0;
    for (;;) {
        const double start = hg_now();
        status = body(user);
        const double end = hg_now();
        if (status != 0) {
            return status;
        }
        const double seconds = end - start;
        collected += seconds;
        sum.min_seconds = sum.runs == 0 || seconds < sum.min_seconds ? seconds : sum.min_seconds;
        sum.max_seconds = seconds > sum.max_seconds ? seconds : sum.max_seconds;
        sum.runs++;
        if (plan->limit_seconds > 0 && end - begin >= plan->limit_seconds) {
            break;
        }
        if (sum.runs >= plan->min_runs && collected >= plan->min_seconds) {
            break;
        }
    }
    sum.mean_seconds = collected / (double)sum.runs;
    *out = sum;
    return 0;
}
