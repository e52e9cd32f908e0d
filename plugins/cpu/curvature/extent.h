/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays the same over many calls: the kernel w without its wrap-around, and the mask. */
#ifndef HG_CURVATURE_EXTENT_H
#define HG_CURVATURE_EXTENT_H

#include "plugins/cpu/view.h"

/* Elements that a loop over a tile may read behind the end of a row of w, or write behind one of U.
 */
enum { HG_TILE_BYTES = 512 };

typedef struct hg_extent {
    int64_t ny, nx, n_pixels;
    /* Offset (dy, dx) is at w[(dy + ny - 1) * w_ld + dx + nx - 1], float or double as the caller's.
     */
    void *w;
    int64_t w_ld;
    void *w_half;   /* the rows dy >= 0 of w from dy = 0 on, that one times 1/2; or NULL */
    int64_t *y, *x; /* cell of each pixel */
    /* Rank of each pixel in the two fixed orders that decide how sums are rounded. Pixels of one
     * cell keep the order of their numbers. */
    int64_t *row_major; /* by y, then x: the order of a gather, and of the pair kernel */
    int64_t
        *run_major; /* by x, then falling y, so that vertical runs stand together: the order of U */
    int64_t *x_first, *x_last; /* of the masked pixels of each row; an empty row has nx and -1 */
} hg_extent;

/* Elements of a row of w and of U; size 4 or 8. */
int64_t hg_extent_w_ld(int64_t nx, size_t size);
int64_t hg_extent_u_ld(int64_t nx, size_t size);

/* hgate_kernel.prepare, .discard and the bytes that are kept. EVALUE for a pixel outside of the
 * extent. */
int hg_extent_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                      void **prepared);
void hg_extent_discard(void *state, void *prepared);
size_t hg_extent_bytes(const void *state, const hgate_problem *problem);

#endif
