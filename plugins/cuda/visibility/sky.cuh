// SPDX-License-Identifier: BSD-3-Clause
// Directions and beam grids: horizon test, angles, nodes and weights. In double, whatever the
// arrays hold: it is done once a source.
#pragma once
#include <cstdint>

#define HG_TWO_PI 6.283185307179586476925286766559

// Strictly above the horizon; a direction that is not a number is nowhere.
static __device__ __forceinline__ bool is_up(double east, double north, double up)
{
    return up > 0.0 && !isnan(east) && !isnan(north);
}

// East = 0, North = pi/2, in [0, 2 pi); 0 at the zenith.
static __device__ __forceinline__ double azimuth(double east, double north)
{
    if (east == 0.0 && north == 0.0)
        return 0.0;
    double az = atan2(north, east);
    az = az < 0.0 ? az + HG_TWO_PI : az + 0.0; // + 0.0 turns -0.0 around
    return az >= HG_TWO_PI ? 0.0 : az;
}

// By two components, so that it keeps its relative accuracy up to the zenith.
static __device__ __forceinline__ double zenith_angle(double east, double north, double up)
{
    return atan2(hypot(east, north), up);
}

// Two neighbouring nodes of an axis: the first, the way to the second, the weight of the second.
// The way is 0 where the second does not enter, so that whatever it holds is never read.
struct Side {
    int node, step;
    double weight;
};

// x in steps from the first of n nodes; outside the boundary node, NaN gives a NaN weight.
static __device__ __forceinline__ Side side_clamp(double x, int n)
{
    if (isnan(x))
        return {0, 0, x};
    if (x <= 0.0)
        return {0, 0, 0.0};
    if (x >= (double)(n - 1))
        return {n - 1, 0, 0.0};
    const int left = (int)x;
    const double weight = x - (double)left;
    return {left, weight > 0.0 ? 1 : 0, weight};
}

// The same where n nodes make one turn.
static __device__ __forceinline__ Side side_periodic(double x, int n)
{
    if (!isfinite(x))
        return {0, 0, x - x};
    const double whole = floor(x), turn = whole - (double)n * floor(whole / (double)n);
    int left = (int)turn;
    left = left < 0 ? 0 : left >= n ? n - 1 : left; // rounding of turns beyond 2^53 nodes
    const double weight = x - whole;
    return {left, weight > 0.0 ? (left + 1 < n ? 1 : 1 - n) : 0, weight};
}

// Weights of a side in the precision of the sum. One that rounds to 1 moves on to its node.
template <class T> struct Weights {
    T here, there;
};

template <class T> static __device__ __forceinline__ Weights<T> weights_of(Side &side)
{
    const T there = (T)side.weight;
    if (there >= (T)1) {
        side.node += side.step;
        side.step = 0;
        return {(T)1, (T)0};
    }
    return {(T)(1.0 - side.weight), there};
}

// (angle - start) / step in the precision of the call: a division, so that an angle that was made
// as node times step meets its node.
static __device__ __forceinline__ double grid_index(double angle, double start, double step,
                                                    bool is_64)
{
    if (is_64)
        return (angle - start) / step;
    return (double)__fdiv_rn((float)angle - (float)start, (float)step);
}
