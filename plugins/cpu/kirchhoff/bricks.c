/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which the vector kernels take the image points. */
#include "plugins/cpu/kirchhoff/bricks.h"

/* Doubles the shortest side that still has room until the product is `target`; z goes first on a
 * tie, and sticks out where nothing has room. */
static void grow(const int64_t size[3], int64_t target, int64_t unit[3])
{
    unit[0] = unit[1] = unit[2] = 1;
    while (unit[0] * unit[1] * unit[2] < target) {
        int shortest = -1;
        for (int axis = 0; axis < 3; axis++)
            if (unit[axis] < size[axis] && (shortest < 0 || unit[axis] < unit[shortest]))
                shortest = axis;
        unit[shortest < 0 ? 0 : shortest] *= 2;
    }
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a > 0 ? (a - 1) / b + 1 : 0;
}

hg_bricks hg_bricks_of(int64_t ny, int64_t nx, int64_t nz, int lanes)
{
    hg_bricks b = {.lanes = lanes, .size = {nz, nx, ny > 0 ? ny : 1}, .n_bricks = 1};
    grow(b.size, lanes, b.brick);
    for (int axis = 0; axis < 3; axis++) {
        b.count[axis] = ceil_div(b.size[axis], b.brick[axis]);
        b.n_bricks *= b.count[axis];
    }
    grow(b.count, HG_TILE_BRICKS, b.tile);
    b.n_tiles = ceil_div(b.n_bricks, HG_TILE_BRICKS);
    return b;
}

static void fill_brick(const hg_bricks *b, const int64_t at[3], int64_t *point)
{
    for (int lane = 0; lane < b->lanes; lane++) {
        int64_t z = at[0] * b->brick[0] + lane % b->brick[0];
        int64_t x = at[1] * b->brick[1] + lane / b->brick[0] % b->brick[1];
        int64_t y = at[2] * b->brick[2] + lane / b->brick[0] / b->brick[1];
        int is_inside = z < b->size[0] && x < b->size[1] && y < b->size[2];
        point[lane] = is_inside ? (y * b->size[1] + x) * b->size[0] + z : -1;
    }
}

void hg_bricks_fill(const hg_bricks *b, int64_t *point, int32_t *depth)
{
    int64_t tiles[3], n = 0;
    for (int axis = 0; axis < 3; axis++)
        tiles[axis] = ceil_div(b->count[axis], b->tile[axis]);
    for (int64_t t = 0; b->n_bricks && t < tiles[0] * tiles[1] * tiles[2]; t++)
        for (int64_t k = 0; k < HG_TILE_BRICKS; k++) {
            int64_t at[3] = {t % tiles[0] * b->tile[0] + k % b->tile[0],
                             t / tiles[0] % tiles[1] * b->tile[1] + k / b->tile[0] % b->tile[1],
                             t / tiles[0] / tiles[1] * b->tile[2] + k / b->tile[0] / b->tile[1]};
            if (at[0] >= b->count[0] || at[1] >= b->count[1] || at[2] >= b->count[2])
                continue;
            fill_brick(b, at, point + n * b->lanes);
            depth[n++] = (int32_t)at[0];
        }
    for (; n < b->n_tiles * HG_TILE_BRICKS; n++) {
        depth[n] = 0;
        for (int lane = 0; lane < b->lanes; lane++)
            point[n * b->lanes + lane] = -1;
    }
}
