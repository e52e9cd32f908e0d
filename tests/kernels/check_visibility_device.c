// SPDX-License-Identifier: BSD-3-Clause
// What the device kernels of the family find wrong in device data: told by the next wait, with
// place and number, while the outputs stay as they were. Where no device is usable there is nothing
// to run.
#include "tests/harness.h"
#include "tests/kernels/conformance_device.h"
#include "tests/kernels/visibility_case.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_DEVICE_KERNEL(k, op, mask)                                                        \
    for (int i_##k = 0; (k = conf_kernel_at(op, mask, i_##k)); i_##k++)                            \
        if (conf_is_device(k))

static int serves(const conf_kernel *k, int with_pairs)
{
    return with_pairs || strcmp(k->kernel->name, "dot") != 0;
}

// ---- the fused call ----

enum { FLUX, CRD, ANTPOS, DAZ, DZA, AZ0, ZA0, BEAM_IDX, PAIRS, NOTHING };

typedef struct fused_row {
    int array;
    int64_t at;
    double value;
    int status;
    const char *text;
    int also, also_at; // a second fault, which must not be the one that is told
} fused_row;

static const fused_row fused_rows[] = {
    {FLUX, 5, NAN, HGATE_EVALUE, "flux: element 5 is", NOTHING, 0},
    {FLUX, 3, INFINITY, HGATE_EVALUE, "flux: element 3 is inf", NOTHING, 0},
    {FLUX, 4, -0.25, HGATE_EVALUE, "flux: element 4 is -0.25", FLUX, 9},
    {FLUX, 0, -1e-30, HGATE_EVALUE, "flux: element 0 is -1", CRD, 0},
    {CRD, 7, NAN, HGATE_EVALUE, "crd: element 7 is", NOTHING, 0},
    {CRD, 2, 1.5, HGATE_EVALUE, "crd: source 2 has length", NOTHING, 0},
    {ANTPOS, 4, INFINITY, HGATE_EVALUE, "antpos: element 4", FLUX, 1},
    {DAZ, 0, 0.0, HGATE_EVALUE, "daz: element 0 is 0, expected a finite number above 0", NOTHING,
     0},
    {DAZ, 0, NAN, HGATE_EVALUE, "daz: element 0", NOTHING, 0},
    {DZA, 0, -0.1, HGATE_EVALUE, "dza: element 0", FLUX, 2},
    {AZ0, 0, NAN, HGATE_EVALUE, "az0: element 0", NOTHING, 0},
    {ZA0, 0, INFINITY, HGATE_EVALUE, "za0: element 0 is inf", NOTHING, 0},
    {BEAM_IDX, 1, -1, HGATE_EVALUE, "beam_idx: element 1 is -1, expected 0 to", FLUX, 0},
    {BEAM_IDX, 2, 1000, HGATE_EVALUE, "beam_idx: element 2 is 1000", PAIRS, 0},
    {PAIRS, 3, 77, HGATE_EVALUE, "pairs: element 3 is 77", FLUX, 0},
};
enum { N_FUSED_ROWS = sizeof fused_rows / sizeof *fused_rows };

static array *of_case(visibility_case *c, int which)
{
    array *arrays[] = {c->flux, c->crd, c->antpos,   c->daz,  c->dza,
                       c->az0,  c->za0, c->beam_idx, c->pairs};
    return arrays[which];
}

static array *new_output(const visibility_case *c, int p, int with_pairs)
{
    int64_t nfeed = c->grid->shape[2], M = c->antpos->shape[0] * nfeed;
    return with_pairs ? array_3d(complex_word[p], c->pairs->shape[0], nfeed, nfeed)
                      : array_2d(complex_word[p], M, M);
}

static visibility_case load(int p)
{
    visibility_case c = case_load("tiny", p, p ? "i64" : "i32");
    if (!c.az0)
        c.az0 = array_1d(real_word[p], 1);
    if (!c.za0)
        c.za0 = array_1d(real_word[p], 1);
    return c;
}

static void break_case(visibility_case *c, const fused_row *row, double kept[2])
{
    kept[0] = array_get(of_case(c, row->array), row->at);
    array_put(of_case(c, row->array), row->at, row->value);
    if (row->also != NOTHING) {
        kept[1] = array_get(of_case(c, row->also), row->also_at);
        array_put(of_case(c, row->also), row->also_at, -7.0);
    }
}

static void mend_case(visibility_case *c, const fused_row *row, const double kept[2])
{
    array_put(of_case(c, row->array), row->at, kept[0]);
    if (row->also != NOTHING)
        array_put(of_case(c, row->also), row->also_at, kept[1]);
}

START_TEST(fused_data)
{
    const fused_row *row = &fused_rows[_i];
    for (int p = 0; p < 2; p++) {
        visibility_case c = load(p);
        hgate_visibility_params params = params_of(&c);
        const conf_kernel *k;
        FOR_EACH_DEVICE_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
        {
            for (int with_pairs = row->array == PAIRS || row->also == PAIRS; with_pairs < 2;
                 with_pairs++) {
                if (!serves(k, with_pairs))
                    continue;
                array *V = new_output(&c, p, with_pairs), *pairs = with_pairs ? c.pairs : NULL;
                conf_call call = call_fused(&c, pairs, V, 1.0, 0.0, &params);
                double kept[2];
                call.check = HGATE_CHECK_VALUES;
                break_case(&c, row, kept);
                ck_assert_int_eq(conf_run(k, &call, 1), row->status);
                ck_assert_msg(strstr(conf_message(), row->text), "%s: \"%s\" lacks \"%s\"",
                              conf_label(k, complex_mask[p]), conf_message(), row->text);
                mend_case(&c, row, kept);
                call = call_fused(&c, pairs, V, 1.0, 0.0, &params);
                call.check = HGATE_CHECK_VALUES;
                conf_run_ok(k, &call, 1); // what was told is over
                array_free(V);
            }
        }
        case_free(&c);
    }
}
END_TEST

START_TEST(grid_that_is_no_turn)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = load(p);
        hgate_visibility_params params = params_of(&c);
        params.az_mode = HGATE_AZ_PERIODIC;
        array_put(c.daz, 0, 6.283185307179586 / ((double)c.grid->shape[4] - 1.0));
        array *V = new_output(&c, p, 0);
        const conf_kernel *k;
        FOR_EACH_DEVICE_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
        {
            if (!serves(k, 0))
                continue;
            conf_call call = call_fused(&c, NULL, V, 1.0, 0.0, &params);
            call.check = HGATE_CHECK_VALUES;
            ck_assert_int_eq(conf_run(k, &call, 1), HGATE_EINVAL);
            ck_assert_msg(strstr(conf_message(), "daz: "), "%s", conf_message());
        }
        array_free(V);
        case_free(&c);
    }
}
END_TEST

// The number of sources that are up, told by the caller: the same bits without a look back; another
// number is an error.
START_TEST(number_that_is_up)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = load(p);
        hgate_visibility_params params = params_of(&c);
        int64_t n_up = c.up->count;
        array *V = new_output(&c, p, 0), *want = new_output(&c, p, 0);
        const conf_kernel *k;
        FOR_EACH_DEVICE_KERNEL(k, HGATE_OP_VISIBILITY, complex_mask[p])
        {
            if (!serves(k, 0))
                continue;
            conf_call call = call_fused(&c, NULL, want, 1.0, 0.0, &params);
            conf_run_ok(k, &call, 1);
            for (int64_t told = n_up - 1; told <= n_up + 1; told++) {
                call = call_fused(&c, NULL, V, 1.0, 0.0, &params);
                conf_dim(&call, HGATE_DIM_VISIBILITY_N_UP, told);
                call.check = HGATE_CHECK_VALUES;
                if (told == n_up) {
                    conf_run_ok(k, &call, 1);
                    ck_assert(array_equal_bits(V, want));
                    continue;
                }
                ck_assert_int_eq(conf_run(k, &call, 1), HGATE_EVALUE);
                ck_assert_msg(strstr(conf_message(), "n_up: is"), "%s", conf_message());
            }
        }
        array_free(V), array_free(want);
        case_free(&c);
    }
}
END_TEST

// ---- the steps ----

// One call of an operation, with one number of one argument replaced.
typedef struct step_row {
    int op, arg;
    int64_t at;
    double value;
    const char *text;
} step_row;

static const step_row step_rows[] = {
    {HGATE_OP_VISIBILITY_HORIZON, HGATE_VISIBILITY_HORIZON_FLUX, 3, NAN, "flux: element 3"},
    {HGATE_OP_VISIBILITY_HORIZON, HGATE_VISIBILITY_HORIZON_CRD, 4, INFINITY, "crd: element 4"},
    {HGATE_OP_VISIBILITY_HORIZON, HGATE_VISIBILITY_HORIZON_CRD, 1, 3.0, "crd: source 1 has length"},
    {HGATE_OP_VISIBILITY_ANGLES, HGATE_VISIBILITY_ANGLES_CRD, 8, NAN, "crd: element 8"},
    {HGATE_OP_VISIBILITY_ANGLES, HGATE_VISIBILITY_ANGLES_CRD, 2, -2.0, "crd: source 2 has length"},
    {HGATE_OP_VISIBILITY_BEAM, HGATE_VISIBILITY_BEAM_DAZ, 0, 0.0, "daz: element 0"},
    {HGATE_OP_VISIBILITY_BEAM, HGATE_VISIBILITY_BEAM_DZA, 0, INFINITY, "dza: element 0"},
    {HGATE_OP_VISIBILITY_BEAM, HGATE_VISIBILITY_BEAM_ZA0, 0, NAN, "za0: element 0"},
    {HGATE_OP_VISIBILITY_TAU, HGATE_VISIBILITY_TAU_ANTPOS, 5, NAN, "antpos: element 5"},
    {HGATE_OP_VISIBILITY_TAU, HGATE_VISIBILITY_TAU_CRD, 0, NAN, "crd: element 0"},
    {HGATE_OP_VISIBILITY_Z, HGATE_VISIBILITY_Z_FLUX, 2, -1.0, "flux: element 2 is -1"},
    {HGATE_OP_VISIBILITY_Z, HGATE_VISIBILITY_Z_BEAM_IDX, 1, 12.0, "beam_idx: element 1 is 12"},
};
enum { N_STEP_ROWS = sizeof step_rows / sizeof *step_rows };

enum { NSRC = 6, NANT = 3, NBEAM = 2, NFEED = 2, NAX = 3 };

static array *unit_vectors(const char *type)
{
    array *crd = array_2d(type, 3, NSRC);
    for (int s = 0; s < NSRC; s++) {
        array_put(crd, s, sin(0.2 * s) * cos(0.3 + s));
        array_put(crd, NSRC + s, sin(0.2 * s) * sin(0.3 + s));
        array_put(crd, 2 * NSRC + s, cos(0.2 * s));
    }
    return crd;
}

static array *ones(const char *type, int64_t n)
{
    array *a = array_1d(type, n);
    for (int64_t i = 0; i < n; i++)
        array_put(a, i, 0.5 + 0.1 * (double)i);
    return a;
}

static conf_call step_call(int op, int p, const hgate_visibility_params *params)
{
    const char *real = real_word[p], *complex = complex_word[p];
    array *crd = unit_vectors(real), *flux = ones(real, NSRC), *index;
    array *beam = random_array(complex, 4, (int64_t[]){NBEAM, NFEED, NAX, NSRC}, 3);
    array *exptau = random_array(complex, 2, (int64_t[]){NANT, NSRC}, 4);
    conf_call call;
    switch (op) {
    case HGATE_OP_VISIBILITY_HORIZON:
        conf_call_init(&call, op, real_mask[p], params);
        conf_in(&call, HGATE_VISIBILITY_HORIZON_CRD, crd);
        conf_in(&call, HGATE_VISIBILITY_HORIZON_FLUX, flux);
        conf_out(&call, HGATE_VISIBILITY_HORIZON_CRD_UP, array_2d(real, 3, NSRC));
        conf_out(&call, HGATE_VISIBILITY_HORIZON_FLUX_UP, array_1d(real, NSRC));
        conf_dim(&call, HGATE_DIM_VISIBILITY_HORIZON_NSRC, NSRC);
        break;
    case HGATE_OP_VISIBILITY_ANGLES:
        conf_call_init(&call, op, real_mask[p], params);
        conf_in(&call, HGATE_VISIBILITY_ANGLES_CRD, crd);
        conf_out(&call, HGATE_VISIBILITY_ANGLES_AZ, array_1d(real, NSRC));
        conf_out(&call, HGATE_VISIBILITY_ANGLES_ZA, array_1d(real, NSRC));
        conf_dim(&call, HGATE_DIM_VISIBILITY_ANGLES_NSRC, NSRC);
        break;
    case HGATE_OP_VISIBILITY_BEAM:
        call = call_beam(random_array(complex, 5, (int64_t[]){NBEAM, NAX, NFEED, 4, 5}, 5),
                         ones(real, 1), ones(real, 1), ones(real, 1), ones(real, 1),
                         ones(real, NSRC), ones(real, NSRC), beam, params);
        break;
    case HGATE_OP_VISIBILITY_TAU:
        call = call_tau(random_array(real, 2, (int64_t[]){NANT, 3}, 6), crd, exptau, params);
        break;
    default:
        index = array_1d("i32", NANT);
        call = call_z(beam, exptau, flux, index,
                      array_2d(complex, (int64_t)NANT * NFEED, (int64_t)NAX * NSRC), params);
    }
    call.check = HGATE_CHECK_VALUES;
    return call;
}

START_TEST(step_data)
{
    const step_row *row = &step_rows[_i];
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        const uint32_t mask =
            row->op == HGATE_OP_VISIBILITY_HORIZON || row->op == HGATE_OP_VISIBILITY_ANGLES
                ? real_mask[p]
                : complex_mask[p];
        const conf_kernel *k;
        FOR_EACH_DEVICE_KERNEL(k, row->op, mask)
        {
            conf_call call = step_call(row->op, p, &params); // arrays go with the process
            array *broken = call.arrays[row->arg];
            double kept = array_get(broken, row->at);
            array_put(broken, row->at, row->value);
            ck_assert_int_eq(conf_run(k, &call, 1), HGATE_EVALUE);
            ck_assert_msg(strstr(conf_message(), row->text), "%s: \"%s\" lacks \"%s\"",
                          conf_label(k, mask), conf_message(), row->text);
            array_put(broken, row->at, kept);
            conf_run_ok(k, &call, 1);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("visibility on devices");
    TCase *tcase = tcase_create("device data");
    tcase_add_checked_fixture(tcase, conf_open, conf_close);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, fused_data, 0, N_FUSED_ROWS);
    tcase_add_test(tcase, grid_that_is_no_turn);
    tcase_add_test(tcase, number_that_is_up);
    tcase_add_loop_test(tcase, step_data, 0, N_STEP_ROWS);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
