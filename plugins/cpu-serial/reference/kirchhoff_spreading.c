/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_spreading: geometrical spreading from distances. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"

#include <math.h>

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"entries", HG_K_REFERENCE_SPREADING_ENTRY}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI] *
                    (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    return HGATE_OK;
}

/* amp = 1 / sqrt(dist + eps) in 2D, 1 / (dist + eps) in 3D
 *
 * dist and amp (ni, n). In double, rounded once. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t count =
        problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI] * problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    hg_reals dist = hg_real_arg(problem, HGATE_KIRCHHOFF_SPREADING_DIST);
    hg_reals amp = hg_real_arg(problem, HGATE_KIRCHHOFF_SPREADING_AMP);

    run->committed = 1;
    for (int64_t at = 0; at < count; at++) {
        double r = hg_real(dist, at) + setup->eps;
        hg_real_put(amp, at, setup->ndim == 2 ? 1.0 / sqrt(r) : 1.0 / r);
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_spreading = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_SPREADING,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
