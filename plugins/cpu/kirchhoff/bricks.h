/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which the vector kernels take the image points: compact bricks of one register each,
 * compact tiles of eight bricks.
 *
 * Neighbours in space have similar traveltimes, so a brick meets a short window of any trace, and a
 * tile a short one too. */
#ifndef HG_CPU_BRICKS_H
#define HG_CPU_BRICKS_H

#include <stdint.h>

enum { HG_TILE_BRICKS = 8 };

/* Axes in the order z, x, y: fastest first. */
typedef struct hg_bricks {
    int lanes;        /* points of a brick */
    int64_t size[3];  /* of the image; 1 for an axis that is not there */
    int64_t brick[3]; /* of a brick, in points: powers of two with product lanes */
    int64_t count[3]; /* bricks along each axis, the last one may stick out */
    int64_t tile[3];  /* in bricks, product HG_TILE_BRICKS: a hint for the order */
    int64_t n_bricks, n_tiles;
} hg_bricks;

/* ny 0: 2D. lanes is a power of two. */
hg_bricks hg_bricks_of(int64_t ny, int64_t nx, int64_t nz, int lanes);
/* Fills point (n_tiles HG_TILE_BRICKS lanes) with the image index of each place, -1 where a brick
 * sticks out, and depth (n_tiles HG_TILE_BRICKS) with the number of the brick along z. */
void hg_bricks_fill(const hg_bricks *b, int64_t *point, int32_t *depth);

#endif
