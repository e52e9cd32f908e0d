/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan keeps in device memory: the survey's tables in samples, tile by tile.
 *
 * A tile is 1024 neighbouring image points. For each tile and station one whole sample `base`, a
 * multiple of 4 not above the earliest time, is taken off the times, so that float32 resolves some
 * 1e-6 of a sample wherever the tile lies in the record, and windows of a trace start aligned. Both
 * directions form u = base_s + base_r + (time_s + time_r) with the same rounding. */
#ifndef HG_CUDA_KIRCHHOFF_TABLES_H
#define HG_CUDA_KIRCHHOFF_TABLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HG_TILE = 1024 }; /* points */

/* Beyond so many samples from the start of the record an entry never contributes; float32 numbers
 * the samples of a window up to twice as many. */
enum { HG_MOST_SAMPLES = 1 << 22, HG_FAR = 1 << 28 };

/* Where the entries of a tile and a station lie. Of a source and a receiver k = floor(u) - base_s -
 * base_r is at most width_s + width_r (two fractions below 1, one rounding), and not below 0 unless
 * there are wild ones. */
enum {
    HG_GAP = 1, /* some entry does not contribute: its time is NaN */
    HG_WILD =
        2 /* some entry is far below 0, which no traveltime is, and left out of base and width */
};
typedef struct hg_reach {
    int32_t base;     /* HG_FAR when no entry contributes */
    int32_t width;    /* whole samples behind the base, and one */
    int32_t exponent; /* weights are below 2^exponent */
    int32_t flags;    /* HG_GAP, HG_WILD */
} hg_reach;

/* Sources or receivers; arrays are (tiles, n, HG_TILE), reach is (tiles, n). */
typedef struct hg_stations {
    int64_t n;
    void *time;          /* samples behind base */
    void *cosine, *sine; /* dynamic: g = cosine_s cosine_r + sine_s sine_r */
    hg_reach *reach;
} hg_stations;

enum { HG_OFFSET_ONES = -1, HG_OFFSET_ZEROS = -2 };

typedef struct hg_cuda_tables {
    int is_64, is_dynamic;
    int64_t nt, ni, nz, n_tiles, nwav, wavc;
    int64_t *point; /* (tiles, HG_TILE): image index of each place, -1 for none */
    hg_stations source, receiver;
    void *wav; /* copy, or NULL */
    /* Offset aperture: for each pair of stations a row of factors over depth, HG_OFFSET_ONES or
     * HG_OFFSET_ZEROS; NULL: off. */
    int32_t *offset_row;
    void *offset_factor; /* (rows, nz) */
    int offset_exponent; /* factors are below 2^offset_exponent */
    int32_t *depth;      /* (tiles, HG_TILE): index along z; with offset_row alone */
    int64_t window;      /* samples of a trace that most tiles meet at most; a multiple of 4 */
} hg_cuda_tables;

#ifdef __cplusplus
}
#endif
#endif
