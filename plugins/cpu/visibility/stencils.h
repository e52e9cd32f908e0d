/* SPDX-License-Identifier: BSD-3-Clause */
/* From angles and antennas to what the inner loops read: nodes with weights, positions in turns. */
#ifndef HG_CPU_VISIBILITY_STENCILS_H
#define HG_CPU_VISIBILITY_STENCILS_H

#include "plugins/cpu/visibility/beam.h"
#include "plugins/cpu/visibility/lanes.h"
#include "plugins/cpu/visibility/phase.h"

/* One geometry for all beams: nodes and weights are found once. */
static inline int hg_beam_is_shared(const hg_beam *beam)
{
    return beam->daz.n <= 1 && beam->dza.n <= 1 && beam->az0.n <= 1 && beam->za0.n <= 1;
}

/* Source s of a list: node (4, stride) as offsets in a plane, weight (4, stride). */
static inline void hg_stencil_put(hg_stencil za, hg_stencil az, int64_t naz, int64_t s,
                                  int64_t stride, int64_t *node, hg_reals weight)
{
    for (int k = 0; k < 4; k++) {
        node[k * stride + s] = za.node[k / 2] * naz + az.node[k % 2];
        hg_real_put(weight, k * stride + s, za.weight[k / 2] * az.weight[k % 2]);
    }
}

/* A number in two parts of the precision of the call. */
static inline void hg_split_to(hg_split x, int sign, int is_64, double *hi, double *lo)
{
    double top = is_64 ? x.hi : (double)(float)x.hi;
    double rest = (x.hi - top) + x.lo;
    *hi = sign * top;
    *lo = sign * (is_64 ? rest : (double)(float)rest);
}

static inline hg_antenna_turns hg_antenna_turns_of(const double metres[3], hg_split wavenumber,
                                                   int phase_sign, int is_64)
{
    hg_antenna_turns antenna;
    int sign = phase_sign < 0 ? -1 : 1;
    for (int d = 0; d < 3; d++) {
        hg_split u = hg_wavelengths(metres[d], wavenumber);
        hg_split_to(u, sign, is_64, &antenna.hi[d], &antenna.lo[d]);
        antenna.wide[d] = sign * u.hi;
        antenna.metres[d] = metres[d];
    }
    antenna.radians_per_metre = sign * HG_TWO_PI * wavenumber.hi;
    return antenna;
}

#endif
