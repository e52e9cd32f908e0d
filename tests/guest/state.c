// SPDX-License-Identifier: BSD-3-Clause
// Locale, environment, folder, signals, rounding, affinity, OpenMP, BLAS, descriptors.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "tests/guest/state.h"
#include "tests/harness.h"

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

int openblas_get_num_threads(void);
extern char **environ;

static void tell_signals(FILE *out)
{
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < 65; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0) {
            fprintf(out, "signal %d %jx %x %d\n", i, (uintmax_t)(uintptr_t)action.sa_sigaction,
                    (unsigned)action.sa_flags, sigismember(&blocked, i));
        }
    }
}

static void tell_numbers(FILE *out)
{
    fprintf(out, "locale %s\n", setlocale(LC_ALL, NULL));
    fprintf(out, "rounding %d traps %d\n", fegetround(), fegetexcept());
#if defined(__x86_64__)
    fprintf(out, "mxcsr %x\n", _mm_getcsr() & ~0x3fU); // without the flags of what has happened
#endif
}

static void tell_process(FILE *out)
{
    char folder[4096];
    cpu_set_t cores;
    const mode_t mask = umask(0);
    umask(mask);
    sched_getaffinity(0, sizeof cores, &cores);
    fprintf(out, "folder %s\numask %o\n", getcwd(folder, sizeof folder), (unsigned)mask);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &cores))
            fprintf(out, "core %zu\n", i);
    for (char **word = environ; *word; word++)
        fprintf(out, "environment %s\n", *word);
    int n = 0;
    DIR *files = opendir("/proc/self/fd");
    while (files && readdir(files))
        n++;
    closedir(files);
    fprintf(out, "descriptors %d\n", n);
}

static void tell_threads(FILE *out)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    fprintf(out, "openmp threads %d dynamic %d levels %d schedule %d %d\n", omp_get_max_threads(),
            omp_get_dynamic(), omp_get_max_active_levels(), (int)kind, chunk);
    fprintf(out, "blas threads %d\n", openblas_get_num_threads());
}

char *guest_state(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    tell_numbers(out);
    tell_threads(out);
    tell_signals(out);
    tell_process(out);
    fclose(out);
    return text;
}

void guest_expect(char *before)
{
    char *now = guest_state();
    char *a = before, *b = now;
    while (*a && *b) {
        const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        ck_assert_msg(n == m && memcmp(a, b, n) == 0, "was \"%.*s\", is \"%.*s\"", (int)n, a,
                      (int)m, b);
        a += n + 1;
        b += m + 1;
    }
    ck_assert(*a == *b);
    free(now);
    free(before);
}
