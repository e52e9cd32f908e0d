// SPDX-License-Identifier: BSD-3-Clause
// Time and memory of each input of a fuzz program. The worst of them are told at the end.
#include "tests/fuzz/fuzz.h"

#include <time.h>

static double slowest;                   // processor time of an input, seconds
static size_t held, held_most, the_most; // bytes: now, within this input, of all inputs

// ---- memory: the address sanitizer calls these two by name

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_WATCHING_MEMORY 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IS_WATCHING_MEMORY 1
#endif

#ifdef IS_WATCHING_MEMORY
size_t __sanitizer_get_allocated_size(const volatile void *memory);
#define HOOK __attribute__((visibility("default"), used))
HOOK void __sanitizer_malloc_hook(const volatile void *memory, size_t bytes);
HOOK void __sanitizer_free_hook(const volatile void *memory);

void __sanitizer_malloc_hook(const volatile void *memory, size_t bytes)
{
    (void)memory;
    held += bytes;
    held_most = held > held_most ? held : held_most;
}

void __sanitizer_free_hook(const volatile void *memory)
{
    if (memory) {
        held -= __sanitizer_get_allocated_size(memory);
    }
}
#endif

// ---- time

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Asking for processor time costs a system call, the wall clock does not: only an input that seems
// to be the slowest so far is run again and timed well.
static void time_again(const uint8_t *data, size_t n)
{
    const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    fuzz_one(data, n);
    const double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    slowest = took > slowest ? took : slowest;
    fuzz_require(fuzz_limits.seconds == 0 || took < fuzz_limits.seconds, "an input that is slow");
}

static void tell(void)
{
    fprintf(stderr, "slowest input %.3g s", slowest);
    if (the_most > 0) {
        fprintf(stderr, ", most memory %.3g MiB", (double)the_most / 1048576);
    }
    fprintf(stderr, "\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static int is_told;
    if (!is_told) {
        is_told = 1;
        atexit(tell);
    }
    const size_t before = held_most = held;
    const double start = seconds(CLOCK_MONOTONIC);
    fuzz_one(data, n);
    const double took = seconds(CLOCK_MONOTONIC) - start;
    const size_t most = held_most - before;
    the_most = most > the_most ? most : the_most;
    fuzz_require(fuzz_limits.bytes == 0 || most < fuzz_limits.bytes, "an input that takes memory");
    if (took > slowest) {
        time_again(data, n);
    }
    return 0;
}
