/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_station_index: lateral grid index of each station. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/grid.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"stations", HG_K_REFERENCE_STATION_INDEX}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    return HGATE_OK;
}

/* The nearest integer that fits; the lowest one for NaN. */
static int64_t saturate(double value, double lowest, double highest)
{
    if (!(value > lowest))
        return (int64_t)lowest;
    return value < highest ? (int64_t)value : (int64_t)highest;
}

/* idx[j] = floor((x_j - x0) / dx)
 *
 * stations (ndim, n), x their row of the lateral axis; idx (n) int32 or int64. In double; a
 * position too far out for the type gets its end. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t n = problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    hg_axes axes = hg_axes_of(&setup->grid);
    hg_reals stations = hg_real_arg(problem, HGATE_KIRCHHOFF_STATION_INDEX_STATIONS);
    hg_indices idx = hg_index_arg(problem, HGATE_KIRCHHOFF_STATION_INDEX_IDX);
    void *out = hg_arg(problem, HGATE_KIRCHHOFF_STATION_INDEX_IDX);

    run->committed = 1;
    for (int64_t j = 0; j < n; j++) {
        double x = hg_real(stations, axes.lateral * n + j);
        double index = floor((x - setup->grid.x0) / setup->grid.dx);
        if (idx.is_64) /* 2^63 - 1024: the last double below the end */
            ((int64_t *)out)[j] = saturate(index, -0x1p63, 0x1.fffffffffffffp62);
        else
            ((int32_t *)out)[j] = (int32_t)saturate(index, INT32_MIN, INT32_MAX);
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_station_index = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_STATION_INDEX,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
