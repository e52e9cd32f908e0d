/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeatable random numbers: xoshiro256** (Blackman, Vigna 2018) seeded through splitmix64. */
#ifndef CLI_RANDOM_H
#define CLI_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_random {
    uint64_t state[4];
    double spare; /* the second normal of a pair */
    bool has_spare;
} cli_random;

void cli_random_seed(cli_random *random, uint64_t seed);
uint64_t cli_random_bits(cli_random *random);
/** In [lo, hi), 53 random bits. */
double cli_random_uniform(cli_random *random, double lo, double hi);
/** In 0 ... n-1; n > 0. */
int64_t cli_random_below(cli_random *random, int64_t n);
/** Mean 0, variance 1. */
double cli_random_normal(cli_random *random);
/** Random order of n numbers. */
void cli_random_shuffle(cli_random *random, int64_t *numbers, int64_t n);

#endif
