/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_traveltime: straight rays at one speed. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/grid.h"

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"entries", HG_K_REFERENCE_TRAVELTIME_ENTRY}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI] *
                    (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    return HGATE_OK;
}

/* dist[i,j] = |node_i - station_j|,  trav = dist / v
 *
 * stations (ndim, n), trav and dist (ni, n), dist may be absent. In double, rounded once each. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t n = problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    int64_t ni = problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI];
    hg_axes axes = hg_axes_of(&setup->grid);
    hg_reals stations = hg_real_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_STATIONS);
    hg_reals trav = hg_real_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_TRAV);
    hg_reals dist = hg_real_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_DIST);

    run->committed = 1;
    for (int64_t i = 0; i < ni; i++) {
        double position[HG_MAX_AXES];
        hg_axes_node(&axes, i, position);
        for (int64_t j = 0; j < n; j++) {
            double distance = hg_axes_distance(&axes, position, stations, n, j);
            hg_real_put(trav, i * n + j, distance / setup->v);
            if (dist.data)
                hg_real_put(dist, i * n + j, distance);
        }
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_traveltime = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_TRAVELTIME,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
