// SPDX-License-Identifier: BSD-3-Clause
// What holds for every point of emi and evd, whatever its neighbours, layout, place and the number
// of threads.
#include "tests/harness.h"
#include "tests/kernels/emi_stack.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.283185307179586

static const struct {
    int op;
    uint32_t dtype;
    const char *type;
} kinds[] = {{HGATE_OP_EMI, HGATE_C64, "c64"},
             {HGATE_OP_EMI, HGATE_C128, "c128"},
             {HGATE_OP_EVD, HGATE_C64, "c64"},
             {HGATE_OP_EVD, HGATE_C128, "c128"}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

// At an instruction set that is not the best one only kernels count that use its vectors.
static int only_vectors;

static int counts(const conf_kernel *k)
{
    return !only_vectors || strcmp(k->kernel->name, "interleaved") == 0;
}

// The i-th pair of kernel and type, over emi and evd; NULL behind the last.
static const conf_kernel *kernel_at(int i, const char **type)
{
    for (int n = 0; n < N_KINDS; n++) {
        const conf_kernel *k;
        for (int m = 0; (k = conf_kernel_at(kinds[n].op, kinds[n].dtype, m)); m++)
            if (counts(k) && i-- == 0) {
                *type = kinds[n].type;
                return k;
            }
    }
    return NULL;
}

static const char *label(const conf_kernel *k, const stack *s)
{
    return conf_label(k, stack_dtype(s));
}

static int is_single(const stack *s)
{
    return stack_dtype(s) == HGATE_C64;
}

// One element of an array, bit for bit.
static int same_element(const array *a, int64_t i, const array *b, int64_t j, int64_t n)
{
    size_t size = (size_t)n * a->element;
    return memcmp((char *)a->data + (size_t)i * size, (char *)b->data + (size_t)j * size, size) ==
           0;
}

static int same_point(const stack *a, int64_t p, const stack *b, int64_t q, int has_beta)
{
    return same_element(a->phase, p, b->phase, q, a->n) &&
           same_element(a->quality, p, b->quality, q, 1) &&
           same_element(a->status, p, b->status, q, 1) &&
           (!has_beta || same_element(a->beta, p, b->beta, q, 1));
}

static int has_beta(const conf_kernel *k)
{
    return k->kernel->op == HGATE_OP_EMI;
}

// A stack of generated points, solved; 0 where the kernel leaves the rule to others.
static int solved(stack *s, const char *type, const conf_kernel *k, int64_t points, int64_t n,
                  int rule)
{
    *s = stack_new(type, points, n, 0);
    s->params.rule = rule;
    // a fifth of the points stay indefinite: kernels without pivoting leave them to others
    s->params.beta = rule == HGATE_EMI_BETA_FIXED ? 0.05 : 0.0;
    s->params.ref = (int)n / 3;
    stack_generate(s, 9, 77);
    int status = stack_run(s, k, 1);
    ck_assert(status == HGATE_OK || status == CONF_REFUSED);
    if (status != HGATE_OK)
        stack_free(s);
    return status == HGATE_OK;
}

enum { N_RULES = 3 };

// ---- layout, place, threads ----

START_TEST(layouts_give_equal_bits)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack packed;
        if (!solved(&packed, type, k, 21, 13, _i))
            continue;
        stack full = stack_as(&packed, type, 1);
        for (int64_t p = 0; p < full.points; p++) // a diagonal is never read
            for (int64_t m = 0; m < full.n; m++) {
                array_put(full.coh, stack_at(&full, p, m, m), m % 2 ? 7.0 : NAN);
                array_put(full.coh, stack_at(&full, p, m, m) + 1, m % 3 ? NAN : 7.0);
            }
        stack_run_ok(&full, k, 1);
        for (int64_t p = 0; p < full.points; p++)
            ck_assert_msg(same_point(&packed, p, &full, p, has_beta(k)), "%s point %d",
                          label(k, &full), (int)p);
        stack_free(&packed);
        stack_free(&full);
    }
}
END_TEST

// Parts of a solved packed stack give its bits again, with several threads.
static void check_parts(const stack *all, const conf_kernel *k)
{
    static const int64_t counts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33};
    static const int threads[] = {1, 2, 3, 8};
    const int64_t n_pairs = all->n * (all->n - 1) / 2;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const int64_t first = (int64_t)(5 * c) % (all->points - counts[c] + 1);
        stack part =
            stack_new(stack_dtype(all) == HGATE_C64 ? "c64" : "c128", counts[c], all->n, 0);
        part.params = all->params;
        memcpy(part.coh->data,
               (char *)all->coh->data + (size_t)(first * n_pairs) * all->coh->element,
               part.coh->bytes);
        stack_run_ok(&part, k, threads[c % 4]);
        for (int64_t p = 0; p < counts[c]; p++)
            ck_assert_msg(same_point(&part, p, all, first + p, has_beta(k)), "%s: %d points, %d",
                          label(k, all), (int)counts[c], (int)p);
        stack_free(&part);
    }
}

START_TEST(place_and_threads_do_not_change_a_bit)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack all;
        if (!solved(&all, type, k, 49, 11, _i))
            continue;
        check_parts(&all, k);
        stack_free(&all);
    }
}
END_TEST

START_TEST(outputs_may_be_absent)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack s;
        if (!solved(&s, type, k, 19, 6, HGATE_EMI_BETA_ADAPTIVE))
            continue;
        for (int absent = HGATE_EMI_QUALITY; absent <= HGATE_EMI_BETA; absent++) {
            stack t = stack_as(&s, type, 0);
            conf_call call = stack_call(&t, k->kernel->op);
            conf_out(&call, absent, NULL);
            conf_run_ok(k, &call, 2);
            ck_assert_msg(array_equal_bits(s.phase, t.phase), "%s", label(k, &s));
            stack_free(&t);
        }
        stack_free(&s);
    }
}
END_TEST

static stack many_points_of(const char *type)
{
    stack s = stack_new(type, 100003, 4, 0);
    for (int64_t p = 0; p < s.coh->count; p++) {
        double modulus = 0.2 + 0.5 * (double)(p % 101) / 101.0, angle = (double)(p % 997);
        array_put(s.coh, 2 * p, modulus * cos(angle));
        array_put(s.coh, 2 * p + 1, modulus * sin(angle));
    }
    return s;
}

// Many points of few images against the reference; the count is no multiple of anything.
START_TEST(many_points)
{
    stack want = many_points_of(kinds[_i].type);
    stack_run_ok(&want, conf_find(kinds[_i].op, "cpu-serial", "reference"), 1);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(kinds[_i].op, kinds[_i].dtype, i)); i++) {
        if (k->kernel->flags & HGATE_KERNEL_REFERENCE)
            continue;
        stack s = many_points_of(kinds[_i].type);
        if (stack_run(&s, k, 2) == HGATE_OK) {
            int64_t n_far = 0;
            for (int64_t p = 0; p < want.points; p++) {
                require(stack_status(&s, p) == stack_status(&want, p));
                n_far += stack_phase_error(&s, &want, p) > 1e-3;
            }
            ck_assert_msg(n_far < want.points / 1000, "%s: %d points are off", label(k, &s),
                          (int)n_far);
        }
        stack_free(&s);
    }
    stack_free(&want);
}
END_TEST

// ---- properties ----

START_TEST(closing_phases_are_found)
{
    static const int64_t sizes[] = {2,  3,  4,  5,  6,   7,   8,   9,   10,  11,  12,
                                    13, 14, 15, 16, 17,  18,  19,  20,  21,  24,  29,
                                    31, 32, 33, 40, 101, 102, 150, 198, 199, 235, 236};
    int64_t n = sizes[_i], points = n < 50 ? 5 : 2;
    double theta[5 * 236];
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        if (n > 102 && k->kernel->flags & HGATE_KERNEL_REFERENCE)
            continue; // plain loops, the same at every n
        stack s = stack_new(type, points, n, 0);
        stack_generate_closing(&s, 0.9, theta, (uint64_t)n);
        double bound = is_single(&s) ? 1e-3 : 1e-8;
        int64_t refs[] = {0, n / 2, n - 1};
        for (int r = n < 50 ? 0 : _i % 3; r < 3; r += n < 50 ? 1 : 3) { // large n: one of them
            s.params.ref = (int)refs[r];
            if (stack_run(&s, k, 2) == CONF_REFUSED)
                continue;
            for (int64_t p = 0; p < points; p++) {
                for (int64_t m = 0; m < n; m++) {
                    double want = theta[p * n + m] - theta[p * n + refs[r]];
                    double error = fabs(remainder(stack_angle(&s, p, m) - want, TWO_PI));
                    ck_assert_msg(error <= bound, "%s, n %d, ref %d, image %d: error %g",
                                  label(k, &s), (int)n, (int)refs[r], (int)m, error);
                }
                if (has_beta(k))
                    ck_assert_double_eq_tol(array_get(s.quality, p), 1.0, bound);
            }
        }
        stack_free(&s);
    }
}
END_TEST

enum change { RAMP, CONJUGATE, TRANSPOSE, PERMUTE, N_CHANGES };

static int64_t permuted(int64_t i, int64_t n)
{
    return (5 * i + 3) % n; // n prime
}

static void apply(enum change change, const stack *from, stack *to)
{
    for (int64_t p = 0; p < from->points; p++)
        for (int64_t i = 0; i < from->n; i++)
            for (int64_t j = i + 1; j < from->n; j++) {
                int64_t a = change == PERMUTE ? permuted(i, from->n) : i;
                int64_t b = change == PERMUTE ? permuted(j, from->n) : j;
                double re = array_get(from->coh, stack_at(from, p, a < b ? a : b, a < b ? b : a));
                double im =
                    array_get(from->coh, stack_at(from, p, a < b ? a : b, a < b ? b : a) + 1);
                double turn = change == RAMP ? 0.7 * (double)(i * i - j * j) : 0.0;
                im *= (a > b) != (change == CONJUGATE || change == TRANSPOSE) ? -1.0 : 1.0;
                stack_put(to, p, i, j, re * cos(turn) - im * sin(turn),
                          re * sin(turn) + im * cos(turn));
            }
}

static double expected_angle(enum change change, const stack *s, int64_t p, int64_t i)
{
    int64_t ref = s->params.ref;
    switch (change) {
    case RAMP:
        return stack_angle(s, p, i) + 0.7 * (double)(i * i - ref * ref);
    case PERMUTE:
        return stack_angle(s, p, permuted(i, s->n));
    default:
        return -stack_angle(s, p, i);
    }
}

START_TEST(changes_of_the_input_show_in_the_phases)
{
    enum change change = (enum change)(_i / N_RULES);
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack s;
        if (!solved(&s, type, k, 23, 17, _i % N_RULES))
            continue;
        stack t = stack_new(type, s.points, s.n, change == TRANSPOSE);
        t.params = s.params;
        apply(change, &s, &t);
        for (int64_t m = 0; m < s.n && change == PERMUTE; m++)
            if (permuted(m, s.n) == s.params.ref)
                t.params.ref = (int)m;
        stack_run_ok(&t, k, 1);
        double bound = is_single(&s) ? 2e-3 : 1e-8, small = is_single(&s) ? 1e-3 : 1e-9;
        for (int64_t p = 0; p < s.points; p++) {
            ck_assert_int_eq(stack_status(&s, p), stack_status(&t, p));
            for (int64_t m = 0; m < s.n; m++) {
                double error =
                    remainder(stack_angle(&t, p, m) - expected_angle(change, &s, p, m), TWO_PI);
                ck_assert_msg(fabs(error) <= bound, "%s, change %d, point %d, image %d: error %g",
                              label(k, &s), (int)change, (int)p, (int)m, error);
            }
            double q = array_get(s.quality, p);
            ck_assert_double_eq_tol(array_get(t.quality, p), q, small * fmax(1.0, fabs(q)));
        }
        stack_free(&s);
        stack_free(&t);
    }
}
END_TEST

START_TEST(phases_have_modulus_one_and_quality_is_at_least_beta)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack s;
        if (!solved(&s, type, k, 40, 30, HGATE_EMI_BETA_ADAPTIVE))
            continue;
        double ulp = is_single(&s) ? 0x1p-23 : 0x1p-52;
        for (int64_t p = 0; p < s.points; p++) {
            for (int64_t m = 0; m < s.n; m++) {
                int64_t at = 2 * (p * s.n + m);
                double modulus = hypot(array_get(s.phase, at), array_get(s.phase, at + 1));
                ck_assert_double_le(fabs(modulus - 1.0), 2.0 * ulp);
            }
            ck_assert_double_eq(array_get(s.phase, 2 * (p * s.n + s.params.ref)), 1.0);
            ck_assert_double_eq(array_get(s.phase, 2 * (p * s.n + s.params.ref) + 1), 0.0);
            if (has_beta(k))
                ck_assert_double_ge(array_get(s.quality, p), array_get(s.beta, p) - 100 * ulp);
        }
        stack_free(&s);
    }
}
END_TEST

// ---- bad points ----

enum bad {
    BAD_NAN,
    BAD_INF,
    BAD_LARGE,
    BAD_LOWER,
    BAD_LOWER_NAN,
    BAD_ZERO,
    BAD_ISOLATED,
    BAD_REF,
    N_BAD
};

static const int bad_status[N_BAD] = {HGATE_EMI_BAD_NONFINITE, HGATE_EMI_BAD_NONFINITE,
                                      HGATE_EMI_BAD_MODULUS,   HGATE_EMI_BAD_HERMITIAN,
                                      HGATE_EMI_BAD_HERMITIAN, HGATE_EMI_BAD_EMPTY,
                                      HGATE_EMI_PARTIAL,       HGATE_EMI_ZERO_REF};

static void isolate(stack *s, int64_t p, int64_t image)
{
    for (int64_t j = 0; j < s->n; j++)
        if (j != image) // one of the zeros is negative
            stack_put(s, p, j < image ? j : image, j < image ? image : j, j == 0 ? -0.0 : 0.0, 0.0);
}

static void spoil(stack *s, int64_t p, enum bad bad)
{
    switch (bad) {
    case BAD_NAN:
        stack_put(s, p, 1, 4, 0.1, NAN);
        break;
    case BAD_INF:
        stack_put(s, p, 0, s->n - 1, -INFINITY, 0.0);
        break;
    case BAD_LARGE:
        stack_put(s, p, s->n - 2, s->n - 1, 0.9, -0.9);
        break;
    case BAD_LOWER:
        array_put(s->coh, stack_at(s, p, 5, 2), array_get(s->coh, stack_at(s, p, 5, 2)) + 0.01);
        break;
    case BAD_LOWER_NAN:
        array_put(s->coh, stack_at(s, p, s->n - 1, 0), NAN);
        break;
    case BAD_ZERO:
        for (int64_t i = 0; i < s->n; i++)
            isolate(s, p, i);
        break;
    case BAD_ISOLATED:
        isolate(s, p, s->params.ref == 4 ? 3 : 4);
        break;
    default:
        isolate(s, p, s->params.ref);
    }
}

// What became of point p, which holds `want` as its status, or nothing bad (-1).
static void compare_with_clean(const conf_kernel *k, const stack *s, const stack *clean, int64_t p,
                               int want)
{
    if (want < 0) {
        if (!same_point(s, p, clean, p, has_beta(k)))
            ck_abort_msg("%s point %d", label(k, s), (int)p);
        return;
    }
    if (stack_status(s, p) != want)
        ck_abort_msg("%s point %d: status %d, expected %d", label(k, s), (int)p, stack_status(s, p),
                     want);
    for (int64_t m = 0; m < 2 * s->n && want >= 16; m++)
        require(isnan(array_get(s->phase, 2 * p * s->n + m)));
    require((isnan(array_get(s->quality, p)) != 0) == (want >= 16));
    if (has_beta(k))
        require((isnan(array_get(s->beta, p)) != 0) == (want >= 16));
}

// A few bad points among those of a packed stack.
static void check_bad_among(const stack *s, const conf_kernel *k)
{
    stack clean = stack_as(s, "c64", 1), spoiled = stack_as(s, "c64", 1);
    for (int64_t p = 0; p < spoiled.points; p += 5)
        spoil(&spoiled, p, (enum bad)(p / 5 % N_BAD));
    stack_run_ok(&clean, k, 1);
    stack_run_ok(&spoiled, k, 2);
    for (int64_t p = 0; p < spoiled.points; p++)
        compare_with_clean(k, &spoiled, &clean, p, p % 5 ? -1 : bad_status[p / 5 % N_BAD]);
    stack_free(&clean);
    stack_free(&spoiled);
}

// Every kind of bad point at every place, among good ones and among nothing but bad ones.
START_TEST(a_bad_point_changes_no_other)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack packed;
        if (!solved(&packed, type, k, 35, 9, _i))
            continue;
        stack clean = stack_as(&packed, type, 1);
        stack_run_ok(&clean, k, 1);
        for (int64_t step = 1; step < 4; step += 2) // every point, every third one
            for (int64_t shift = 0; shift < N_BAD * step; shift++) {
                stack s = stack_as(&clean, type, 1);
                int want[35];
                for (int64_t p = 0; p < s.points; p++) {
                    enum bad bad = (enum bad)((p / step + shift / step) % N_BAD);
                    want[p] = p % step == shift % step ? bad_status[bad] : -1;
                    if (want[p] >= 0)
                        spoil(&s, p, bad);
                }
                stack_run_ok(&s, k, 2);
                for (int64_t p = 0; p < s.points; p++)
                    compare_with_clean(k, &s, &clean, p, want[p]);
                stack_free(&s);
            }
        stack_free(&clean);
        stack_free(&packed);
    }
}
END_TEST

// An isolated image is left out: the others are those of a stack without it.
START_TEST(an_isolated_image_is_left_out)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack small;
        if (!solved(&small, type, k, 18, 8, _i))
            continue;
        stack s = stack_new(type, small.points, small.n + 1, 0);
        s.params = small.params;
        int64_t gone = small.params.ref + 2;
        for (int64_t p = 0; p < s.points; p++)
            for (int64_t a = 0; a < small.n; a++)
                for (int64_t b = a + 1; b < small.n; b++) {
                    int64_t at = stack_at(&small, p, a, b);
                    stack_put(&s, p, a + (a >= gone), b + (b >= gone), array_get(small.coh, at),
                              array_get(small.coh, at + 1));
                }
        stack_run_ok(&s, k, 1);
        double bound = is_single(&s) ? 2e-3 : 1e-9;
        for (int64_t p = 0; p < s.points; p++) {
            ck_assert_int_eq(stack_status(&s, p), HGATE_EMI_PARTIAL);
            ck_assert(isnan(stack_angle(&s, p, gone)));
            for (int64_t a = 0; a < small.n; a++) {
                double error = stack_angle(&s, p, a + (a >= gone)) - stack_angle(&small, p, a);
                ck_assert_msg(fabs(remainder(error, TWO_PI)) <= bound,
                              "%s point %d image %d: error %g", label(k, &s), (int)p, (int)a,
                              error);
            }
            double q = array_get(small.quality, p);
            ck_assert_double_eq_tol(array_get(s.quality, p), q, bound * fmax(1.0, fabs(q)));
        }
        stack_free(&s);
        stack_free(&small);
    }
}
END_TEST

// Few looks: |Gamma| has several eigenvalues below 0, and so may have M. None of them may come
// behind what stands for the isolated image.
START_TEST(an_isolated_image_is_left_out_of_indefinite_points)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack s = stack_new(type, 60, 9, 0);
        const int64_t gone = 4;
        s.params.rule = _i;
        s.params.ref = 2;
        stack_generate(&s, 4, 78);
        for (int64_t p = 0; p < s.points; p++)
            for (int64_t j = 0; j < s.n; j++)
                if (j != gone)
                    stack_put(&s, p, j < gone ? j : gone, j < gone ? gone : j, 0, 0);
        const int status = stack_run(&s, k, 1);
        require(status == HGATE_OK || status == CONF_REFUSED);
        for (int64_t p = 0; p < s.points && status == HGATE_OK; p++) {
            if (stack_status(&s, p) != HGATE_EMI_PARTIAL)
                ck_abort_msg("%s point %d: status %d", label(k, &s), (int)p, stack_status(&s, p));
            for (int64_t j = 0; j < s.n; j++)
                require(!isnan(stack_angle(&s, p, j)) == (j != gone));
        }
        stack_free(&s);
    }
}
END_TEST

// The least numbers are numbers too. As a part of a coherence they change nothing; an image that
// has no other coherence is not isolated, but its own eigenvector wins or comes near, so that only
// some code below 16 or ZERO_REF is asked for.
START_TEST(denormal_coherences)
{
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack s = stack_new(type, 4, 4, 0);
        double least = is_single(&s) ? 1e-42 : 1e-312;
        for (int64_t p = 0; p < 4; p++) {
            stack_put(&s, p, 0, 1, 0.6, least);
            stack_put(&s, p, 0, 2, -least, -0.5);
            stack_put(&s, p, 1, 2, least, -0.7);
            stack_put(&s, p, 0, 3, p == 3 ? -0.8 : p == 0 ? least : 0.0, -0.0);
            stack_put(&s, p, 1, 3, -0.0, p == 1 ? least : 0.0);
            stack_put(&s, p, 2, 3, p == 2 ? least : 0.0, p == 2 ? -least : 0.0);
        }
        if (stack_run(&s, k, 1) == HGATE_OK) {
            for (int64_t p = 0; p < 3; p++)
                ck_assert_msg(stack_status(&s, p) < 16 || stack_status(&s, p) == HGATE_EMI_ZERO_REF,
                              "%s point %d: status %d", label(k, &s), (int)p, stack_status(&s, p));
            static const double angles[] = {0.0, 0.0, TWO_PI / 4, TWO_PI / 2};
            ck_assert_int_lt(stack_status(&s, 3), HGATE_EMI_PARTIAL);
            for (int64_t m = 0; m < 4; m++)
                ck_assert(fabs(remainder(stack_angle(&s, 3, m) - angles[m], TWO_PI)) < 1e-5);
        }
        stack_free(&s);
    }
}
END_TEST

START_TEST(the_hermitian_check_can_be_switched_off)
{
    conf_set("ops.emi.check_hermitian", "false");
    conf_open();
    const char *type;
    const conf_kernel *k;
    for (int i = 0; (k = kernel_at(i, &type)); i++) {
        stack packed;
        if (!solved(&packed, type, k, 5, 9, HGATE_EMI_BETA_ADAPTIVE))
            continue;
        stack full = stack_as(&packed, type, 1);
        for (int64_t p = 0; p < 5; p++)
            spoil(&full, p, p % 2 ? BAD_LOWER : BAD_LOWER_NAN);
        stack_run_ok(&full, k, 1);
        for (int64_t p = 0; p < 5; p++)
            ck_assert_msg(same_point(&packed, p, &full, p, has_beta(k)), "%s", label(k, &full));
        stack_free(&packed);
        stack_free(&full);
    }
    conf_close();
}
END_TEST

// ops.emi.cpu.interleave_max_bytes caps the memory of a group, to the byte; two images need none.
START_TEST(memory_of_a_group_can_be_capped)
{
    static const char *const plugins[] = {"cpu-serial", "cpu-openmp"};
    for (int i = 0; i < 2 * N_KINDS; i++) {
        char bytes[32] = "1", more[32];
        stack s = stack_new(kinds[i / 2].type, 3, 7, 0);
        stack pair = stack_new(kinds[i / 2].type, 3, 2, 0);
        stack_generate(&s, 9, 5);
        stack_generate(&pair, 9, 5);
        for (int step = 0; step < 3; step++) { // the least, one byte less than needed, just enough
            conf_set("ops.emi.cpu.interleave_max_bytes", bytes);
            conf_open();
            const conf_kernel *k = conf_find(kinds[i / 2].op, plugins[i % 2], "interleaved");
            if (k) {
                stack_run_ok(&pair, k, 2);
                ck_assert_int_eq(stack_run(&s, k, 2), step < 2 ? CONF_REFUSED : HGATE_OK);
                if (step < 2) {
                    long needed = strtol(conf_reason(), NULL, 10);
                    ck_assert_msg(needed > 1000, "%s", conf_reason());
                    snprintf(more, sizeof more, "%ld", step == 0 ? needed - 1 : needed);
                    strcpy(bytes, more);
                }
            }
            conf_close();
        }
        stack_free(&s);
        stack_free(&pair);
    }
    conf_set("ops.emi.cpu.interleave_max_bytes", "auto");
}
END_TEST

// Bytes of workspace, of which each thread has its own.
static size_t workspace(const conf_kernel *k, stack *s, int threads)
{
    conf_call call = stack_call(s, k->kernel->op);
    hgate_estimate est = {.struct_size = sizeof est};
    double constants[HGATE_MAX_TERMS] = {0};
    call.problem.dims = call.dims;
    call.problem.args = call.args;
    call.problem.threads = threads;
    ck_assert_int_eq(k->kernel->estimate(k->state, &call.problem, constants, &est), HGATE_OK);
    return est.ws_host;
}

// ops.emi.cpu.threads_min_points: fewer points get one thread.
START_TEST(few_points_have_one_thread)
{
    static const char *const names[] = {"interleaved", "pivoted"};
    static const char *const values[] = {"64", "20"};
    for (int v = 0; v < 2; v++) {
        conf_set("ops.emi.cpu.threads_min_points", values[v]);
        conf_open();
        for (int m = 0; m < 2; m++) {
            const conf_kernel *k = conf_find(HGATE_OP_EMI, "cpu-openmp", names[m]);
            const int64_t least = atoi(values[v]);
            for (int64_t points = least - 1; k && points <= least; points++) {
                stack s = stack_new("c64", points, 5, 0);
                size_t one = workspace(k, &s, 1), three = workspace(k, &s, 3);
                ck_assert_uint_gt(one, 0);
                ck_assert(points < least ? three == one : three > 2 * one);
                stack_free(&s);
            }
        }
        conf_close();
    }
    conf_set("ops.emi.cpu.threads_min_points", "64");
}
END_TEST

// ---- accuracy ----

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Bounds of one point in a hundred, and of the worst: phases in radians, quality relative.
static const struct {
    int64_t n, looks, points;
} stacks[] = {{30, 45, 300}, {30, 100, 300}, {92, 45, 150}, {92, 100, 150}};

START_TEST(accuracy)
{
    const int row = _i / N_KINDS, kind = _i % N_KINDS;
    stack given = stack_new(kinds[kind].type, stacks[row].points, stacks[row].n, 0);
    stack_generate(&given, stacks[row].looks, 1000 + (uint64_t)row);
    stack want = stack_as(&given, "c128", 0);
    stack_run_ok(&want, conf_find(kinds[kind].op, "cpu-serial", "reference"), 1);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(kinds[kind].op, kinds[kind].dtype, i)); i++) {
        if (!counts(k) || (k->kernel->flags & HGATE_KERNEL_REFERENCE && !is_single(&given)))
            continue;
        stack s = stack_as(&given, kinds[kind].type, 0);
        if (stack_run(&s, k, 2) == HGATE_OK) {
            double error[300], quality[300];
            for (int64_t p = 0; p < s.points; p++) {
                double q = array_get(want.quality, p),
                       b = has_beta(k) ? array_get(want.beta, p) : 0.0;
                int is_close = b < 1e-5 && stack_status(&s, p) <= HGATE_EMI_REGULARIZED;
                ck_assert(is_close || stack_status(&s, p) == stack_status(&want, p));
                error[p] = stack_phase_error(&s, &want, p);
                quality[p] = fabs(array_get(s.quality, p) - q) / fabs(q);
                if (has_beta(k)) // the images bound the largest eigenvalue
                    ck_assert_double_le(fabs(array_get(s.beta, p) - b),
                                        (is_single(&s) ? 2e-6 : 1e-12) * (double)s.n);
            }
            qsort(error, (size_t)s.points, sizeof *error, by_size);
            qsort(quality, (size_t)s.points, sizeof *quality, by_size);
            int64_t p99 = s.points * 99 / 100;
            ck_assert_msg(error[p99] <= (is_single(&s) ? 5e-5 : 1e-10) &&
                              error[s.points - 1] <= (is_single(&s) ? 1e-2 : 1e-8) &&
                              quality[p99] <= (is_single(&s) ? 1e-3 : 1e-10),
                          "%s, n %d, %d looks: phases p99 %g, worst %g, quality p99 %g",
                          label(k, &s), (int)s.n, (int)stacks[row].looks, error[p99],
                          error[s.points - 1], quality[p99]);
        }
        stack_free(&s);
    }
    stack_free(&given);
    stack_free(&want);
}
END_TEST

// The same input promoted to double has the same beta to 1e-6: float32 eigenvalues alone would not
// do. Kernels of the CPU; those of a device are held to the bound of their accuracy.
START_TEST(promoted_input_has_the_same_beta)
{
    static const char *const plugins[] = {"cpu-serial", "cpu-openmp"};
    for (int i = 0; i < 4; i++) {
        const conf_kernel *k = conf_find(HGATE_OP_EMI, plugins[i / 2], "interleaved");
        if (!k)
            continue;
        stack s = stack_new("c64", 60, i % 2 ? 92 : 30, 0);
        stack_generate(&s, i % 2 ? 45 : 20, 31); // |Gamma| is indefinite at most points
        stack wide = stack_as(&s, "c128", 0);
        stack_run_ok(&s, k, 2);
        stack_run_ok(&wide, k, 2);
        int n_regularized = 0;
        for (int64_t p = 0; p < s.points; p++) {
            double got = array_get(s.beta, p), want = array_get(wide.beta, p);
            if (!(fabs(got - want) <= 1e-6))
                ck_abort_msg("%s point %d: beta %.9g and %.9g", label(k, &s), (int)p, got, want);
            n_regularized += want > 0.0;
        }
        ck_assert_int_gt(n_regularized, 30);
        stack_free(&s);
        stack_free(&wide);
    }
}
END_TEST

// ---- many points ----

static double complex gamma_of(const stack *s, int64_t p, int64_t i, int64_t j)
{
    int64_t at = stack_at(s, p, i < j ? i : j, i < j ? j : i);
    double complex g = array_get(s->coh, at) + I * array_get(s->coh, at + 1);
    return i == j ? 1.0 : i < j ? g : conj(g);
}

// a becomes its inverse; it is positive definite.
static void invert(int64_t n, double *a)
{
    for (int64_t k = 0; k < n; k++) {
        double pivot = a[k * n + k];
        a[k * n + k] = 1.0;
        for (int64_t j = 0; j < n; j++)
            a[k * n + j] /= pivot;
        for (int64_t i = 0; i < n; i++) {
            double factor = a[i * n + k];
            if (i == k)
                continue;
            a[i * n + k] = 0.0;
            for (int64_t j = 0; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

// Whether M has a second eigenvalue within `gap` of its smallest one: the vector is then not
// unique. Counted by the signs of the pivots of M - (1 + gap) lambda_1.
static int is_near_tie(const stack *want, int64_t p, double gap)
{
    const int64_t n = want->n;
    double keep = 1.0 - array_get(want->beta, p), *a = malloc((size_t)(n * n) * sizeof *a);
    double complex *m = malloc((size_t)(n * n) * sizeof *m);
    int negative = 0;
    for (int64_t i = 0; i < n * n; i++)
        a[i] = (i / n == i % n ? 1.0 : keep) * cabs(gamma_of(want, p, i / n, i % n));
    invert(n, a);
    for (int64_t i = 0; i < n * n; i++)
        m[i] = i / n == i % n ? a[i] - (1.0 + gap) * array_get(want->quality, p)
                              : keep * a[i] * gamma_of(want, p, i / n, i % n);
    for (int64_t k = 0; k < n; k++) {
        negative += creal(m[k * n + k]) < 0.0;
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j < n; j++)
                m[i * n + j] -= m[i * n + k] * m[k * n + j] / m[k * n + k];
    }
    free(a);
    free(m);
    return negative > 1;
}

// Moduli exp(-((i - j) / tau)^2), as a model of the coherence gives them and no stack with speckle
// does, and phases with noise: |Gamma| has many small eigenvalues, not one, and its inverse in
// float32 would be off by more than the phases bear.
static void stack_generate_smooth(stack *s, double tau, double noise, uint64_t seed)
{
    for (int64_t p = 0; p < s->points; p++)
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t j = i + 1; j < s->n; j++) {
                const double d = (double)(j - i) / tau, modulus = exp(-d * d);
                const double angle = (double)(i * i - j * j) + noise * random_normal(&seed);
                stack_put(s, p, i, j, modulus * cos(angle), modulus * sin(angle));
            }
}

static int has_device_kernel(void)
{
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_EMI, HGATE_C64, i)); i++)
        if (k->kernel->spaces & HGATE_SPACE_CUDA)
            return 1;
    return 0;
}

START_TEST(smooth_coherence_is_inverted_with_enough_digits)
{
    static const double noises[] = {0.01, 0.1}, kappas[] = {1e3, 1e4, 3e4, 1e5, 1e7};
    static const int64_t images[] = {7, 17, 30, 92, 167};
    const double noise = noises[_i / 5 % 2], kappa = kappas[_i % 5];
    const int64_t n = images[_i / 10];
    if (n > 30 && !has_device_kernel())
        return; // with more images a device has other kernels, a CPU the same
    stack s = stack_new("c64", n <= 30 ? 67 : 33, n, 0);
    stack_generate_smooth(&s, (double)n / 2.3, noise, 99);
    s.params.kappa = kappa;
    stack want = stack_as(&s, "c128", 0);
    const char *const exact = n <= 30 ? "reference" : "interleaved"; // which is much quicker
    stack_run_ok(&want, conf_find(HGATE_OP_EMI, "cpu-serial", exact), 1);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_EMI, HGATE_C64, i)); i++) {
        const int is_device = (k->kernel->spaces & HGATE_SPACE_CUDA) != 0;
        if (k->kernel->flags & HGATE_KERNEL_REFERENCE || (n > 30 && !is_device))
            continue;
        const int status = stack_run(&s, k, 2);
        if (status == CONF_REFUSED)
            continue;
        ck_assert_int_eq(status, HGATE_OK);
        // a device has M in float32, whose norm is a thousand times the gap and more
        const double most = is_device ? 5e-2 : 1e-2, gap = is_device && n > 92 ? 3e-2 : 1e-3;
        for (int64_t p = 0; p < s.points; p++)
            if (!(stack_phase_error(&s, &want, p) <= most) && !is_near_tie(&want, p, gap))
                ck_abort_msg("%s, n %d, noise %g, kappa %g, point %d: error %g", label(k, &s),
                             (int)n, noise, kappa, (int)p, stack_phase_error(&s, &want, p));
        if (strcmp(k->kernel->name, "library") == 0)
            continue; // whose bits follow the place
        check_parts(&s, k);
        check_bad_among(&s, k);
    }
    stack_free(&s);
    stack_free(&want);
}
END_TEST

// Few looks, so that |Gamma| is indefinite or nearly singular at most points.
static const struct {
    int64_t n, looks;
} many[] = {{5, 4}, {10, 7}};
enum { N_MANY = sizeof many / sizeof *many };

// No phase is off by more than 1 rad where the vector is unique. EMI_POINTS says how many points
// of each size, 100,000 if it does not.
START_TEST(no_gross_errors)
{
    const char *text = getenv("EMI_POINTS");
    const int64_t points = text ? atoll(text) : 100000;
    stack s = stack_new("c64", points, many[_i].n, 0);
    stack_generate(&s, many[_i].looks, 4711);
    stack want = stack_as(&s, "c128", 0);
    stack_run_ok(&want, conf_find(HGATE_OP_EMI, "cpu-serial", "interleaved"), 1);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_EMI, HGATE_C64, i)); i++) {
        if (k->kernel->flags & HGATE_KERNEL_REFERENCE || strcmp(k->kernel->name, "pivoted") == 0 ||
            strcmp(k->kernel->name, "library") == 0)
            continue;
        const int status = stack_run(&s, k, 2);
        if (status == CONF_REFUSED)
            continue;
        ck_assert_int_eq(status, HGATE_OK);
        for (int64_t p = 0; p < points; p++)
            if (!(stack_phase_error(&s, &want, p) <= 1.0) && !is_near_tie(&want, p, 1e-3))
                ck_abort_msg("%s, n %d, point %d: error %g", label(k, &s), (int)s.n, (int)p,
                             stack_phase_error(&s, &want, p));
    }
    stack_free(&s);
    stack_free(&want);
}
END_TEST

// ---- instruction sets ----

static void open_avx2(void)
{
    only_vectors = 1;
    conf_open_avx2();
}

static void open_baseline(void)
{
    only_vectors = 1;
    conf_open_baseline();
}

// Tests tagged "long" may be left out where every instruction costs a hundred.
static TCase *add_case(Suite *suite, const char *name, const char *tag, void (*open)(void))
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 300);
    tcase_set_tags(tests, tag);
    tcase_add_checked_fixture(tests, open, conf_close);
    suite_add_tcase(suite, tests);
    return tests;
}

static void add_tests(Suite *suite, const char *name, void (*open)(void))
{
    enum { LARGE = 28 }; // closing phases of 150 images and more
    TCase *tests = add_case(suite, name, "", open), *large = add_case(suite, name, "long", open);
    tcase_add_loop_test(tests, layouts_give_equal_bits, 0, N_RULES);
    tcase_add_loop_test(tests, place_and_threads_do_not_change_a_bit, 0, N_RULES);
    tcase_add_loop_test(tests, closing_phases_are_found, 0, LARGE);
    tcase_add_loop_test(large, closing_phases_are_found, LARGE, 33);
    tcase_add_loop_test(tests, changes_of_the_input_show_in_the_phases, 0, N_CHANGES * N_RULES);
    tcase_add_test(tests, phases_have_modulus_one_and_quality_is_at_least_beta);
    tcase_add_loop_test(tests, a_bad_point_changes_no_other, 0, N_RULES);
    tcase_add_loop_test(tests, an_isolated_image_is_left_out, 0, N_RULES);
    tcase_add_loop_test(tests, an_isolated_image_is_left_out_of_indefinite_points, 0, N_RULES);
    tcase_add_test(tests, denormal_coherences);
    tcase_add_test(tests, promoted_input_has_the_same_beta);
    tcase_add_loop_test(tests, smooth_coherence_is_inverted_with_enough_digits, 0, 30);
    tcase_add_loop_test(large, smooth_coherence_is_inverted_with_enough_digits, 30, 50);
    tcase_add_loop_test(large, accuracy, 0, N_KINDS * (int)(sizeof stacks / sizeof *stacks));
}

int main(void)
{
    Suite *suite = suite_create("emi points");
    add_tests(suite, "best instruction set", conf_open);
    if (conf_has_avx2())
        add_tests(suite, "avx2", open_avx2);
    add_tests(suite, "baseline", open_baseline);
    TCase *tests = add_case(suite, "arrays and counts", "", conf_open);
    tcase_add_test(tests, outputs_may_be_absent);
    tcase_add_loop_test(tests, no_gross_errors, 0, N_MANY);
    tests = add_case(suite, "many points", "long", conf_open);
    tcase_add_loop_test(tests, many_points, 0, N_KINDS);
    TCase *settings = tcase_create("settings");
    tcase_add_test(settings, the_hermitian_check_can_be_switched_off);
    tcase_add_test(settings, memory_of_a_group_can_be_capped);
    tcase_add_test(settings, few_points_have_one_thread);
    suite_add_tcase(suite, settings);
    return run_suite(suite);
}
