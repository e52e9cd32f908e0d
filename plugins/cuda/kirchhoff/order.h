/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which tiles take the image points: strips along z (in 3D cut along y too), walked
 * forth and back along x. Any 1024 points in a row are compact, and none is wasted at the edges. */
#ifndef HG_CUDA_KIRCHHOFF_ORDER_H
#define HG_CUDA_KIRCHHOFF_ORDER_H

#include <stdint.h>

#ifdef __CUDACC__
#define HG_BOTH_SIDES __host__ __device__
#else
#define HG_BOTH_SIDES
#endif

typedef struct hg_order {
    int64_t ny, nx, nz, ni;
    int64_t y_strips, z_strips;
} hg_order;

/* ny 0: 2D. */
static inline hg_order hg_order_of(int64_t ny, int64_t nx, int64_t nz)
{
    const int64_t z_most = ny > 0 ? 16 : 32, y_most = 8;
    hg_order o = {ny > 0 ? ny : 1, nx, nz, 0, 1, 1};
    o.ni = o.ny * nx * nz;
    o.y_strips = (o.ny + y_most - 1) / y_most;
    o.z_strips = nz > 0 ? (nz + z_most - 1) / z_most : 1;
    return o;
}

/* A strip of an axis of n points cut in `strips` as even as can be. */
typedef struct hg_strip {
    int64_t index, first, size;
    int64_t rest; /* of the position that it was found with */
} hg_strip;

/* The strip of a position, when each point of the axis holds `unit` positions. */
static inline HG_BOTH_SIDES hg_strip hg_strip_at(int64_t n, int64_t strips, int64_t unit,
                                                 int64_t position)
{
    const int64_t low = n / strips, n_high = n % strips, high = low + 1;
    const int64_t in_high = n_high * high * unit;
    hg_strip s;
    s.size = position < in_high ? high : low;
    s.rest = position < in_high ? position : position - in_high;
    s.index = s.rest / (s.size * unit);
    s.rest -= s.index * s.size * unit;
    s.first = s.index * s.size + (position < in_high ? 0 : n_high * high);
    s.index += position < in_high ? 0 : n_high;
    return s;
}

/* Image index of a position in [0, ni). */
static inline HG_BOTH_SIDES int64_t hg_order_point(const hg_order *o, int64_t position)
{
    const hg_strip z = hg_strip_at(o->nz, o->z_strips, o->nx * o->ny, position);
    const hg_strip y = hg_strip_at(o->ny, o->y_strips, o->nx * z.size, z.rest);
    const int64_t column = z.size * y.size, in_column = y.rest % column;
    int64_t ix = y.rest / column;
    if ((z.index * o->y_strips + y.index) & 1)
        ix = o->nx - 1 - ix;
    return ((y.first + in_column / z.size) * o->nx + ix) * o->nz + z.first + in_column % z.size;
}

/* Inside a tile, where position p (0 to 1023) is stored. The four points of a thread lie side by
 * side in memory, while those that a warp works on at a time are 8 along z by 4 along x: their
 * samples then lie in different banks. Runs of 32 stay runs of 32. */
static inline HG_BOTH_SIDES int hg_place_of(int p)
{
    return (p & ~31) | (p & 7) << 2 | (p >> 3 & 3);
}

static inline HG_BOTH_SIDES int hg_position_of(int place)
{
    return (place & ~31) | (place & 3) << 3 | (place >> 2 & 7);
}

#endif
