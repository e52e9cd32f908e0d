/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the cost of cpu-fftw. */
#ifndef HG_FFTW_CONSTANTS_H
#define HG_FFTW_CONSTANTS_H

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_FFTW_CONSTANTS(X)                                                                       \
    X(CALL, call, "s", 2e-7, 1e-9, 1e-3, "starting a kernel")                                      \
    X(COLUMN, curvature_fft_column, "s/column", 2e-5, 1e-9, 1e-2,                                  \
      "one column of M: its entries and its row of F")                                             \
    X(WHOLE, curvature_fft_whole, "s/point", 3e-10, 1e-12, 1e-7,                                   \
      "one point of a period, times the binary logarithm of the points, whole extent")             \
    X(SECTION, curvature_fft_section, "s/point", 3e-10, 1e-12, 1e-7, "the same in sections")       \
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
