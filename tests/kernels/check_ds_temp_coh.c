// SPDX-License-Identifier: BSD-3-Clause
// ds_temp_coh: which pairs count, lists of pairs in any order, values that are left out.
#include "tests/harness.h"
#include "tests/kernels/emi_stack.h"

#include <math.h>
#include <string.h>

static const char *const types[] = {"c64", "c128"};
static const uint32_t dtypes[] = {HGATE_C64, HGATE_C128};
static hgate_emi_params params = {.struct_size = sizeof params};

// The coherence of each point, written out.
static double by_hand(const array *coh, const array *pairs, const array *phase, int64_t point,
                      int64_t n)
{
    double re = 0.0, im = 0.0, count = 0.0;
    int64_t n_pairs = coh->shape[1];
    for (int64_t p = 0; p < n_pairs; p++) {
        int64_t i = (int64_t)array_get(pairs, 2 * p), j = (int64_t)array_get(pairs, 2 * p + 1);
        double x = array_get(coh, 2 * (point * n_pairs + p)),
               y = array_get(coh, 2 * (point * n_pairs + p) + 1);
        double a = array_get(phase, 2 * (point * n + i)),
               b = array_get(phase, 2 * (point * n + i) + 1);
        double c = array_get(phase, 2 * (point * n + j)),
               d = array_get(phase, 2 * (point * n + j) + 1);
        if (!isfinite(x + y + a + b + c + d) || (x == 0.0 && y == 0.0))
            continue;
        double angle = atan2(y, x) - atan2(b, a) + atan2(d, c);
        re += cos(angle);
        im += sin(angle);
        count += 1.0;
    }
    return count > 0.0 ? hypot(re, im) / count : NAN;
}

typedef struct problem {
    int64_t n;
    array *coh, *pairs, *phase, *t_coh;
} problem;

static problem problem_new(const char *type, int64_t points, int64_t n, uint64_t seed)
{
    int64_t n_pairs = n * (n - 1) / 2;
    problem p = {.n = n,
                 .coh = array_2d(type, points, n_pairs),
                 .pairs = array_2d("i32", n_pairs, 2),
                 .phase = array_2d(type, points, n),
                 .t_coh = array_1d(strcmp(type, "c64") ? "f64" : "f32", points)};
    for (int64_t i = 0, at = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++, at += 2) {
            array_put(p.pairs, at, (double)i);
            array_put(p.pairs, at + 1, (double)j);
        }
    for (int64_t i = 0; i < 2 * p.coh->count; i++)
        array_put(p.coh, i, 1.4 * random_uniform(&seed) - 0.7);
    for (int64_t i = 0; i < p.phase->count; i++) {
        double angle = 6.0 * random_uniform(&seed);
        array_put(p.phase, 2 * i, cos(angle));
        array_put(p.phase, 2 * i + 1, sin(angle));
    }
    return p;
}

static void problem_free(problem *p)
{
    array_free(p->coh);
    array_free(p->pairs);
    array_free(p->phase);
    array_free(p->t_coh);
}

static int run_of(const conf_kernel *k, problem *p, array *coh, array *pairs)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_DS_TEMP_COH, p->coh->element == 8 ? HGATE_C64 : HGATE_C128,
                   &params);
    conf_in(&call, HGATE_DS_TEMP_COH_COH, coh);
    conf_in(&call, HGATE_DS_TEMP_COH_PAIRS, pairs);
    conf_in(&call, HGATE_DS_TEMP_COH_PHASE, p->phase);
    conf_out(&call, HGATE_DS_TEMP_COH_T_COH, p->t_coh);
    conf_dim(&call, HGATE_DIM_DS_TEMP_COH_N, p->n);
    conf_dim(&call, HGATE_DIM_DS_TEMP_COH_BATCH, p->coh->shape[0]);
    conf_dim(&call, HGATE_DIM_DS_TEMP_COH_FULL, coh != p->coh);
    conf_dim(&call, HGATE_DIM_DS_TEMP_COH_NPAIRS, p->coh->shape[1]);
    return conf_run(k, &call, 2);
}

static int run(const conf_kernel *k, problem *p, array *pairs)
{
    return run_of(k, p, p->coh, pairs);
}

static void expect(const conf_kernel *k, const problem *p, const char *what)
{
    double bound = p->coh->element == 8 ? 1e-6 : 1e-14;
    for (int64_t point = 0; point < p->coh->shape[0]; point++) {
        double got = array_get(p->t_coh, point);
        double want = by_hand(p->coh, p->pairs, p->phase, point, p->n);
        ck_assert_msg(isnan(want) ? isnan(got) : fabs(got - want) <= bound,
                      "%s, %s, point %d: %g, expected %g",
                      conf_label(k, p->coh->element == 8 ? HGATE_C64 : HGATE_C128), what,
                      (int)point, got, want);
    }
}

static void shuffle(const problem *p, problem *q, int is_turned)
{
    int64_t n_pairs = p->pairs->shape[0];
    for (int64_t c = 0; c < n_pairs; c++) {
        int64_t from = (7 * c + 2) % n_pairs;
        array_put(q->pairs, 2 * c + is_turned, array_get(p->pairs, 2 * from));
        array_put(q->pairs, 2 * c + !is_turned, array_get(p->pairs, 2 * from + 1));
        for (int64_t point = 0; point < p->coh->shape[0]; point++) {
            int64_t a = 2 * (point * n_pairs + from), b = 2 * (point * n_pairs + c);
            array_put(q->coh, b, array_get(p->coh, a));
            array_put(q->coh, b + 1, (is_turned ? -1.0 : 1.0) * array_get(p->coh, a + 1));
        }
    }
}

// All pairs, the same given as a list, shuffled, and all turned round with the conjugate (one
// turned round alone would give the conjugate of its phasor).
START_TEST(lists_of_pairs)
{
    for (int t = 0; t < 2; t++) {
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_DS_TEMP_COH, dtypes[t], i)); i++) {
            problem p = problem_new(types[t], 7, 6, 5);
            ck_assert_int_eq(run(k, &p, NULL), HGATE_OK);
            expect(k, &p, "all pairs");
            array *first = array_copy(p.t_coh);
            ck_assert_int_eq(run(k, &p, p.pairs), HGATE_OK);
            ck_assert(array_equal_bits(first, p.t_coh));

            for (int is_turned = 0; is_turned < 2; is_turned++) {
                problem q = problem_new(types[t], 7, 6, 5);
                shuffle(&p, &q, is_turned);
                ck_assert_int_eq(run(k, &q, q.pairs), HGATE_OK);
                expect(k, &q, is_turned ? "turned" : "shuffled");
                ck_assert(array_distance(first, q.t_coh) <= (t == 0 ? 1e-6 : 1e-14));
                problem_free(&q);
            }
            array_free(first);
            problem_free(&p);
        }
    }
}
END_TEST

// Zero and non-finite coherences and undefined phases do not count; a point without any pair left
// is NaN.
START_TEST(pairs_that_do_not_count)
{
    for (int t = 0; t < 2; t++) {
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_DS_TEMP_COH, dtypes[t], i)); i++) {
            problem p = problem_new(types[t], 5, 4, 8);
            array_put(p.coh, 0, NAN);
            array_put(p.coh, 12 + 3, INFINITY);
            array_put(p.coh, 24 + 4, 0.0);
            array_put(p.coh, 24 + 5, -0.0);
            array_put(p.phase, 24 + 2, NAN);
            for (int64_t c = 0; c < 12; c++)
                array_put(p.coh, 48 + c, 0.0);
            ck_assert_int_eq(run(k, &p, NULL), HGATE_OK);
            expect(k, &p, "left out");
            ck_assert(isnan(array_get(p.t_coh, 4)));
            problem_free(&p);
        }
    }
}
END_TEST

// The known weakness, and the upper end: residuals of pi everywhere, and of 0.
START_TEST(equal_residuals_give_one)
{
    for (int t = 0; t < 2; t++) {
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_DS_TEMP_COH, dtypes[t], i)); i++) {
            problem p = problem_new(types[t], 2, 9, 3);
            for (int64_t m = 0; m < p.phase->count; m++) {
                array_put(p.phase, 2 * m, 1.0);
                array_put(p.phase, 2 * m + 1, 0.0);
            }
            for (int64_t c = 0; c < p.coh->count; c++) {
                array_put(p.coh, 2 * c, c < p.coh->shape[1] ? 0.3 : -0.3);
                array_put(p.coh, 2 * c + 1, 0.0);
            }
            ck_assert_int_eq(run(k, &p, NULL), HGATE_OK);
            ck_assert_double_eq(array_get(p.t_coh, 0), 1.0);
            ck_assert_double_eq(array_get(p.t_coh, 1), 1.0);
            problem_free(&p);
        }
    }
}
END_TEST

START_TEST(wild_pairs)
{
    static const struct {
        int64_t at;
        double value;
    } wild[] = {{0, -1}, {1, 6}, {7, 1e9}, {4, 3}};
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_DS_TEMP_COH, HGATE_C64, i)); i++)
        for (size_t w = 0; w < sizeof wild / sizeof *wild; w++) {
            problem p = problem_new("c64", 3, 6, 5);
            ck_assert_double_eq(array_get(p.pairs, 5), 3.0); // the last one makes i = j
            array_put(p.pairs, wild[w].at, wild[w].value);
            ck_assert_int_eq(run(k, &p, p.pairs), HGATE_EVALUE);
            ck_assert_ptr_nonnull(strstr(conf_message(), "pairs: row"));
            problem_free(&p);
        }
}
END_TEST

// The same coherences as full matrices, of which only the upper triangle counts.
static array *full_of(const problem *p)
{
    array *full = array_3d(p->coh->element == 8 ? "c64" : "c128", p->coh->shape[0], p->n, p->n);
    for (int64_t i = 0; i < 2 * full->count; i++)
        array_put(full, i, NAN);
    for (int64_t point = 0, at = 0; point < p->coh->shape[0]; point++)
        for (int64_t i = 0; i < p->n; i++)
            for (int64_t j = i + 1; j < p->n; j++, at++)
                for (int part = 0; part < 2; part++)
                    array_put(full, 2 * ((point * p->n + i) * p->n + j) + part,
                              array_get(p->coh, 2 * at + part));
    return full;
}

// More points than lanes, rows longer than a chunk of pairs, both layouts, and moduli whose square
// leaves the range of the type.
START_TEST(full_matrices_and_far_moduli)
{
    for (int t = 0; t < 2; t++) {
        const conf_kernel *k;
        double far = t == 0 ? 1e30 : 1e200;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_DS_TEMP_COH, dtypes[t], i)); i++) {
            problem p = problem_new(types[t], 37, 41, 11);
            for (int64_t c = 0; c < p.coh->count; c += 5)
                for (int part = 0; part < 2; part++)
                    array_put(p.coh, 2 * c + part,
                              array_get(p.coh, 2 * c + part) * (c % 2 ? far : 1.0 / far));
            array *full = full_of(&p);
            ck_assert_int_eq(run(k, &p, NULL), HGATE_OK);
            expect(k, &p, "packed");
            ck_assert_int_eq(run_of(k, &p, full, NULL), HGATE_OK);
            expect(k, &p, "full");
            array_free(full);
            problem_free(&p);
        }
    }
}
END_TEST

static void add_tests(Suite *suite, const char *name, void (*open)(void))
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, open, conf_close);
    tcase_add_test(tests, lists_of_pairs);
    tcase_add_test(tests, pairs_that_do_not_count);
    tcase_add_test(tests, equal_residuals_give_one);
    tcase_add_test(tests, full_matrices_and_far_moduli);
    tcase_add_test(tests, wild_pairs);
    suite_add_tcase(suite, tests);
}

int main(void)
{
    Suite *suite = suite_create("ds_temp_coh");
    add_tests(suite, "best instruction set", conf_open);
    if (conf_has_avx2())
        add_tests(suite, "avx2", conf_open_avx2);
    add_tests(suite, "baseline", conf_open_baseline);
    return run_suite(suite);
}
