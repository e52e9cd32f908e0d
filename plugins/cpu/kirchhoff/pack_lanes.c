/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of packing a tile's times; compiled for each instruction set. The division decides: the
 * same sample must come out as by one division of two numbers. */
#include "plugins/cpu/kirchhoff/pack_lanes.h"

#include "plugins/cpu/vector.h"

#include <math.h>

enum { LANES = HG_F64_LANES };

static void samples(double *time, int64_t n, double start, double dt, double most)
{
    const hg_f64v origin = hg_set_f64(start), step = hg_set_f64(dt), limit = hg_set_f64(most);
    for (int64_t p = 0; p < n; p += LANES) {
        hg_f64v u = (hg_load_f64(time + p) - origin) / step;
        hg_store_f64(time + p, hg_select_f64(hg_abs_f64(u) < limit, u, hg_set_f64(NAN)));
    }
}

static int bounds(const double *time, int lanes, double *low, double *high)
{
    hg_f64v least = hg_set_f64(INFINITY), most = hg_set_f64(-INFINITY);
    hg_i64v is_nan = {0};
    for (int l = 0; l < lanes; l += LANES) {
        hg_f64v u = hg_load_f64(time + l);
        least = hg_select_f64(u < least, u, least);
        most = hg_select_f64(u > most, u, most);
        is_nan |= u != u;
    }
    int64_t gap = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int l = 0; l < LANES; l++) {
        *low = least[l] < *low ? least[l] : *low;
        *high = most[l] > *high ? most[l] : *high;
        gap |= is_nan[l];
    }
    return gap != 0;
}

static void behind(const double *time, int lanes, double base, int is_64, void *to)
{
    typedef float narrow __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
    const hg_f64v first = hg_set_f64(base);
    for (int l = 0; l < lanes; l += LANES) {
        hg_f64v u = hg_load_f64(time + l) - first;
        if (is_64)
            hg_store_f64((double *)to + l, u);
        else
            *(narrow *)((float *)to + l) = __builtin_convertvector(u, narrow);
    }
}

const hg_pack_lanes HG_NAME(pack) = {samples, bounds, behind};
