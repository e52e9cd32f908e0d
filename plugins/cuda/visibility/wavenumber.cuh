// SPDX-License-Identifier: BSD-3-Clause
// Small things on the host side of a launch.
#pragma once
#include "plugins/cuda/visibility/phase.cuh"
#include <cmath>

// freq_hz / c in two parts, with the sign of the exponent.
static inline Wavenumber wavenumber(double freq_hz, int sign)
{
    const double c = 299792458.0, hi = freq_hz / c; // m/s, exact by definition
    const double lo = fma(-hi, c, freq_hz) / c, s = sign < 0 ? -1.0 : 1.0;
    return {s * hi, s * lo, s * HG_TWO_PI * hi};
}

// Pieces of n things that hold `tile` each.
static inline int64_t tiles(int64_t n, int64_t tile)
{
    return (n + tile - 1) / tile;
}
