/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_tau: the phase of each antenna for each source. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/phase.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"phases", HG_K_REFERENCE_TAU_PHASE}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_VISIBILITY_TAU_NANT] *
                    (double)problem->dims[HGATE_DIM_VISIBILITY_TAU_NSRC];
    return HGATE_OK;
}

/* exptau[a,s] = exp(phase_sign 2 pi i freq_hz / c  antpos[a] . crd[:,s])
 *
 * antpos (nant, 3), crd (3, nsrc) of one precision, exptau (nant, nsrc) of that precision or
 * complex64. Mode direct works in radians in the precision of exptau. The others ask for whole
 * turns to be removed before the sine; here that is done in double with the rounding errors carried
 * along, for all types. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_visibility_params *params = problem->params;
    int64_t nant = problem->dims[HGATE_DIM_VISIBILITY_TAU_NANT];
    int64_t nsrc = problem->dims[HGATE_DIM_VISIBILITY_TAU_NSRC];
    hg_reals antpos = hg_real_arg(problem, HGATE_VISIBILITY_TAU_ANTPOS);
    hg_reals crd = hg_real_arg(problem, HGATE_VISIBILITY_TAU_CRD);
    hg_reals exptau = hg_real_arg(problem, HGATE_VISIBILITY_TAU_EXPTAU);
    hg_split wavenumber = hg_wavenumber(params->freq_hz);

    run->committed = 1;
    for (int64_t a = 0; a < nant; a++) {
        double position[3];
        hg_split u[3];
        for (int d = 0; d < 3; d++) {
            position[d] = hg_real(antpos, 3 * a + d);
            u[d] = hg_wavelengths(position[d], wavenumber);
        }
        for (int64_t s = 0; s < nsrc; s++) {
            double direction[3] = {hg_real(crd, s), hg_real(crd, nsrc + s),
                                   hg_real(crd, 2 * nsrc + s)};
            double complex phase =
                params->tau_mode == HGATE_TAU_DIRECT
                    ? hg_phase_direct(position, direction, HG_TWO_PI * wavenumber.hi, exptau.is_64)
                    : hg_phase(u, direction);
            hg_complex_put(exptau, a * nsrc + s, params->phase_sign < 0 ? conj(phase) : phase);
        }
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_tau = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_TAU,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
