/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan of the vector kernels keeps: the survey's tables in samples, tile by tile.
 *
 * A brick of a station has one whole sample `base`, the largest integer not above its earliest
 * time; its times are stored from there, so that float32 resolves some 1e-6 of a sample wherever
 * the tile lies in the record. Both directions form u = base_s + base_r + (time_s + time_r) with
 * the same rounding. */
#ifndef HG_CPU_TABLES_H
#define HG_CPU_TABLES_H

#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/bricks.h"

/* Most points of a task of the adjoint. */
enum { HG_TASK_POINTS = 1024 };

/* Beyond so many samples from the start of the record an entry never contributes. */
#define HG_MAX_SAMPLES (1 << 28)

/* Where the entries of one tile and station lie. Of a source and a receiver the sums bound k =
 * floor(u): first <= k <= last + 2, and k - base <= span + 2 (two fractions below 1, and one
 * rounding). */
typedef struct hg_reach {
    int32_t
        first; /* lowest base; HG_MAX_SAMPLES * 2 when the station reaches no point of the tile */
    int32_t base; /* highest base */
    int32_t
        last; /* highest base + whole samples; HG_MAX_SAMPLES * 2 when some entry is not there */
    int32_t span; /* most whole samples behind a base */
} hg_reach;

/* Sources or receivers. Arrays are (tiles, n, 8 bricks, lanes) or (tiles, n, 8 bricks). */
typedef struct hg_side {
    int64_t n;
    void *time;          /* samples behind base; NaN: the entry contributes nothing */
    void *cosine, *sine; /* dynamic: separated weight, g = cosine_s cosine_r + sine_s sine_r */
    int32_t *base;
    hg_reach *reach; /* (tiles, n) */
} hg_side;

enum { HG_OFFSET_ONES = -1, HG_OFFSET_ZEROS = -2 };

typedef struct hg_tables {
    const hgate_host *host;
    int isa, is_64, is_dynamic;
    int64_t nt, ni, nwav, wavc;
    int64_t task_points; /* points that a thread takes at once: option ops.kirchhoff.cpu.tile, 0 for
                            auto */
    hg_bricks bricks;
    int64_t *point; /* image index of each place, -1 for none */
    int32_t *depth; /* (bricks): number along z */
    hg_side source, receiver;
    void *wav; /* copy, or NULL */
    /* Offset aperture: for each pair of stations a row of factors, HG_OFFSET_ONES or
     * HG_OFFSET_ZEROS; NULL: off. A row is (bricks along z, lanes). */
    int32_t *offset_row;
    void *offset_factor;
    size_t bytes;
} hg_tables;

/* Points of a tile. */
static inline int64_t hg_tile_points(const hg_tables *t)
{
    return (int64_t)HG_TILE_BRICKS * t->bricks.lanes;
}

/* Lanes of a register of the instruction set: the points of a brick. */
int hg_tables_lanes(int isa, int is_64);
/* Bytes that hg_tables_make() will keep, at most. */
size_t hg_tables_bytes(const hg_cpu *cpu, const hgate_problem *problem);
/* prepare() and discard() of the vector kernels: both directions share one object. */
int hg_tables_make(void *state, const hgate_problem *problem, const hgate_run *run,
                   void **prepared);
void hg_tables_free(void *state, void *prepared);

#endif
