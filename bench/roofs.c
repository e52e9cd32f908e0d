/* SPDX-License-Identifier: BSD-3-Clause */
/* What one core can do at most, as JSON: float32 operations in multiply-adds, and bytes to and from
 * memory. roofline.py compiles it for the processor it runs on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef float lanes __attribute__((vector_size(64)));
enum { CHAINS = 16, STEPS = 4000000, N = 1 << 24, REPEATS = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Chains that do not wait for each other, all in registers. */
static double multiply_adds(float *keep)
{
    lanes sum[CHAINS], factor = {0}, term = {0};
    factor += 0.999f, term += 0.5f;
    for (int c = 0; c < CHAINS; c++) /* no two alike, or the compiler does one for both */
        sum[c] = term * (*keep + (float)c);
    double start = now();
    for (int64_t s = 0; s < STEPS; s++) {
#pragma GCC unroll 16
        for (int c = 0; c < CHAINS; c++)
            sum[c] = sum[c] * factor + term;
    }
    double seconds = now() - start;
    for (int c = 0; c < CHAINS; c++)
        *keep += sum[c][0];
    return 2.0 * CHAINS * STEPS * (sizeof(lanes) / sizeof(float)) / seconds;
}

/* One array into another, many times the caches. */
static double memory(const float *from, float *to)
{
    double start = now();
    for (int64_t i = 0; i < N; i++)
        to[i] = 1.5f * from[i];
    return 2.0 * N * sizeof(float) / (now() - start);
}

int main(void)
{
    float *from = malloc(N * sizeof *from), *to = malloc(N * sizeof *to), keep = 0.0f;
    double flop = 0.0, bytes = 0.0;
    if (!from || !to)
        return 1;
    for (int64_t i = 0; i < N; i++)
        from[i] = to[i] = (float)i;
    for (int r = 0; r < REPEATS; r++) {
        double f = multiply_adds(&keep), b = memory(from, to);
        flop = f > flop ? f : flop;
        bytes = b > bytes ? b : bytes;
        keep += to[r];
    }
    printf("{\"flop\": %.4g, \"bytes\": %.4g, \"keep\": %g}\n", flop, bytes, (double)keep);
    free(from), free(to);
    return 0;
}
