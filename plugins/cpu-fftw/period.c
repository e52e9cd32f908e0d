/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths that FFTW transforms quickly. */
#include "plugins/cpu-fftw/period.h"

/* Time of a point, in arbitrary units: lengths with factors 16, 5 and 7 alone took 2.3 to 2.9 ns on
 * an AVX-512 core, without the 16 3.3 to 3.7, with a factor 3 up to 3.8 and with 9 up to 4.5
 * (FFTW 3.3.10, complex double, 160 to 1024 points, plans without measuring). */
static int64_t cost(int64_t n)
{
    return n * (4 + (n % 16 != 0) + 2 * (n % 3 == 0) + (n % 9 == 0));
}

/* Every odd part with the power of two that takes it to n; the next one is twice as long. */
int64_t hg_period(int64_t n)
{
    const int64_t most = n + n / 8;
    int64_t best = 0, next = INT64_MAX;
    for (int64_t seven = 1; seven <= most; seven *= 7)
        for (int64_t five = seven; five <= most; five *= 5)
            for (int64_t three = five; three <= most; three *= 3) {
                int64_t m = three;
                while (m < n)
                    m *= 2;
                next = m < next ? m : next;
                if (m <= most &&
                    (!best || cost(m) < cost(best) || (cost(m) == cost(best) && m < best)))
                    best = m;
            }
    return best ? best : next;
}
