// SPDX-License-Identifier: BSD-3-Clause
// Where a direction stands in the grid of a beam.
#pragma once
#include "plugins/cuda/visibility/launch.h"
#include "plugins/cuda/visibility/sky.cuh"

static __device__ __forceinline__ double of_beam(const hg_vis_per_beam &array, int64_t b, int is_64)
{
    if (array.n == 0)
        return 0.0;
    const int64_t i = array.n == 1 ? 0 : b;
    return is_64 ? ((const double *)array.data)[i] : (double)((const float *)array.data)[i];
}

struct Cell {
    Side row, column;
};

// is_64: the precision in which the index is computed.
static __device__ __forceinline__ Cell cell_of(const hg_vis_beam &beam, int64_t b, double az,
                                               double za, bool is_64)
{
    const int wide = beam.is_64_angle;
    const double x = grid_index(za, of_beam(beam.za0, b, wide), of_beam(beam.dza, b, wide), is_64);
    const double y = grid_index(az, of_beam(beam.az0, b, wide), of_beam(beam.daz, b, wide), is_64);
    return {side_clamp(x, beam.nza),
            beam.is_periodic ? side_periodic(y, beam.naz) : side_clamp(y, beam.naz)};
}

// Four neighbours as the sum reads them: the offset of the first in a plane, the ways to the next
// row and column, the weights.
template <class T> struct Stencil {
    int64_t node;
    int down, across;
    T weight[4];
};

template <class T> static __device__ __forceinline__ Stencil<T> stencil_of(Cell cell, int naz)
{
    const Weights<T> row = weights_of<T>(cell.row), column = weights_of<T>(cell.column);
    return {(int64_t)cell.row.node * naz + cell.column.node,
            cell.row.step * naz,
            cell.column.step,
            {row.here * column.here, row.here * column.there, row.there * column.here,
             row.there * column.there}};
}
