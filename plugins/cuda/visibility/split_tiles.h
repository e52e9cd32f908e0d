/* SPDX-License-Identifier: BSD-3-Clause */
/* How the lower triangle of a split product is shared out over the multiprocessors.
 *
 * The lower triangle is cut in tiles and each tile's blocks of columns into splits: a unit is one
 * split of one tile, made by one thread block, which leaves a partial tile in a slot of its own. A
 * last pass adds the slots of a tile in order, so the bits of V do not depend on what ran when.
 *
 * Path wgmma has tiles of 128 x 128 in four classes (whole, on the diagonal, one row block at the
 * lower edge, the corner), which differ in work; path mma has tiles of 64 x 64 in one class. Split
 * q of n takes blocks of columns q, q + n, q + 2n ...: all tiles pass over Z at the same pace and
 * find it in the L2 cache. No unit takes more than HG_SPLIT_COLUMNS, which bounds the error of its
 * float32 sums. */
#ifndef HG_CUDA_SPLIT_TILES_H
#define HG_CUDA_SPLIT_TILES_H

#include "plugins/cuda/visibility/planes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hg_split_path { HG_SPLIT_WGMMA, HG_SPLIT_MMA };
enum { HG_SPLIT_CLASSES = 4, HG_SPLIT_PLACE = 64 * 64 /* elements of a part of a slot */ };
enum { HG_SPLIT_COLUMNS = 8192 /* most of a float32 sum */ };
enum hg_split_class { HG_SPLIT_WHOLE, HG_SPLIT_DIAGONAL, HG_SPLIT_EDGE, HG_SPLIT_CORNER };

typedef struct hg_split_tiles {
    int path;
    int row_blocks;
    int column_blocks;
    int places;                      /* 64 x 64 parts of a slot */
    int tiles[HG_SPLIT_CLASSES];     /* of each class */
    int splits[HG_SPLIT_CLASSES];    /* of a tile of the class; 0: no columns */
    int first[HG_SPLIT_CLASSES + 1]; /* unit of each class; the last one: units in all */
    double makespan;                 /* steps (one 64 x 64 part over one block) of the busiest
                                        multiprocessor, start and end of a unit included */
} hg_split_tiles;

/* Shares out the product of (M, K) planes over `slots` thread blocks that run at a time; 0, or -1
 * where a count does not fit. */
int hg_split_share(hg_split_tiles *t, int path, int kind, int64_t M, int64_t K, int slots);

/* Bytes of the slots. */
static inline size_t hg_split_slot_bytes(const hg_split_tiles *t)
{
    return (size_t)t->first[HG_SPLIT_CLASSES] * (size_t)t->places * HG_SPLIT_PLACE * 8;
}

/* Bytes of slots that are written, then read. */
static inline double hg_split_moved_bytes(const hg_split_tiles *t)
{
    double parts = 0.0;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++) /* edge and corner use half a slot */
        parts += (double)t->tiles[c] * t->splits[c] *
                 (t->places == 1      ? 1
                  : c < HG_SPLIT_EDGE ? 4
                                      : 2);
    return parts * HG_SPLIT_PLACE * 8.0;
}

/* Thread blocks of a path that run at a time on one multiprocessor. */
static inline int hg_split_resident(int path)
{
    return path == HG_SPLIT_WGMMA ? 1 : 2;
}

#ifdef __cplusplus
}
#endif
#endif
