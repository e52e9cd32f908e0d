/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_beam: bilinear interpolation of every plane at every source. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/beam.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"values", HG_K_REFERENCE_BEAM_VALUE}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    est->terms[0] = 1.0;
    est->terms[1] = (double)dims[HGATE_DIM_VISIBILITY_BEAM_NBEAM] *
                    (double)dims[HGATE_DIM_VISIBILITY_BEAM_NFEED] *
                    (double)dims[HGATE_DIM_VISIBILITY_BEAM_NAX] *
                    (double)dims[HGATE_DIM_VISIBILITY_BEAM_NSRC];
    return HGATE_OK;
}

static hg_beam beam_of(const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    hg_beam beam = {
        .grid = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_GRID),
        .daz = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DAZ),
        .dza = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DZA),
        .az0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_AZ0),
        .za0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_ZA0),
        .nbeam = dims[HGATE_DIM_VISIBILITY_BEAM_NBEAM],
        .nax = dims[HGATE_DIM_VISIBILITY_BEAM_NAX],
        .nfeed = dims[HGATE_DIM_VISIBILITY_BEAM_NFEED],
        .nza = dims[HGATE_DIM_VISIBILITY_BEAM_NZA],
        .naz = dims[HGATE_DIM_VISIBILITY_BEAM_NAZ],
        .is_periodic = params->az_mode == HGATE_AZ_PERIODIC,
    };
    beam.is_complex = problem->args[HGATE_VISIBILITY_BEAM_GRID]->dtype.code == HGATE_DL_COMPLEX;
    beam.is_64 = beam.grid.is_64 || beam.daz.values.is_64;
    return beam;
}

/* Finds the first interpolated power below 0, whose root does not exist. */
static int check_power(const hgate_host *host, const hg_beam *beam, hg_reals az, hg_reals za,
                       int64_t nsrc)
{
    for (int64_t b = 0; b < beam->nbeam; b++)
        for (int64_t s = 0; s < nsrc; s++) {
            hg_stencil at_za, at_az;
            hg_beam_stencils(beam, b, hg_real(az, s), hg_real(za, s), &at_za, &at_az);
            for (int64_t feed = 0; feed < beam->nfeed; feed++)
                for (int64_t axis = 0; axis < beam->nax; axis++)
                    if (creal(hg_beam_value(beam, b, axis, feed, at_za, at_az)) < 0.0)
                        return hg_beam_negative(host, b, axis, feed, s);
        }
    return HGATE_OK;
}

/* beam[b,f,x,s] = sum over the 2 x 2 nodes around (za[s], az[s]) of weight grid[b,x,f,node]
 *
 * grid (nbeam, nax, nfeed, nza, naz) real or complex; az, za (nsrc); beam (nbeam, nfeed, nax, nsrc)
 * real or complex: the axes of feed and field change places. Node indices in the wider precision of
 * angles and grid, sums in double, one rounding. With sqrt_power the root of the sum (NaN for a
 * negative one, unless values are checked). Work: 4 multiply-adds per value and part. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t nsrc = problem->dims[HGATE_DIM_VISIBILITY_BEAM_NSRC];
    const hgate_visibility_params *params = problem->params;
    hg_beam beam = beam_of(problem);
    hg_reals az = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_AZ);
    hg_reals za = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_ZA);
    hg_reals out = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_BEAM);
    int is_complex_out = problem->args[HGATE_VISIBILITY_BEAM_BEAM]->dtype.code == HGATE_DL_COMPLEX;

    if (params->sqrt_power && params->check >= HGATE_CHECK_VALUES) {
        int status = check_power(run->host, &beam, az, za, nsrc);
        if (status != HGATE_OK)
            return status;
    }
    run->committed = 1;
    for (int64_t b = 0; b < beam.nbeam; b++)
        for (int64_t s = 0; s < nsrc; s++) {
            hg_stencil at_za, at_az;
            hg_beam_stencils(&beam, b, hg_real(az, s), hg_real(za, s), &at_za, &at_az);
            for (int64_t feed = 0; feed < beam.nfeed; feed++)
                for (int64_t axis = 0; axis < beam.nax; axis++) {
                    double complex value = hg_beam_value(&beam, b, axis, feed, at_za, at_az);
                    if (params->sqrt_power)
                        value = CMPLX(sqrt(creal(value)), 0.0);
                    int64_t at = ((b * beam.nfeed + feed) * beam.nax + axis) * nsrc + s;
                    if (is_complex_out)
                        hg_complex_put(out, at, value);
                    else
                        hg_real_put(out, at, creal(value));
                }
        }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_beam = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_BEAM,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
