// SPDX-License-Identifier: BSD-3-Clause
// Parts of the kernel interleaved by themselves: eigenvalues at exact zero pivots, transpositions,
// inverses.
#define HG_ISA baseline
#define HG_VECTOR_BYTES 16
#include "plugins/cpu/emi/interleaved.c"

#include "tests/harness.h"

enum { LARGEST = 60 };

// Whether an eigenvalue lies below x[t], or above it, in lane l.
static int is_beyond_f32(int is_largest, int n, const hg_f32v *d, const hg_f32v *square,
                         const hg_f32v x[3], int t, int l)
{
    hg_i32v any[3];
    any_beyond_f32(3, is_largest, n, d, square, x, any);
    return any[t][l] < 0;
}

static int is_beyond_f64(int is_largest, int n, const hg_f64v *d, const hg_f64v *square,
                         const hg_f64v x[3], int t, int l)
{
    hg_i64v any[3];
    any_beyond_f64(3, is_largest, n, d, square, x, any);
    return any[t][l] < 0;
}

// Diagonal 0 and equal elements beside it: the pivots at x = 0 are 0, -inf, 0 ... in turn. The
// eigenvalues are 2 cos(k pi / (n + 1)) times the elements, on both sides of 0.
START_TEST(zero_pivots_are_seen)
{
    static hg_f32v d[LARGEST], square[LARGEST];
    static hg_f64v d64[LARGEST], square64[LARGEST];
    const hg_f32v x[3] = {{0}, {0}, {0}};
    const hg_f64v x64[3] = {{0}, {0}, {0}};
    for (int i = 0; i < LARGEST; i++) {
        square[i] = (hg_f32v){0} + 0.25f;
        square64[i] = (hg_f64v){0} + 0.25;
    }
    for (int n = 2; n <= LARGEST; n++)
        for (int is_largest = 0; is_largest < 2; is_largest++) {
            ck_assert(is_beyond_f32(is_largest, n, d, square, x, n % 3, n % 4));
            ck_assert(is_beyond_f64(is_largest, n, d64, square64, x64, n % 3, n % 2));
        }
}
END_TEST

// The least coupling the solver admits behind a pivot that is 0: there is an eigenvalue below, by
// less than a number can hold.
START_TEST(zero_pivots_of_weak_couplings_are_seen)
{
    static hg_f32v d[LARGEST], square[LARGEST];
    for (int i = 0; i < LARGEST; i++) {
        d[i] = (hg_f32v){0} + 0.75f;
        square[i] = (hg_f32v){0} + FLT_EPSILON * FLT_EPSILON / 64;
    }
    const hg_f32v x[3] = {{0.5f, 0.5f, 0.5f, 0.5f}, d[0], {0.625f, 0.75f, 0.875f, 1.0f}};
    static const int below[4] = {0, 1, 1, 1}, above[4] = {1, 1, 0, 0};
    for (int n = 2; n <= LARGEST; n++)
        for (int l = 0; l < 4; l++) {
            ck_assert(!is_beyond_f32(0, n, d, square, x, 0, l));
            ck_assert(is_beyond_f32(0, n, d, square, x, 1, l));
            ck_assert(is_beyond_f32(1, n, d, square, x, 1, l));
            ck_assert_int_eq(is_beyond_f32(0, n, d, square, x, 2, l), below[l]);
            ck_assert_int_eq(is_beyond_f32(1, n, d, square, x, 2, l), above[l]);
        }
}
END_TEST

// Just on both sides of the smallest and of the largest eigenvalue, and the quarters around them.
START_TEST(extreme_eigenvalues)
{
    static char memory[1 << 20] __attribute__((aligned(64)));
    for (int n = 3; n <= LARGEST; n++) {
        hgate_scratch scratch = {memory, sizeof memory, 0, 0};
        group_f64 g;
        group_lay_out_f64(&scratch, n, &g);
        for (int i = 0; i < n; i++) {
            g.diagonal[i] = (hg_f64v){0.125, -0.25};
            g.square[i] = (hg_f64v){0} + 0.0625;
        }
        for (int is_largest = 0; is_largest < 2; is_largest++) {
            double half = 0.5 * cos(3.14159265358979323846 / (n + 1)), side = is_largest ? 1 : -1;
            const hg_f64v value = g.diagonal[0] + side * half;
            const hg_f64v x[3] = {value - 1e-9, value + 1e-9, value};
            hg_f64v low = value - 0.3, high = value + 0.2;
            ck_assert_int_eq(is_beyond_f64(is_largest, n, g.diagonal, g.square, x, 0, 0),
                             is_largest);
            ck_assert_int_eq(is_beyond_f64(is_largest, n, g.diagonal, g.square, x, 1, 1),
                             !is_largest);
            quarter_f64(&g, is_largest, 20, &low, &high);
            for (int l = 0; l < 2; l++) {
                ck_assert(low[l] <= value[l] + 1e-14 && value[l] <= high[l] + 1e-14);
                ck_assert_double_le(high[l] - low[l], 1e-12);
            }
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
    quarter_f64(&g, 0, 27, &low, &high);
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
    tcase_add_test(tests, zero_pivots_are_seen);
    tcase_add_test(tests, zero_pivots_of_weak_couplings_are_seen);
    tcase_add_test(tests, extreme_eigenvalues);
    tcase_add_test(tests, decoupled_matrices);
    tcase_add_test(tests, transposition);
    tcase_add_test(tests, inverses);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
