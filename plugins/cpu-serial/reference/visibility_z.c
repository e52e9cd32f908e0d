/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_z: the matrix Z from beam, phase and flux. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/antenna.h"

#include <math.h>

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"elements", HG_K_REFERENCE_Z_ELEMENT}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    est->terms[0] = 1.0;
    est->terms[1] =
        (double)dims[HGATE_DIM_VISIBILITY_Z_NANT] * (double)dims[HGATE_DIM_VISIBILITY_Z_NFEED] *
        (double)dims[HGATE_DIM_VISIBILITY_Z_NAX] * (double)dims[HGATE_DIM_VISIBILITY_Z_NSRC];
    return HGATE_OK;
}

/* Z[(a,f),(x,s)] = beam[beam_idx[a],f,x,s] exptau[a,s] amp[s],  amp = sqrt(flux_scale flux) or flux
 *
 * beam (nbeam, nfeed, nax, nsrc), exptau (nant, nsrc), flux (nsrc), Z (nant nfeed, nax nsrc), one
 * precision. Row = a nfeed + f, column = x nsrc + s. In double, rounded once. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int64_t nant = dims[HGATE_DIM_VISIBILITY_Z_NANT], nfeed = dims[HGATE_DIM_VISIBILITY_Z_NFEED];
    int64_t nax = dims[HGATE_DIM_VISIBILITY_Z_NAX], nsrc = dims[HGATE_DIM_VISIBILITY_Z_NSRC];
    int64_t nbeam = dims[HGATE_DIM_VISIBILITY_Z_NBEAM];
    hg_reals beam = hg_real_arg(problem, HGATE_VISIBILITY_Z_BEAM);
    hg_reals exptau = hg_real_arg(problem, HGATE_VISIBILITY_Z_EXPTAU);
    hg_reals flux = hg_real_arg(problem, HGATE_VISIBILITY_Z_FLUX);
    hg_indices beam_idx = hg_index_arg(problem, HGATE_VISIBILITY_Z_BEAM_IDX);
    hg_reals Z = hg_real_arg(problem, HGATE_VISIBILITY_Z_Z);

    int status = hg_check_indices(run->host, "beam_idx", beam_idx, nant, nbeam);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    for (int64_t a = 0; a < nant; a++) {
        int64_t b = hg_beam_of(beam_idx, nbeam, a);
        for (int64_t feed = 0; feed < nfeed; feed++)
            for (int64_t axis = 0; axis < nax; axis++)
                for (int64_t s = 0; s < nsrc; s++) {
                    double amp = hg_amplitude(hg_real(flux, s), params);
                    double complex p = hg_complex(exptau, a * nsrc + s);
                    double complex g =
                        hg_complex(beam, ((b * nfeed + feed) * nax + axis) * nsrc + s);
                    double re = creal(g) * creal(p) - cimag(g) * cimag(p);
                    double im = creal(g) * cimag(p) + cimag(g) * creal(p);
                    hg_complex_put(Z, ((a * nfeed + feed) * nax + axis) * nsrc + s,
                                   CMPLX(re * amp, im * amp));
                }
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_z = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_Z,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
