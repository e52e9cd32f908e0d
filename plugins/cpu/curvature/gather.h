/* SPDX-License-Identifier: BSD-3-Clause */
/* The second half of every route: one row of U of eight columns, added to a block of F. */
#ifndef HG_CURVATURE_GATHER_H
#define HG_CURVATURE_GATHER_H

#include <stdint.h>

enum { HG_GATHER_COLUMNS = 8 };

/* The next `length` entries of a row belong to the column of this rank. Short words: what the
 * gather streams through decides its time. */
typedef struct hg_segment {
    uint32_t rank, length;
} hg_segment;

typedef struct hg_gather {
    /* cells[8 x + j] = element x of row j, lo <= x < hi; row j begins at rows + j * step elements.
     * May read and write up to a group of 8 elements behind hi. */
    void (*interleave)(const void *rows, int64_t step, int64_t lo, int64_t hi, double *cells);
    /* block[8 rank + j] += sum value[i] cells[8 x[i] + j] for the segments of a row, x and value
     * from its first entry on, up to the first whose rank is below `lowest`; each element of the
     * block is one chain of multiply-adds. */
    void (*row)(const double *cells, const hg_segment *segment, const hg_segment *end,
                int64_t lowest, const uint32_t *x, const double *value, double *block);
} hg_gather;

/* By precision of the rows: [0] float32, [1] float64. */
extern const hg_gather hg_baseline_gather[2];
extern const hg_gather hg_avx2_gather[2];
extern const hg_gather hg_avx512_gather[2];

/* Of an instruction set, enum hg_isa. */
const hg_gather *hg_gather_of(int isa, int is_f64);

#endif
