/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocator callbacks, and helpers over them that never overflow. A NULL allocator means the
 * default. */
#ifndef HG_BASE_ALLOC_H
#define HG_BASE_ALLOC_H

#include <headgate/engine.h>
#include <stddef.h>

typedef hgate_allocator hg_allocator;

/** aligned_alloc and free of the C library. */
const hg_allocator *hg_allocator_default(void);

/** Memory for any object. Size 0 gives a pointer that may be freed. NULL when there is none. */
void *hg_alloc(const hg_allocator *allocator, size_t size);

/** The same with an alignment: a power of two, of any size. */
void *hg_alloc_aligned(const hg_allocator *allocator, size_t size, size_t alignment);

/** `count` zeroed elements; NULL too when the byte count overflows. */
void *hg_calloc(const hg_allocator *allocator, size_t count, size_t size);

/** A copy of a text, or of its first `length` bytes with a terminator added. */
char *hg_strdup(const hg_allocator *allocator, const char *text);
char *hg_strndup(const hg_allocator *allocator, const char *text, size_t length);

void hg_free(const hg_allocator *allocator, void *memory);

#endif
