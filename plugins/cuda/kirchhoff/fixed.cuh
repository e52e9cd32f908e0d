// SPDX-License-Identifier: BSD-3-Clause
// Fixed-point sums: one to four 32-bit words, each worth 2^-20 of the one before it.
//
// Additions of integers commute, so atomics in any order give the same bits. One word takes scaled
// numbers below 2^22, and the scale keeps the sum of a tile within 31 bits. With more words numbers
// are below 2^20, so that sums of 1024 stay within 31 bits in each word.
#pragma once
#include "plugins/cuda/kirchhoff/pipe.cuh"
#include <stdint.h>

enum { WORD_BITS = 20 };

// 2^exponent, as far as normal numbers go.
template <class R> static __device__ __forceinline__ R power_of_two(int exponent);

template <> __device__ __forceinline__ float power_of_two<float>(int exponent)
{
    return __int_as_float((max(-126, min(exponent, 127)) + 127) << 23);
}

template <> __device__ __forceinline__ double power_of_two<double>(int exponent)
{
    return __hiloint2double((max(-1022, min(exponent, 1023)) + 1023) << 20, 0);
}

// The nearest integer to |x| < 2^22, also as a number.
static __device__ __forceinline__ int nearest(float x, float &rounded)
{
    const float t = x + 12582912.0f;
    rounded = t - 12582912.0f;
    return __float_as_int(t) - 0x4B400000;
}

static __device__ __forceinline__ int nearest(double x, double &rounded)
{
    const double t = x + 6755399441055744.0;
    rounded = t - 6755399441055744.0;
    return __double2loint(t);
}

// value (1-f) at an address of shared memory and late = value f at the next one; words are `stride`
// bytes apart. The two parts of a word add up to the whole, bit for bit.
template <class R, int WORDS>
static __device__ __forceinline__ void add_fixed(unsigned at, unsigned stride, R value, R late)
{
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        R value_rounded, late_rounded;
        const int whole = nearest(value, value_rounded), part = nearest(late, late_rounded);
        reduce_shared(at + w * stride, whole - part);
        reduce_shared(at + w * stride + 4, part);
        value = (value - value_rounded) * (R)(1 << WORD_BITS);
        late = (late - late_rounded) * (R)(1 << WORD_BITS);
    }
}

// The same at samples k and k + 1 of a window, as far as they are in it; words are a window apart.
template <class R, int WORDS>
static __device__ __forceinline__ void add_fixed_within(int *to, int window, int k, R value, R late)
{
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        R value_rounded, late_rounded;
        const int whole = nearest(value, value_rounded), part = nearest(late, late_rounded);
        if ((unsigned)k < (unsigned)window)
            atomicAdd(to + w * window + k, whole - part);
        if ((unsigned)(k + 1) < (unsigned)window)
            atomicAdd(to + w * window + k + 1, part);
        value = (value - value_rounded) * (R)(1 << WORD_BITS);
        late = (late - late_rounded) * (R)(1 << WORD_BITS);
    }
}

// The number that the words of a sample are, and clears them.
template <class R, int WORDS>
static __device__ __forceinline__ R take_fixed(int *window, int stride, int k)
{
    R sum = 0, unit = 1;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        int &word = window[w * stride + k];
        sum = fma((R)word, unit, sum);
        word = 0;
        unit *= (R)1 / (1 << WORD_BITS);
    }
    return sum;
}
