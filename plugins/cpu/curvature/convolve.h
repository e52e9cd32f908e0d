/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of direct convolution, for each instruction set and type. */
#ifndef HG_CURVATURE_CONVOLVE_H
#define HG_CURVATURE_CONVOLVE_H

#include <stdint.h>

/* Rows of U that are computed together. */
enum { HG_STRIP_ROWS = 4 };

/* A vertical run: entries at (y, x), (y - 1, x) ... of one column, values from `first` on. */
typedef struct hg_run {
    int64_t y;
    int64_t offset; /* y w_ld + x */
    int64_t first, length;
    int64_t skip; /* steps that add nothing, below HG_STRIP_ROWS; kernel pair */
} hg_run;

/* Four rows of U, cells lo <= x < hi of each:
 *      u[j u_ld + x] = sum over runs, entries i of  value[first + i] w[(i + j) w_ld + x - offset]
 * one chain of fused multiply-adds in this order, without the terms of i + j < skip. w is the
 * address of offset (y, 0) of the unwrapped kernel, y the first row. May write up to HG_TILE_BYTES
 * behind cell hi of each row. */
typedef void (*hg_strip_fn)(const void *w, int64_t w_ld, const hg_run *run, int64_t n_runs,
                            const void *value, void *u, int64_t u_ld, int64_t lo, int64_t hi);

/* By precision: [0] float32, [1] float64. */
extern const hg_strip_fn hg_baseline_strip[2];
extern const hg_strip_fn hg_avx2_strip[2];
extern const hg_strip_fn hg_avx512_strip[2];

#endif
