/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of both directions do alike in estimate() and run(). */
#include "plugins/cuda/kirchhoff/work.h"

#include "plugins/cuda/kirchhoff/filter.h"

#include <stdlib.h>
#include <string.h>

void hg_migration_count(const hgate_problem *problem, hgate_estimate *est)
{
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    const double traces = (double)s.ns * (double)s.nr, samples = traces * (double)s.nt;
    const double tables = ((double)s.ns + (double)s.nr) * (double)s.ni * (s.is_dynamic ? 3.0 : 1.0);
    est->terms[0] = s.nwav ? 4.0 : 3.0;
    est->terms[1 + s.is_64 + 2 * s.is_dynamic] = traces * (double)s.n_tiles * HG_TILE;
    est->terms[5] = tables;
    est->terms[6] = samples * (double)(s.nwav < s.nt ? s.nwav : s.nt);
    est->terms[7] = (samples * (s.nwav ? 3.0 : 1.0) + tables) * (double)s.real;
    est->prepared_bytes = hg_migration_bytes(problem);
}

int hg_migration_sources_at_once(const hg_cuda_state *state, int automatic)
{
    const char *text = state->host->setting(state->host, "ops.kirchhoff.cuda.sources_in_registers");
    const int asked = text && strcmp(text, "auto") != 0 ? atoi(text) : automatic;
    return asked >= 4 ? 4 : asked >= 2 ? 2 : 1;
}

int hg_migration_scale(void *values, int64_t count, const hgate_problem *problem, void *stream)
{
    const hg_scaling scaling = {.values = values,
                                .count = count,
                                .beta = problem->beta_re,
                                .is_64 = problem->dtype == HGATE_F64};
    return (int)hg_kirchhoff_scale(&scaling, stream);
}
