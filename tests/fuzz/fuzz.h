// SPDX-License-Identifier: BSD-3-Clause
// What the fuzz programs share. Each one is a file with the entry point of libFuzzer; with clang
// and --enable-fuzz it is linked with libFuzzer, everywhere else with replay.c.
#ifndef HG_TESTS_FUZZ_FUZZ_H
#define HG_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n); // watch.c: fuzz_one() under its limits

// What a program gives: one input tried, ...
void fuzz_one(const uint8_t *data, size_t n);

// ... where its inputs are, folders and files below the sources, NULL-ended (none: random bytes),
// ...
extern const char *const fuzz_corpus[];

// ... and what no input may take: processor time, so that a busy machine makes none slow, and
// memory held at once, which the address sanitizer counts. 0: no limit.
typedef struct fuzz_limit {
    double seconds;
    size_t bytes;
} fuzz_limit;
extern const fuzz_limit fuzz_limits;

// A rule that no input may break: ends the program, so that the input is kept.
#define fuzz_require(CONDITION, TEXT)                                                              \
    do {                                                                                           \
        if (!(CONDITION)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s: %s\n", __FILE__, __LINE__, #CONDITION, TEXT);      \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
