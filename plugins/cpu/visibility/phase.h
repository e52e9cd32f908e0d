/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases in turns: the product of a position and a direction with whole turns removed exactly. */
#ifndef HG_CPU_PHASE_H
#define HG_CPU_PHASE_H

#include "plugins/cpu/visibility/sky.h"

#include <complex.h>

#define HG_LIGHT_SPEED 299792458.0 /* m/s, exact by definition */

/* A number in two parts whose sum has twice the digits. */
typedef struct hg_split {
    double hi, lo;
} hg_split;

/* freq_hz / c in two parts. */
static inline hg_split hg_wavenumber(double freq_hz)
{
    double hi = freq_hz / HG_LIGHT_SPEED;
    return (hg_split){hi, fma(-hi, HG_LIGHT_SPEED, freq_hz) / HG_LIGHT_SPEED};
}

/* Position in wavelengths, in two parts. */
static inline hg_split hg_wavelengths(double metres, hg_split wavenumber)
{
    double hi = metres * wavenumber.hi;
    return (hg_split){hi, fma(metres, wavenumber.hi, -hi) + metres * wavenumber.lo};
}

/* exp(2 pi i t) for |t| <= 0.75 or so, t = turn + small. Quarter turns go out exactly, so that the
 * angle that is left is at most pi/4 and the error some 2e-16. */
static inline double complex hg_cis_turns(double turn, double small)
{
    double quarter = rint(4.0 * turn);
    double angle = HG_TWO_PI * ((turn - 0.25 * quarter) + small);
    double c = cos(angle), s = sin(angle);
    switch ((int)quarter & 3) {
    case 0:
        return CMPLX(c, s);
    case 1:
        return CMPLX(-s, c);
    case 2:
        return CMPLX(-c, -s);
    default:
        return CMPLX(s, -c);
    }
}

/* exp(2 pi i u . s): u in wavelengths, s a unit vector.
 *
 * Each product hi s is split exactly by one fma, whole turns leave the product and the running sum
 * by subtraction of the nearest integer (exact), and what rounding drops is summed apart. The error
 * does not grow with the number of turns beyond that of u itself. */
static inline double complex hg_phase(const hg_split u[3], const double s[3])
{
    double turn = 0.0, small = 0.0;
    for (int d = 0; d < 3; d++) {
        double product = u[d].hi * s[d];
        small += fma(u[d].hi, s[d], -product) + u[d].lo * s[d];
        product -= rint(product);
        double sum = turn + product;
        double back = sum - turn;
        small += (turn - (sum - back)) + (product - back);
        turn = sum - rint(sum);
    }
    if (!isfinite(turn + small))
        return CMPLX(NAN, NAN);
    return hg_cis_turns(turn, small);
}

/* The plain way in radians: a dot product and a sine, both in the precision of the output. */
static inline double complex hg_phase_direct(const double position[3], const double s[3],
                                             double radians_per_metre, int is_64)
{
    if (is_64) {
        double phase =
            radians_per_metre * (position[0] * s[0] + position[1] * s[1] + position[2] * s[2]);
        return CMPLX(cos(phase), sin(phase));
    }
    float phase = (float)radians_per_metre *
                  ((float)position[0] * (float)s[0] + (float)position[1] * (float)s[1] +
                   (float)position[2] * (float)s[2]);
    return CMPLX((double)cosf(phase), (double)sinf(phase));
}

#endif
