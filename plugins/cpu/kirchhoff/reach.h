/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the samples of a brick lie apart, looked up in the tables before they are packed. */
#ifndef HG_CPU_REACH_H
#define HG_CPU_REACH_H

#include "headgate/plugin.h"

/* Share of the pairs that windows of `lanes` samples do not serve: 1 for each pair that has to
 * gather, 1/4 for one that takes the window of four registers. From a few bricks and stations, so
 * that a decision stays quick; below 0 where the tables have no data at hand. */
double hg_reach_share(const hgate_problem *problem, int lanes);

#endif
