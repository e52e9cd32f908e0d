/* SPDX-License-Identifier: BSD-3-Clause */
/* Page-locked pieces between the caller's arrays and a device: one is packed while others are on
 * their way. */
#ifndef HG_GROUP_STAGING_H
#define HG_GROUP_STAGING_H

#include <stddef.h>
#include <stdint.h>

/** Pieces of one direction, and their size unless a budget or the arrays ask for less: a copy of 4
 * MiB takes much longer than starting it, and page-locking more would take longer than it saves. */
enum { HG_PIECES = 4, HG_PIECE_BYTES = 4 << 20, HG_LEAST_PIECE = 4096 };

/** A ring; pieces are used in turn. */
typedef struct hg_staging {
    char *memory;
    size_t piece; /* bytes */
    int in_use;   /* since the stream was waited for */
} hg_staging;

/** A run of elements of one piece: some rows a, or a part of one row, of n_a rows of n_b elements.
 */
typedef struct hg_run {
    int64_t a, n_a, b, n_b;
} hg_run;

/** The run behind `last` ({0} for the first one) that fits a piece of `elements`; n_a 0: none. */
hg_run hg_run_next(hg_run last, int64_t n_a, int64_t n_b, int64_t elements);

#endif
