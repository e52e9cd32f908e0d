/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of blocks; pieces are cut from the newest one. */
#include "core/base/arena.h"

#include "core/base/mathx.h"

#include <stdalign.h>
#include <string.h>

enum { block_bytes = 4096 }; /* conventional, not tuned */

struct hg_arena_block {
    struct hg_arena_block *older;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void hg_arena_init(hg_arena *arena, const hg_allocator *allocator)
{
    arena->allocator = allocator;
    arena->newest = NULL;
}

static struct hg_arena_block *add_block(hg_arena *arena, size_t payload)
{
    size_t bytes;
    if (!hg_size_add(sizeof(struct hg_arena_block), payload, &bytes)) {
        return NULL;
    }
    struct hg_arena_block *block = hg_alloc(arena->allocator, bytes);
    if (block) {
        block->older = arena->newest;
        block->used = 0;
        block->size = payload;
        arena->newest = block;
    }
    return block;
}

void *hg_arena_alloc(hg_arena *arena, size_t size)
{
    size_t need;
    if (!hg_size_round_up(size ? size : 1, alignof(max_align_t), &need)) {
        return NULL;
    }
    struct hg_arena_block *block = arena->newest;
    if (!block || block->size - block->used < need) {
        block = add_block(arena, need > block_bytes ? need : (size_t)block_bytes);
    }
    if (!block) {
        return NULL;
    }
    void *piece = block->bytes + block->used;
    block->used += need;
    return piece;
}

void *hg_arena_array(hg_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    return hg_size_mul(count, size, &bytes) ? hg_arena_alloc(arena, bytes) : NULL;
}

char *hg_arena_strndup(hg_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    if (!hg_size_add(length, 1, &bytes)) {
        return NULL;
    }
    char *copy = hg_arena_alloc(arena, bytes);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *hg_arena_strdup(hg_arena *arena, const char *text)
{
    return hg_arena_strndup(arena, text, strlen(text));
}

void hg_arena_release(hg_arena *arena)
{
    struct hg_arena_block *block = arena->newest;
    arena->newest = NULL;
    while (block) {
        struct hg_arena_block *older = block->older;
        hg_free(arena->allocator, block);
        block = older;
    }
}
