/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life. */
#include "plugins/cpu-fftw/probe.h"

#include "plugins/cpu-fftw/transforms.h"
#include "plugins/cpu/isa.h"

#ifdef _OPENMP
#include "plugins/cpu-openmp/team.h"
#define SPREAD hg_team_spread
#define IS_THREADED 1
#else
#define SPREAD one_by_one
#define IS_THREADED 0

static void one_by_one(int threads, int64_t n, hg_task_fn task, void *context)
{
    (void)threads;
    for (int64_t i = 0; i < n; i++)
        task(context, i, 0);
}
#endif

int hg_fftw_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    int isa;
    const int status = hg_isa_choose(host, reason, &isa);
    if (status != HGATE_OK)
        return status;
    hg_cpu *cpu = host->alloc(host, sizeof *cpu, _Alignof(hg_cpu));
    if (!cpu)
        return HGATE_ENOMEM;
    hg_transforms_survive_fork();
    *cpu = (hg_cpu){.host = host, .isa = isa, .is_threaded = IS_THREADED, .spread = SPREAD};
    *state = cpu;
    return HGATE_OK;
}

void hg_fftw_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user)
{
    row(user, "fftw", hg_transforms_version());
    row(user, "isa", hg_isa_name(((const hg_cpu *)state)->isa));
    row(user, "note", "links FFTW: who passes on this plugin is bound by the GNU GPL for it");
}

void hg_fftw_release(void *state)
{
    hg_cpu *cpu = state;
    cpu->host->free(cpu->host, cpu);
}
