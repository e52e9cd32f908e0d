/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner loops of the set-up operations, in lanes of the type of the tables. */
#ifndef HG_CPU_SETUP_LANES_H
#define HG_CPU_SETUP_LANES_H

#include <stdint.h>

enum { HG_SLOPE_AXES = 3 };

/* Slopes of `n` entries in a row: (ahead - back) times scale, along y, x, z. */
typedef struct hg_slopes {
    const void *back[HG_SLOPE_AXES], *ahead[HG_SLOPE_AXES];
    double scale[HG_SLOPE_AXES];
} hg_slopes;

typedef struct hg_setup_lanes {
    int lanes;
    /* dist = sqrt(lateral + depth) and trav = dist slowness for n stations; lateral and depth are
     * padded to whole registers, the others are not. dist may be NULL. */
    void (*distances)(const void *lateral, const void *depth, int64_t n, double slowness,
                      void *trav, void *dist);
    /* 1 / sqrt(dist + eps) for ndim 2, 1 / (dist + eps) for 3. */
    void (*spreading)(const void *dist, int64_t n, int ndim, double eps, void *amp);
    /* Ray angles; 2D: axes x and z alone. */
    void (*angles)(const hg_slopes *slopes, int64_t n, int ndim, void *ang);
} hg_setup_lanes;

/* By precision, for each instruction set. */
extern const hg_setup_lanes hg_baseline_setup[2], hg_avx2_setup[2], hg_avx512_setup[2];

#endif
