// SPDX-License-Identifier: BSD-3-Clause
// Constants fitted to measurements: recovered when they are clean, near the truth when they are
// noisy, held at the default where nothing was measured, inside the believable range always.
#include "core/calib/fit.h"
#include "tests/harness.h"

#include <math.h>
#include <string.h>

static const hgate_constant call = {sizeof call, "call", "s", 1e-6, 1e-9, 1e-3, ""};
static const hgate_constant flop = {sizeof flop, "flop", "s/flop", 1e-10, 1e-13, 1e-8, ""};
static const hgate_constant byte = {sizeof byte, "byte", "s/byte", 2e-10, 1e-13, 1e-8, ""};
static const hgate_constant other = {sizeof other, "other", "s", 7, 1, 9, ""};
static const hgate_constant zero = {sizeof zero, "zero", "s", 0, 0, 9, ""};
static const hgate_constant *const constants[] = {&call, &flop, &byte, &other, &zero};
enum { CALL, FLOP, BYTE, OTHER, ZERO, N_CONSTANTS };

static const hgate_plugin plugin = {
    .name = "p", .n_constants = N_CONSTANTS, .constants = constants};

static const hgate_term gemm_terms[] = {{"call", CALL}, {"flop", FLOP}};
static const hgate_term herk_terms[] = {{"call", CALL}, {"flop", FLOP}, {"byte", BYTE}};
static const hgate_kernel gemm = {
    .name = "gemm", .flags = HGATE_KERNEL_LINEAR_COST, .n_terms = 2, .terms = gemm_terms};
static const hgate_kernel herk = {
    .name = "herk", .flags = HGATE_KERNEL_LINEAR_COST, .n_terms = 3, .terms = herk_terms};
static const hgate_kernel own = {.name = "own", .n_terms = 2, .terms = gemm_terms};

static uint64_t dice = 11;

static double roll(void)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(dice >> 11) / 9007199254740992.0;
}

enum { n_samples = 40 };

// Work from 1e3 to 1e9 operations, times by made-up constants and a relative error of at most
// `noise`.
static void measure(hg_sample *samples, double c, double f, double b, double noise)
{
    for (int i = 0; i < n_samples; i++) {
        const double work = pow(10, 3 + 6.0 * i / (n_samples - 1));
        const bool is_gemm = i % 3 != 0;
        samples[i] = (hg_sample){.kernel = is_gemm ? &gemm : &herk, .weight = 1};
        samples[i].terms[0] = 1;
        samples[i].terms[1] = work;
        samples[i].terms[2] = is_gemm ? 0 : sqrt(work) * 50;
        samples[i].seconds =
            (c + f * work + b * samples[i].terms[2]) * (1 + noise * (2 * roll() - 1));
    }
}

START_TEST(clean_measurements)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 3e-6, 4e-11, 7e-10, 0);
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq_tol(out[CALL].value, 3e-6, 1e-8);
    ck_assert_double_eq_tol(out[FLOP].value, 4e-11, 1e-13);
    ck_assert_double_eq_tol(out[BYTE].value, 7e-10, 7e-12);
    ck_assert_double_le(out[FLOP].residual, 0.01);
    ck_assert_int_eq(out[CALL].samples, n_samples);
    ck_assert_int_eq(out[BYTE].samples, (n_samples + 2) / 3);
    ck_assert(out[CALL].is_measured);
    for (int i = 0; i < n_samples; i++) {
        ck_assert_double_eq_tol(hg_fit_predict(&samples[i], out) / samples[i].seconds, 1, 0.01);
    }
}
END_TEST

START_TEST(noisy_measurements)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 3e-6, 4e-11, 7e-10, 0.1);
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq_tol(out[CALL].value / 3e-6, 1, 0.06);
    ck_assert_double_eq_tol(out[FLOP].value / 4e-11, 1, 0.06);
    ck_assert_double_le(out[FLOP].residual, 0.1);
    ck_assert_double_ge(out[FLOP].residual, 0.01);
}
END_TEST

START_TEST(what_was_not_measured_stays)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 3e-6, 4e-11, 7e-10, 0);
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq(out[OTHER].value, 7);
    ck_assert_double_eq(out[ZERO].value, 0);
    ck_assert(!out[OTHER].is_measured);
    ck_assert_int_eq(out[OTHER].samples, 0);
    ck_assert_double_eq(out[OTHER].residual, 0);
    /* nothing at all */
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, 0, NULL, out), HGATE_OK);
    ck_assert_double_eq(out[FLOP].value, 1e-10);
}
END_TEST

// Only large problems: a call's overhead is far below the noise and must not soak it up.
START_TEST(what_hardly_shows_stays_near_its_default)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 1e-6, 4e-11, 7e-10, 0.05);
    ck_assert_int_eq(hg_calib_fit(&plugin, samples + 30, n_samples - 30, NULL, out), HGATE_OK);
    ck_assert_double_le(out[CALL].value, 20e-6);
    ck_assert_double_ge(out[CALL].value, 1e-9);
}
END_TEST

START_TEST(kept_within_what_is_believable)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 1e-6, 1e-6, 0, 0); /* ten thousand times too slow */
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq(out[FLOP].value, 1e-8);
    ck_assert_double_ge(out[BYTE].value, 1e-13);
    ck_assert_double_gt(out[FLOP].residual, 0.5);
}
END_TEST

START_TEST(noisy_samples_count_less)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 3e-6, 4e-11, 7e-10, 0);
    for (int i = 1; i < n_samples; i += 2) {
        samples[i].seconds *= 3;
        samples[i].weight = 1e-3;
    }
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq_tol(out[FLOP].value / 4e-11, 1, 0.02);
}
END_TEST

START_TEST(kernels_that_are_not_linear_are_left_out)
{
    hg_sample samples[n_samples];
    hg_fitted out[N_CONSTANTS];
    measure(samples, 3e-6, 4e-11, 7e-10, 0);
    for (int i = 0; i < n_samples; i++) {
        samples[i].kernel = &own;
    }
    ck_assert_int_eq(hg_calib_fit(&plugin, samples, n_samples, NULL, out), HGATE_OK);
    ck_assert_double_eq(out[FLOP].value, 1e-10);
    ck_assert(!out[FLOP].is_measured);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tests = tcase_create("fit");
    tcase_add_test(tests, clean_measurements);
    tcase_add_test(tests, noisy_measurements);
    tcase_add_test(tests, what_was_not_measured_stays);
    tcase_add_test(tests, what_hardly_shows_stays_near_its_default);
    tcase_add_test(tests, kept_within_what_is_believable);
    tcase_add_test(tests, noisy_samples_count_less);
    tcase_add_test(tests, kernels_that_are_not_linear_are_left_out);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
