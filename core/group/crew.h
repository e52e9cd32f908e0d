/* SPDX-License-Identifier: BSD-3-Clause */
/* A few threads for the time of one copy: memory is faster from several cores. */
#ifndef HG_GROUP_CREW_H
#define HG_GROUP_CREW_H

#include <stdint.h>

/** Threads beyond this number add nothing to copying. */
enum { HG_CREW_MOST = 16 };

/** Runs work(context, part) for parts 0 to n - 1 on up to `threads` threads, the calling one among
 * them. Where no thread can be started fewer do it. */
void hg_crew_run(int threads, int64_t n, void (*work)(void *context, int64_t part), void *context);

#endif
