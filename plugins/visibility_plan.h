/* SPDX-License-Identifier: BSD-3-Clause */
/* The chunks of a fused visibility call, for the kernels of every plugin. */
#ifndef HG_VISIBILITY_PLAN_H
#define HG_VISIBILITY_PLAN_H

#include "core/tensor/chunk_plan.h"
#include "headgate/plugin_util.h"

/* The chunks of a fused call by the table of the memory plan. */
static inline int hg_sources_plan(const hgate_problem *problem, int is_fused,
                                  hgate_visibility_chunk_info *info, size_t *needed)
{
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    hgate_visibility_shape shape = {
        .struct_size = sizeof shape,
        .nant = dims[HGATE_DIM_VISIBILITY_NANT],
        .nfeed = dims[HGATE_DIM_VISIBILITY_NFEED],
        .nax = dims[HGATE_DIM_VISIBILITY_NAX],
        .nsrc = dims[HGATE_DIM_VISIBILITY_NSRC],
        .nbeam = dims[HGATE_DIM_VISIBILITY_NBEAM],
        .is_f64 = problem->dtype == HGATE_C128 || problem->dtype == HGATE_F64,
        .is_complex_grid = problem->args[HGATE_VISIBILITY_GRID]->dtype.code == HGATE_DL_COMPLEX,
        .is_fused = is_fused,
    };
    if (__builtin_mul_overflow(dims[HGATE_DIM_VISIBILITY_NZA], dims[HGATE_DIM_VISIBILITY_NAZ],
                               &shape.nbeampix) ||
        __builtin_mul_overflow(shape.nbeampix, shape.nbeam, &shape.nbeampix))
        return HGATE_ESHAPE;
    *info = (hgate_visibility_chunk_info){.struct_size = sizeof *info};
    return hg_chunk_plan(&shape, params->mem_limit, params->memory_buffer, params->min_chunks, info,
                         needed);
}

/* The same for run(): writes the message. */
static inline int hg_sources_plan_or_fail(const hgate_host *host, const hgate_problem *problem,
                                          int is_fused, hgate_visibility_chunk_info *info)
{
    size_t needed = 0;
    int status = hg_sources_plan(problem, is_fused, info, &needed);
    if (status == HGATE_ENOMEM)
        return hgate_fail(host, status,
                          "visibility: one source needs a mem_limit of %zu bytes, given %zu",
                          needed, ((const hgate_visibility_params *)problem->params)->mem_limit);
    if (status != HGATE_OK)
        return hgate_fail(host, status, "visibility: byte count of a chunk does not fit in size_t");
    return status;
}

#endif
