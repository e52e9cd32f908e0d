/* SPDX-License-Identifier: BSD-3-Clause */
/* The second half of every route, compiled for each instruction set.
 *
 *      F[s, c] = sum_{t in c} vals[t] U_s(iy[t], ix[t])
 *
 * U of eight columns s stands cell by cell, so that one broadcast value and one line of eight
 * numbers make eight multiply-adds. Row by row of the image, and by x in a row: each F[s, c] is one
 * chain of fused multiply-adds in row-major order of the pixels, whatever the width of the
 * registers and whichever columns are worked on together. Sums are in double for float32 too. */
#include "plugins/cpu/curvature/gather.h"

#include "plugins/cpu/vector.h"

#include <stddef.h>

enum { VECTORS = HG_GATHER_COLUMNS / HG_F64_LANES };

/* A square of lanes by lanes, transposed by zipping its halves log2(lanes) times. */
static inline void transpose(hg_f64v a[HG_F64_LANES])
{
    enum { HALF = HG_F64_LANES / 2 };
    HG_UNROLL
    for (int step = 1; step < (int)HG_F64_LANES; step *= 2) {
        hg_f64v b[HG_F64_LANES];
        HG_UNROLL
        for (int i = 0; i < HALF; i++) {
            b[2 * i] = hg_zip_low_f64(a[i], a[i + HALF]);
            b[2 * i + 1] = hg_zip_high_f64(a[i], a[i + HALF]);
        }
        HG_UNROLL
        for (int i = 0; i < (int)HG_F64_LANES; i++)
            a[i] = b[i];
    }
}

static inline hg_f64v load_f64(const void *row, int64_t x)
{
    return hg_load_f64((const double *)row + x);
}

typedef float half __attribute__((vector_size(HG_VECTOR_BYTES / 2)));
typedef float half_u __attribute__((vector_size(HG_VECTOR_BYTES / 2), aligned(4), may_alias));

static inline hg_f64v load_f32(const void *row, int64_t x)
{
    half h = *(const half_u *)((const float *)row + x);
    return __builtin_convertvector(h, hg_f64v);
}

#define INTERLEAVE(word, REAL)                                                                     \
    static void interleave_##word(const void *rows, int64_t step, int64_t lo, int64_t hi,          \
                                  double *cells)                                                   \
    {                                                                                              \
        for (int64_t x = lo; x < hi; x += HG_F64_LANES)                                            \
            for (int v = 0; v < (int)VECTORS; v++) {                                               \
                hg_f64v a[HG_F64_LANES];                                                           \
                HG_UNROLL                                                                          \
                for (int i = 0; i < (int)HG_F64_LANES; i++)                                        \
                    a[i] = load_##word(                                                            \
                        (const REAL *)rows + (v * (int64_t)HG_F64_LANES + i) * step, x);           \
                transpose(a);                                                                      \
                HG_UNROLL                                                                          \
                for (int i = 0; i < (int)HG_F64_LANES; i++)                                        \
                    hg_store_f64(cells + (x + i) * HG_GATHER_COLUMNS + v * (int)HG_F64_LANES,      \
                                 a[i]);                                                            \
            }                                                                                      \
    }

INTERLEAVE(f32, float)
INTERLEAVE(f64, double)

static void row(const double *cells, const hg_segment *segment, const hg_segment *end,
                int64_t lowest, const uint32_t *x, const double *value, double *block)
{
    for (; segment < end && segment->rank >= lowest; segment++) {
        double *to = block + (size_t)segment->rank * HG_GATHER_COLUMNS;
        hg_f64v sum[VECTORS];
        HG_UNROLL
        for (int v = 0; v < (int)VECTORS; v++)
            sum[v] = hg_load_f64(to + v * (int)HG_F64_LANES);
        for (const uint32_t *end_x = x + segment->length; x < end_x; x++, value++) {
            const double *from = cells + (size_t)*x * HG_GATHER_COLUMNS;
            hg_f64v a = hg_set_f64(*value);
            HG_UNROLL
            for (int v = 0; v < (int)VECTORS; v++)
                sum[v] = hg_fma_f64(a, hg_load_f64(from + v * (int)HG_F64_LANES), sum[v]);
        }
        HG_UNROLL
        for (int v = 0; v < (int)VECTORS; v++)
            hg_store_f64(to + v * (int)HG_F64_LANES, sum[v]);
    }
}

const hg_gather HG_NAME(gather)[2] = {{interleave_f32, row}, {interleave_f64, row}};
