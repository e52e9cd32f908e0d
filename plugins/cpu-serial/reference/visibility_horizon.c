/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_horizon: the sources that are up, in their order. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/sky.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"sources", HG_K_REFERENCE_HORIZON_SOURCE}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_VISIBILITY_HORIZON_NSRC];
    return HGATE_OK;
}

/* Keeps source s iff Up > 0
 *
 * crd (3, nsrc), flux (nsrc) of one precision; crd_up (3, nsrc), flux_up (nsrc), index (nsrc) int64
 * or absent, of which the first n_up columns are written. A NaN in any component counts as not up.
 * Work: one pass over 4 nsrc reals. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t nsrc = problem->dims[HGATE_DIM_VISIBILITY_HORIZON_NSRC];
    hg_reals crd = hg_real_arg(problem, HGATE_VISIBILITY_HORIZON_CRD);
    hg_reals flux = hg_real_arg(problem, HGATE_VISIBILITY_HORIZON_FLUX);
    hg_reals crd_up = hg_real_arg(problem, HGATE_VISIBILITY_HORIZON_CRD_UP);
    hg_reals flux_up = hg_real_arg(problem, HGATE_VISIBILITY_HORIZON_FLUX_UP);
    int64_t *index = hg_arg(problem, HGATE_VISIBILITY_HORIZON_INDEX);

    run->committed = 1;
    int64_t n_up = 0;
    for (int64_t s = 0; s < nsrc; s++) {
        double east = hg_real(crd, s), north = hg_real(crd, nsrc + s),
               up = hg_real(crd, 2 * nsrc + s);
        if (!hg_is_up(east, north, up))
            continue;
        hg_real_put(crd_up, n_up, east);
        hg_real_put(crd_up, nsrc + n_up, north);
        hg_real_put(crd_up, 2 * nsrc + n_up, up);
        hg_real_put(flux_up, n_up, hg_real(flux, s));
        if (index)
            index[n_up] = s;
        n_up++;
    }
    *problem->n_out = n_up;
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_horizon = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_HORIZON,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
