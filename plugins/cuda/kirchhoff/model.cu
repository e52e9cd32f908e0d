// SPDX-License-Identifier: BSD-3-Clause
// The model in the order of the tiles, scaled for sums in fixed point: one block a tile.
//
// Of all runs of `range` powers of two the one with the most numbers of the tile sets the scale,
// found in a histogram of exponents; numbers outside it are odd. Rounding then costs each number
// that is not odd at most 2^-(22 - range) of itself, whatever the other tiles hold.
#include "plugins/cuda/kirchhoff/fixed.cuh"
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/launch.cuh"

enum { THREADS = 256, EACH = HG_TILE / THREADS, NOT_FINITE = -1, ZERO = -2 };

struct ModelArgs {
    const void *model;
    const int64_t *point;
    hg_packed_model to;
    hg_fixed_point fixed;
};

// Exponents by type: number of bins, bin of a number, power of two that bounds a bin.
template <class R> struct Bins;

template <> struct Bins<float> {
    enum { N = 256, BIAS = 127, TOP = 126 };
    static __device__ int of(float x)
    {
        const int e = __float_as_int(x) >> 23 & 255;
        return x == 0.0f ? (int)ZERO : e == 255 ? (int)NOT_FINITE : e;
    }
};

template <> struct Bins<double> {
    enum { N = 2048, BIAS = 1023, TOP = 1022 };
    static __device__ int of(double x)
    {
        const int e = __double2hiint(x) >> 20 & 2047;
        return x == 0.0 ? (int)ZERO : e == 2047 ? (int)NOT_FINITE : e;
    }
};

// Greatest of all threads' integers.
static __device__ int block_most(int value, int *scratch)
{
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            scratch[threadIdx.x] = max(scratch[threadIdx.x], scratch[threadIdx.x + half]);
        __syncthreads();
    }
    const int most = scratch[0];
    __syncthreads();
    return most;
}

// Sum in a fixed order.
static __device__ double block_sum(double value, double *scratch)
{
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            scratch[threadIdx.x] += scratch[threadIdx.x + half];
        __syncthreads();
    }
    const double sum = scratch[0];
    __syncthreads();
    return sum;
}

// Numbers of the block before this thread for which `is` holds; *total of all.
static __device__ int block_rank(bool is, int *scratch, int *total)
{
    const unsigned mask = __ballot_sync(~0u, is);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        scratch[warp] = __popc(mask);
    __syncthreads();
    int before = __popc(mask & ((1u << lane) - 1)), all = 0;
    for (int w = 0; w < THREADS / 32; w++) {
        before += w < warp ? scratch[w] : 0;
        all += scratch[w];
    }
    __syncthreads();
    *total = all;
    return before;
}

// The highest bin of the fullest run of `range` bins; -1 when there is no number at all.
template <class R> static __device__ int fullest(const int *histogram, int range, int *scratch)
{
    int best = -1;
    for (int bin = threadIdx.x; bin < Bins<R>::N; bin += THREADS) {
        int count = 0;
        for (int b = max(bin - range + 1, 0); b <= bin; b++)
            count += histogram[b];
        if (count > 0)
            best = max(best, count * Bins<R>::N + bin);
    }
    best = block_most(best, scratch);
    return best < 0 ? -1 : best % Bins<R>::N;
}

// Exponent of the scale, from the highest bin and, for one word, the sum of all absolute numbers.
template <class R> static __device__ int scale_of(int top, double sum, int words)
{
    const int below = top - Bins<R>::BIAS + 1;
    int exponent = WORD_BITS - below;
    if (words == 1) {
        int sum_below;
        (void)frexp(sum * 1.001, &sum_below); // rounding to integers adds less than the margin
        exponent = min(22 - below, 31 - sum_below);
    }
    return min(exponent, (int)Bins<R>::TOP);
}

template <class R> static __global__ void __launch_bounds__(THREADS) pack_model(const ModelArgs a)
{
    __shared__ int histogram[Bins<R>::N], counts[THREADS];
    __shared__ double sums[THREADS];
    const int64_t first = (int64_t)blockIdx.x * HG_TILE;
    R value[EACH];
    int bin[EACH];
    for (int i = threadIdx.x; i < Bins<R>::N; i += THREADS)
        histogram[i] = 0;
    __syncthreads();
    for (int e = 0; e < EACH; e++) {
        const int64_t point = a.point[first + threadIdx.x + THREADS * e];
        value[e] = point < 0 ? (R)0 : ((const R *)a.model)[point];
        bin[e] = Bins<R>::of(value[e]);
        if (bin[e] >= 0)
            atomicAdd(&histogram[bin[e]], 1);
    }
    __syncthreads();
    const int top = fullest<R>(histogram, a.fixed.range, counts);
    const int bottom = top - a.fixed.range + 1;
    double sum = 0.0;
    for (int e = 0; e < EACH; e++)
        if (bin[e] >= 0 && bin[e] >= bottom && bin[e] <= top)
            sum += fabs((double)value[e]);
    sum = block_sum(sum, sums);
    const int exponent = top < 0 ? 0 : scale_of<R>(top, sum, a.fixed.words);
    int n_odd = 0;
    for (int e = 0; e < EACH; e++) {
        const int place = threadIdx.x + THREADS * e;
        const bool is_main = bin[e] >= 0 && bin[e] >= bottom && bin[e] <= top;
        const bool is_odd = bin[e] != ZERO && !is_main;
        int more;
        const int rank = n_odd + block_rank(is_odd, counts, &more);
        R scaled = is_main ? value[e] * power_of_two<R>(exponent) : (R)0;
        if (a.fixed.words == 1)
            scaled = rounded(scaled);
        ((R *)a.to.main)[first + place] = scaled;
        if (is_odd) {
            a.to.odd_place[first + rank] = place;
            ((R *)a.to.odd_value)[first + rank] = value[e];
        }
        n_odd += more;
    }
    if (threadIdx.x == 0)
        a.to.tile[blockIdx.x] = {exponent, top >= 0, n_odd};
}

extern "C" cudaError_t hg_kirchhoff_pack_model(const hg_scatter *s, const void *model,
                                               cudaStream_t stream)
{
    return launch(s->tables.is_64 ? pack_model<double> : pack_model<float>, s->tables.n_tiles, 1,
                  THREADS, 0, stream, ModelArgs{model, s->tables.point, s->model, s->fixed});
}
