/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life. Nothing of this plugin ever starts a thread. */
#include "plugins/cpu-serial/probe.h"

#include "plugins/cpu/probe.h"

static void spread(int threads, int64_t n, hg_task_fn task, void *context)
{
    (void)threads;
    for (int64_t i = 0; i < n; i++)
        task(context, i, 0);
}

int hg_serial_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    hg_cpu cpu = {.is_threaded = 0, .spread = spread};
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

void hg_serial_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                        void *user)
{
    hg_cpu_describe(state, row, user);
}

void hg_serial_release(void *state)
{
    hg_cpu *cpu = state;
    cpu->host->free(cpu->host, cpu);
}
