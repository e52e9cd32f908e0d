/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life. */
#include "plugins/cpu/probe.h"
#include "plugins/cpu-openmp/team.h"

#include <omp.h>
#include <stdio.h>

int hg_team_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    hg_cpu cpu = {.is_threaded = 1, .spread = hg_team_spread};
    int status = hg_cpu_open(host, reason, &cpu);
    if (status != HGATE_OK)
        return status;
    hg_cpu *kept = host->alloc(host, sizeof *kept, _Alignof(hg_cpu));
    if (!kept)
        return HGATE_ENOMEM;
    *kept = cpu;
    *state = kept;
    return HGATE_OK;
}

void hg_team_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user)
{
    char text[32];
    hg_cpu_describe(state, row, user);
    snprintf(text, sizeof text, "%d", _OPENMP);
    row(user, "openmp", text);
    snprintf(text, sizeof text, "%d", omp_get_max_threads());
    row(user, "openmp_threads", text);
}

void hg_team_release(void *state)
{
    hg_cpu *cpu = state;
    cpu->host->free(cpu->host, cpu);
}
