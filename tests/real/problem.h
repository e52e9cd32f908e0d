// SPDX-License-Identifier: BSD-3-Clause
// Problems with data for the real plugins of the build, and engines that run them on one kernel.
// They take the command's own generators: what `headgate generate` makes up.
#ifndef HG_TESTS_REAL_PROBLEM_H
#define HG_TESTS_REAL_PROBLEM_H

#include "tools/compare.h"

// "emi n=13 batch=37 dtype=f32": shaped, filled, outputs allocated. Fails the test when it cannot.
void real_make(cli_case *c, const char *words);
// False where it cannot. The case must be freed all the same.
bool real_try(cli_case *c, const char *words);

// Engine whose choice for `op` is forced to "PLUGIN/KERNEL" (NULL: free); `yaml` is more lines.
hgate_engine *real_open(const char *op, const char *kernel, const char *yaml,
                        const hgate_allocator *allocator);

// Outputs of one caller: the inputs of a problem may be shared by many.
typedef struct real_outputs {
    cli_case mine; // with the inputs of another
} real_outputs;

void real_outputs_make(real_outputs *outputs, const cli_case *c);
void real_outputs_free(real_outputs *outputs);
// Are the outputs the same, bit by bit? A NaN is the same as another of its bits.
bool real_outputs_equal(const real_outputs *a, const real_outputs *b);

// One call with poisoned outputs; beta is 0, so nothing of them is read.
int real_call(real_outputs *outputs, hgate_engine *engine, hgate_exec *exec);
// Are all outputs as poisoned?
bool real_is_untouched(const real_outputs *outputs);

// The problems of the tests: one or two of each operation, small.
extern const char *const real_problems[]; // NULL-ended
// The same with ranges of sizes: "n:1:30" is one number of 1 to 30.
extern const char *const real_ranges[]; // NULL-ended
int real_count(const char *const *list);

// A problem drawn from a range, without dtype; the state of the random numbers must not be 0.
void real_draw(char *words, size_t size, const char *range, uint64_t *random);
uint64_t real_random(uint64_t *state);

#endif
