/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution of a trace with a wavelet, by registers of samples. */
#ifndef HG_CPU_FILTER_H
#define HG_CPU_FILTER_H

#include <stdint.h>

/* A wavelet and what to do with it. */
typedef struct hg_wavelet {
    const void *w;
    int64_t nwav, wavc;
    int adjoint; /* correlate */
} hg_wavelet;

/* out[n] = sum_q w[q] in[n - q + wavc], adjoint sum_q w[q] in[n + q - wavc]; in and out (nt), zeros
 * outside. padded is room for hg_filter_room() numbers. in and out may be the same. */
typedef void (*hg_filter_fn)(const hg_wavelet *wavelet, const void *in, int64_t nt, void *padded,
                             void *out);

/* By precision, for each instruction set. */
extern const hg_filter_fn hg_baseline_filter[2], hg_avx2_filter[2], hg_avx512_filter[2];

/* Numbers of the padded copy: the trace, the reach of the wavelet, and what the last registers read
 * beyond. */
static inline int64_t hg_filter_room(int64_t nt, int64_t nwav)
{
    return nt + nwav + 128;
}

#endif
