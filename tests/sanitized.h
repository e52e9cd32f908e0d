// SPDX-License-Identifier: BSD-3-Clause
// What tests do less of, or cannot see, under tools that watch memory: IS_SANITIZED is a build with
// a sanitizer of addresses or threads, which keeps freed memory back and takes more of every stack.
#ifndef HG_TESTS_SANITIZED_H
#define HG_TESTS_SANITIZED_H

// The build says so where a sanitizer defines nothing.
#ifndef IS_SANITIZED
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif
#endif

#include <stdlib.h>

// How often what must leave nothing behind is done. OPENS sets fewer, where a tool that keeps freed
// memory back makes every call slow; then nobody may look at the memory of the process either.
static inline int n_opens(void)
{
    const char *told = getenv("OPENS");
    return told ? atoi(told) : IS_SANITIZED ? 500 : 10000;
}

static inline int watches_memory(void)
{
    return !IS_SANITIZED && !getenv("OPENS");
}

#endif
