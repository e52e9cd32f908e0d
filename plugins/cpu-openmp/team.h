/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life, and work spread over a team of threads. */
#ifndef HG_TEAM_H
#define HG_TEAM_H

#include "plugins/cpu/cpu.h"

/* hg_cpu.spread: pieces go to whichever thread of the team is free. */
void hg_team_spread(int threads, int64_t n, hg_task_fn task, void *context);

int hg_team_probe(const hgate_host *host, hgate_reason *reason, void **state);
void hg_team_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user);
void hg_team_release(void *state);

#endif
