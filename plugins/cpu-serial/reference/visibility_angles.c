/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_angles: azimuth and zenith angle of each source. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/sky.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"sources", HG_K_REFERENCE_ANGLES_SOURCE}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_VISIBILITY_ANGLES_NSRC];
    return HGATE_OK;
}

/* az = atan2(north, east) in [0, 2 pi),  za = atan2(hypot(east, north), up)
 *
 * crd (3, nsrc), az, za (nsrc) of one precision. In double, rounded once: za keeps its relative
 * accuracy up to the zenith, where an arc sine of the horizontal part would lose it. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t nsrc = problem->dims[HGATE_DIM_VISIBILITY_ANGLES_NSRC];
    hg_reals crd = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_CRD);
    hg_reals az = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_AZ);
    hg_reals za = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_ZA);

    run->committed = 1;
    for (int64_t s = 0; s < nsrc; s++) {
        double east = hg_real(crd, s), north = hg_real(crd, nsrc + s),
               up = hg_real(crd, 2 * nsrc + s);
        hg_real_put(az, s,
                    az.is_64 ? hg_azimuth(east, north) : (double)hg_azimuth_f32(east, north));
        hg_real_put(za, s, hg_zenith_angle(east, north, up));
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_angles = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_ANGLES,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
