/* SPDX-License-Identifier: BSD-3-Clause */
/* Work spread over an OpenMP team.
 *
 * Only the num_threads clause is used, so no setting of the host's own OpenMP changes. One thread,
 * and a call from inside a parallel region of the host, open no region: in a forked child, where
 * the host gives one thread, the runtime's dead workers would be waited for. */
#include "plugins/cpu-openmp/team.h"

#include <omp.h>

void hg_team_spread(int threads, int64_t n, hg_task_fn task, void *context)
{
    if (n < threads)
        threads = (int)n;
    if (threads <= 1 || omp_in_parallel()) {
        for (int64_t i = 0; i < n; i++)
            task(context, i, 0);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) default(none)                   \
    shared(n, task, context)
    for (int64_t i = 0; i < n; i++)
        task(context, i, omp_get_thread_num());
}
