// SPDX-License-Identifier: BSD-3-Clause
// Set-up operations over a grid: one thread an entry, in float64, rounded once. Bound by memory.
#include "plugins/cuda/kirchhoff/launch.cuh"
#include "plugins/cuda/kirchhoff/setup.h"

enum { THREADS = 256 };

static __device__ double number(const hg_setup &a, const void *data, int64_t i)
{
    return a.is_64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

static __device__ void put(const hg_setup &a, void *data, int64_t i, double value)
{
    if (a.is_64)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

// The entries of a thread: every blockDim * gridDim-th.
struct Entries {
    int64_t at, step;
    __device__ Entries()
        : at((int64_t)blockIdx.x * THREADS + threadIdx.x), step((int64_t)gridDim.x * THREADS)
    {
    }
};

// dist[i,j] = |node_i - station_j|, trav = dist / v
static __global__ void __launch_bounds__(THREADS) traveltime(const hg_setup a)
{
    for (Entries e; e.at < a.entries; e.at += e.step) {
        const int64_t station = e.at % a.n;
        int64_t rest = e.at / a.n;
        double sum = 0.0;
        for (int d = a.axes.n - 1; d >= 0; d--) {
            const double node = a.axes.origin[d] + a.axes.step[d] * (double)(rest % a.axes.size[d]);
            const double difference = node - number(a, a.in, d * a.n + station);
            sum += difference * difference;
            rest /= a.axes.size[d];
        }
        const double dist = sqrt(sum);
        put(a, a.out, e.at, dist / a.v);
        if (a.dist)
            put(a, a.dist, e.at, dist);
    }
}

// Derivative along an axis: central inside, one-sided at the ends, 0 on an axis of length 1.
static __device__ double derivative(const hg_setup &a, int64_t at, int64_t coordinate, int64_t size,
                                    int64_t stride, double step)
{
    if (size == 1)
        return 0.0;
    const int back = coordinate > 0, ahead = coordinate < size - 1;
    const double difference =
        number(a, a.in, at + ahead * stride) - number(a, a.in, at - back * stride);
    return difference / ((double)(back + ahead) * step) + 0.0; // no -0, which has a direction
}

// 2D: atan2(dt/dx, dt/dz). 3D: sgn(dt/dx) acos(dt/dz / |grad|), sgn(0) = 1, 0 without gradient.
static __device__ double angle(const hg_axes &axes, const double *gradient)
{
    const double dx = gradient[axes.lateral], dz = gradient[axes.n - 1];
    if (axes.n == 2)
        return atan2(dx, dz);
    const double norm = sqrt(gradient[0] * gradient[0] + dx * dx + dz * dz);
    if (isnan(norm))
        return norm;
    if (norm == 0.0)
        return 0.0;
    const double turn = acos(fmax(-1.0, fmin(1.0, dz / norm)));
    return dx < 0.0 ? -turn : turn;
}

static __global__ void __launch_bounds__(THREADS) angles(const hg_setup a)
{
    for (Entries e; e.at < a.entries; e.at += e.step) {
        double gradient[3] = {0.0, 0.0, 0.0};
        int64_t rest = e.at / a.n, stride = a.n;
        for (int d = a.axes.n - 1; d >= 0; d--) {
            const int64_t size = a.axes.size[d];
            gradient[d] = derivative(a, e.at, rest % size, size, stride, a.axes.step[d]);
            rest /= size;
            stride *= size;
        }
        put(a, a.out, e.at, angle(a.axes, gradient));
    }
}

// 2D: 1 / sqrt(dist + eps), 3D: 1 / (dist + eps)
static __global__ void __launch_bounds__(THREADS) spreading(const hg_setup a)
{
    for (Entries e; e.at < a.entries; e.at += e.step) {
        const double r = number(a, a.in, e.at) + a.eps;
        put(a, a.out, e.at, 1.0 / (a.ndim == 2 ? sqrt(r) : r));
    }
}

// The nearest integer that fits; the lowest one for NaN.
static __device__ int64_t saturate(double value, double lowest, double highest)
{
    if (!(value > lowest))
        return (int64_t)lowest;
    return value < highest ? (int64_t)value : (int64_t)highest;
}

// idx[j] = floor((x_j - x0) / dx)
static __global__ void __launch_bounds__(THREADS) station_index(const hg_setup a)
{
    const int x = a.axes.lateral;
    for (Entries e; e.at < a.entries; e.at += e.step) {
        const double position = number(a, a.in, x * a.n + e.at);
        const double index = floor((position - a.axes.origin[x]) / a.axes.step[x]);
        if (a.is_wide) // 2^63 - 1024: the last double below the end
            ((int64_t *)a.out)[e.at] =
                saturate(index, -9223372036854775808.0, 9223372036854774784.0);
        else
            ((int32_t *)a.out)[e.at] = (int32_t)saturate(index, INT32_MIN, INT32_MAX);
    }
}

static cudaError_t start(void (*kernel)(hg_setup), const hg_setup *a, cudaStream_t stream)
{
    const int64_t most = 1 << 20, blocks = ceil_div(a->entries, THREADS);
    return launch(kernel, blocks < most ? blocks : most, 1, THREADS, 0, stream, *a);
}

extern "C" cudaError_t hg_kirchhoff_traveltime(const hg_setup *setup, cudaStream_t stream)
{
    return start(traveltime, setup, stream);
}

extern "C" cudaError_t hg_kirchhoff_angles(const hg_setup *setup, cudaStream_t stream)
{
    return start(angles, setup, stream);
}

extern "C" cudaError_t hg_kirchhoff_spreading(const hg_setup *setup, cudaStream_t stream)
{
    return start(spreading, setup, stream);
}

extern "C" cudaError_t hg_kirchhoff_station_index(const hg_setup *setup, cudaStream_t stream)
{
    return start(station_index, setup, stream);
}
