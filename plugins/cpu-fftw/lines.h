/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to lines of complex numbers between their transforms; for each instruction set. */
#ifndef HG_FFTW_LINES_H
#define HG_FFTW_LINES_H

#include <stdint.h>

/* Neighbouring bins that are worked on together: in double they fill a cache line. */
enum { HG_LINES = 4 };

/* Complex numbers are pairs of reals. A line has n numbers and begins `ld` numbers behind the one
 * before; ld is a multiple of 16. */
typedef struct hg_lines {
    /* line b of HG_LINES: number y[i] = rows[i rows_ld + b] for i < n_rows, all others 0. */
    void (*take)(const void *rows, int64_t rows_ld, const int64_t *y, int64_t n_rows, void *lines,
                 int64_t ld, int64_t n);
    /* sum = line times spectrum, or sum += it where onto is set; the spectrum is real or complex.
     * Works on n numbers rounded up to a multiple of 16. */
    void (*multiply)(const void *line, const void *spectrum, int is_real, int onto, void *sum,
                     int64_t n);
    /* rows[i rows_ld + b] = number first + i of line b, i < n. */
    void (*give)(const void *lines, int64_t ld, int64_t first, int64_t n, void *rows,
                 int64_t rows_ld);
} hg_lines;

/* By precision: [0] float32, [1] float64. */
extern const hg_lines hg_baseline_lines[2];
extern const hg_lines hg_avx2_lines[2];
extern const hg_lines hg_avx512_lines[2];

#endif
