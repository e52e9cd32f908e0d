/* SPDX-License-Identifier: BSD-3-Clause */
/* The default allocator, and helpers over any allocator. */
#include "core/base/alloc.h"

#include "core/base/mathx.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

static void *default_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    size_t rounded; /* C11 wants the size to be a multiple of the alignment */
    if (!hg_size_round_up(size, alignment, &rounded)) {
        return NULL;
    }
    return aligned_alloc(alignment, rounded);
}

static void default_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

const hg_allocator *hg_allocator_default(void)
{
    static const hg_allocator table = {default_alloc, default_free, NULL};
    return &table;
}

void *hg_alloc_aligned(const hg_allocator *allocator, size_t size, size_t alignment)
{
    const hg_allocator *a = allocator ? allocator : hg_allocator_default();
    if (alignment < alignof(max_align_t)) {
        alignment = alignof(max_align_t);
    }
    return a->alloc(a->user, size ? size : 1, alignment);
}

void *hg_alloc(const hg_allocator *allocator, size_t size)
{
    return hg_alloc_aligned(allocator, size, alignof(max_align_t));
}

void *hg_calloc(const hg_allocator *allocator, size_t count, size_t size)
{
    size_t bytes;
    if (!hg_size_mul(count, size, &bytes)) {
        return NULL;
    }
    void *memory = hg_alloc(allocator, bytes);
    if (memory) {
        memset(memory, 0, bytes);
    }
    return memory;
}

char *hg_strndup(const hg_allocator *allocator, const char *text, size_t length)
{
    size_t bytes;
    if (!hg_size_add(length, 1, &bytes)) {
        return NULL;
    }
    char *copy = hg_alloc(allocator, bytes);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *hg_strdup(const hg_allocator *allocator, const char *text)
{
    return hg_strndup(allocator, text, strlen(text));
}

void hg_free(const hg_allocator *allocator, void *memory)
{
    const hg_allocator *a = allocator ? allocator : hg_allocator_default();
    if (memory) {
        a->free(a->user, memory);
    }
}
