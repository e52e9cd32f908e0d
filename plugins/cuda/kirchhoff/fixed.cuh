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

// Adding this shift rounds |x| < 2^22 to the nearest integer, which then is in the last bits.
template <class R> struct Shift {
    static constexpr R VALUE = sizeof(R) == 4 ? (R)12582912.0 : (R)6755399441055744.0;
};

static __device__ __forceinline__ int integer_of(float shifted)
{
    return __float_as_int(shifted) - 0x4B400000;
}

static __device__ __forceinline__ int integer_of(double shifted)
{
    return __double2loint(shifted);
}

template <class R> static __device__ __forceinline__ R rounded(R x)
{
    return x + Shift<R>::VALUE - Shift<R>::VALUE;
}

// A product that no compiler joins with an addition: both ways into a window must round alike.
static __device__ __forceinline__ float product(float a, float b)
{
    return __fmul_rn(a, b);
}

static __device__ __forceinline__ double product(double a, double b)
{
    return __dmul_rn(a, b);
}

// The next word of a number and of its share (value f in the beginning), and what is left of both,
// scaled for the word after it.
template <class R>
static __device__ __forceinline__ void take_word(R &value, R &share, R f, bool is_first, int &whole,
                                                 int &part)
{
    constexpr R SHIFT = Shift<R>::VALUE, UNIT = (R)(1 << WORD_BITS);
    const R shifted = value + SHIFT,
            share_shifted = is_first ? fma(value, f, SHIFT) : share + SHIFT;
    const R share_rounded = share_shifted - SHIFT;
    whole = integer_of(shifted);
    part = integer_of(share_shifted);
    share = (is_first ? fma(value, f, -share_rounded) : share - share_rounded) * UNIT;
    value = (value - (shifted - SHIFT)) * UNIT;
}

// value (1-f) at an address of shared memory and value f at the next one; words are `stride` bytes
// apart. The two parts of a word add up to the whole, bit for bit.
template <class R, int WORDS>
static __device__ __forceinline__ void add_fixed(unsigned at, unsigned stride, R value, R f)
{
    R share = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        int whole, part;
        take_word(value, share, f, w == 0, whole, part);
        reduce_shared(at + w * stride, whole - part);
        reduce_shared(at + w * stride + 4, part);
    }
}

// The same at samples k and k + 1 of a window, as far as they are in it; words are a window apart.
template <class R, int WORDS>
static __device__ __forceinline__ void add_fixed_within(int *to, int window, int k, R value, R f)
{
    R share = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        int whole, part;
        take_word(value, share, f, w == 0, whole, part);
        if ((unsigned)k < (unsigned)window)
            atomicAdd(to + w * window + k, whole - part);
        if ((unsigned)(k + 1) < (unsigned)window)
            atomicAdd(to + w * window + k + 1, part);
    }
}

// The number that the words of a sample are, and clears them.
template <class R, int WORDS>
static __device__ __forceinline__ R take_fixed(int *window, int stride, int k)
{
    R sum = (R)window[k], unit = 1;
    window[k] = 0;
#pragma unroll
    for (int w = 1; w < WORDS; w++) {
        int &word = window[w * stride + k];
        unit *= (R)1 / (1 << WORD_BITS);
        sum = fma((R)word, unit, sum);
        word = 0;
    }
    return sum;
}
