/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of outputs: what counts, what does not, what makes them infinite. */
#include "tools/compare.h"

#include "tests/harness.h"

#include <math.h>

/* A problem with outputs of the given values. */
static void make(cli_case *c, int op, int arg, cli_type type, int ndim, const int64_t *shape,
                 const double *values)
{
    cli_case_init(c, cli_op_row(op));
    ck_assert_int_eq(cli_array_set(&c->arrays[arg], "x", type, ndim, shape), 0);
    ck_assert_int_eq(cli_array_allocate(&c->arrays[arg], "x"), 0);
    for (int64_t i = 0; i < c->arrays[arg].count; i++) {
        if (cli_type_is_complex(type)) {
            cli_array_put_complex(&c->arrays[arg], i, values[2 * i], values[2 * i + 1]);
        } else {
            cli_array_put(&c->arrays[arg], i, values[i]);
        }
    }
}

static double error_of(int op, int arg, cli_type type, int ndim, const int64_t *shape,
                       const double *values, const double *reference)
{
    cli_case c, other;
    cli_outputs kept;
    make(&other, op, arg, type, ndim, shape, reference);
    ck_assert_int_eq(cli_outputs_keep(&kept, &other), 0);
    make(&c, op, arg, type, ndim, shape, values);
    const double error = cli_outputs_error(&c, &kept);
    cli_outputs_free(&kept);
    cli_case_free(&c);
    cli_case_free(&other);
    return error;
}

START_TEST(differences_over_the_peak)
{
    static const int64_t shape[] = {1, 3};
    static const double reference[] = {1, 0, 0, -4, 0, 0}, same[] = {1, 0, 0, -4, 0, 0};
    static const double off[] = {1, 0, 0, -4, 0, 1}, nan[] = {1, 0, NAN, -4, 0, 0};
    static const double zeros[6];
    const int op = HGATE_OP_VISIBILITY_GRAM, arg = HGATE_VISIBILITY_GRAM_V;
    ck_assert_double_eq(error_of(op, arg, CLI_C128, 2, shape, same, reference), 0);
    ck_assert_double_eq(error_of(op, arg, CLI_C64, 2, shape, off, reference), 0.25);
    ck_assert_double_eq(error_of(op, arg, CLI_C128, 2, shape, nan, nan), 0);
    ck_assert(isinf(error_of(op, arg, CLI_C128, 2, shape, nan, reference)));
    ck_assert(isinf(error_of(op, arg, CLI_C128, 2, shape, reference, nan)));
    ck_assert_double_eq(error_of(op, arg, CLI_C128, 2, shape, zeros, zeros), 0);
    ck_assert_double_gt(error_of(op, arg, CLI_C128, 2, shape, off, zeros), 1);
}
END_TEST

START_TEST(angles_between_phases)
{
    enum { POINTS = 200 };
    static const int64_t shape[] = {POINTS, 1};
    static double reference[2 * POINTS], values[2 * POINTS];
    const int op = HGATE_OP_EMI, arg = HGATE_EMI_PHASE;
    for (int i = 0; i < POINTS; i++) {
        reference[2 * i] = cos(3.1);
        reference[2 * i + 1] = sin(3.1);
        values[2 * i] = cos(3.1 + 0.1);
        values[2 * i + 1] = sin(3.1 + 0.1);
    }
    ck_assert_double_eq_tol(error_of(op, arg, CLI_C128, 2, shape, values, reference), 0.1, 1e-12);
    values[0] = -values[0]; /* one point of 200 may be anywhere, three may not */
    values[1] = -values[1];
    ck_assert_double_eq_tol(error_of(op, arg, CLI_C128, 2, shape, values, reference), 0.1, 1e-12);
    for (int i = 2; i < 6; i++) {
        values[i] = -values[i];
    }
    ck_assert_double_gt(error_of(op, arg, CLI_C128, 2, shape, values, reference), 3);
    values[7] = NAN;
    ck_assert(isinf(error_of(op, arg, CLI_C128, 2, shape, values, reference)));
    reference[6] = NAN;
    ck_assert(!isinf(error_of(op, arg, CLI_C128, 2, shape, values, reference)));
}
END_TEST

START_TEST(poison_is_seen)
{
    static const int64_t shape[] = {2, 3};
    static const double values[6] = {1, 2, 3, 4, 5, 6};
    cli_case c;
    cli_outputs kept;
    make(&c, HGATE_OP_KIRCHHOFF_ANGLES, HGATE_KIRCHHOFF_ANGLES_ANG, CLI_F32, 2, shape, values);
    ck_assert_int_eq(cli_outputs_keep(&kept, &c), 0);
    ck_assert_double_eq(cli_outputs_error(&c, &kept), 0);
    cli_outputs_poison(&c);
    ck_assert(isinf(cli_outputs_error(&c, &kept)));
    cli_outputs_free(&kept);
    cli_case_free(&c);
}
END_TEST

START_TEST(columns_that_are_not_written_do_not_count)
{
    static const int64_t shape[] = {4};
    static const double reference[] = {1, 2, 0, 0}, values[] = {1, 2, 7, 8};
    cli_case c, other;
    cli_outputs kept;
    const int arg = HGATE_VISIBILITY_HORIZON_FLUX_UP;
    make(&other, HGATE_OP_VISIBILITY_HORIZON, arg, CLI_F64, 1, shape, reference);
    other.scalars.n_up = 2;
    ck_assert_int_eq(cli_outputs_keep(&kept, &other), 0);
    make(&c, HGATE_OP_VISIBILITY_HORIZON, arg, CLI_F64, 1, shape, values);
    c.scalars.n_up = 2;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) { /* the other two outputs are absent in both */
        ck_assert_int_eq(c.arrays[i].is_given, i == arg);
    }
    ck_assert_double_eq(cli_outputs_error(&c, &kept), 0);
    c.scalars.n_up = 3;
    ck_assert(isinf(cli_outputs_error(&c, &kept)));
    cli_outputs_free(&kept);
    cli_case_free(&c);
    cli_case_free(&other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_test(tests, differences_over_the_peak);
    tcase_add_test(tests, angles_between_phases);
    tcase_add_test(tests, poison_is_seen);
    tcase_add_test(tests, columns_that_are_not_written_do_not_count);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
