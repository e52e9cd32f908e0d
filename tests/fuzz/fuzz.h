// SPDX-License-Identifier: BSD-3-Clause
// What the fuzz programs share. Each one is a file with the entry point of libFuzzer; with clang
// and --enable-fuzz it is linked with libFuzzer, everywhere else with replay.c.
#ifndef HG_TESTS_FUZZ_FUZZ_H
#define HG_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

// Where its inputs are: folders and files below the sources, NULL-ended. For replay.c.
extern const char *const fuzz_corpus[];

// Processor time of this process: a busy machine makes no input slow.
static inline double fuzz_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A rule that no input may break: ends the program, so that the input is kept.
#define fuzz_require(CONDITION, TEXT)                                                              \
    do {                                                                                           \
        if (!(CONDITION)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s: %s\n", __FILE__, __LINE__, #CONDITION, TEXT);      \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
