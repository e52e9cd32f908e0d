/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the tables of the kirchhoff family. model and data may hold anything: NaN there
 * spreads to what it touches. */
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"

#include <math.h>

/* An eikonal solver leaves NaN or Inf at points that no ray reaches; with skip_nonfinite these are
 * no fault of a table. A traveltime below 0, or a velocity that is no number above 0, always is. */
int hg_kirchhoff_kept_values(const hg_problem *problem)
{
    bool skips = problem->params.kirchhoff.flags & HGATE_KIRCHHOFF_SKIP_NONFINITE;
    const hg_range time = {0, DBL_MAX, skips, "a finite number, 0 or more"};
    const hg_range weight = {-DBL_MAX, DBL_MAX, skips, "a finite number"};
    const hg_range speed = {DBL_TRUE_MIN, skips ? INFINITY : DBL_MAX, false,
                            "a finite number above 0"};
    const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_KIRCHHOFF_TRAV_SRC, time),  HG_NUMBERS(HGATE_KIRCHHOFF_TRAV_REC, time),
        HG_NUMBERS(HGATE_KIRCHHOFF_AMP_SRC, weight), HG_NUMBERS(HGATE_KIRCHHOFF_AMP_REC, weight),
        HG_NUMBERS(HGATE_KIRCHHOFF_ANG_SRC, weight), HG_NUMBERS(HGATE_KIRCHHOFF_ANG_REC, weight),
        HG_NUMBERS(HGATE_KIRCHHOFF_VEL, speed),      HG_NUMBERS(HGATE_KIRCHHOFF_TAP, HG_FINITE),
        HG_NUMBERS(HGATE_KIRCHHOFF_WAV, HG_FINITE),
    };
    return HG_CHECK_ELEMENTS(problem, rules);
}

int hg_kirchhoff_traveltime_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_KIRCHHOFF_TRAVELTIME_STATIONS, HG_FINITE)};
    return HG_CHECK_ELEMENTS(problem, rules);
}

/* Distances to points that no ray reaches may be NaN or Inf, as in the tables they are made for. */
int hg_kirchhoff_spreading_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_KIRCHHOFF_SPREADING_DIST, {0, DBL_MAX, true, "0 or more"})};
    return HG_CHECK_ELEMENTS(problem, rules);
}

/* An index that the output's integers cannot hold would be any number. */
int hg_kirchhoff_station_index_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_KIRCHHOFF_STATION_INDEX_STATIONS, HG_FINITE)};
    const DLTensor *stations = problem->args[HGATE_KIRCHHOFF_STATION_INDEX_STATIONS];
    const hgate_kirchhoff_grid *grid = &problem->params.setup.grid;
    int bits = problem->args[HGATE_KIRCHHOFF_STATION_INDEX_IDX]->dtype.bits;
    int64_t n = stations->shape[1], x_row = stations->shape[0] - 2;
    double limit = ldexp(1, bits - 1);
    int status = HG_CHECK_ELEMENTS(problem, rules);
    for (int64_t s = 0; status == HGATE_OK && s < n; s++) {
        double index = floor((hg_real_at(stations, x_row * n + s) - grid->x0) / grid->dx);
        if (!(index >= -limit && index < limit)) {
            char text[HG_REAL_CHARS];
            hg_format_real(text, index);
            status =
                hg_error(HGATE_EVALUE, "stations: station %lld has index %s, expected an int%d",
                         (long long)s, text, bits);
        }
    }
    return status;
}
