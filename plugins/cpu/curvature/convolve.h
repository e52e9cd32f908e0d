/* SPDX-License-Identifier: BSD-3-Clause */
/* The two inner loops of direct convolution, for each instruction set and type. */
#ifndef HG_CURVATURE_CONVOLVE_H
#define HG_CURVATURE_CONVOLVE_H

#include <stdint.h>

typedef struct hg_convolve {
    /* U(x) for lo <= x < hi of one row:  u[x] = begin + sum_i scale value[i] w[x - offset[i]],
     * begin = 0, or u[x] when `onto` is set; one chain of multiply-adds over i. w is the address of
     * offset (y, 0) of the unwrapped kernel. May write up to HG_TILE_BYTES behind u[hi]. */
    void (*row)(const void *w, const int64_t *offset, const void *value, int64_t n, double scale,
                int onto, void *u, int64_t lo, int64_t hi);
    /* sum_i value[i] u[cell[i]], one chain in double. */
    double (*gather)(const void *u, const int64_t *cell, const double *value, int64_t n);
} hg_convolve;

/* By precision: [0] float32, [1] float64. */
extern const hg_convolve hg_baseline_convolve[2];
extern const hg_convolve hg_avx2_convolve[2];
extern const hg_convolve hg_avx512_convolve[2];

#endif
