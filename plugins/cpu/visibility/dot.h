/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex products written out, so that Inf and NaN go their plain way and no library call is made.
 */
#ifndef HG_CPU_DOT_H
#define HG_CPU_DOT_H

#include "plugins/cpu/view.h"

static inline double complex hg_times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* sum_k A[a + k] conj(B[b + k]), in double. */
static inline double complex hg_dot(hg_reals A, int64_t a, hg_reals B, int64_t b, int64_t n)
{
    double re = 0.0, im = 0.0;
    for (int64_t k = 0; k < n; k++) {
        double ar = hg_real(A, 2 * (a + k)), ai = hg_real(A, 2 * (a + k) + 1);
        double br = hg_real(B, 2 * (b + k)), bi = hg_real(B, 2 * (b + k) + 1);
        re += ar * br + ai * bi;
        im += ai * br - ar * bi;
    }
    return CMPLX(re, im);
}

#endif
