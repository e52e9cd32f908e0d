/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the arrays of the visibility family. A beam grid may hold NaN (below the horizon),
 * and so may whatever an earlier step made. */
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"

#include <math.h>

/* ---- sources ---- */

static int check_flux(const hg_problem *problem, int arg, bool may_be_negative)
{
    const hg_value_rule rules[][1] = {{HG_NUMBERS(arg, HG_NOT_NEGATIVE)},
                                      {HG_NUMBERS(arg, HG_FINITE)}};
    return hg_check_elements(problem, rules[may_be_negative], 1);
}

/* Each source by its direction: a unit vector to 1e-3, as positions of catalogues are rounded. */
static int check_crd(const hg_problem *problem, int arg)
{
    const hg_value_rule rule = HG_NUMBERS(arg, HG_FINITE);
    const DLTensor *crd = problem->args[arg];
    int status = hg_check_elements(problem, &rule, 1);
    int64_t n = crd->shape[1];
    for (int64_t s = 0; status == HGATE_OK && s < n; s++) {
        double e = hg_real_at(crd, s), north = hg_real_at(crd, n + s);
        double up = hg_real_at(crd, 2 * n + s);
        double length = sqrt(e * e + north * north + up * up);
        if (!(fabs(length - 1) <= 1e-3)) {
            char text[HG_REAL_CHARS];
            hg_format_real(text, length);
            status =
                hg_error(HGATE_EVALUE, "crd: source %lld has length %s, expected 1 to within 1e-3",
                         (long long)s, text);
        }
    }
    return status;
}

static int check_n_up(const hg_problem *problem)
{
    const DLTensor *crd = problem->args[HGATE_VISIBILITY_CRD];
    int64_t expected = problem->dims[HGATE_DIM_VISIBILITY_N_UP];
    int64_t n = crd->shape[1], found = 0;
    for (int64_t s = 0; s < n; s++) {
        found += hg_real_at(crd, 2 * n + s) > 0;
    }
    if (expected >= 0 && expected != found) {
        return hg_error(HGATE_EVALUE, "n_up: is %lld, but %lld sources are above the horizon",
                        (long long)expected, (long long)found);
    }
    return HGATE_OK;
}

/* ---- beams ---- */

/* naz columns must make one turn. A tenth of a per cent of a step allows for a step in float32; a
 * wrong grid is off by half a step at least. */
static int check_turn(const DLTensor *daz, int64_t naz)
{
    const double turn = 6.283185307179586;
    for (int64_t b = 0; b < daz->shape[0]; b++) {
        double step = hg_real_at(daz, b), span = (double)naz * step;
        if (!(fabs(span - turn) <= 1e-3 * step)) {
            char text[HG_REAL_CHARS];
            hg_format_real(text, span);
            return hg_error(HGATE_EINVAL,
                            "daz: %lld columns of beam %lld span %s radians, expected 2 pi for "
                            "az_mode periodic",
                            (long long)naz, (long long)b, text);
        }
    }
    return HGATE_OK;
}

/* ---- operations ---- */

int hg_visibility_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_VISIBILITY_ANTPOS, HG_FINITE),
        HG_NUMBERS(HGATE_VISIBILITY_DAZ, HG_ABOVE_0),
        HG_NUMBERS(HGATE_VISIBILITY_DZA, HG_ABOVE_0),
        HG_NUMBERS(HGATE_VISIBILITY_AZ0, HG_FINITE),
        HG_NUMBERS(HGATE_VISIBILITY_ZA0, HG_FINITE),
        HG_INDICES(HGATE_VISIBILITY_BEAM_IDX, HGATE_DIM_VISIBILITY_NBEAM),
        HG_INDICES(HGATE_VISIBILITY_PAIRS, HGATE_DIM_VISIBILITY_NANT),
    };
    const hgate_visibility_params *params = &problem->params.visibility;
    int status = HG_CHECK_ELEMENTS(problem, rules);
    if (status == HGATE_OK && params->az_mode == HGATE_AZ_PERIODIC) {
        status = check_turn(problem->args[HGATE_VISIBILITY_DAZ],
                            problem->dims[HGATE_DIM_VISIBILITY_NAZ]);
    }
    if (status == HGATE_OK) {
        status =
            check_flux(problem, HGATE_VISIBILITY_FLUX, params->signed_flux || params->flux_is_amp);
    }
    if (status == HGATE_OK) {
        status = check_crd(problem, HGATE_VISIBILITY_CRD);
    }
    return status == HGATE_OK ? check_n_up(problem) : status;
}

/* Which sign a flux may have is the next step's matter. */
int hg_visibility_horizon_values(const hg_problem *problem)
{
    int status = check_flux(problem, HGATE_VISIBILITY_HORIZON_FLUX, true);
    return status == HGATE_OK ? check_crd(problem, HGATE_VISIBILITY_HORIZON_CRD) : status;
}

int hg_visibility_angles_values(const hg_problem *problem)
{
    return check_crd(problem, HGATE_VISIBILITY_ANGLES_CRD);
}

/* A NaN angle gives NaN for its source alone. */
int hg_visibility_beam_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_VISIBILITY_BEAM_DAZ, HG_ABOVE_0),
        HG_NUMBERS(HGATE_VISIBILITY_BEAM_DZA, HG_ABOVE_0),
        HG_NUMBERS(HGATE_VISIBILITY_BEAM_AZ0, HG_FINITE),
        HG_NUMBERS(HGATE_VISIBILITY_BEAM_ZA0, HG_FINITE),
    };
    int status = HG_CHECK_ELEMENTS(problem, rules);
    return status == HGATE_OK && problem->params.visibility.az_mode == HGATE_AZ_PERIODIC
               ? check_turn(problem->args[HGATE_VISIBILITY_BEAM_DAZ],
                            problem->dims[HGATE_DIM_VISIBILITY_BEAM_NAZ])
               : status;
}

int hg_visibility_tau_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {HG_NUMBERS(HGATE_VISIBILITY_TAU_ANTPOS, HG_FINITE)};
    int status = HG_CHECK_ELEMENTS(problem, rules);
    return status == HGATE_OK ? check_crd(problem, HGATE_VISIBILITY_TAU_CRD) : status;
}

int hg_visibility_z_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_VISIBILITY_Z_BEAM_IDX, HGATE_DIM_VISIBILITY_Z_NBEAM)};
    int status = HG_CHECK_ELEMENTS(problem, rules);
    return status == HGATE_OK ? check_flux(problem, HGATE_VISIBILITY_Z_FLUX,
                                           problem->params.visibility.flux_is_amp)
                              : status;
}

int hg_visibility_pairs_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_VISIBILITY_PAIRS_PAIRS, HGATE_DIM_VISIBILITY_PAIRS_NANT)};
    return HG_CHECK_ELEMENTS(problem, rules);
}
