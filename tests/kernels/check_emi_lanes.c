// SPDX-License-Identifier: BSD-3-Clause
// Parts of the kernel interleaved by themselves: counts of eigenvalues at exact zero pivots,
// transpositions, inverses.
#define HG_ISA baseline
#define HG_VECTOR_BYTES 16
#include "plugins/cpu/emi/interleaved.c"

#include "tests/harness.h"

enum { LARGEST = 60 };

// Diagonal 0 and equal elements beside it: the pivots at x = 0 are 0, -inf, 0 ... in turn. The
// eigenvalues are 2 cos(k pi / (n + 1)), so half of them are below 0 when n is even.
START_TEST(zero_pivots_are_counted_once)
{
    static hg_f32v d[LARGEST], square[LARGEST];
    static hg_f64v d64[LARGEST], square64[LARGEST];
    for (int i = 0; i < LARGEST; i++) {
        square[i] = (hg_f32v){0} + 0.25f;
        square64[i] = (hg_f64v){0} + 0.25;
    }
    for (int n = 2; n <= LARGEST; n += 2) {
        ck_assert_int_eq(-count_below_f32(n, d, square, (hg_f32v){0})[1], n / 2);
        ck_assert_int_eq(-count_below_f64(n, d64, square64, (hg_f64v){0})[1], n / 2);
    }
    for (int n = 3; n < LARGEST; n += 2) { // 0 is an eigenvalue: either answer is right
        int below = (int)-count_below_f32(n, d, square, (hg_f32v){0})[0];
        ck_assert(below == (n - 1) / 2 || below == (n + 1) / 2);
    }
}
END_TEST

// All eigenvalues of such a matrix are found by count, at points between them and for lanes of
// their own.
START_TEST(counts_between_eigenvalues)
{
    static hg_f64v d[LARGEST], square[LARGEST];
    for (int n = 2; n <= LARGEST; n++) {
        for (int i = 0; i < n; i++) {
            d[i] = (hg_f64v){0} + 0.125;
            square[i] = (hg_f64v){0} + 0.0625;
        }
        for (int k = 0; k < n; k++) { // just below and above the k-th eigenvalue
            double value = 0.125 - 0.5 * cos((k + 1) * 3.14159265358979323846 / (n + 1));
            hg_f64v x = {value - 1e-9, value + 1e-9};
            hg_i64v count = -count_below_f64(n, d, square, x);
            ck_assert_int_eq(count[0], k);
            ck_assert_int_eq(count[1], k + 1);
        }
    }
}
END_TEST

// Elements beside the diagonal that are 0 decouple the matrix; the vector then lives in one part.
START_TEST(decoupled_matrices)
{
    static char memory[1 << 16] __attribute__((aligned(64)));
    hgate_scratch scratch = {memory, sizeof memory, 0, 0};
    group_f64 g;
    group_lay_out_f64(&scratch, 5, &g);
    ck_assert(!scratch.is_short);
    static const double diagonal[] = {3, 1, 2, 0.5, 4};
    for (int i = 0; i < 5; i++) {
        g.diagonal[i] = (hg_f64v){0} + diagonal[i];
        g.side[i] = (hg_f64v){0};
    }
    hg_f64v low, high, factor = scale_tridiagonal_f64(&g, &low, &high);
    bisect_f64(&g, 0, 54, &low, &high);
    hg_f64v value = eigenvector_f64(&g, low, high) / factor;
    for (int l = 0; l < 2; l++) {
        ck_assert_double_eq_tol(value[l], 0.5, 1e-12);
        for (int i = 0; i < 5; i++)
            ck_assert_double_eq_tol(g.v[2 * i][l], i == 3 ? 1.0 : 0.0, 1e-12);
    }
}
END_TEST

START_TEST(transposition)
{
    hg_f32v row[4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}, {30, 31, 32, 33}};
    transpose_f32(row);
    for (int i = 0; i < 4; i++)
        for (int l = 0; l < 4; l++)
            ck_assert_float_eq(row[i][l], (float)(10 * l + i));
}
END_TEST

// A -A^-1 for sizes around the blocks of pivots and of rows; each lane has a matrix of its own.
START_TEST(inverses)
{
    static char memory[1 << 20] __attribute__((aligned(64)));
    for (int64_t n = 3; n <= LARGEST; n++) {
        hgate_scratch scratch = {memory, sizeof memory, 0, 0};
        group_f64 g;
        group_lay_out_f64(&scratch, n, &g);
        ck_assert(!scratch.is_short);
        double decay[2] = {0.5, 0.8};
        for (int l = 0; l < 2; l++)
            for (int64_t c = 0; c < n; c++) {
                g.diagonal[c][l] = 1.0;
                for (int64_t r = c + 1; r < n; r++)
                    column_f64(g.a, n, c)[r][l] = pow(decay[l], (double)(r - c));
            }
        invert_f64(&g);
        for (int l = 0; l < 2; l++) { // the inverse of decay^|i-j| is tridiagonal
            double q = decay[l], scale = 1.0 / (1.0 - q * q);
            for (int64_t c = 0; c < n; c++) {
                double middle = c == 0 || c == n - 1 ? scale : scale * (1.0 + q * q);
                ck_assert_double_eq_tol(-g.diagonal[c][l], middle, 1e-11);
                for (int64_t r = c + 1; r < n; r++)
                    ck_assert_double_eq_tol(-column_f64(g.a, n, c)[r][l],
                                            r == c + 1 ? -q * scale : 0.0, 1e-11);
            }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("emi lanes");
    TCase *tests = tcase_create("lanes");
    tcase_add_test(tests, zero_pivots_are_counted_once);
    tcase_add_test(tests, counts_between_eigenvalues);
    tcase_add_test(tests, decoupled_matrices);
    tcase_add_test(tests, transposition);
    tcase_add_test(tests, inverses);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
