/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers: the published sequence, repeatability, ranges, moments. */
#include "tools/random.h"

#include "tests/harness.h"

#include <math.h>

/* First outputs of the authors' xoshiro256** from the state 1, 2, 3, 4. */
START_TEST(the_published_sequence)
{
    static const uint64_t expected[] = {UINT64_C(11520),
                                        UINT64_C(0),
                                        UINT64_C(1509978240),
                                        UINT64_C(1215971899390074240),
                                        UINT64_C(1216172134540287360),
                                        UINT64_C(607988272756665600)};
    cli_random random = {{1, 2, 3, 4}, 0, false};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_uint_eq(cli_random_bits(&random), expected[i]);
    }
}
END_TEST

START_TEST(a_seed_repeats_and_another_does_not)
{
    cli_random a, b, c;
    cli_random_seed(&a, 7);
    cli_random_seed(&b, 7);
    cli_random_seed(&c, 8);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        const double x = cli_random_normal(&a);
        ck_assert_double_eq(x, cli_random_normal(&b));
        same += x == cli_random_normal(&c);
    }
    ck_assert_int_eq(same, 0);
    /* a spare normal number does not outlive its seed */
    (void)cli_random_normal(&a);
    cli_random_seed(&a, 7);
    cli_random_seed(&b, 7);
    ck_assert_double_eq(cli_random_normal(&a), cli_random_normal(&b));
}
END_TEST

START_TEST(ranges_and_moments)
{
    enum { N = 100000, SIDES = 7 };
    cli_random random;
    int64_t count[SIDES] = {0};
    double mean = 0, square = 0, lowest = INFINITY, highest = -INFINITY;
    cli_random_seed(&random, 1);
    for (int i = 0; i < N; i++) {
        const double u = cli_random_uniform(&random, -2.0, 3.0);
        const double x = cli_random_normal(&random);
        const int64_t side = cli_random_below(&random, SIDES);
        lowest = fmin(lowest, u);
        highest = fmax(highest, u);
        mean += x / N;
        square += x * x / N;
        ck_assert(side >= 0 && side < SIDES);
        count[side]++;
    }
    ck_assert(lowest >= -2.0 && lowest < -1.99 && highest < 3.0 && highest > 2.99);
    ck_assert_double_lt(fabs(mean), 5 / sqrt(N)); /* five sigma */
    ck_assert_double_lt(fabs(square - 1), 5 * sqrt(2.0 / N));
    for (int i = 0; i < SIDES; i++) {
        ck_assert_double_lt(fabs((double)count[i] - (double)N / SIDES),
                            5 * sqrt((double)N / SIDES));
    }
    ck_assert_int_eq(cli_random_below(&random, 1), 0);
}
END_TEST

START_TEST(a_shuffle_keeps_every_number)
{
    int64_t numbers[11];
    cli_random random;
    int moved = 0, sum = 0;
    cli_random_seed(&random, 3);
    for (int i = 0; i < 11; i++) {
        numbers[i] = i;
    }
    cli_random_shuffle(&random, numbers, 11);
    for (int i = 0; i < 11; i++) {
        moved += numbers[i] != i;
        sum += 1 << numbers[i];
    }
    ck_assert_int_gt(moved, 5);
    ck_assert_int_eq(sum, (1 << 11) - 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, the_published_sequence);
    tcase_add_test(tests, a_seed_repeats_and_another_does_not);
    tcase_add_test(tests, ranges_and_moments);
    tcase_add_test(tests, a_shuffle_keeps_every_number);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
