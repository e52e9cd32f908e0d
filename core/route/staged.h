/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem in host memory as a device kernel would see it, after its arrays were copied: sizes and
 * places, no memory yet. */
#ifndef HG_ROUTE_STAGED_H
#define HG_ROUTE_STAGED_H

#include "core/tensor/problem.h"

#include <stdbool.h>
#include <stddef.h>

/** Arguments that stay in a plan lie in one block and are copied once, the others in another and
 * each time. */
typedef struct hg_staged {
    hgate_problem problem;
    DLTensor tensors[HGATE_MAX_ARGS];
    const DLTensor *args[HGATE_MAX_ARGS];
    bool is_kept[HGATE_MAX_ARGS];    /* stays in the plan */
    bool is_read[HGATE_MAX_ARGS];    /* to be copied in; outputs that are read too */
    bool is_written[HGATE_MAX_ARGS]; /* to be copied out */
    size_t bytes[HGATE_MAX_ARGS];
    size_t offset[HGATE_MAX_ARGS];  /* in its block */
    size_t kept_block, run_block;   /* bytes of the blocks */
    size_t kept_copies, run_copies; /* bytes copied, both ways */
} hg_staged;

/** Fills `staged` for a device; false when a size overflows. Data pointers are left NULL. */
bool hg_staged_make(const hgate_problem *problem, int device_id, hg_staged *staged);

/** Points the arguments into the two blocks (NULL where there is none). */
void hg_staged_place(hg_staged *staged, void *kept, void *run);

/** Bytes that a tensor's elements take; false on overflow. */
bool hg_tensor_bytes(const DLTensor *tensor, size_t *bytes);

#endif
