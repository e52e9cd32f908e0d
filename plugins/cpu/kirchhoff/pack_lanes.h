/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of packing a tile's times, by registers of double. */
#ifndef HG_CPU_PACK_LANES_H
#define HG_CPU_PACK_LANES_H

#include <stdint.h>

/* n and lanes are multiples of the lanes of a register of double. */
typedef struct hg_pack_lanes {
    /* Seconds to samples, (time - start) / dt; NaN where it is not a number of size below `most`.
     */
    void (*samples)(double *time, int64_t n, double start, double dt, double most);
    /* Lowest and highest of a brick, infinities the wrong way round where all are NaN; whether one
     * is NaN. */
    int (*bounds)(const double *time, int lanes, double *low, double *high);
    /* time - base in the type of the tables. */
    void (*behind)(const double *time, int lanes, double base, int is_64, void *to);
} hg_pack_lanes;

extern const hg_pack_lanes hg_baseline_pack, hg_avx2_pack, hg_avx512_pack;

#endif
