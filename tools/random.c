/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that a seed repeats on every machine. */
#include "tools/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void cli_random_seed(cli_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        random->state[i] = splitmix(&seed);
    }
    random->has_spare = false;
}

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t cli_random_bits(cli_random *random)
{
    uint64_t *s = random->state;
    const uint64_t result = rotate(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double cli_random_uniform(cli_random *random, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(cli_random_bits(random) >> 11) * 0x1p-53);
}

int64_t cli_random_below(cli_random *random, int64_t n)
{
    /* numbers of the last, incomplete round are drawn again, or low results would be likelier */
    const uint64_t count = (uint64_t)n;
    const uint64_t last = UINT64_MAX - (UINT64_MAX % count + 1) % count;
    uint64_t bits;
    do {
        bits = cli_random_bits(random);
    } while (bits > last);
    return (int64_t)(bits % count);
}

double cli_random_normal(cli_random *random)
{
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    double x, y, r; /* Marsaglia's polar method */
    do {
        x = cli_random_uniform(random, -1.0, 1.0);
        y = cli_random_uniform(random, -1.0, 1.0);
        r = x * x + y * y;
    } while (r >= 1.0 || r == 0.0);
    const double scale = sqrt(-2.0 * log(r) / r);
    random->spare = y * scale;
    random->has_spare = true;
    return x * scale;
}

void cli_random_shuffle(cli_random *random, int64_t *numbers, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = cli_random_below(random, i + 1);
        const int64_t swap = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = swap;
    }
}
