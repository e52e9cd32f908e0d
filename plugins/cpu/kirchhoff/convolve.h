/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution and correlation of one trace with a short wavelet: plain sums in double. */
#ifndef HG_CPU_CONVOLVE_H
#define HG_CPU_CONVOLVE_H

#include "plugins/cpu/view.h"

/* Sample n of the convolution sum_q w[q] x[n - q + wavc]; x (nt) from offset `at`, zeros outside.
 */
static inline double hg_convolve_at(hg_reals w, int64_t nwav, int64_t wavc, hg_reals x, int64_t at,
                                    int64_t nt, int64_t n)
{
    int64_t first = n + wavc - (nt - 1), last = n + wavc;
    first = first < 0 ? 0 : first;
    last = last > nwav - 1 ? nwav - 1 : last;
    double sum = 0.0;
    for (int64_t q = first; q <= last; q++)
        sum += hg_real(w, q) * hg_real(x, at + n - q + wavc);
    return sum;
}

/* Sample n of its adjoint sum_q w[q] x[n + q - wavc]. */
static inline double hg_correlate_at(hg_reals w, int64_t nwav, int64_t wavc, hg_reals x, int64_t at,
                                     int64_t nt, int64_t n)
{
    int64_t first = wavc - n, last = nt - 1 - n + wavc;
    first = first < 0 ? 0 : first;
    last = last > nwav - 1 ? nwav - 1 : last;
    double sum = 0.0;
    for (int64_t q = first; q <= last; q++)
        sum += hg_real(w, q) * hg_real(x, at + n + q - wavc);
    return sum;
}

#endif
