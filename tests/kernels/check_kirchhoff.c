// SPDX-License-Identifier: BSD-3-Clause
// The kernels of kirchhoff_forward and kirchhoff_adjoint.
#include "tests/harness.h"
#include "tests/kernels/kirchhoff_case.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_KERNEL(k, op, mask) for (int i_##k = 0; (k = kernel_at(op, mask, i_##k)); i_##k++)

enum { FORWARD = HGATE_OP_KIRCHHOFF_FORWARD, ADJOINT = HGATE_OP_KIRCHHOFF_ADJOINT };

static void check_both(const survey *s, const answer *want, const char *what)
{
    int p = s->model->element == 8;
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
    {
        array *data = new_data(s);
        conf_call call = call_forward(s, s->model, data, 1.0, 0.0);
        conf_run_ok(k, &call, 1);
        assert_within(data, want->data, want->data_bound, what, k);
        array_free(data);
    }
    FOR_EACH_KERNEL(k, ADJOINT, survey_mask[p])
    {
        array *model = new_model(s);
        conf_call call = call_adjoint(s, s->data, model, 1.0, 0.0);
        conf_run_ok(k, &call, 1);
        assert_within(model, want->model, want->model_bound, what, k);
        array_free(model);
    }
}

START_TEST(stored)
{
    for (int p = 0; p < 2; p++) {
        answer want;
        survey s = survey_load(survey_names[_i], p, &want);
        check_both(&s, &want, survey_names[_i]);
        survey_turn(&s);
        check_both(&s, &want, survey_names[_i]);
        answer_free(&want);
        survey_free(&s);
    }
}
END_TEST

// The sums of this test program are those of the stored answers.
START_TEST(second_opinion)
{
    answer want;
    survey s = survey_load(survey_names[_i], 1, &want);
    answer own = survey_solve(&s);
    for (int64_t i = 0; i < s.data->count; i++)
        require(fabs(own.data[i] - want.data[i]) <= want.data_bound[i]);
    for (int64_t i = 0; i < s.model->count; i++)
        require(fabs(own.model[i] - want.model[i]) <= want.model_bound[i]);
    answer_free(&own);
    answer_free(&want);
    survey_free(&s);
}
END_TEST

static const struct {
    int64_t ny, nx, nz, ns, nr, nt;
} sizes[] = {{0, 1, 1, 1, 1, 2},     {0, 1, 13, 3, 1, 17},    {0, 17, 1, 1, 4, 29},
             {0, 7, 9, 35, 5, 41},   {0, 6, 11, 5, 37, 33},   {0, 5, 3, 1000, 1, 16},
             {3, 5, 7, 4, 6, 25},    {2, 9, 8, 3, 2, 19},     {0, 31, 33, 2, 3, 75},
             {0, 4, 5, 2, 3, 70001}, {0, 65, 129, 3, 2, 160}, {0, 2, 3, 7, 11, 2}};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static survey sized(int i, int p, int is_dynamic)
{
    return survey_make(p, sizes[i].ny, sizes[i].nx, sizes[i].nz, sizes[i].ns, sizes[i].nr,
                       sizes[i].nt, is_dynamic, 7 + (uint64_t)i);
}

// Every kind of size, with weights, limits, tapers and wavelets of every kind.
START_TEST(odd_sizes)
{
    for (int p = 0; p < 2; p++)
        for (int kind = 0; kind < 5; kind++) {
            survey s = sized(_i, p, kind >= 2);
            if (kind == 1 || kind == 4) {
                s.wav = array_1d(survey_type[p], 5);
                for (int q = 0; q < 5; q++)
                    array_put(s.wav, q, 0.5 - 0.7 * q * q + 0.2 * q * q * q);
                s.params.wavc = 3;
            }
            if (kind >= 3) {
                s.params.angle[0] = 0.5, s.params.angle[1] = 1.1;
                s.params.aperture[0] = 0.4, s.params.aperture[1] = 3.3;
            }
            if (kind == 4) {
                s.params.offset_taper = HGATE_OFFSET_TAPER_UNIT;
                s.tap = array_1d("f64", 2); // float64 whatever the tables are
                array_put(s.tap, 0, 0.8);
                array_free(s.vel);
                s.vel = array_1d(survey_type[p], 1);
                array_put(s.vel, 0, 1777.0);
            }
            answer want = survey_solve(&s);
            check_both(&s, &want, "odd sizes");
            survey_turn(&s);
            check_both(&s, &want, "odd sizes, station-major");
            answer_free(&want);
            survey_free(&s);
        }
}
END_TEST

// ---- exact numbers ----

// Speed 512, one node at (384, 512), source (0, 0): distances 640 and 512 are whole samples of
// 1/128 s.
static survey triangle(int p, double receiver_time, int64_t nt)
{
    survey s = survey_make(p, 0, 1, 1, 1, 1, nt, 0, 1);
    s.params.dt = 1.0 / 128, s.params.t0 = 0.0;
    array_put(s.trav_src, 0, 640.0 / 512);
    array_put(s.trav_rec, 0, receiver_time);
    array_put(s.model, 0, 1.0);
    return s;
}

static const struct {
    double receiver_time, t0;
    int64_t nt;
    int at; // -1: nothing
    double first, second;
} exact[] = {{1.25, 0, 400, 320, 1.0, 0.0},
             {1.0, 0, 400, 288, 1.0, 0.0},
             {1.25 + 1.0 / 256, 0, 400, 320, 0.5, 0.5},
             {1.25, 0, 321, -1, 0, 0},
             {1.25, 0, 322, 320, 1.0, 0.0},
             {1.25, 1.0, 400, 192, 1.0, 0.0},
             {-1.25 - 1.0 / 256, 0, 400, -1, 0, 0},
             {1e30, 0, 400, -1, 0, 0},
             {3e7, 0, 400, -1, 0, 0}, // index beyond 2^31
             {NAN, 0, 400, -1, 0, 0},
             {INFINITY, 0, 400, -1, 0, 0},
             {-INFINITY, 0, 400, -1, 0, 0}};
enum { N_EXACT = sizeof exact / sizeof *exact };

START_TEST(exact_samples)
{
    for (int p = 0; p < 2; p++) {
        survey s = triangle(p, exact[_i].receiver_time, exact[_i].nt);
        s.params.t0 = exact[_i].t0;
        array *data = new_data(&s), *model = new_model(&s);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
        {
            conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            for (int n = 0; n < exact[_i].nt; n++) {
                double want = exact[_i].at < 0        ? 0.0
                              : n == exact[_i].at     ? exact[_i].first
                              : n == exact[_i].at + 1 ? exact[_i].second
                                                      : 0.0;
                if (array_get(data, n) != want)
                    ck_abort_msg("%s: sample %d is %g, expected %g", conf_label(k, survey_mask[p]),
                                 n, array_get(data, n), want);
            }
        }
        FOR_EACH_KERNEL(k, ADJOINT, survey_mask[p])
        {
            for (int n = 0; n < exact[_i].nt; n++)
                array_put(s.data, n, 3.0 + n);
            conf_call call = call_adjoint(&s, s.data, model, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            double want = exact[_i].at < 0 ? 0.0 : 3.0 + exact[_i].at + exact[_i].second;
            require(array_get(model, 0) == want);
        }
        array_free(data), array_free(model);
        survey_free(&s);
    }
}
END_TEST

// Angles of the 3-4-5 triangle, spreading without eps: 2 / (sqrt(640) sqrt(640) 512) and its 3D
// fellow.
START_TEST(exact_weights)
{
    static const double want[] = {4.8828125e-6, 7.62939453125e-9};
    for (int p = 0; p < 2; p++)
        for (int d = 0; d < 2; d++) {
            survey s = triangle(p, 1.25, 400);
            s.params.flags |= HGATE_KIRCHHOFF_DYNAMIC;
            array **tables[] = {&s.amp_src, &s.amp_rec, &s.ang_src, &s.ang_rec, &s.vel};
            double angle = atan2(384.0, 512.0);
            double values[] = {0, 0, angle, -angle, 512.0};
            values[0] = values[1] = d ? 1.0 / 640 : 1.0 / sqrt(640.0);
            for (int t = 0; t < 5; t++) {
                *tables[t] = array_2d(survey_type[p], 1, 1);
                array_put(*tables[t], 0, values[t]);
            }
            array *data = new_data(&s);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
            {
                conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
                conf_run_ok(k, &call, 1);
                ck_assert_double_le(fabs(array_get(data, 320) / want[d] - 1.0),
                                    (p ? 0x1p-52 : 0x1p-23) * 4);
            }
            array_free(data);
            survey_free(&s);
        }
}
END_TEST

// Data of ones: every point gets the number of pairs.
START_TEST(ones)
{
    for (int p = 0; p < 2; p++) {
        survey s = survey_make(p, 0, 23, 17, 6, 5, 200, 0, 3);
        s.params.t0 = 0.0;
        for (int64_t i = 0; i < s.data->count; i++)
            array_put(s.data, i, 1.0);
        array *model = new_model(&s);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, ADJOINT, survey_mask[p])
        {
            conf_call call = call_adjoint(&s, s.data, model, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            for (int64_t i = 0; i < s.ni; i++)
                require(array_get(model, i) == 30.0);
        }
        array_free(model);
        survey_free(&s);
    }
}
END_TEST

// wav (1, 2, 3) with its centre at 1; a spike at a sample shows 1 before, 2 at and 3 behind it.
START_TEST(wavelet_around_a_spike)
{
    for (int p = 0; p < 2; p++)
        for (int at = 0; at < 2; at++) {
            survey s = triangle(p, at ? 1.25 : -1.25, 400);
            s.wav = array_1d(survey_type[p], 3);
            for (int q = 0; q < 3; q++)
                array_put(s.wav, q, 1.0 + q);
            s.params.wavc = 1;
            array *data = new_data(&s);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
            {
                conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
                conf_run_ok(k, &call, 1);
                int n = at ? 320 : 0;
                require(n == 0 || array_get(data, n - 1) == 1.0);
                require(array_get(data, n) == 2.0 && array_get(data, n + 1) == 3.0);
                require(array_get(data, n + 2) == 0.0 && array_get(data, 399) == 0.0);
            }
            array_free(data);
            survey_free(&s);
        }
}
END_TEST

// ---- rules ----

static double dot(const array *a, const array *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < a->count; i++)
        sum += array_get(a, i) * array_get(b, i);
    return sum;
}

// <L m, d> = <m, L' d> for every kernel of one direction with every kernel of the other.
START_TEST(adjointness)
{
    for (int p = 0; p < 2; p++) {
        answer unused;
        survey s = survey_load(survey_names[_i], p, &unused);
        uint64_t seed = 5;
        for (int64_t i = 0; i < s.model->count; i++)
            array_put(s.model, i, random_normal(&seed));
        const conf_kernel *k, *l;
        FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
        FOR_EACH_KERNEL(l, ADJOINT, survey_mask[p])
        {
            array *data = new_data(&s), *model = new_model(&s);
            conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            call = call_adjoint(&s, s.data, model, 1.0, 0.0);
            conf_run_ok(l, &call, 1);
            double gap = fabs(dot(data, s.data) - dot(s.model, model));
            double scale = sqrt(dot(data, data) * dot(s.data, s.data));
            // A survey whose limits cut everything off has nothing to compare.
            ck_assert_msg(gap <= conf_tolerance(FORWARD, survey_mask[p]) * scale, "%s, %s: %g",
                          survey_names[_i], conf_label(k, survey_mask[p]), gap / scale);
            ck_assert(scale > 0.0);
            array_free(data), array_free(model);
        }
        answer_free(&unused);
        survey_free(&s);
    }
}
END_TEST

// 2 L - 0.5 on L m gives 1.5 L m; alpha 0 only scales and reads neither tables nor input.
START_TEST(alpha_beta)
{
    for (int p = 0; p < 2; p++)
        for (int with_wavelet = 0; with_wavelet < 2; with_wavelet++) {
            survey s = survey_make(p, 0, 11, 13, 3, 4, 40, 1, 2);
            if (with_wavelet) {
                s.wav = array_1d(survey_type[p], 2);
                array_put(s.wav, 0, 1.5), array_put(s.wav, 1, -0.25);
            }
            answer want = survey_solve(&s);
            array *nothing = array_copy(s.model), *silence = array_copy(s.data);
            for (int64_t i = 0; i < nothing->count; i++)
                array_put(nothing, i, NAN);
            for (int64_t i = 0; i < silence->count; i++)
                array_put(silence, i, NAN);
            for (int op = FORWARD; op <= ADJOINT; op++) {
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, op, survey_mask[p])
                {
                    array *in = op == FORWARD ? s.model : s.data;
                    array *out = op == FORWARD ? new_data(&s) : new_model(&s);
                    array *bad = op == FORWARD ? nothing : silence;
                    const double *right = op == FORWARD ? want.data : want.model;
                    const double *bound = op == FORWARD ? want.data_bound : want.model_bound;
                    conf_call (*call_of)(const survey *, array *, array *, double, double) =
                        op == FORWARD ? call_forward : call_adjoint;
                    for (int64_t i = 0; i < out->count; i++)
                        array_put(out, i, NAN);
                    conf_call call = call_of(&s, in, out, 1.0, 0.0);
                    conf_run_ok(k, &call, 1);
                    call = call_of(&s, in, out, 2.0, -0.5);
                    conf_run_ok(k, &call, 1);
                    for (int64_t i = 0; i < out->count; i++)
                        require(fabs(array_get(out, i) / 1.5 - right[i]) <= 2 * bound[i]);
                    array *was = array_copy(out);
                    call = call_of(&s, bad, out, 0.0, 4.0);
                    conf_run_ok(k, &call, 1);
                    for (int64_t i = 0; i < out->count; i++)
                        require(array_get(out, i) == 4.0 * array_get(was, i));
                    call = call_of(&s, bad, out, 0.0, 0.0);
                    conf_run_ok(k, &call, 1);
                    ck_assert(array_peak(out) == 0.0);
                    array_free(out), array_free(was);
                }
            }
            array_free(nothing), array_free(silence);
            answer_free(&want);
            survey_free(&s);
        }
}
END_TEST

// Table entries that are not finite, negative sums and times beyond the record contribute nothing.
START_TEST(entries_that_contribute_nothing)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e30, -5.0, 4e7};
    for (int p = 0; p < 2; p++)
        for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++)
            for (int b = 0; b < 6; b++) {
                survey s = survey_make(p, 0, 19, 27, 3, 5, 60, is_dynamic, 44);
                for (int64_t i = 1; i < s.trav_src->count; i += 29)
                    array_put(s.trav_src, i, bad[b]);
                for (int64_t i = 3; i < s.trav_rec->count; i += 31)
                    array_put(s.trav_rec, i, bad[b]);
                for (int64_t i = 5; is_dynamic && b < 3 && i < s.amp_src->count; i += 37) {
                    array_put(s.amp_src, i, bad[b]);
                    array_put(s.ang_src, i + 1, bad[b]);
                    array_put(s.amp_rec, i + 2, bad[b]);
                    array_put(s.ang_rec, i + 3, bad[b]);
                }
                answer want = survey_solve(&s);
                check_both(&s, &want, "bad entries");
                s.params.flags |= HGATE_KIRCHHOFF_SKIP_NONFINITE;
                check_both(&s, &want, "skipped entries");
                answer_free(&want);
                survey_free(&s);
            }
}
END_TEST

// A sample or a point that is NaN spoils what it touches and nothing else.
START_TEST(not_a_number_in_the_input)
{
    for (int p = 0; p < 2; p++) {
        survey s = survey_make(p, 0, 9, 7, 2, 3, 50, 0, 8);
        int64_t point = 40, sample = 1 * 3 * 50 + 2 * 50 + 6;
        array_put(s.model, point, NAN);
        array_put(s.data, sample, NAN);
        answer want = survey_solve(&s);
        const conf_kernel *k;
        array *data = new_data(&s), *model = new_model(&s);
        FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
        {
            conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            int64_t n_bad = 0;
            for (int64_t i = 0; i < data->count; i++) {
                require(isnan(array_get(data, i)) == isnan(want.data[i]));
                n_bad += isnan(want.data[i]);
            }
            ck_assert_int_eq(n_bad, 12); // two samples of each trace
        }
        FOR_EACH_KERNEL(k, ADJOINT, survey_mask[p])
        {
            conf_call call = call_adjoint(&s, s.data, model, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            for (int64_t i = 0; i < model->count; i++)
                require(isnan(array_get(model, i)) == isnan(want.model[i]));
        }
        array_free(data), array_free(model);
        answer_free(&want);
        survey_free(&s);
    }
}
END_TEST

START_TEST(nothing_to_do)
{
    static const int64_t empty[][3] = {{0, 3, 6}, {2, 0, 6}, {2, 3, 0}}; // ns, nr, nx
    for (int p = 0; p < 2; p++)
        for (int e = 0; e < 3; e++)
            for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++) {
                survey s =
                    survey_make(p, 0, empty[e][2], 5, empty[e][0], empty[e][1], 30, is_dynamic, 1);
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
                {
                    array *data = array_copy(s.data);
                    conf_call call = call_forward(&s, s.model, data, 1.0, 2.0);
                    conf_run_ok(k, &call, 1);
                    for (int64_t i = 0; i < data->count; i++)
                        require(array_get(data, i) == 2.0 * array_get(s.data, i));
                    array_free(data);
                }
                FOR_EACH_KERNEL(k, ADJOINT, survey_mask[p])
                {
                    array *model = array_copy(s.model);
                    conf_call call = call_adjoint(&s, s.data, model, 1.0, 2.0);
                    conf_run_ok(k, &call, 1);
                    for (int64_t i = 0; i < model->count; i++)
                        require(array_get(model, i) == 2.0 * array_get(s.model, i));
                    array_free(model);
                }
                survey_free(&s);
            }
}
END_TEST

static int is_repeatable(const conf_kernel *k)
{
    return (k->kernel->flags & HGATE_KERNEL_DETERMINISTIC) != 0;
}

// The same bits for every number of threads and every run, in both directions.
START_TEST(same_bits)
{
    static const int threads[] = {1, 2, 3, 7};
    for (int p = 0; p < 2; p++)
        for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++)
            for (int few = 0; few < 2; few++) {
                survey s = survey_make(p, 0, 61, 53, few ? 1 : 5, few ? 1 : 7, 200, is_dynamic, 6);
                for (int op = FORWARD; op <= ADJOINT; op++) {
                    const conf_kernel *k;
                    FOR_EACH_KERNEL(k, op, survey_mask[p])
                    {
                        if (!is_repeatable(k))
                            continue;
                        array *first = NULL;
                        for (int t = 0; t < 4; t++) {
                            array *out = op == FORWARD ? new_data(&s) : new_model(&s);
                            conf_call call = op == FORWARD
                                                 ? call_forward(&s, s.model, out, 1.0, 0.0)
                                                 : call_adjoint(&s, s.data, out, 1.0, 0.0);
                            conf_run_ok(k, &call, threads[t]);
                            ck_assert(!first || array_equal_bits(first, out));
                            if (first)
                                array_free(out);
                            else
                                first = out;
                        }
                        array_free(first);
                    }
                }
                survey_free(&s);
            }
}
END_TEST

// Columns [from, from + n) of a table (ni, ns).
static array *some_sources(const array *table, int64_t from, int64_t n)
{
    array *part = array_2d(array_type(table), table->shape[0], n);
    for (int64_t i = 0; i < part->count; i++)
        array_put(part, i, array_get(table, i / n * table->shape[1] + from + i % n));
    return part;
}

// Sources in groups: the forward data have the same bits, whatever the split.
START_TEST(groups_of_sources)
{
    enum { NS = 7 };
    for (int p = 0; p < 2; p++) {
        survey s = survey_make(p, 0, 33, 31, NS, 4, 120, 0, 16);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
        {
            if (!is_repeatable(k))
                continue;
            array *whole = new_data(&s);
            conf_call call = call_forward(&s, s.model, whole, 1.0, 0.0);
            conf_run_ok(k, &call, 1);
            for (int64_t from = 0, n; from < NS; from += n) {
                n = from == 0 ? 1 : from + 3 <= NS ? 3 : NS - from;
                survey part = s;
                part.ns = n;
                part.trav_src = some_sources(s.trav_src, from, n);
                array *data = new_data(&part);
                call = call_forward(&part, s.model, data, 1.0, 0.0);
                conf_run_ok(k, &call, 1);
                ck_assert(memcmp(data->data, (char *)whole->data + from * 4 * 120 * (p ? 8 : 4),
                                 data->bytes) == 0);
                array_free(part.trav_src), array_free(data);
            }
            array_free(whole);
        }
        survey_free(&s);
    }
}
END_TEST

// Limits that are off leave the weight as it is, also for steep rays; a limit of one number cuts
// hard.
START_TEST(limits)
{
    for (int p = 0; p < 2; p++) {
        survey s = triangle(p, 1.25, 400);
        s.params.flags |= HGATE_KIRCHHOFF_DYNAMIC;
        array **tables[] = {&s.amp_src, &s.amp_rec, &s.ang_src, &s.ang_rec, &s.vel};
        for (int t = 0; t < 5; t++) {
            *tables[t] = array_2d(survey_type[p], 1, 1);
            array_put(*tables[t], 0, t == 2 || t == 3 ? 3.0 : t == 4 ? 2.0 : 1.0);
        }
        s.six = array_1d("i64", 1), s.rix = array_1d("i64", 1);
        array_put(s.six, 0, -4), array_put(s.rix, 0, 3); // offset 7 over depth 1
        static const struct {
            double angle[2], aperture[2], factor;
            int is_unit;
        } rows[] = {{{INFINITY, INFINITY}, {INFINITY, INFINITY}, 1.0, 0},
                    {{3.0, 3.0}, {INFINITY, INFINITY}, 0.0, 0},
                    {{3.0625, 3.0625}, {INFINITY, INFINITY}, 1.0, 0},
                    {{INFINITY, INFINITY}, {7.0, 7.0}, 0.0, 0},
                    {{INFINITY, INFINITY}, {7.5, 7.5}, 1.0, 0},
                    {{INFINITY, INFINITY}, {6.0, 8.0}, 0.5412896727361662, 0}, // tap[10]
                    {{INFINITY, INFINITY}, {6.0, 8.0}, 1.0, 1},
                    {{INFINITY, INFINITY}, {6.0, 7.0}, 0.0, 1},
                    {{2.0, 4.0}, {INFINITY, INFINITY}, 0.5412896727361662 * 0.5412896727361662, 0},
                    {{2.9375, 4.1875}, {INFINITY, INFINITY}, 1.0, 0}}; // tap[1] = 1
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            memcpy(s.params.angle, rows[r].angle, sizeof s.params.angle);
            memcpy(s.params.aperture, rows[r].aperture, sizeof s.params.aperture);
            s.params.offset_taper = rows[r].is_unit;
            array *data = new_data(&s);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, FORWARD, survey_mask[p])
            {
                conf_call call = call_forward(&s, s.model, data, 1.0, 0.0);
                conf_run_ok(k, &call, 1);
                // 2 cos(0) 1 1 / 2 = 1
                ck_assert_msg(fabs(array_get(data, 320) - rows[r].factor) <= (p ? 4e-16 : 3e-7),
                              "%s, row %zu: %.9g", conf_label(k, survey_mask[p]), r,
                              array_get(data, 320));
                ck_assert(rows[r].factor != 0.0 || array_get(data, 320) == 0.0);
            }
            array_free(data);
        }
        survey_free(&s);
    }
}
END_TEST

// Rays that meet head on: the weight is the small difference of two products.
START_TEST(cancelling_weights)
{
    for (int p = 0; p < 2; p++) {
        survey s = survey_make(p, 0, 21, 19, 3, 4, 80, 1, 23);
        for (int64_t i = 0; i < s.ang_src->count; i++)
            array_put(s.ang_src, i, 1.5707 + 1e-4 * (double)(i % 7));
        for (int64_t i = 0; i < s.ang_rec->count; i++)
            array_put(s.ang_rec, i, -1.5708 - 1e-4 * (double)(i % 5));
        answer want = survey_solve(&s);
        check_both(&s, &want, "cancelling weights");
        answer_free(&want);
        survey_free(&s);
    }
}
END_TEST

static void add_tests(Suite *suite, const char *name, void (*open_plugins)(void))
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, open_plugins, conf_close);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, stored, 0, N_SURVEYS);
    tcase_add_loop_test(tcase, second_opinion, 0, N_SURVEYS);
    tcase_add_loop_test(tcase, odd_sizes, 0, N_SIZES);
    tcase_add_loop_test(tcase, exact_samples, 0, N_EXACT);
    tcase_add_test(tcase, exact_weights);
    tcase_add_test(tcase, ones);
    tcase_add_test(tcase, wavelet_around_a_spike);
    tcase_add_loop_test(tcase, adjointness, 0, N_SURVEYS);
    tcase_add_test(tcase, alpha_beta);
    tcase_add_test(tcase, entries_that_contribute_nothing);
    tcase_add_test(tcase, not_a_number_in_the_input);
    tcase_add_test(tcase, nothing_to_do);
    tcase_add_test(tcase, same_bits);
    tcase_add_test(tcase, groups_of_sources);
    tcase_add_test(tcase, limits);
    tcase_add_test(tcase, cancelling_weights);
    suite_add_tcase(suite, tcase);
}

int main(void)
{
    Suite *suite = suite_create("kirchhoff");
    add_tests(suite, "best instruction set", conf_open);
    if (conf_has_avx2())
        add_tests(suite, "avx2", conf_open_avx2);
    add_tests(suite, "baseline", conf_open_baseline);
    return run_suite(suite);
}
