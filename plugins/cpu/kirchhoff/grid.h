/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of a regular image grid and their distance to a station. */
#ifndef HG_CPU_GRID_H
#define HG_CPU_GRID_H

#include "headgate/kirchhoff.h"
#include "plugins/cpu/view.h"

#include <math.h>

enum { HG_MAX_AXES = 3 };

/* The axes in order: (x, z) or (y, x, z), the last one fastest. */
typedef struct hg_axes {
    int n;
    int lateral; /* which one is x */
    int64_t size[HG_MAX_AXES];
    double origin[HG_MAX_AXES], step[HG_MAX_AXES];
} hg_axes;

static inline void hg_axes_add(hg_axes *axes, int64_t size, double origin, double step)
{
    axes->size[axes->n] = size;
    axes->origin[axes->n] = origin;
    axes->step[axes->n] = step;
    axes->n++;
}

static inline hg_axes hg_axes_of(const hgate_kirchhoff_grid *grid)
{
    hg_axes axes = {.n = 0};
    if (grid->ny > 0)
        hg_axes_add(&axes, grid->ny, grid->y0, grid->dy);
    axes.lateral = axes.n;
    hg_axes_add(&axes, grid->nx, grid->x0, grid->dx);
    hg_axes_add(&axes, grid->nz, grid->z0, grid->dz);
    return axes;
}

/* Position of node i. */
static inline void hg_axes_node(const hg_axes *axes, int64_t i, double position[HG_MAX_AXES])
{
    for (int d = axes->n - 1; d >= 0; d--) {
        position[d] = axes->origin[d] + axes->step[d] * (double)(i % axes->size[d]);
        i /= axes->size[d];
    }
}

/* Distance of a position to station j of stations (axes, n). */
static inline double hg_axes_distance(const hg_axes *axes, const double position[HG_MAX_AXES],
                                      hg_reals stations, int64_t n, int64_t j)
{
    double sum = 0.0;
    for (int d = 0; d < axes->n; d++) {
        double difference = position[d] - hg_real(stations, d * n + j);
        sum += difference * difference;
    }
    return sqrt(sum);
}

#endif
