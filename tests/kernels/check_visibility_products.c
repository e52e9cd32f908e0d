// SPDX-License-Identifier: BSD-3-Clause
// The kernels of visibility_gram, visibility_product and visibility_pairs.
#include "tests/harness.h"
#include "tests/kernels/visibility_case.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_KERNEL(k, op, mask)                                                               \
    for (int i_##k = 0; (k = conf_kernel_at(op, mask, i_##k)); i_##k++)

// Z of M rows and K columns: some rows weak, some correlated, so that the elements of V differ in
// size.
static array *new_z(int p, int64_t M, int64_t K, uint64_t seed)
{
    array *Z = array_2d(complex_word[p], M, K);
    for (int64_t i = 0; i < M; i++)
        for (int64_t k = 0; k < K; k++) {
            double scale = 1.0 / (1.0 + (double)(i % 5));
            array_put(Z, 2 * (i * K + k), scale * (0.3 + random_normal(&seed)));
            array_put(Z, 2 * (i * K + k) + 1, scale * random_normal(&seed));
        }
    return Z;
}

static array *gram(const conf_kernel *k, array *Z, const hgate_visibility_params *params)
{
    array *V = array_2d(array_type(Z), Z->shape[0], Z->shape[0]);
    for (int64_t i = 0; i < array_numbers(V); i++)
        array_put(V, i, NAN);
    conf_call call = call_gram(Z, V, 1.0, 0.0, params);
    conf_run_ok(k, &call, visibility_threads());
    return V;
}

static double gram_bound(int p, int64_t K)
{
    double bound = conf_tolerance(HGATE_OP_VISIBILITY_GRAM, complex_mask[p]);
    return p ? bound * sqrt((double)(K > 1 ? K : 1)) : bound;
}

static double peak(const array *a)
{
    double most = 0.0;
    for (int64_t i = 0; i < a->count; i++)
        most = fmax(most, hypot(array_get(a, 2 * i), array_get(a, 2 * i + 1)));
    return most;
}

START_TEST(gram_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, "i32");
        hgate_visibility_params params = params_default();
        array *Z = array_as(c.Z, complex_word[p]);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
        {
            array *V = gram(k, Z, &params);
            ck_assert(is_hermitian(V));
            double error = array_distance(V, c.V);
            // Z itself was rounded: 2^-24 of each factor.
            double bound = (gram_bound(p, Z->shape[1]) + (p ? 0.0 : 0x1p-23)) * peak(c.V);
            ck_assert_msg(error <= bound, "%s: error %g, bound %g", conf_label(k, complex_mask[p]),
                          error, bound);
            array_free(V);
        }
        array_free(Z);
        case_free(&c);
    }
}
END_TEST

static const int64_t sizes[][2] = {{6, 5},   {10, 1},    {1, 7},     {33, 0},
                                   {74, 61}, {74, 6002}, {351, 700}, {13, 70001}};
enum { N_SIZES = sizeof sizes / sizeof *sizes, FIRST_LARGE = 5 };

// Against the reference in float64 on the same numbers.
START_TEST(gram_of_sizes)
{
    int64_t M = sizes[_i][0], K = sizes[_i][1];
    hgate_visibility_params params = params_default();
    const conf_kernel *reference = conf_find(HGATE_OP_VISIBILITY_GRAM, "cpu-serial", NULL);
    for (int p = 0; p < 2; p++) {
        array *Z = new_z(p, M, K, 11), *wide = array_as(Z, "c128");
        array *want = gram(reference, wide, &params);
        double bound = gram_bound(p, K) * peak(want);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
        {
            if (k == reference && (p == 1 || visibility_threads() > 1))
                continue;
            array *V = gram(k, Z, &params);
            double error = array_distance(V, want);
            ck_assert_msg(error <= bound, "%s, %lld x %lld: error %g, bound %g",
                          conf_label(k, complex_mask[p]), (long long)M, (long long)K, error, bound);
            ck_assert(is_hermitian(V));
            if (k != reference) {
                array *again = gram(k, Z, &params);
                ck_assert(array_equal_bits(V, again));
                array_free(again);
            }
            array_free(V);
        }
        array_free(Z), array_free(wide), array_free(want);
    }
}
END_TEST

// With beta, only the lower triangle and the real diagonal of V are read.
START_TEST(gram_alpha_beta)
{
    enum { M = 37, K = 21 };
    for (int p = 0; p < 2; p++) {
        hgate_visibility_params params = params_default();
        array *Z = new_z(p, M, K, 5);
        const conf_kernel *k;
        for (int convention = HGATE_VISIBILITY_ZZH; convention <= HGATE_VISIBILITY_CONJ;
             convention++)
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
            {
                params.convention = convention;
                array *V = gram(k, Z, &params), *was = array_copy(V);
                for (int i = 0; i < M; i++)
                    for (int j = i; j < M; j++)
                        for (int part = i == j; part < 2; part++)
                            array_put(V, 2 * (i * M + j) + part, NAN);
                conf_call call = call_gram(Z, V, 2.0, -0.5, &params);
                conf_run_ok(k, &call, visibility_threads());
                ck_assert(is_hermitian(V));
                double bound = 2.5 * gram_bound(p, K) * peak(was);
                for (int64_t i = 0; i < array_numbers(V); i++)
                    require(fabs(array_get(V, i) - 1.5 * array_get(was, i)) <= bound);
                array_free(V), array_free(was);
            }
        array_free(Z);
    }
}
END_TEST

// V(a Z) = |a|^2 V(Z), and the diagonal is what a sum of squares is.
START_TEST(gram_scales)
{
    enum { M = 35, K = 23 };
    const double re = 1.5, im = -0.75, factor = re * re + im * im;
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *Z = new_z(p, M, K, 8), *aZ = array_copy(Z);
        for (int64_t i = 0; i < M * K; i++) {
            const double a = array_get(Z, 2 * i), b = array_get(Z, 2 * i + 1);
            array_put(aZ, 2 * i, re * a - im * b);
            array_put(aZ, 2 * i + 1, re * b + im * a);
        }
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
        {
            array *V = gram(k, Z, &params), *W = gram(k, aZ, &params);
            const double bound = 3.0 * factor * gram_bound(p, K) * peak(V);
            for (int64_t i = 0; i < array_numbers(V); i++)
                require(fabs(array_get(W, i) - factor * array_get(V, i)) <= bound);
            for (int64_t i = 0; i < M; i++)
                require(array_get(V, 2 * i * (M + 1)) > 0 &&
                        array_get(V, 2 * i * (M + 1) + 1) == 0);
            array_free(V), array_free(W);
        }
        array_free(Z), array_free(aZ);
    }
}
END_TEST

START_TEST(gram_conj_is_the_transpose)
{
    enum { M = 35, K = 9 };
    for (int p = 0; p < 2; p++) {
        hgate_visibility_params params = params_default();
        array *Z = new_z(p, M, K, 6);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
        {
            params.convention = HGATE_VISIBILITY_ZZH;
            array *V = gram(k, Z, &params);
            params.convention = HGATE_VISIBILITY_CONJ;
            array *T = gram(k, Z, &params);
            ck_assert(is_hermitian(T));
            for (int64_t i = 0; i < M; i++)
                for (int64_t j = 0; j < M; j++)
                    for (int part = 0; part < 2; part++)
                        ck_assert(array_get(T, 2 * (i * M + j) + part) ==
                                  array_get(V, 2 * (j * M + i) + part));
            ck_assert(fabs(array_get(V, 2 * M + 1)) > 0.01); // the transpose shows
            array_free(V), array_free(T);
        }
        array_free(Z);
    }
}
END_TEST

// A row that is not finite spoils its row and column of V, nothing else.
START_TEST(gram_contains_what_is_not_finite)
{
    enum { M = 19, K = 33, BAD = 7 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++)
        for (int kind = 0; kind < 2; kind++) {
            array *Z = new_z(p, M, K, 12);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
            {
                array *good = gram(k, Z, &params);
                double old = array_get(Z, 2 * (BAD * K + 4));
                array_put(Z, 2 * (BAD * K + 4), kind ? NAN : INFINITY);
                array *V = gram(k, Z, &params);
                for (int i = 0; i < M; i++)
                    for (int j = 0; j < M; j++) {
                        double got = array_get(V, 2 * (i * M + j));
                        if (i == BAD || j == BAD)
                            ck_assert(!isfinite(got));
                        else
                            ck_assert(got == array_get(good, 2 * (i * M + j)));
                    }
                array_put(Z, 2 * (BAD * K + 4), old);
                array_free(good), array_free(V);
            }
            array_free(Z);
        }
}
END_TEST

// Rows of very different strength, over gains of 1e12: the error of an element is small beside its
// own two rows, not beside the strongest ones only.
START_TEST(gram_keeps_weak_rows)
{
    enum { M = 67, K = 3001 };
    hgate_visibility_params params = params_default();
    const conf_kernel *reference = conf_find(HGATE_OP_VISIBILITY_GRAM, "cpu-serial", NULL);
    for (int p = 0; p < 2; p++) {
        array *Z = new_z(p, M, K, 13);
        for (int64_t i = 0; i < M; i++)
            for (int64_t k = 0; k < 2 * K; k++)
                array_put(Z, 2 * i * K + k,
                          ldexp(array_get(Z, 2 * i * K + k), (int)(i * 23 % 41) - 20));
        array *wide = array_as(Z, "c128"), *want = gram(reference, wide, &params);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, complex_mask[p])
        {
            array *V = gram(k, Z, &params);
            double worst = 0.0;
            for (int64_t i = 0; i < M; i++)
                for (int64_t j = 0; j < M; j++) {
                    const int64_t at = 2 * (i * M + j);
                    double size =
                        array_get(want, 2 * i * (M + 1)) * array_get(want, 2 * j * (M + 1));
                    double error = hypot(array_get(V, at) - array_get(want, at),
                                         array_get(V, at + 1) - array_get(want, at + 1));
                    worst = fmax(worst, error / sqrt(size));
                    require(isfinite(error));
                }
            ck_assert_msg(worst <= gram_bound(p, K), "%s: error %g, bound %g",
                          conf_label(k, complex_mask[p]), worst, gram_bound(p, K));
            array_free(V);
        }
        array_free(Z), array_free(wide), array_free(want);
    }
}
END_TEST

// ---- rectangular ----

static conf_call call_product(array *A, array *B, array *C, const double alpha[2],
                              const double beta[2], const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_PRODUCT, complex_mask[is_f64(A)], params);
    conf_in(&call, HGATE_VISIBILITY_PRODUCT_A, A);
    conf_in(&call, HGATE_VISIBILITY_PRODUCT_B, B);
    (beta[0] != 0.0 || beta[1] != 0.0 ? conf_inout : conf_out)(&call, HGATE_VISIBILITY_PRODUCT_C,
                                                               C);
    call.problem.alpha_re = alpha[0], call.problem.alpha_im = alpha[1];
    call.problem.beta_re = beta[0], call.problem.beta_im = beta[1];
    conf_dim(&call, HGATE_DIM_VISIBILITY_PRODUCT_M, A->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PRODUCT_N, B->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PRODUCT_K, A->shape[1]);
    return call;
}

START_TEST(product_rectangular)
{
    enum { ROWS = 3, COLUMNS = 5 };
    static const double alphas[][2] = {{1, 0}, {0.5, -2}},
                        betas[][2] = {{0, 0}, {-0.25, 1.5}, {0, 1}};
    hgate_visibility_params params = params_default();
    for (int64_t K = 0; K <= 7; K += 7)
        for (int p = 0; p < 2; p++)
            for (int c = 0; c < 6; c++) {
                const double *alpha = alphas[c % 2], *beta = betas[c / 2];
                array *A = new_z(p, ROWS, K, 1), *B = new_z(p, COLUMNS, K, 2);
                array *old = new_z(p, ROWS, COLUMNS, 3);
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PRODUCT, complex_mask[p])
                {
                    array *C = array_copy(old);
                    for (int64_t i = 0; c / 2 == 0 && i < array_numbers(C); i++)
                        array_put(C, i, NAN);
                    conf_call call = call_product(A, B, C, alpha, beta, &params);
                    conf_run_ok(k, &call, visibility_threads());
                    for (int i = 0; i < ROWS; i++)
                        for (int j = 0; j < COLUMNS; j++) {
                            double re = 0.0, im = 0.0;
                            for (int64_t l = 0; l < K; l++) {
                                double ar = array_get(A, 2 * (i * K + l));
                                double ai = array_get(A, 2 * (i * K + l) + 1);
                                double br = array_get(B, 2 * (j * K + l));
                                double bi = array_get(B, 2 * (j * K + l) + 1);
                                re += ar * br + ai * bi;
                                im += ai * br - ar * bi;
                            }
                            double or = array_get(old, 2 * (i * COLUMNS + j));
                            double oi = array_get(old, 2 * (i * COLUMNS + j) + 1);
                            double want[] = {
                                alpha[0] * re - alpha[1] * im + beta[0] * or -beta[1] * oi,
                                alpha[0] * im + alpha[1] * re + beta[0] * oi + beta[1] * or };
                            for (int part = 0; part < 2; part++)
                                ck_assert_double_le(
                                    fabs(array_get(C, 2 * (i * COLUMNS + j) + part) - want[part]),
                                    50 * gram_bound(p, 1));
                        }
                    array_free(C);
                }
                array_free(A), array_free(B), array_free(old);
            }
}
END_TEST

// ---- pairs ----

static array *pairs_of(const conf_kernel *k, array *Z, array *pairs, int64_t nant, int64_t nfeed,
                       const hgate_visibility_params *params)
{
    array *Vpairs = array_3d(array_type(Z), pairs->shape[0], nfeed, nfeed);
    for (int64_t i = 0; i < array_numbers(Vpairs); i++)
        array_put(Vpairs, i, NAN);
    conf_call call = call_pairs(Z, pairs, nant, Vpairs, 1.0, 0.0, params);
    conf_run_ok(k, &call, visibility_threads());
    return Vpairs;
}

START_TEST(pairs_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, p ? "i32" : "i64");
        int64_t nant = c.antpos->shape[0], nfeed = c.grid->shape[2];
        array *Z = array_as(c.Z, complex_word[p]);
        double bound = (gram_bound(p, Z->shape[1]) + (p ? 0.0 : 0x1p-23)) * peak(c.V);
        for (int convention = 0; convention < 3; convention++) {
            hgate_visibility_params params = params_default();
            params.convention = convention;
            array *want = array_copy(convention == HGATE_VISIBILITY_PAIRS_MATVIS ? c.Vpairs_matvis
                                                                                 : c.Vpairs);
            for (int64_t i = 0; convention == HGATE_VISIBILITY_CONJ && i < want->count; i++)
                array_put(want, 2 * i + 1, -array_get(want, 2 * i + 1));
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PAIRS, complex_mask[p])
            {
                array *Vpairs = pairs_of(k, Z, c.pairs, nant, nfeed, &params);
                double error = array_distance(Vpairs, want);
                ck_assert_msg(error <= bound, "%s, convention %d: error %g, bound %g",
                              conf_label(k, complex_mask[p]), convention, error, bound);
                array_free(Vpairs);
            }
            array_free(want);
        }
        array_free(Z);
        case_free(&c);
    }
}
END_TEST

static array *four_pairs(const char *type)
{
    static const double ends[] = {0, 0, 1, 3, 3, 1, 1, 3};
    array *pairs = array_2d(type, 4, 2);
    for (int i = 0; i < 8; i++)
        array_put(pairs, i, ends[i]);
    return pairs;
}

// (0,0), (1,3), (3,1), (1,3): a repeat has the same bits, the turned pair is the conjugate
// transpose.
START_TEST(pairs_in_any_order)
{
    enum { NANT = 5, NFEED = 3, K = 3001 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *Z = new_z(p, NANT * NFEED, K, 77), *pairs = four_pairs(p ? "i64" : "i32");
        const conf_kernel *reference = conf_find(HGATE_OP_VISIBILITY_PAIRS, "cpu-serial", NULL);
        array *wide = array_as(Z, "c128"),
              *want = pairs_of(reference, wide, pairs, NANT, NFEED, &params);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PAIRS, complex_mask[p])
        {
            array *V = pairs_of(k, Z, pairs, NANT, NFEED, &params);
            double bound = gram_bound(p, K) * peak(want);
            ck_assert_double_le(array_distance(V, want), bound);
            const size_t block = 2 * NFEED * NFEED;
            for (size_t i = 0; i < block; i++)
                ck_assert(array_get(V, (int64_t)(block + i)) ==
                          array_get(V, (int64_t)(3 * block + i)));
            for (int a = 0; a < NFEED; a++)
                for (int b = 0; b < NFEED; b++)
                    for (int part = 0; part < 2; part++)
                        ck_assert_double_le(
                            fabs(array_get(V, (int64_t)block + 2 * (a * NFEED + b) + part) -
                                 (part ? -1 : 1) *
                                     array_get(V, 2 * (int64_t)block + 2 * (b * NFEED + a) + part)),
                            2 * bound);
            array_free(V);
        }
        array_free(Z), array_free(pairs), array_free(wide), array_free(want);
    }
}
END_TEST

START_TEST(pairs_alpha_beta)
{
    enum { NANT = 4, NFEED = 2, K = 15 };
    for (int p = 0; p < 2; p++)
        for (int convention = 0; convention < 3; convention++) {
            hgate_visibility_params params = params_default();
            params.convention = convention;
            array *Z = new_z(p, NANT * NFEED, K, 78), *pairs = four_pairs("i32");
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PAIRS, complex_mask[p])
            {
                array *V = pairs_of(k, Z, pairs, NANT, NFEED, &params), *was = array_copy(V);
                conf_call call = call_pairs(Z, pairs, NANT, V, 2.0, -0.5, &params);
                conf_run_ok(k, &call, visibility_threads());
                double bound = 2.5 * gram_bound(p, K) * peak(was);
                for (int64_t i = 0; i < array_numbers(V); i++)
                    require(fabs(array_get(V, i) - 1.5 * array_get(was, i)) <= bound);
                array_free(V), array_free(was);
            }
            array_free(Z), array_free(pairs);
        }
}
END_TEST

START_TEST(no_pairs)
{
    enum { NANT = 3, NFEED = 2, K = 4 };
    hgate_visibility_params params = params_default();
    array *Z = new_z(0, NANT * NFEED, K, 3), *pairs = array_2d("i32", 0, 2);
    array *Vpairs = array_3d("c64", 0, NFEED, NFEED);
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PAIRS, HGATE_C64)
    {
        conf_call call = call_pairs(Z, pairs, NANT, Vpairs, 1.0, 0.0, &params);
        conf_run_ok(k, &call, visibility_threads());
    }
    array_free(Z), array_free(pairs), array_free(Vpairs);
}
END_TEST

START_TEST(pairs_refuse_wrong_indices)
{
    enum { NANT = 4, NFEED = 2, K = 3 };
    static const double wrong[] = {-1, NANT, 2147483647};
    hgate_visibility_params params = params_default();
    params.check = HGATE_CHECK_NONE;
    array *Z = new_z(0, NANT * NFEED, K, 3), *pairs = four_pairs("i32");
    array *Vpairs = array_3d("c64", 4, NFEED, NFEED);
    array_put(pairs, 5, wrong[_i]);
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_PAIRS, HGATE_C64)
    {
        conf_call call = call_pairs(Z, pairs, NANT, Vpairs, 1.0, 0.0, &params);
        ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_EVALUE);
        ck_assert_msg(strstr(conf_message(), "pairs: element 5"), "%s", conf_message());
    }
    array_free(Z), array_free(pairs), array_free(Vpairs);
}
END_TEST

// ---- choice and cost ----

// A call that asks for one product is served by the kernels of that name and by no other.
START_TEST(matprod_narrows)
{
    static const int products[] = {HGATE_MATPROD_HERK, HGATE_MATPROD_GEMM, HGATE_MATPROD_GEMM3M,
                                   HGATE_MATPROD_HERK3, HGATE_MATPROD_ZHERK};
    static const char *const words[] = {"herk", "gemm", "gemm3m", "herk3", "zherk"};
    array *Z = new_z(0, 4, 3, 1), *V = array_2d("c64", 4, 4);
    for (int i = 0; i < 5; i++) {
        hgate_visibility_params params = params_default();
        params.matprod = products[i];
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_GRAM, HGATE_C64)
        {
            conf_call call = call_gram(Z, V, 1.0, 0.0, &params);
            int status = conf_run(k, &call, visibility_threads());
            if (strcmp(k->kernel->name, words[i]) == 0) {
                ck_assert_int_eq(status, HGATE_OK);
            } else {
                ck_assert_int_eq(status, CONF_REFUSED);
                ck_assert_msg(strstr(conf_reason(), words[i]), "%s", conf_reason());
            }
        }
    }
    array_free(Z), array_free(V);
}
END_TEST

// Seconds by made-up constants: `work` per unit of the product, everything else free.
static double seconds(const char *op_kernel, int op, const conf_call *call, double work)
{
    const conf_kernel *k = conf_find(op, "cpu-serial", op_kernel);
    double constants[256] = {0};
    constants[k->kernel->terms[1].constant] = work;
    hgate_estimate est = {.struct_size = sizeof est};
    hgate_problem problem = call->problem;
    problem.args = call->args;
    problem.dims = call->dims;
    ck_assert_int_eq(k->kernel->estimate(k->state, &problem, constants, &est), HGATE_OK);
    double sum = 0.0;
    for (int i = 0; i < k->kernel->n_terms; i++)
        sum += est.terms[i] * constants[k->kernel->terms[i].constant];
    return sum;
}

// 700 rows, 66,668 columns at 8e13 operations and 4e12 bytes per second: up to about 6,100 pairs
// the row products are cheaper than the full product.
START_TEST(cost_of_pairs)
{
    hgate_visibility_params params = params_default();
    for (int npairs = 6000; npairs <= 6200; npairs += 200) {
        DLTensor none = {.ndim = 0, .dtype = {HGATE_DL_COMPLEX, 64, 1}};
        conf_call call;
        conf_call_init(&call, HGATE_OP_VISIBILITY_PAIRS, HGATE_C64, &params);
        for (int i = 0; i <= HGATE_VISIBILITY_PAIRS_VPAIRS; i++)
            call.args[i] = &none;
        conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NANT, 350);
        conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NFEED, 2);
        conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_K, 66668);
        conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NPAIRS, npairs);
        double dot = seconds("dot", HGATE_OP_VISIBILITY_PAIRS, &call, 1 / 4e12);
        double full = seconds("herk", HGATE_OP_VISIBILITY_PAIRS, &call, 1 / 8e13);
        ck_assert_double_le(fabs(full - 3.267e-3), 1e-6);
        ck_assert_double_le(fabs(dot - npairs * 0.533e-6), npairs * 1e-9);
        ck_assert((dot < full) == (npairs == 6000));
    }
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, gram_stored, 0, N_VISIBILITY_CASES);
    tcase_add_loop_test(tcase, gram_of_sizes, 0, FIRST_LARGE);
    tcase_add_test(tcase, gram_alpha_beta);
    tcase_add_test(tcase, gram_scales);
    tcase_add_test(tcase, gram_conj_is_the_transpose);
    tcase_add_test(tcase, gram_contains_what_is_not_finite);
    tcase_add_test(tcase, gram_keeps_weak_rows);
    tcase_add_test(tcase, product_rectangular);
    tcase_add_loop_test(tcase, pairs_stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, pairs_in_any_order);
    tcase_add_test(tcase, pairs_alpha_beta);
    tcase_add_test(tcase, no_pairs);
    tcase_add_loop_test(tcase, pairs_refuse_wrong_indices, 0, 3);
    tcase_add_test(tcase, matprod_narrows);
    tcase_add_test(tcase, cost_of_pairs);
}

static void add_long(TCase *tcase)
{
    tcase_add_loop_test(tcase, gram_of_sizes, FIRST_LARGE, N_SIZES);
}

int main(void)
{
    Suite *suite = suite_create("visibility products");
    visibility_add_levels(suite, "", add);
    visibility_add_levels(suite, "long", add_long);
    return run_suite(suite);
}
