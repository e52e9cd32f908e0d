/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between strided two-dimensional arrays: columns of tables, rows of traces. */
#ifndef HG_GROUP_PACK_H
#define HG_GROUP_PACK_H

#include "core/group/crew.h"

#include <stddef.h>
#include <stdint.h>

/** Element (a, b) of both sides lies a step_a + b step_b elements from the start; one step of each
 * side is 1. */
typedef struct hg_pack {
    const void *from;
    void *to;
    size_t element; /* bytes: 4 or 8 */
    int64_t n_a, n_b;
    int64_t from_a, from_b, to_a, to_b;
} hg_pack;

/** Copies all elements, on the threads of a crew. */
void hg_pack_run(const hg_pack *pack, hg_crew *crew);

#endif
