// SPDX-License-Identifier: BSD-3-Clause
// The kernels of visibility: all steps in one call.
#include "tests/harness.h"
#include "tests/kernels/visibility_case.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_KERNEL(k, op, mask)                                                               \
    for (int i_##k = 0; (k = conf_kernel_at(op, mask, i_##k)); i_##k++)

// Whether a kernel serves a call for all of V, or for pairs.
static int serves(const conf_kernel *k, int with_pairs)
{
    return with_pairs || strcmp(k->kernel->name, "dot") != 0;
}

static array *new_output(const visibility_case *c, int with_pairs, int p)
{
    int64_t nfeed = c->grid->shape[2], M = c->antpos->shape[0] * nfeed;
    array *V = with_pairs ? array_3d(complex_word[p], c->pairs->shape[0], nfeed, nfeed)
                          : array_2d(complex_word[p], M, M);
    for (int64_t i = 0; i < array_numbers(V); i++)
        array_put(V, i, NAN);
    return V;
}

// V of a case, which the kernel must give.
static array *V_of(const conf_kernel *k, const visibility_case *c, int with_pairs, double alpha,
                   const hgate_visibility_params *params)
{
    array *V = new_output(c, with_pairs, is_f64(c->antpos));
    conf_call call = call_fused(c, with_pairs ? c->pairs : NULL, V, alpha, 0.0, params);
    conf_run_ok(k, &call, visibility_threads());
    return V;
}

static double peak(const array *a)
{
    double most = 0.0;
    for (int64_t i = 0; i < a->count; i++)
        most = fmax(most, hypot(array_get(a, 2 * i), array_get(a, 2 * i + 1)));
    return most;
}

// A sky and beams of its own: sources all over the sphere, every number different.
static visibility_case make(int p, int64_t nant, int64_t nfeed, int64_t nax, int64_t nbeam,
                            int64_t nsrc)
{
    uint64_t seed = 99;
    visibility_case c = {.antpos = array_2d(real_word[p], nant, 3),
                         .crd = array_2d(real_word[p], 3, nsrc),
                         .flux = array_1d(real_word[p], nsrc),
                         .grid =
                             array_new(complex_word[p], 5, (int64_t[]){nbeam, nax, nfeed, 9, 12}),
                         .daz = array_1d(real_word[p], 1),
                         .dza = array_1d(real_word[p], 1),
                         .beam_idx = array_1d("i32", nant),
                         .pairs = array_2d("i64", nant + 2, 2)};
    for (int64_t i = 0; i < c.antpos->count; i++)
        array_put(c.antpos, i, 60.0 * random_normal(&seed));
    for (int64_t s = 0; s < nsrc; s++) {
        double u = 2.0 * random_uniform(&seed) - 1.0, a = 6.283185307179586 * random_uniform(&seed);
        array_put(c.crd, s, sqrt(1.0 - u * u) * cos(a));
        array_put(c.crd, nsrc + s, sqrt(1.0 - u * u) * sin(a));
        array_put(c.crd, 2 * nsrc + s, u);
        array_put(c.flux, s, pow(0.001 + random_uniform(&seed), -0.6));
    }
    for (int64_t i = 0; i < array_numbers(c.grid); i++)
        array_put(c.grid, i, random_normal(&seed));
    array_put(c.daz, 0, 6.283185307179586 / 12);
    array_put(c.dza, 0, 0.2);
    for (int64_t a = 0; a < nant; a++)
        array_put(c.beam_idx, a, (double)((5 * a + a / 2 + 1) % nbeam));
    for (int64_t i = 0; i < c.pairs->count; i++)
        array_put(c.pairs, i, (double)((int64_t)(random_uniform(&seed) * (double)nant)));
    return c;
}

static void assert_near(const array *V, const array *want, double bound, const conf_kernel *k,
                        const char *what)
{
    double error = array_distance(V, want), limit = bound * peak(want);
    ck_assert_msg(error <= limit, "%s, %s: error %g, bound %g",
                  conf_label(k, complex_mask[is_f64(V)]), what, error, limit);
}

START_TEST(stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, p ? "i64" : "i32");
        hgate_visibility_params params = params_of(&c);
        double bound = conf_tolerance(HGATE_OP_VISIBILITY, complex_mask[p]);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
        {
            for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
                if (!serves(k, with_pairs))
                    continue;
                array *V = V_of(k, &c, with_pairs, 1.0, &params);
                ck_assert(with_pairs || is_hermitian(V));
                double error = array_distance(V, with_pairs ? c.Vpairs : c.V);
                ck_assert_msg(error <= bound * peak(c.V), "%s, %s: error %g of the peak, bound %g",
                              visibility_cases[_i], conf_label(k, complex_mask[p]),
                              error / peak(c.V), bound);
                array_free(V);
            }
        }
        case_free(&c);
    }
}
END_TEST

START_TEST(conventions)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load("tiny", p, "i32");
        hgate_visibility_params params = params_of(&c);
        double bound = conf_tolerance(HGATE_OP_VISIBILITY, complex_mask[p]) * peak(c.V);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
        {
            if (serves(k, 0)) {
                params.convention = HGATE_VISIBILITY_CONJ;
                array *V = V_of(k, &c, 0, 1.0, &params);
                ck_assert(is_hermitian(V));
                for (int64_t i = 0; i < array_numbers(V); i++)
                    ck_assert_double_le(
                        fabs(array_get(V, i) - (i % 2 ? -1 : 1) * array_get(c.V, i)), bound);
                array_free(V);
            }
            params.convention = HGATE_VISIBILITY_PAIRS_MATVIS;
            array *V = V_of(k, &c, 1, 1.0, &params);
            ck_assert_double_le(array_distance(V, c.Vpairs_matvis), bound);
            array_free(V);
        }
        case_free(&c);
    }
}
END_TEST

// One chunk, or seven of which the third has nothing up, or one source per chunk: the same V.
START_TEST(chunks)
{
    enum { NSRC = 1399 };
    static const int64_t min_chunks[] = {1, 7, NSRC + 50};
    for (int p = 0; p < 2; p++) {
        visibility_case c = make(p, 6, 2, 3, 4, NSRC);
        for (int s = 400; s < 600; s++)
            array_put(c.crd, 2 * NSRC + s, -fabs(array_get(c.crd, 2 * NSRC + s)));
        hgate_visibility_params params = params_default();
        const conf_kernel *k, *reference = conf_find(HGATE_OP_VISIBILITY, "cpu-serial", NULL);
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            array *want = V_of(reference, &c, with_pairs, 1.5, &params);
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
            {
                array *first = NULL;
                for (int i = 0; serves(k, with_pairs) && i < 3; i++) {
                    params.min_chunks = min_chunks[i];
                    array *V = V_of(k, &c, with_pairs, 1.5, &params);
                    array *again = V_of(k, &c, with_pairs, 1.5, &params);
                    assert_near(V, want, p ? 1e-12 : 2e-6, k, "chunks");
                    if (i == 1)
                        assert_near(V, first, p ? 1e-13 : 1e-6, k, "seven chunks");
                    ck_assert(array_equal_bits(V, again));
                    array_free(again);
                    if (i == 0)
                        first = V;
                    else
                        array_free(V);
                }
                array_free(first);
            }
            params.min_chunks = 1;
            array_free(want);
        }
        case_free(&c);
    }
}
END_TEST

// Another number of threads changes the order of some sums and nothing else; more threads than
// chunks are no harm.
START_TEST(any_number_of_threads)
{
    static const int counts[] = {2, 3, 5, 64};
    for (int p = 0; p < 2; p++) {
        visibility_case c = make(p, 6, 2, 3, 4, 1399);
        hgate_visibility_params params = params_default();
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
            {
                if (!serves(k, with_pairs) || !(k->kernel->flags & HGATE_KERNEL_THREADED))
                    continue;
                array *want = new_output(&c, with_pairs, p), *V = new_output(&c, with_pairs, p);
                array *pairs = with_pairs ? c.pairs : NULL;
                conf_call call = call_fused(&c, pairs, want, 1.5, 0.0, &params);
                conf_run_ok(k, &call, 1);
                for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                    call = call_fused(&c, pairs, V, 1.5, 0.0, &params);
                    conf_run_ok(k, &call, counts[i]);
                    assert_near(V, want, p ? 1e-13 : 1e-6, k, "threads");
                }
                array_free(want), array_free(V);
            }
        }
        case_free(&c);
    }
}
END_TEST

// alpha V + beta V with V the result: also where the upper triangle holds nothing.
START_TEST(alpha_beta)
{
    for (int p = 0; p < 2; p++)
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            visibility_case c = make(p, 5, 3, 2, 3, 60);
            hgate_visibility_params params = params_default();
            params.min_chunks = 3;
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
            {
                for (int convention = 0; serves(k, with_pairs) && convention < 2; convention++) {
                    params.convention = convention;
                    array *V = V_of(k, &c, with_pairs, 1.0, &params), *was = array_copy(V);
                    int64_t M = V->shape[0];
                    for (int64_t i = 0; !with_pairs && i < M; i++)
                        for (int64_t j = i; j < M; j++)
                            for (int part = i == j; part < 2; part++)
                                array_put(V, 2 * (i * M + j) + part, NAN);
                    conf_call call =
                        call_fused(&c, with_pairs ? c.pairs : NULL, V, 2.0, -0.5, &params);
                    conf_run_ok(k, &call, visibility_threads());
                    ck_assert(with_pairs || is_hermitian(V));
                    for (int64_t i = 0; i < array_numbers(was); i++)
                        array_put(was, i, 1.5 * array_get(was, i));
                    assert_near(V, was, p ? 1e-13 : 1e-6, k, "alpha and beta");
                    array_free(V), array_free(was);
                }
            }
            case_free(&c);
        }
}
END_TEST

// Nothing up, or no sources at all: V = beta V, and zeros over NaN for beta 0.
START_TEST(nothing_up)
{
    for (int p = 0; p < 2; p++)
        for (int nsrc = 0; nsrc <= 40; nsrc += 40)
            for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
                visibility_case c = make(p, 4, 2, 1, 2, nsrc);
                for (int64_t s = 0; s < nsrc; s++)
                    array_put(c.crd, 2 * nsrc + s, s % 2 ? -0.0 : -1e-3);
                hgate_visibility_params params = params_default();
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
                {
                    if (!serves(k, with_pairs))
                        continue;
                    array *V = V_of(k, &c, with_pairs, 3.0, &params);
                    ck_assert_double_eq(array_peak(V), 0.0);
                    for (int64_t i = 0; i < V->shape[0]; i++) // real numbers on the diagonal or so
                        array_put(V, 2 * (i * V->shape[1]) * (with_pairs ? V->shape[2] : 1),
                                  (double)i);
                    if (!with_pairs)
                        for (int64_t i = 0; i < V->shape[0]; i++)
                            for (int64_t j = 0; j <= i; j++) {
                                array_put(V, 2 * (i * V->shape[0] + j), (double)(i + 3 * j));
                                array_put(V, 2 * (i * V->shape[0] + j) + 1, (double)(i - j));
                                array_put(V, 2 * (j * V->shape[0] + i), (double)(i + 3 * j));
                                array_put(V, 2 * (j * V->shape[0] + i) + 1, (double)(j - i));
                            }
                    array *was = array_copy(V);
                    conf_call call =
                        call_fused(&c, with_pairs ? c.pairs : NULL, V, 3.0, -2.0, &params);
                    conf_run_ok(k, &call, visibility_threads());
                    for (int64_t i = 0; i < array_numbers(V); i++)
                        ck_assert(array_get(V, i) == -2.0 * array_get(was, i));
                    array_free(V), array_free(was);
                }
                case_free(&c);
            }
}
END_TEST

// Signed flux: what the positive sources give less what the negative ones give.
START_TEST(signed_flux)
{
    enum { NSRC = 83 };
    for (int p = 0; p < 2; p++)
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            visibility_case c = make(p, 5, 2, 3, 2, NSRC);
            array *flux = c.flux, *plus = array_1d(real_word[p], NSRC), *minus = array_copy(plus);
            for (int s = 0; s < NSRC; s++) {
                double f = array_get(flux, s);
                array_put(s % 3 ? plus : minus, s, f);
                array_put(flux, s, s % 3 ? f : -f);
            }
            hgate_visibility_params params = params_default();
            params.min_chunks = 4;
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
            {
                if (!serves(k, with_pairs))
                    continue;
                params.signed_flux = 0;
                c.flux = plus;
                array *want = V_of(k, &c, with_pairs, 1.0, &params);
                c.flux = minus;
                array *less = V_of(k, &c, with_pairs, 1.0, &params);
                double scale = fmax(peak(want), peak(less));
                for (int64_t i = 0; i < array_numbers(want); i++)
                    array_put(want, i, array_get(want, i) - array_get(less, i));
                c.flux = flux;
                params.signed_flux = 1;
                array *V = V_of(k, &c, with_pairs, 1.0, &params);
                ck_assert_double_le(array_distance(V, want), (p ? 1e-13 : 2e-6) * scale);
                ck_assert(with_pairs || is_hermitian(V));

                params.signed_flux = 0; // without the sign, at level none: no root
                array *bad = V_of(k, &c, with_pairs, 1.0, &params);
                ck_assert(isnan(array_get(bad, 0)));
                array_free(want), array_free(less), array_free(V), array_free(bad);
            }
            array_free(plus), array_free(minus);
            case_free(&c);
        }
}
END_TEST

// Single steps by the reference, put together by hand, with options that are not the defaults.
static array *chain(const visibility_case *c, const hgate_visibility_params *params)
{
    int64_t nant = c->antpos->shape[0], nfeed = c->grid->shape[2], nax = c->grid->shape[1];
    int64_t nsrc = c->crd->shape[1], n = 0;
    for (int64_t s = 0; s < nsrc; s++)
        n += array_get(c->crd, 2 * nsrc + s) > 0.0;
    array *crd = array_2d("f64", 3, n), *flux = array_1d("f64", n);
    array *az = array_1d("f64", n), *za = array_1d("f64", n);
    for (int64_t s = 0, to = 0; s < nsrc; s++) {
        double e = array_get(c->crd, s), north = array_get(c->crd, nsrc + s);
        double u = array_get(c->crd, 2 * nsrc + s), a = atan2(north, e);
        if (!(u > 0.0))
            continue;
        array_put(crd, to, e), array_put(crd, n + to, north), array_put(crd, 2 * n + to, u);
        array_put(flux, to, array_get(c->flux, s));
        array_put(az, to, a < 0.0 ? a + 6.283185307179586 : a);
        array_put(za, to++, atan2(hypot(e, north), u));
    }
    array *beam = array_new("c128", 4, (int64_t[]){c->grid->shape[0], nfeed, nax, n});
    array *exptau = array_2d("c128", nant, n), *Z = array_2d("c128", nant * nfeed, nax * n);
    array *V = array_2d("c128", nant * nfeed, nant * nfeed);
    conf_call calls[] = {call_beam(c->grid, c->daz, c->dza, c->az0, c->za0, az, za, beam, params),
                         call_tau(c->antpos, crd, exptau, params),
                         call_z(beam, exptau, flux, c->beam_idx, Z, params),
                         call_gram(Z, V, 1.0, 0.0, params)};
    for (int i = 0; i < 4; i++)
        conf_run_ok(conf_find(calls[i].problem.op, "cpu-serial", NULL), &calls[i],
                    visibility_threads());
    array_free(crd), array_free(flux), array_free(az), array_free(za);
    array_free(beam), array_free(exptau), array_free(Z);
    return V;
}

START_TEST(options_as_in_the_steps)
{
    visibility_case c = make(1, 7, 3, 2, 5, 120);
    hgate_visibility_params params = params_default();
    params.freq_hz = 1.37e8;
    params.phase_sign = -1;
    params.flux_scale = 0.3;
    params.az_mode = HGATE_AZ_PERIODIC;
    params.convention = HGATE_VISIBILITY_CONJ;
    c.az0 = array_1d("f64", 1), c.za0 = array_1d("f64", 1);
    array_put(c.az0, 0, 0.31), array_put(c.za0, 0, -0.07);
    for (int mode = HGATE_TAU_AUTO; mode <= HGATE_TAU_WIDE; mode++)
        for (int is_amp = 0; is_amp < 2; is_amp++) {
            params.tau_mode = mode;
            params.flux_is_amp = is_amp;
            for (int s = 0; is_amp && s < 120; s += 3)
                array_put(c.flux, s, -fabs(array_get(c.flux, s)));
            array *want = chain(&c, &params);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, HGATE_C128)
            {
                if (!serves(k, 0))
                    continue;
                array *V = V_of(k, &c, 0, 1.0, &params);
                assert_near(V, want, 1e-12, k, "steps");
                array_free(V);
            }
            array_free(want);
            for (int s = 0; s < 120; s++)
                array_put(c.flux, s, fabs(array_get(c.flux, s)));
        }
    case_free(&c);
}
END_TEST

// A power beam with a node below 0 has no root: refused before V is touched, NaN at level none.
START_TEST(negative_power)
{
    for (int p = 0; p < 2; p++)
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            visibility_case c = make(p, 4, 2, 1, 3, 50);
            array *grid = array_new(real_word[p], 5, c.grid->shape);
            for (int64_t i = 0; i < grid->count; i++)
                array_put(grid, i, fabs(array_get(c.grid, 2 * i)));
            for (int i = 0; i < 9 * 12; i++) // beam 2, feed 1
                array_put(grid, (2 * 2 + 1) * 9 * 12 + i, -0.25);
            array_free(c.grid);
            c.grid = grid;
            hgate_visibility_params params = params_default();
            params.sqrt_power = 1;
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
            {
                if (!serves(k, with_pairs))
                    continue;
                params.check = HGATE_CHECK_VALUES;
                array *V = new_output(&c, with_pairs, p);
                conf_call call = call_fused(&c, with_pairs ? c.pairs : NULL, V, 1.0, 0.0, &params);
                ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_EVALUE);
                ck_assert_msg(strstr(conf_message(), "beam 2") && strstr(conf_message(), "feed 1"),
                              "%s", conf_message());
                params.check = HGATE_CHECK_NONE;
                call = call_fused(&c, with_pairs ? c.pairs : NULL, V, 1.0, 0.0, &params);
                conf_run_ok(k, &call, visibility_threads());
                for (int64_t i = 0; !with_pairs && i < 8; i++) {
                    int is_rootless = i % 2 == 1 && array_get(c.beam_idx, i / 2) == 2;
                    ck_assert(isnan(array_get(V, 2 * (i * 8 + i))) == is_rootless);
                }
                array_free(V);
            }
            case_free(&c);
        }
}
END_TEST

START_TEST(wrong_indices)
{
    visibility_case c = make(0, 4, 2, 1, 3, 20);
    hgate_visibility_params params = params_default();
    params.check = HGATE_CHECK_NONE;
    for (int round = 0; round < 2; round++) {
        array_put(round ? c.pairs : c.beam_idx, 3, round ? 4 : -1);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, HGATE_C64)
        {
            array *V = new_output(&c, 1, 0);
            conf_call call = call_fused(&c, c.pairs, V, 1.0, 0.0, &params);
            ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_EVALUE);
            ck_assert_msg(
                strstr(conf_message(), round ? "pairs: element 3" : "beam_idx: element 3"), "%s",
                conf_message());
            array_free(V);
        }
        array_put(c.beam_idx, 3, 0);
    }
    case_free(&c);
}
END_TEST

// NaN in a direction counts as not up, in any component.
START_TEST(directions_that_are_none)
{
    enum { NSRC = 30 };
    visibility_case c = make(1, 4, 2, 1, 3, NSRC);
    hgate_visibility_params params = params_default();
    params.check = HGATE_CHECK_NONE;
    array *crd = array_copy(c.crd);
    for (int d = 0; d < 3; d++)
        array_put(c.crd, d * NSRC + 5 * d + 2, NAN);
    for (int d = 0; d < 3; d++)
        array_put(crd, 2 * NSRC + 5 * d + 2, -1.0);
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, HGATE_C128)
    {
        array *V = V_of(k, &c, 1, 1.0, &params), *kept = c.crd;
        c.crd = crd;
        array *want = V_of(k, &c, 1, 1.0, &params);
        ck_assert(array_equal_bits(V, want));
        c.crd = kept;
        array_free(V), array_free(want);
    }
    array_free(crd);
    case_free(&c);
}
END_TEST

static int is_apart; // what ops.visibility.fused_z is off for

// nant 3, nfeed 2, nax 2, nbeam 2, 1000 sources, 7 x 11 nodes in float32: 33,288 bytes stay, a
// source needs 112 when the steps are fused, 200 in fast kernels of the host when they are not.
START_TEST(memory_limit)
{
    visibility_case c = make(0, 3, 2, 2, 2, 1000);
    array_free(c.grid);
    c.grid = random_array("c64", 5, (int64_t[]){2, 2, 2, 7, 11}, 4);
    hgate_visibility_params params = params_default();
    const conf_kernel *k, *reference = conf_find(HGATE_OP_VISIBILITY, "cpu-serial", NULL);
    array *want = V_of(reference, &c, 0, 1.0, &params);
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY, HGATE_C64)
    {
        if (!serves(k, 0))
            continue;
        const int is_fused = !is_apart || (k->kernel->flags & HGATE_KERNEL_REFERENCE);
        params.mem_limit = is_fused ? 37112 : 37209; // ceil((33288 + 112) / 0.9), or 200
        array *V = V_of(k, &c, 0, 1.0, &params);
        assert_near(V, want, 2e-6, k, "one source per chunk");
        params.mem_limit--;
        conf_call call = call_fused(&c, NULL, V, 1.0, 0.0, &params);
        ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_ENOMEM);
        ck_assert_msg(strstr(conf_message(), is_fused ? "37112" : "37209"), "%s", conf_message());
        array_free(V);
    }
    array_free(want);
    case_free(&c);
}
END_TEST

// ---- steps apart ----

static void open_apart(void)
{
    is_apart = 1;
    conf_host_only();
    conf_set("ops.visibility.fused_z", "off");
    conf_open();
}

// V of the n-th kernel, with the setting; NULL behind the last.
static array *V_with(const char *setting, int n, int with_pairs, const visibility_case *c,
                     size_t *bytes)
{
    static const double ones[HGATE_MAX_TERMS] = {1.0};
    hgate_visibility_params params = params_default();
    params.min_chunks = 3;
    conf_host_only();
    conf_set("ops.visibility.fused_z", setting);
    conf_open();
    const conf_kernel *k = conf_kernel_at(HGATE_OP_VISIBILITY, complex_mask[is_f64(c->antpos)], n);
    array *V = NULL;
    *bytes = 0;
    if (k && serves(k, with_pairs)) {
        V = new_output(c, with_pairs, is_f64(c->antpos));
        conf_call call = call_fused(c, with_pairs ? c->pairs : NULL, V, 1.5, 0.0, &params);
        conf_run_ok(k, &call, 1);
        hgate_estimate est = {.struct_size = sizeof est};
        ck_assert_int_eq(k->kernel->estimate(k->state, &call.problem, ones, &est), HGATE_OK);
        *bytes = k->kernel->flags & HGATE_KERNEL_REFERENCE ? 0 : est.ws_host;
    } else if (k) {
        V = array_1d("f32", 1);
    }
    conf_close();
    return V;
}

// The same bits from steps that go through memory, which takes more of it.
START_TEST(apart_or_fused)
{
    int kernels = 0;
    for (int p = 0; p < 2; p++)
        for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
            visibility_case c = make(p, 37, 2, 3, 4, 901);
            array *apart = NULL, *fused = NULL;
            size_t more = 0, bytes = 0;
            for (int n = 0; (apart = V_with("off", n, with_pairs, &c, &more)); n++, kernels++) {
                fused = V_with("on", n, with_pairs, &c, &bytes);
                ck_assert(array_equal_bits(apart, fused));
                ck_assert(bytes == 0 ? more == 0 : more > bytes);
                array_free(apart), array_free(fused);
            }
            case_free(&c);
        }
    ck_assert_int_ge(kernels, 4 * 6);
}
END_TEST

static void add_apart(Suite *suite)
{
    TCase *tcase = tcase_create("steps apart");
    tcase_add_checked_fixture(tcase, open_apart, conf_close);
    tcase_add_loop_test(tcase, stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, chunks);
    tcase_add_test(tcase, memory_limit);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("steps apart or fused");
    tcase_add_test(tcase, apart_or_fused);
    suite_add_tcase(suite, tcase);
}

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, conventions);
    tcase_add_test(tcase, chunks);
    tcase_add_test(tcase, any_number_of_threads);
    tcase_add_test(tcase, alpha_beta);
    tcase_add_test(tcase, nothing_up);
    tcase_add_test(tcase, signed_flux);
    tcase_add_test(tcase, options_as_in_the_steps);
    tcase_add_test(tcase, negative_power);
    tcase_add_test(tcase, wrong_indices);
    tcase_add_test(tcase, directions_that_are_none);
    tcase_add_test(tcase, memory_limit);
}

int main(void)
{
    Suite *suite = suite_create("visibility");
    visibility_add_levels(suite, "", add);
    add_apart(suite);
    return run_suite(suite);
}
