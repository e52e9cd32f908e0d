/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that the fused call reads, taken from the problem once. */
#ifndef HG_CPU_VISIBILITY_INPUTS_H
#define HG_CPU_VISIBILITY_INPUTS_H

#include "plugins/cpu/visibility/antenna.h"
#include "plugins/cpu/visibility/beam.h"
#include "plugins/cpu/visibility/phase.h"

typedef struct hg_visibility_inputs {
    const hgate_visibility_params *params;
    int64_t nant, nfeed, nax, nsrc, nbeam;
    int64_t npairs; /* -1: all of V */
    int is_64;
    int is_signed; /* negative fluxes are subtracted */
    hg_reals antpos, crd, flux, V;
    hg_indices beam_idx, pairs;
    hg_beam beam;
    hg_split wavenumber;
} hg_visibility_inputs;

static inline hg_beam hg_visibility_beam_of(const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    hg_reals grid = hg_real_arg(problem, HGATE_VISIBILITY_GRID);
    return (hg_beam){
        .grid = grid,
        .daz = hg_per_beam_arg(problem, HGATE_VISIBILITY_DAZ),
        .dza = hg_per_beam_arg(problem, HGATE_VISIBILITY_DZA),
        .az0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_AZ0),
        .za0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_ZA0),
        .nbeam = dims[HGATE_DIM_VISIBILITY_NBEAM],
        .nax = dims[HGATE_DIM_VISIBILITY_NAX],
        .nfeed = dims[HGATE_DIM_VISIBILITY_NFEED],
        .nza = dims[HGATE_DIM_VISIBILITY_NZA],
        .naz = dims[HGATE_DIM_VISIBILITY_NAZ],
        .is_complex = problem->args[HGATE_VISIBILITY_GRID]->dtype.code == HGATE_DL_COMPLEX,
        .is_periodic = params->az_mode == HGATE_AZ_PERIODIC,
        .is_64 = 1,
    };
}

static inline hg_visibility_inputs hg_visibility_inputs_of(const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    hg_reals V = hg_real_arg(problem, HGATE_VISIBILITY_V);
    return (hg_visibility_inputs){
        .params = params,
        .nant = dims[HGATE_DIM_VISIBILITY_NANT],
        .nfeed = dims[HGATE_DIM_VISIBILITY_NFEED],
        .nax = dims[HGATE_DIM_VISIBILITY_NAX],
        .nsrc = dims[HGATE_DIM_VISIBILITY_NSRC],
        .nbeam = dims[HGATE_DIM_VISIBILITY_NBEAM],
        .npairs = dims[HGATE_DIM_VISIBILITY_NPAIRS],
        .is_64 = V.is_64,
        .is_signed = params->signed_flux && !params->flux_is_amp,
        .antpos = hg_real_arg(problem, HGATE_VISIBILITY_ANTPOS),
        .crd = hg_real_arg(problem, HGATE_VISIBILITY_CRD),
        .flux = hg_real_arg(problem, HGATE_VISIBILITY_FLUX),
        .V = V,
        .beam_idx = hg_index_arg(problem, HGATE_VISIBILITY_BEAM_IDX),
        .pairs = hg_index_arg(problem, HGATE_VISIBILITY_PAIRS),
        .beam = hg_visibility_beam_of(problem),
        .wavenumber = hg_wavenumber(params->freq_hz),
    };
}

/* The indices that would lead outside an array. */
static inline int hg_visibility_check(const hgate_host *host, const hg_visibility_inputs *in)
{
    int status = hg_check_indices(host, "beam_idx", in->beam_idx, in->nant, in->nbeam);
    if (status != HGATE_OK)
        return status;
    return hg_check_indices(host, "pairs", in->pairs, in->npairs < 0 ? 0 : 2 * in->npairs,
                            in->nant);
}

/* An antenna's position in metres and in wavelengths. */
typedef struct hg_antenna {
    double metres[3];
    hg_split wavelengths[3];
} hg_antenna;

static inline hg_antenna hg_antenna_of(const hg_visibility_inputs *in, int64_t a)
{
    hg_antenna antenna;
    for (int d = 0; d < 3; d++) {
        antenna.metres[d] = hg_real(in->antpos, 3 * a + d);
        antenna.wavelengths[d] = hg_wavelengths(antenna.metres[d], in->wavenumber);
    }
    return antenna;
}

static inline double complex hg_antenna_phase(const hg_visibility_inputs *in,
                                              const hg_antenna *antenna, const double direction[3])
{
    double complex phase =
        in->params->tau_mode == HGATE_TAU_DIRECT
            ? hg_phase_direct(antenna->metres, direction, HG_TWO_PI * in->wavenumber.hi, in->is_64)
            : hg_phase(antenna->wavelengths, direction);
    return in->params->phase_sign < 0 ? conj(phase) : phase;
}

#endif
