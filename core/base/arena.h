/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is given back all at once: many small pieces of one object that live equally long. */
#ifndef HG_BASE_ARENA_H
#define HG_BASE_ARENA_H

#include "core/base/alloc.h"

typedef struct hg_arena {
    const hg_allocator *allocator;
    struct hg_arena_block *newest;
} hg_arena;

void hg_arena_init(hg_arena *arena, const hg_allocator *allocator);

/** Memory for any object; NULL when there is none, and the arena stays usable. */
void *hg_arena_alloc(hg_arena *arena, size_t size);

/** Memory for `count` elements, not cleared; NULL too when the byte count overflows. */
void *hg_arena_array(hg_arena *arena, size_t count, size_t size);

char *hg_arena_strndup(hg_arena *arena, const char *text, size_t length);
char *hg_arena_strdup(hg_arena *arena, const char *text);

/** Gives everything back; the arena is empty and usable afterwards. */
void hg_arena_release(hg_arena *arena);

#endif
