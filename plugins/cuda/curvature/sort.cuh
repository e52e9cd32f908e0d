// SPDX-License-Identifier: BSD-3-Clause
// Sorting of the entries of a column by one block of threads.
#pragma once
#include "plugins/cuda/curvature/arrays.h"

enum { SORT_THREADS = 128, SORT_SHARED = 1024 };

static constexpr uint64_t nowhere = ~(uint64_t)0; // the last of all keys

struct Keys {
    uint64_t *high; // what the order goes by
    unsigned *low;  // and where that is equal
};

static __device__ __forceinline__ void order_pair(const Keys &k, unsigned a, unsigned b, unsigned n)
{
    if (b >= n)
        return;
    const uint64_t ha = k.high[a], hb = k.high[b];
    const unsigned la = k.low[a], lb = k.low[b];
    if (hb < ha || (hb == ha && lb < la)) {
        k.high[a] = hb, k.high[b] = ha;
        k.low[a] = lb, k.low[b] = la;
    }
}

// Bitonic merging whose every comparison puts the smaller one first: places from n on count as
// infinite and are never touched.
static __device__ void sort_keys(const Keys &k, unsigned n)
{
    unsigned half = 1; // of the next power of two
    while (2 * half < n)
        half *= 2;
    for (unsigned h = 1; h <= half; h *= 2) {
        for (unsigned p = threadIdx.x; p < half; p += SORT_THREADS) {
            const unsigned i = p & (h - 1), begin = 2 * (p - i);
            order_pair(k, begin + i, begin + 2 * h - 1 - i, n);
        }
        __syncthreads();
        for (unsigned step = h / 2; step > 0; step /= 2) {
            for (unsigned p = threadIdx.x; p < half; p += SORT_THREADS) {
                const unsigned i = p & (step - 1), a = 2 * (p - i) + i;
                order_pair(k, a, a + step, n);
            }
            __syncthreads();
        }
    }
}

// Of a key (y, x).
static __device__ int row_of_key(uint64_t key)
{
    return (int)(key >> 32);
}
