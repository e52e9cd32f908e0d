/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator for tests: counts, knows what is not yet freed, and fails the n-th call. */
#ifndef HG_TESTS_FAILING_ALLOC_H
#define HG_TESTS_FAILING_ALLOC_H

#include "core/base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct failing_alloc {
    long calls;     /* of alloc so far */
    long fail_from; /* this call and all later ones fail; 0: none does */
    long fail_only; /* only this call fails; 0: none does */
    long live;      /* pieces not yet freed */
} failing_alloc;

static inline void *failing_alloc_get(void *user, size_t size, size_t alignment)
{
    failing_alloc *state = user;
    state->calls++;
    if (state->calls == state->fail_only ||
        (state->fail_from > 0 && state->calls >= state->fail_from)) {
        return NULL;
    }
    void *memory = hg_allocator_default()->alloc(NULL, size, alignment);
    if (memory) {
        memset(memory, 0xa5, size); /* nobody may count on zeros */
        state->live++;
    }
    return memory;
}

static inline void failing_alloc_free(void *user, void *memory)
{
    failing_alloc *state = user;
    state->live -= memory != NULL;
    hg_allocator_default()->free(NULL, memory);
}

static inline hg_allocator failing_allocator(failing_alloc *state)
{
    return (hg_allocator){failing_alloc_get, failing_alloc_free, state};
}

#endif
