/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of both directions do alike in estimate() and run(). */
#ifndef HG_CUDA_KIRCHHOFF_WORK_H
#define HG_CUDA_KIRCHHOFF_WORK_H

#include "headgate/plugin_util.h"
#include "plugins/cuda/kirchhoff/plan.h"

/* The terms of kirchhoff.h, without what a kernel's own workspace costs, and prepared_bytes. */
void hg_migration_count(const hgate_problem *problem, hgate_estimate *est);

/* Sources that a thread works on at once: 1, 2 or 4, as ops.kirchhoff.cuda.sources_in_registers
 * says (rounded down), else `automatic`. */
int hg_migration_sources_at_once(const hg_cuda_state *state, int automatic);

/* The device workspace of a run, to be cut in pieces. */
static inline hgate_scratch hg_device_scratch(const hgate_run *run)
{
    hgate_scratch scratch = {(char *)run->ws_device, run->ws_device ? run->ws_device_bytes : 0, 0,
                             0};
    return scratch;
}

/* data = beta data, over all traces. */
int hg_migration_scale(void *values, int64_t count, const hgate_problem *problem, void *stream);

#endif
