// SPDX-License-Identifier: BSD-3-Clause
// A thread with the smallest stack that we promise to live with.
#ifndef HG_TESTS_SMALL_STACK_H
#define HG_TESTS_SMALL_STACK_H

#include "tests/harness.h"
#include "tests/sanitized.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

// 64 KiB for the thread itself, beside what the libraries of the process keep for each thread
// (OpenBLAS alone takes 60 KiB of a stack). Frames that a sanitizer watches are larger by far: one
// of 1.8 KiB takes 116 KiB.
static inline size_t small_stack(const pthread_attr_t *attributes)
{
    const size_t own = (IS_SANITIZED ? 1024 : 64) * 1024;
    size_t (*least)(const pthread_attr_t *);
    *(void **)&least = dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
    const size_t kept = least ? least(attributes) - (size_t)PTHREAD_STACK_MIN : 64 * 1024;
    return (own + kept + 4095) / 4096 * 4096;
}

// Runs it there and waits for its end.
static inline void run_on_small_stack(void *(*body)(void *), void *user)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, small_stack(&attributes)), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, body, user), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

#endif
