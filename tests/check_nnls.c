// SPDX-License-Identifier: BSD-3-Clause
// Non-negative least squares against cases solved by hand, and against the conditions of a minimum.
#include "core/calib/nnls.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <math.h>

typedef struct nnls_case {
    int m, n;
    double A[12], b[4], x[3];
} nnls_case;

static const nnls_case cases[] = {
    /* a plain system */
    {2, 2, {2, 0, 0, 4}, {6, 8}, {3, 2}},
    {3, 2, {1, 0, 0, 1, 1, 1}, {1, 2, 3}, {1, 2}},
    /* the free answer is (-1, ...): the first coefficient stays at 0 */
    {2, 2, {1, 0, 0, 1}, {-1, 5}, {0, 5}},
    {3, 2, {1, 1, 1, 2, 1, 3}, {1, 0, -1}, {0, 0}},
    /* a negative slope: the mean is the best that is left */
    {3, 2, {1, 0, 1, 1, 1, 2}, {4, 3, 2}, {3, 0}},
    /* columns of very different sizes */
    {2, 2, {1e-12, 0, 0, 1e9}, {3, 2}, {3e12, 2e-9}},
    /* a column of zeros, and one twice */
    {2, 3, {1, 0, 0, 0, 0, 1}, {5, 7}, {5, 0, 7}},
    {2, 2, {1, 1, 2, 2}, {3, 6}, {3, 0}},
    /* more columns than rows */
    {1, 2, {2, 1}, {4}, {2, 0}},
    /* nothing to explain */
    {2, 2, {1, 2, 3, 4}, {0, 0}, {0, 0}},
};

START_TEST(by_hand)
{
    const nnls_case *row = &cases[_i];
    double x[3] = {-1, -1, -1};
    ck_assert_int_eq(hg_nnls(row->A, row->b, row->m, row->n, NULL, x), HGATE_OK);
    for (int j = 0; j < row->n; j++) {
        ck_assert_double_eq_tol(x[j], row->x[j], 1e-12 * fmax(1, row->x[j]));
    }
}
END_TEST

static uint64_t dice = 7;

static double roll(void)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(dice >> 11) / 9007199254740992.0;
}

// At the minimum no coefficient is negative, the gradient of the positive ones is 0, that of the
// others does not point downwards: these conditions are sufficient.
START_TEST(conditions_of_the_minimum)
{
    enum { m = 30, n = 9 };
    double A[m * n], b[m], x[n], rest[m];
    for (int repeat = 0; repeat < 200; repeat++) {
        for (int i = 0; i < m * n; i++) {
            A[i] = roll() < 0.3 ? 0 : pow(10, 3 * (i % n) / (double)n) * (roll() - 0.2);
        }
        for (int i = 0; i < m; i++) {
            b[i] = roll() - 0.3;
        }
        ck_assert_int_eq(hg_nnls(A, b, m, n, NULL, x), HGATE_OK);
        for (int i = 0; i < m; i++) {
            rest[i] = b[i];
            for (int j = 0; j < n; j++) {
                rest[i] -= A[i * n + j] * x[j];
            }
        }
        for (int j = 0; j < n; j++) {
            double gradient = 0, length = 0;
            for (int i = 0; i < m; i++) {
                gradient += A[i * n + j] * rest[i];
                length += A[i * n + j] * A[i * n + j];
            }
            gradient /= sqrt(length);
            ck_assert_double_ge(x[j], 0);
            ck_assert_double_le(gradient, 1e-9);
            ck_assert(x[j] == 0 || fabs(gradient) < 1e-9);
        }
    }
}
END_TEST

START_TEST(without_memory)
{
    for (long n = 1; n <= 2; n++) {
        failing_alloc state = {.fail_only = n};
        const hg_allocator allocator = failing_allocator(&state);
        double x[2];
        ck_assert_int_eq(hg_nnls(cases[0].A, cases[0].b, 2, 2, &allocator, x), HGATE_ENOMEM);
        ck_assert_int_eq(state.live, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nnls");
    TCase *tests = tcase_create("nnls");
    tcase_add_loop_test(tests, by_hand, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, conditions_of_the_minimum);
    tcase_add_test(tests, without_memory);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
