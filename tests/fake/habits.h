/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel must not leave behind: another floating-point mode, a thread, a byte behind its
 * output, another thread count of BLAS. */
#ifndef HG_TESTS_FAKE_HABITS_H
#define HG_TESTS_FAKE_HABITS_H

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Of the thread that was left running, until the process ends. */
static atomic_long fake_ticks;

/* A library that only remembers its thread count. */
static atomic_int fake_blas_threads = 4;

static void fake_blas_set(int n)
{
    fake_blas_threads = n;
}

static int fake_blas_get(void)
{
    return fake_blas_threads;
}

static void fake_change_fp_mode(void)
{
    fesetround(FE_UPWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* denormal numbers become 0, as with -ffast-math */
#endif
}

static void *fake_tick(void *unused)
{
    for (;;) {
        const struct timespec time = {0, 1000000};
        nanosleep(&time, NULL);
        fake_ticks++;
    }
    return unused;
}

static void fake_leave_thread(void)
{
    pthread_t thread;
    if (fake_ticks == 0 && pthread_create(&thread, NULL, fake_tick, NULL) == 0) {
        fake_ticks++;
        pthread_detach(thread);
    }
}

/* `end`: the address behind the last argument. */
static void fake_indulge(const char *habit, long end)
{
    if (!strcmp(habit, "fp_mode")) {
        fake_change_fp_mode();
    } else if (!strcmp(habit, "fp_flags")) {
        volatile float tiny = 1.1754944e-38f; /* an underflow, as any kernel may have */
        tiny *= 0.3f;
        (void)tiny;
    } else if (!strcmp(habit, "thread")) {
        fake_leave_thread();
    } else if (!strcmp(habit, "beyond")) {
        *(volatile char *)(intptr_t)end = 0x55;
    }
}

#endif
