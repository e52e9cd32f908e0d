// SPDX-License-Identifier: BSD-3-Clause
// The names of the C library's allocator, each one counted and passed on.
#include "tests/alloc/count_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

// glibc's own names for its functions.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

// Hidden symbols would count only what this program itself asks for.
#define EXPORTED __attribute__((visibility("default")))

static atomic_long calls, fails_at;
static _Thread_local long own_calls;

void fail_malloc(long n)
{
    atomic_store(&fails_at, n > 0 ? atomic_load(&calls) + n : 0);
}

// Counts one call, and tells whether it is the one to fail. The C library's own callers look at
// errno.
static int fails(void)
{
    own_calls++;
    if (atomic_fetch_add(&calls, 1) + 1 != atomic_load(&fails_at)) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

long count_malloc(void)
{
    return atomic_load(&calls);
}

long count_own_malloc(void)
{
    return own_calls;
}

EXPORTED void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

EXPORTED void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = fails() ? NULL : __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

EXPORTED void free(void *memory)
{
    __libc_free(memory);
}
