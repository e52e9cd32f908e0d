/* SPDX-License-Identifier: BSD-3-Clause */
/* Cosines and sines of many angles in turns; compiled for each instruction set.
 *
 * t turns are first taken to r in [-1/2, 1/2] (exact), then to the nearest quarter: r = q / 4 + h
 * with |h| <= 1/8, so that both Taylor series are needed on [-pi/4, pi/4] alone, where their next
 * terms are below 5e-17. */
#include "plugins/cpu/curvature/phasors.h"

#include "plugins/cpu/curvature/turns.h"
#include "plugins/cpu/vector.h"

_Static_assert(HG_PHASOR_GROUP % HG_F64_LANES == 0, "a group is whole vectors");

/* Adding and taking away 3 * 2^51 rounds to the nearest integer. */
static inline hg_f64v nearest(hg_f64v x)
{
    const hg_f64v shift = hg_set_f64(6755399441055744.0);
    return (x + shift) - shift;
}

static inline hg_f64v horner(const double *coefficient, int n, hg_f64v z)
{
    hg_f64v sum = hg_set_f64(coefficient[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        sum = hg_fma_f64(sum, z, hg_set_f64(coefficient[i]));
    return sum;
}

static inline void phasor(hg_f64v turns, hg_f64v *cosine, hg_f64v *sine)
{
    /* (-1)^i / (2i + 1)! and (-1)^i / (2i)! */
    static const double in_sine[8] = {
        1.0,          -1.0 / 6,        1.0 / 120,          -1.0 / 5040,
        1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
    static const double in_cosine[9] = {1.0,
                                        -1.0 / 2,
                                        1.0 / 24,
                                        -1.0 / 720,
                                        1.0 / 40320,
                                        -1.0 / 3628800,
                                        1.0 / 479001600,
                                        -1.0 / 87178291200.0,
                                        1.0 / 20922789888000.0};
    hg_f64v r = turns - nearest(turns);
    hg_f64v quarter = nearest(4.0 * r);
    hg_f64v x = HG_TWO_PI * (r - 0.25 * quarter);
    hg_f64v z = x * x;
    hg_f64v s = x * horner(in_sine, 8, z), c = horner(in_cosine, 9, z);
    /* quarter is -2 ... 2: odd ones swap the two, and each has its signs. */
    hg_i64v is_odd = (quarter == 1.0) | (quarter == -1.0);
    hg_f64v cos_sign =
        hg_select_f64((quarter == 0.0) | (quarter == -1.0), hg_set_f64(1.0), hg_set_f64(-1.0));
    hg_f64v sin_sign =
        hg_select_f64((quarter == 0.0) | (quarter == 1.0), hg_set_f64(1.0), hg_set_f64(-1.0));
    *cosine = cos_sign * hg_select_f64(is_odd, s, c);
    *sine = sin_sign * hg_select_f64(is_odd, c, s);
}

void HG_NAME(phasors)(const double *turns, const double *weight, double factor, int64_t n,
                      double *cosine, double *sine)
{
    for (int64_t k = 0; k < n; k += HG_F64_LANES) {
        hg_f64v c, s, w = weight ? hg_load_f64(weight + k) : hg_set_f64(1.0);
        phasor(factor * hg_load_f64(turns + k), &c, &s);
        hg_store_f64(cosine + k, w * c);
        hg_store_f64(sine + k, w * s);
    }
}

void HG_NAME(waves)(const double *u, const double *v, const double *re, const double *im, double x,
                    double y, int64_t n, double sum[HG_PHASOR_GROUP])
{
    enum { VECTORS = HG_PHASOR_GROUP / HG_F64_LANES };
    hg_f64v total[VECTORS];
    HG_UNROLL
    for (int i = 0; i < (int)VECTORS; i++)
        total[i] = hg_load_f64(sum + i * (int)HG_F64_LANES);
    for (int64_t k = 0; k < n; k += HG_PHASOR_GROUP) {
        HG_UNROLL
        for (int i = 0; i < (int)VECTORS; i++) {
            int64_t at = k + i * (int64_t)HG_F64_LANES;
            hg_f64v c, s, turns = x * hg_load_f64(u + at);
            phasor(hg_fma_f64(hg_set_f64(y), hg_load_f64(v + at), turns), &c, &s);
            total[i] = hg_fma_f64(hg_load_f64(re + at), c, total[i]);
            total[i] = hg_fnma_f64(hg_load_f64(im + at), s, total[i]);
        }
    }
    HG_UNROLL
    for (int i = 0; i < (int)VECTORS; i++)
        hg_store_f64(sum + i * (int)HG_F64_LANES, total[i]);
}
