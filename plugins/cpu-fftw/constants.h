/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the cost of cpu-fftw. */
#ifndef HG_FFTW_CONSTANTS_H
#define HG_FFTW_CONSTANTS_H

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_FFTW_CONSTANTS(X)                                                                       \
    X(CALL, call, "s", 2e-7, 1e-9, 1e-3, "starting a kernel")                                      \
    X(COLUMN, curvature_fft_column, "s/column", 2e-6, 1e-9, 1e-2,                                  \
      "one column of M: its entries and its row of F")                                             \
    X(ROW, curvature_fft_row, "s/point", 3e-10, 1e-12, 1e-7,                                       \
      "one point of a row of reals, times the binary logarithm of the row")                        \
    X(ROW_F32, curvature_fft_row_f32, "s/point", 2e-10, 1e-12, 1e-7, "the same in float32")        \
    X(LINE, curvature_fft_line, "s/point", 3e-10, 1e-12, 1e-7,                                     \
      "one point of a line of bins, times the binary logarithm of the line")                       \
    X(LINE_F32, curvature_fft_line_f32, "s/point", 2e-10, 1e-12, 1e-7, "the same in float32")      \
    X(ENTRY, curvature_fft_entry, "s/entry", 1e-7, 1e-10, 1e-6, "one entry of M, put in order")    \
    X(GATHER, curvature_fft_gather, "s/madd", 3e-10, 1e-12, 1e-7,                                  \
      "one multiply-add of the gather after the transforms")                                       \
    X(TEAM, team, "s", 5e-6, 1e-9, 1e-2, "giving work to a team of threads and waiting for it")    \
    X(CONVOLVE_PLAN, kirchhoff_convolve_plan, "s", 3e-5, 1e-9, 1e-2,                               \
      "plans of the transforms of traces")                                                         \
    X(CONVOLVE, kirchhoff_convolve_fft, "s/point", 5e-10, 1e-12, 1e-7,                             \
      "one point of a trace's period, times the binary logarithm of the points")

#define HG_FFTW_CONSTANT_INDEX(NAME, word, unit, value, lowest, highest, help) HG_FFTW_K_##NAME,
enum { HG_FFTW_CONSTANTS(HG_FFTW_CONSTANT_INDEX) HG_FFTW_N_CONSTANTS };

#endif
