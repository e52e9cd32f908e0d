/* SPDX-License-Identifier: BSD-3-Clause */
/* Bilinear interpolation of a beam grid: nodes and weights of an angle, value of a plane. */
#ifndef HG_CPU_BEAM_H
#define HG_CPU_BEAM_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/view.h"

#include <inttypes.h>
#include <math.h>

/* Two neighbouring nodes of one axis and their weights; NaN weights for an angle that is none. */
typedef struct hg_stencil {
    int64_t node[2];
    double weight[2];
} hg_stencil;

/* (angle - start) / step in the precision of the call: a division, so that an angle that was made
 * as node times step meets its node. */
static inline double hg_grid_index(double angle, double start, double step, int is_64)
{
    if (is_64)
        return (angle - start) / step;
    return (double)(((float)angle - (float)start) / (float)step);
}

static inline hg_stencil hg_stencil_between(int64_t left, int64_t right, double fraction)
{
    return (hg_stencil){{left, right}, {1.0 - fraction, fraction}};
}

/* Outside the grid the boundary node, also at infinity. */
static inline hg_stencil hg_stencil_clamp(double x, int64_t n)
{
    if (isnan(x))
        return hg_stencil_between(0, 0, x);
    if (x <= 0.0)
        return hg_stencil_between(0, 0, 0.0);
    if (x >= (double)(n - 1))
        return hg_stencil_between(n - 1, n - 1, 0.0);
    int64_t left = (int64_t)x;
    return hg_stencil_between(left, left + 1, x - (double)left);
}

/* n nodes make one turn. */
static inline hg_stencil hg_stencil_periodic(double x, int64_t n)
{
    if (!isfinite(x))
        return hg_stencil_between(0, 0, NAN);
    double whole = floor(x);
    double turn = whole - (double)n * floor(whole / (double)n);
    int64_t left = (int64_t)turn;
    left = left < 0 ? 0 : left >= n ? n - 1 : left; /* rounding of turns beyond 2^53 nodes */
    return hg_stencil_between(left, left + 1 < n ? left + 1 : 0, x - whole);
}

/* Sum of weight times node over the 2 x 2 neighbours. grid holds reals with `stride` between nodes
 * (2: real or imaginary parts of a complex grid) and the plane starts at `plane`. A neighbour of
 * weight 0 does not enter, whatever it holds. */
static inline double hg_bilinear(hg_reals grid, int64_t plane, int64_t stride, int64_t naz,
                                 hg_stencil za, hg_stencil az)
{
    double sum = 0.0;
    for (int z = 0; z < 2; z++)
        for (int a = 0; a < 2; a++) {
            double weight = za.weight[z] * az.weight[a];
            if (weight != 0.0)
                sum += weight * hg_real(grid, plane + stride * (za.node[z] * naz + az.node[a]));
        }
    return sum;
}

/* The message for an interpolated power below 0 that has no root. */
static inline int hg_beam_negative(const hgate_host *host, int64_t b, int64_t axis, int64_t feed,
                                   int64_t s)
{
    return hgate_fail(host, HGATE_EVALUE,
                      "grid: power of beam %" PRId64 ", axis %" PRId64 ", feed %" PRId64
                      " is negative at source %" PRId64 ", expected at least 0 for sqrt_power",
                      b, axis, feed, s);
}

/* A number of each beam, or one for all; 0 where the array is absent. */
typedef struct hg_per_beam {
    hg_reals values;
    int64_t n;
} hg_per_beam;

static inline hg_per_beam hg_per_beam_arg(const hgate_problem *problem, int index)
{
    const DLTensor *tensor = problem->args[index];
    return (hg_per_beam){hg_real_arg(problem, index), tensor ? hgate_tensor_count(tensor) : 0};
}

static inline double hg_of_beam(const hg_per_beam *array, int64_t b)
{
    return array->n ? hg_real(array->values, array->n == 1 ? 0 : b) : 0.0;
}

/* Grid and geometry of a problem's beams. */
typedef struct hg_beam {
    hg_reals grid;
    hg_per_beam daz, dza, az0, za0;
    int64_t nbeam, nax, nfeed, nza, naz;
    int is_complex;
    int is_periodic;
    int is_64; /* precision of index arithmetic: the wider of angles and grid */
} hg_beam;

/* Nodes and weights of a direction in beam b. */
static inline void hg_beam_stencils(const hg_beam *beam, int64_t b, double az, double za,
                                    hg_stencil *at_za, hg_stencil *at_az)
{
    double x = hg_grid_index(za, hg_of_beam(&beam->za0, b), hg_of_beam(&beam->dza, b), beam->is_64);
    double y = hg_grid_index(az, hg_of_beam(&beam->az0, b), hg_of_beam(&beam->daz, b), beam->is_64);
    *at_za = hg_stencil_clamp(x, beam->nza);
    *at_az = beam->is_periodic ? hg_stencil_periodic(y, beam->naz) : hg_stencil_clamp(y, beam->naz);
}

/* Value of plane (b, axis, feed); a real grid has no imaginary part. */
static inline double complex hg_beam_value(const hg_beam *beam, int64_t b, int64_t axis,
                                           int64_t feed, hg_stencil za, hg_stencil az)
{
    int64_t stride = beam->is_complex ? 2 : 1;
    int64_t plane = ((b * beam->nax + axis) * beam->nfeed + feed) * beam->nza * beam->naz * stride;
    double re = hg_bilinear(beam->grid, plane, stride, beam->naz, za, az);
    double im =
        beam->is_complex ? hg_bilinear(beam->grid, plane + 1, stride, beam->naz, za, az) : 0.0;
    return CMPLX(re, im);
}

#endif
