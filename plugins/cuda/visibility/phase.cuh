// SPDX-License-Identifier: BSD-3-Clause
// Phases in turns: the product of a position and a direction with whole turns removed exactly.
#pragma once
#include "headgate/visibility.h"
#include "plugins/cuda/visibility/sky.cuh"

// An antenna's position in wavelengths in two parts of precision R, and what the plain way needs.
template <class R> struct Antenna {
    R hi[3], lo[3];
    double wide[3]; // wavelengths, for float32 positions in double
    R metres[3];
};

// freq_hz / c in two parts, with the sign of the exponent.
struct Wavenumber {
    double hi, lo;
    double radians; // per metre
};

template <class R, class P>
static __device__ __forceinline__ void antenna_load(Antenna<R> &antenna, int d, P metres,
                                                    Wavenumber k)
{
    const double x = (double)metres, u = x * k.hi;
    const double rest = fma(x, k.hi, -u) + x * k.lo;
    antenna.hi[d] = (R)u;
    antenna.lo[d] = (R)((u - (double)antenna.hi[d]) + rest);
    antenna.wide[d] = u;
    antenna.metres[d] = (R)x;
}

template <class R> struct alignas(2 * sizeof(R)) Complex {
    R re, im;
};

// sin(2 pi r) / r and (cos(2 pi r) - 1) / r^2 as polynomials in r^2 up to r = 1/8, to 3e-8.
static __device__ __forceinline__ void circle(float r, float &s, float &c)
{
    const float x = r * r;
    float p = fmaf(-75.3757326f, x, 81.5920322f);
    p = fmaf(p, x, -41.3416602f);
    p = fmaf(p, x, 6.28318529f);
    s = r * p;
    p = fmaf(59.4078027f, x, -85.4484984f);
    p = fmaf(p, x, 64.9393675f);
    p = fmaf(p, x, -19.7392088f);
    c = fmaf(x, p, 1.0f);
}

static __device__ __forceinline__ void circle(double r, double &s, double &c)
{
    sincospi(2.0 * r, &s, &c);
}

// exp(2 pi i (turn + small)) for |turn| up to 1 or so. Quarter turns leave exactly, so that 1, i,
// -1 and -i come out as such.
template <class R> static __device__ __forceinline__ Complex<R> cis(R turn, R small)
{
    const R quarters = rint((R)4 * turn);
    const R r = fma((R)-0.25, quarters, turn) + small;
    R s, c;
    circle(r, s, c);
    const int q = (int)quarters;
    const R re = q & 1 ? s : c, im = q & 1 ? c : s;
    return {(q + 1) & 2 ? -re : re, q & 2 ? -im : im};
}

// Turns of antenna . direction without whole ones, in two parts. Each product hi s is split
// exactly, whole turns leave the product and the running sum by subtraction of the nearest integer
// (exact), what is small is summed apart. In float32 the sums drop at most 1e-7 turns; in double
// that is kept.
template <class R>
static __device__ __forceinline__ R reduced_turns(const Antenna<R> &antenna, const R s[3], R &small)
{
    R turn = 0, rest = 0;
#pragma unroll
    for (int d = 0; d < 3; d++) {
        R product = antenna.hi[d] * s[d];
        rest += fma(antenna.lo[d], s[d], fma(antenna.hi[d], s[d], -product));
        product -= rint(product);
        const R sum = turn + product;
        if (sizeof(R) == 8) {
            const R back = sum - turn;
            rest += (turn - (sum - back)) + (product - back);
        }
        turn = sum - rint(sum);
    }
    small = rest;
    return turn;
}

// exp(i phase) of one antenna and direction. S is the precision of the direction as stored.
template <class R, class S>
static __device__ __forceinline__ Complex<R> phase(const Antenna<R> &antenna, const S s[3],
                                                   int mode, double radians)
{
    R turn, small = 0;
    if (mode == HGATE_TAU_DIRECT) { // a dot product in radians in precision R
        const R sum = (R)radians * (antenna.metres[0] * (R)s[0] + antenna.metres[1] * (R)s[1] +
                                    antenna.metres[2] * (R)s[2]);
        Complex<R> z;
        sincos(sum, &z.im, &z.re);
        return z;
    }
    if (sizeof(R) == 4 && (sizeof(S) == 8 || mode == HGATE_TAU_WIDE)) {
        double wide = antenna.wide[0] * (double)s[0];
        wide = fma(antenna.wide[1], (double)s[1], wide);
        wide = fma(antenna.wide[2], (double)s[2], wide);
        turn = (R)(wide - rint(wide));
    } else {
        const R t[3] = {(R)s[0], (R)s[1], (R)s[2]};
        turn = reduced_turns(antenna, t, small);
    }
    return cis(turn, small);
}
