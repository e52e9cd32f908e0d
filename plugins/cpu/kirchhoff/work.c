/* SPDX-License-Identifier: BSD-3-Clause */
/* What the vector kernels of both directions share: supports, cost, spreading. */
#include "plugins/cpu/kirchhoff/work.h"

#include "plugins/cpu/kirchhoff/survey.h"
#include "plugins/cpu/kirchhoff/tables.h"

enum { PORTIONS = 32 };

int hg_migration_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    int64_t nt = problem->dims[HGATE_DIM_KIRCHHOFF_NT];
    if (nt > HG_MAX_SAMPLES)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)nt, HG_MAX_SAMPLES,
                            "%lld samples per trace, packed tables reach %d", (long long)nt,
                            HG_MAX_SAMPLES);
    return HGATE_OK;
}

void hg_migration_count(const hg_cpu *cpu, const hgate_problem *problem, hgate_estimate *est)
{
    const int64_t *dims = problem->dims;
    hg_survey s = hg_survey_of(problem);
    int is_64 = problem->dtype == HGATE_F64;
    hg_bricks b = hg_bricks_of(dims[HGATE_DIM_KIRCHHOFF_NY], dims[HGATE_DIM_KIRCHHOFF_NX],
                               dims[HGATE_DIM_KIRCHHOFF_NZ], hg_tables_lanes(cpu->isa, is_64));
    double threads = hg_cpu_threads(cpu, problem->threads);
    double points = (double)b.n_tiles * HG_TILE_BRICKS * b.lanes;
    double traces = (double)s.ns * (double)s.nr;
    est->terms[0] = 1.0;
    est->terms[1 + is_64 + 2 * s.is_dynamic] = traces * points / threads;
    est->terms[5] = traces * (double)s.nt / threads;
    est->terms[6] = traces * (double)s.nt * (double)s.nwav / threads;
    est->terms[7] = ((double)s.ns + (double)s.nr) * points * (s.is_dynamic ? 3.0 : 1.0) / threads;
    est->terms[8] = hg_cpu_teams(hg_cpu_threads(cpu, problem->threads), 2.0);
    est->prepared_bytes = hg_tables_bytes(cpu, problem);
}

typedef struct portion {
    hg_task_fn task;
    void *context;
    int64_t from;
} portion;

static void do_portion(void *context, int64_t i, int worker)
{
    const portion *p = context;
    p->task(p->context, p->from + i, worker);
}

int hg_spread_told(const hg_cpu *cpu, const hgate_run *run, int threads, int64_t n, hg_task_fn task,
                   void *context)
{
    if (!run->progress) {
        cpu->spread(threads, n, task, context);
        return HGATE_OK;
    }
    int64_t step = n / PORTIONS + 1;
    for (int64_t from = 0; from < n; from += step) {
        int64_t count = n - from < step ? n - from : step;
        portion p = {task, context, from};
        cpu->spread(threads, count, do_portion, &p);
        int status = hgate_progress(run, from + count, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}
