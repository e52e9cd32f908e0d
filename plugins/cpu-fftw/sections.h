/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan keeps for the route by transforms: the extent in blocks, and a spectrum of w for each
 * block. */
#ifndef HG_FFTW_SECTIONS_H
#define HG_FFTW_SECTIONS_H

#include "plugins/cpu-fftw/lines.h"
#include "plugins/cpu-fftw/transforms.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/extent.h"

/* How the extent is cut, which depends on its size and on ops.curvature.fft_sections alone.
 * Columns of block (by, bx) have their entries in h x b cells and their results in ny x nx: a
 * period of ny + h - 1 by nx + b - 1 keeps them apart. */
typedef struct hg_cut {
    int64_t ny, nx;
    int64_t rows, columns; /* blocks along y and x; 1 and 1: the whole extent */
    int64_t height, width; /* cells of a block */
    int64_t period_y, period_x;
    int64_t bins;     /* of a transformed row */
    int64_t bins_ld;  /* numbers from row to row, rows of bins */
    int64_t line_ld;  /* numbers from line to line */
    int64_t reals_ld; /* reals from row to row */
} hg_cut;

typedef struct hg_sections {
    hg_cut cut;
    const hg_extent *extent;
    size_t size;    /* of a real number: 4 or 8 */
    int is_real;    /* the spectrum of the whole extent, w being even */
    void *spectrum; /* block by block, bin by bin a line of reals or complex numbers */
    hg_transforms transforms;
    const hg_lines *lines;
} hg_sections;

/* 0 where a period is too long for FFTW's integers. */
int hg_cut_make(const hg_cpu *cpu, int64_t ny, int64_t nx, hg_cut *cut);

/* Spectrum of a block, from this bin on. */
const void *hg_sections_spectrum(const hg_sections *sections, int64_t block, int64_t bin);

/* hgate_kernel.prepare, .discard and the bytes that are kept. */
int hg_sections_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                        void **prepared);
void hg_sections_discard(void *state, void *prepared);
size_t hg_sections_bytes(const void *state, const hgate_problem *problem);

#endif
