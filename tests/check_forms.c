/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine gets from the public calls: scalars with the configuration's defaults, sizes,
 * facts, stand-ins, runs of plans. The engine is a fake that only remembers. */
#include "tests/fake_engine.h"
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <complex.h>
#include <math.h>

static hgate_engine *engine;

static void setup(void)
{
    engine = fake_engine_open(NULL);
}

static void teardown(void)
{
    fake_engine_close(engine);
}

static void reopen(const char *yaml)
{
    teardown();
    engine = fake_engine_open(yaml);
}

/* ---- scalars ---- */

static double complex coh[2 * 3 * 3], phase[2 * 3];

static int call_emi(const hgate_emi_params *params)
{
    DLTensor tcoh = TENSOR(coh, C128, 2, 3), tphase = TENSOR(phase, C128, 2, 3);
    return hgate_emi(engine, NULL, params, &tcoh, &tphase, NULL, NULL, NULL);
}

START_TEST(configuration_fills_what_no_params_say)
{
    reopen("version: 1\n"
           "ops: {emi: {rule: fixed, beta: 0.25, kappa: 1e6, fallback: evd, check: full}}\n");
    ck_accepted(call_emi(NULL));
    const hgate_emi_params *seen = engine->last.p.params;
    ck_assert_uint_eq(seen->struct_size, sizeof *seen);
    ck_assert_int_eq(seen->rule, HGATE_EMI_BETA_FIXED);
    ck_assert_double_eq(seen->beta, 0.25);
    ck_assert_double_eq(seen->kappa, 1e6);
    ck_assert_int_eq(seen->fallback, HGATE_EMI_FALLBACK_EVD);
    ck_assert_int_eq(seen->check, HGATE_CHECK_FULL);
    ck_assert_int_eq(seen->ref, 0);
}
END_TEST

START_TEST(params_win_over_the_configuration)
{
    reopen("version: 1\nops: {emi: {rule: fixed, beta: 0.25, kappa: 1e6, check: none}}\n");
    hgate_emi_params params;
    ck_accepted(hgate_emi_params_init(&params));
    params.ref = 2;
    ck_accepted(call_emi(&params));
    const hgate_emi_params *seen = engine->last.p.params;
    ck_assert_int_eq(seen->rule, HGATE_EMI_BETA_ADAPTIVE);
    ck_assert_double_eq(seen->kappa, 1e5);
    ck_assert_int_eq(seen->ref, 2);
    ck_assert_int_eq(seen->check, HGATE_CHECK_VALUES);
}
END_TEST

START_TEST(auto_leaves_a_choice_to_the_configuration)
{
    double antpos[6] = {0, 0, 0, 14, 3, 0}, crd[3] = {0, 0, 1};
    double complex exptau[2];
    DLTensor ta = TENSOR(antpos, F64, 2, 3), tc = TENSOR(crd, F64, 3, 1);
    DLTensor te = TENSOR(exptau, C128, 2, 1);
    hgate_visibility_params params;
    ck_accepted(hgate_visibility_params_init(&params));
    params.freq_hz = 1e8;
    ck_accepted(hgate_visibility_tau(engine, NULL, &params, &ta, &tc, &te));
    ck_assert_int_eq(engine->last.params.visibility.tau_mode, HGATE_TAU_AUTO);
    reopen("version: 1\nops: {visibility: {tau_mode: wide, matprod: gemm}}\n");
    ck_accepted(hgate_visibility_tau(engine, NULL, &params, &ta, &tc, &te));
    ck_assert_int_eq(engine->last.params.visibility.tau_mode, HGATE_TAU_WIDE);
    ck_assert_int_eq(engine->last.params.visibility.matprod, HGATE_MATPROD_AUTO);
    params.tau_mode = HGATE_TAU_DIRECT;
    ck_accepted(hgate_visibility_tau(engine, NULL, &params, &ta, &tc, &te));
    ck_assert_int_eq(engine->last.params.visibility.tau_mode, HGATE_TAU_DIRECT);
}
END_TEST

START_TEST(scalars_of_products)
{
    double complex Z[6] = {0}, V[4], C[6];
    DLTensor tZ = TENSOR(Z, C128, 2, 3), tV = TENSOR(V, C128, 2, 2);
    hgate_visibility_params params;
    ck_accepted(hgate_visibility_params_init(&params));
    params.alpha = 2;
    params.beta = -0.5;
    params.alpha_re = 3;
    params.alpha_im = 4;
    params.beta_re = 5;
    params.beta_im = 6;
    ck_accepted(hgate_visibility_gram(engine, NULL, &params, &tZ, &tV));
    ck_assert_double_eq(engine->last.p.alpha_re, 2);
    ck_assert_double_eq(engine->last.p.alpha_im, 0);
    ck_assert_double_eq(engine->last.p.beta_re, -0.5);
    ck_assert_double_eq(engine->last.p.beta_im, 0);
    hgate_plan *plan;
    ck_accepted(hgate_visibility_gram_plan(engine, NULL, &params, &tZ, &tV, &plan));
    ck_accepted(hgate_visibility_gram_run(plan, NULL, &tZ, &tV));
    ck_assert_int_eq(engine->executed, 1);
    ck_assert_double_eq(engine->last.p.alpha_re, 2);
    ck_assert_double_eq(engine->last.p.beta_re, -0.5);
    hgate_plan_free(plan);
    DLTensor tA = TENSOR(Z, C128, 2, 3), tB = TENSOR(Z + 3, C128, 1, 3), tC = TENSOR(C, C128, 2, 1);
    ck_accepted(hgate_visibility_product(engine, NULL, &params, &tA, &tB, &tC));
    ck_assert_double_eq(engine->last.p.alpha_re, 3);
    ck_assert_double_eq(engine->last.p.alpha_im, 4);
    ck_assert_double_eq(engine->last.p.beta_re, 5);
    ck_assert_double_eq(engine->last.p.beta_im, 6);
}
END_TEST

START_TEST(level_of_operations_without_params)
{
    double dist[2] = {-1, 2}, amp[2];
    DLTensor td = TENSOR(dist, F64, 1, 2), ta = TENSOR(amp, F64, 1, 2);
    ck_refused(hgate_kirchhoff_spreading(engine, NULL, 2, 0.1, &td, &ta),
               &(refusal){NULL, HGATE_EVALUE, "dist"});
    reopen("version: 1\nops: {kirchhoff: {check: none}}\n");
    ck_accepted(hgate_kirchhoff_spreading(engine, NULL, 3, 0.1, &td, &ta));
    ck_assert_int_eq(engine->last.params.setup.ndim, 3);
    ck_assert_double_eq(engine->last.params.setup.eps, 0.1);
}
END_TEST

/* ---- the engine's own refusals ---- */

START_TEST(a_refusing_engine_is_asked_first)
{
    engine->begin_status = HGATE_EDISABLED;
    ck_assert_int_eq(call_emi(NULL), HGATE_EDISABLED);
    ck_assert_int_eq(engine->begun, HGATE_OP_EMI);
    ck_assert_int_eq(engine->dispatched, 0);
}
END_TEST

START_TEST(a_count_of_nothing)
{
    int64_t n_up = 7;
    DLTensor crd = TENSOR(NULL, F32, 3, 0), flux = TENSOR(NULL, F32, 0);
    DLTensor crd_up = TENSOR(NULL, F32, 3, 0), flux_up = TENSOR(NULL, F32, 0);
    ck_accepted(
        hgate_visibility_horizon(engine, NULL, NULL, &crd, &flux, &crd_up, &flux_up, NULL, &n_up));
    ck_assert_int_eq(n_up, 0);
    ck_assert_int_eq(engine->dispatched, 1); /* it decides, so that the trace can tell */
}
END_TEST

START_TEST(devices_keep_their_data)
{
    DLTensor crd = TENSOR((void *)4096, F32, 3, 5), az = TENSOR((void *)8192, F32, 5);
    DLTensor za = TENSOR((void *)12288, F32, 5);
    crd.device = az.device = za.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, 1};
    ck_accepted(hgate_visibility_angles(engine, NULL, NULL, &crd, &az, &za));
    ck_assert_uint_eq(engine->last.p.space, HGATE_SPACE_CUDA);
    ck_assert_int_eq(engine->last.p.device_id, 1);
}
END_TEST

/* ---- sizes that no array has ---- */

START_TEST(sizes_of_emi)
{
    DLTensor full = TENSOR(coh, C128, 2, 3, 3), tphase = TENSOR(phase, C128, 2, 3);
    ck_accepted(call_emi(NULL));
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_EMI_N], 3);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_EMI_BATCH], 2);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_EMI_FULL], 0);
    ck_accepted(hgate_evd(engine, NULL, NULL, &full, &tphase, NULL, NULL));
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_EMI_FULL], 1);
    ck_assert_int_eq(engine->last.p.n_args, 4);
}
END_TEST

START_TEST(sizes_of_temporal_coherence)
{
    int32_t list[4] = {2, 0, 0, 1};
    double t[2];
    DLTensor packed = TENSOR(coh, C128, 2, 3), listed = TENSOR(coh, C128, 2, 2);
    DLTensor pairs = TENSOR(list, I32, 2, 2), tphase = TENSOR(phase, C128, 2, 3);
    DLTensor tt = TENSOR(t, F64, 2);
    ck_accepted(hgate_ds_temp_coh(engine, NULL, NULL, &packed, NULL, &tphase, &tt));
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_DS_TEMP_COH_NPAIRS], 3);
    ck_accepted(hgate_ds_temp_coh(engine, NULL, NULL, &listed, &pairs, &tphase, &tt));
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_DS_TEMP_COH_NPAIRS], 2);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_DS_TEMP_COH_N], 3);
}
END_TEST

static double antpos[6], crd[9], flux[3], grid[2 * 1 * 2 * 3 * 4], steps[2] = {0.3, 0.4};
static double complex V[16];

START_TEST(sizes_of_visibility)
{
    int32_t list[6] = {0, 1, 1, 1, 0, 0};
    DLTensor ta = TENSOR(antpos, F64, 2, 3), tc = TENSOR(crd, F64, 3, 3), tf = TENSOR(flux, F64, 3);
    DLTensor tg = TENSOR(grid, F64, 2, 1, 2, 3, 4), ts = TENSOR(steps, F64, 2);
    DLTensor tl = TENSOR(list, I32, 3, 2), tV = TENSOR(V, C128, 4, 4),
             tb = TENSOR(V, C128, 3, 2, 2);
    hgate_visibility_params params;
    hgate_visibility_input in;
    ck_accepted(hgate_visibility_params_init(&params));
    ck_accepted(hgate_visibility_input_init(&in));
    params.freq_hz = 1e8;
    in.antpos = &ta;
    in.crd = &tc;
    in.flux = &tf;
    in.grid = &tg;
    in.daz = in.dza = &ts;
    crd[6] = crd[7] = 1;
    crd[8] = -1;
    ck_accepted(hgate_visibility(engine, NULL, &params, &in, &tV));
    static const int64_t square[] = {2, 2, 1, 3, 2, 3, 4, -1, -1};
    ck_assert_mem_eq(engine->last.dims, square, sizeof square);
    ck_assert_uint_eq(engine->last.p.dtype, HGATE_C128);
    in.pairs = &tl;
    in.n_up = 2;
    ck_accepted(hgate_visibility(engine, NULL, &params, &in, &tb));
    static const int64_t listed[] = {2, 2, 1, 3, 2, 3, 4, 3, 2};
    ck_assert_mem_eq(engine->last.dims, listed, sizeof listed);
}
END_TEST

/* ---- curvature: facts and plans ---- */

static double w[4 * 6], vals[3] = {1, 2, 3}, F[4];
static int32_t iy[3] = {0, 1, 1}, ix[3] = {2, 0, 1};
static int64_t indptr[3] = {0, 1, 3}, rows[3] = {0, 1, 2};

START_TEST(facts_of_a_matrix)
{
    DLTensor tw = TENSOR(w, F64, 4, 6), ty = TENSOR(iy, I32, 3), tx = TENSOR(ix, I32, 3);
    DLTensor tp = TENSOR(indptr, I64, 3), tr = TENSOR(rows, I64, 3), tv = TENSOR(vals, F64, 3);
    DLTensor tF = TENSOR(F, F64, 2, 2);
    const hgate_curvature_facts *facts = &engine->last.facts;
    ck_accepted(hgate_curvature(engine, NULL, NULL, &tw, &ty, &tx, &tp, &tr, &tv, &tF));
    ck_assert_ptr_eq(engine->last.p.facts, facts);
    ck_assert_int_eq(facts->is_known, 1);
    ck_assert_int_eq(facts->vals_finite, 1);
    /* tails 3, 2: one entry in row 0, two in row 1 */
    ck_assert_double_eq(facts->work_fraction, (3 + 2 * 2) / 18.0);
    ck_assert_double_eq(facts->pair_fraction, (3 + 2 + 2) / 18.0);
    indptr[1] = 0; /* all of them in column 1 */
    vals[1] = INFINITY;
    ck_accepted(hgate_curvature(engine, NULL, NULL, &tw, &ty, &tx, &tp, &tr, &tv, &tF));
    ck_assert_int_eq(facts->vals_finite, 0);
    ck_assert_double_eq(facts->work_fraction, 3 * 3 / 18.0);
    ck_assert_double_eq(facts->pair_fraction, (3 + 2 + 2) / 18.0);

    hgate_trace *trace = NULL;
    tv.data = NULL;
    ck_accepted(
        hgate_curvature_explain(engine, NULL, NULL, &tw, &ty, &tx, &tp, &tr, &tv, &tF, &trace));
    ck_assert_int_eq(engine->explained, 1);
    ck_assert_int_eq(facts->is_known, 0);
}
END_TEST

/* Without checks the facts must bear indices that point nowhere. */
START_TEST(facts_of_nonsense)
{
    int32_t wild_y[3] = {-7, INT32_MAX, 1}, wild_x[3] = {2, 0, 99};
    int64_t wild_rows[3] = {INT64_MIN, 2, 5}, wild_starts[3] = {-5, INT64_MAX, 1};
    DLTensor tw = TENSOR(w, F64, 4, 6), ty = TENSOR(wild_y, I32, 3), tx = TENSOR(wild_x, I32, 3);
    DLTensor tp = TENSOR(wild_starts, I64, 3), tr = TENSOR(wild_rows, I64, 3);
    DLTensor tv = TENSOR(vals, F64, 3), tF = TENSOR(F, F64, 2, 2);
    hgate_curvature_params params;
    ck_accepted(hgate_curvature_params_init(&params));
    params.check = HGATE_CHECK_NONE;
    ck_accepted(hgate_curvature(engine, NULL, &params, &tw, &ty, &tx, &tp, &tr, &tv, &tF));
    wild_starts[0] = 0;
    wild_starts[1] = 2;
    wild_starts[2] = 3;
    ck_accepted(hgate_curvature(engine, NULL, &params, &tw, &ty, &tx, &tp, &tr, &tv, &tF));
    ck_assert(engine->last.facts.work_fraction >= 0 && engine->last.facts.work_fraction <= 1);
}
END_TEST

START_TEST(a_plan_of_curvature)
{
    DLTensor tw = TENSOR(w, F64, 4, 6), ty = TENSOR(iy, I32, 3), tx = TENSOR(ix, I32, 3);
    DLTensor tp = TENSOR(indptr, I64, 3), tr = TENSOR(rows, I64, 3), tv = TENSOR(vals, F64, 3);
    DLTensor tF = TENSOR(F, F64, 2, 2);
    hgate_plan *plan;
    ck_accepted(hgate_curvature_plan(engine, NULL, NULL, &tw, &ty, &tx, &plan));
    const hg_problem *planned = hg_plan_problem(plan, 0);
    static const int64_t dims[] = {2, 3, 3, 0, 0};
    ck_assert_mem_eq(planned->dims, dims, sizeof dims);
    ck_assert_int_eq(planned->facts.is_known, 0);
    for (int i = 0; i < planned->p.n_args; i++) {
        ck_assert_ptr_nonnull(planned->p.args[i]);
        ck_assert((planned->p.args[i]->data != NULL) == (i < HGATE_CURVATURE_INDPTR));
    }
    ck_accepted(hgate_curvature_run(plan, NULL, &tp, &tr, &tv, &tF));
    ck_assert_int_eq(engine->executed, 1);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_CURVATURE_S], 2);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_CURVATURE_NNZ], 3);
    ck_assert_ptr_eq(engine->last.p.args[HGATE_CURVATURE_W]->data, w);
    ck_assert_double_eq(engine->last.facts.work_fraction, (3 + 2 * 2) / 18.0);
    tp = TENSOR(indptr, I64, 1);
    tr = TENSOR(rows, I64, 0);
    tv = TENSOR(vals, F64, 0);
    tF = TENSOR(F, F64, 0, 0);
    ck_accepted(hgate_curvature_run(plan, NULL, &tp, &tr, &tv, &tF));
    ck_assert_mem_eq(engine->last.dims, dims, sizeof dims);
    ck_assert_int_eq(engine->last.facts.is_known, 1);
    hgate_plan_free(plan);
}
END_TEST

/* ---- kirchhoff ---- */

static float trav_src[12 * 2], trav_rec[12 * 3], model[12], data[2 * 3 * 8];

START_TEST(a_plan_of_kirchhoff)
{
    DLTensor ts = TENSOR(trav_src, F32, 12, 2), tr = TENSOR(trav_rec, F32, 12, 3);
    DLTensor tm = TENSOR(model, F32, 3, 4), td = TENSOR(data, F32, 6, 8);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    hgate_plan *plan;
    ck_accepted(hgate_kirchhoff_params_init(&params));
    ck_accepted(hgate_kirchhoff_tables_init(&tables));
    params.dt = 0.5;
    params.nt = 8;
    params.nz = 4;
    tables.trav_src = &ts;
    tables.trav_rec = &tr;
    ck_accepted(hgate_kirchhoff_plan(engine, NULL, &params, &tables, &plan));
    static const int64_t dims[] = {2, 3, 8, 3, 4, 0, 12, 0};
    for (int i = 0; i < 2; i++) {
        const hg_problem *side = hg_plan_problem(plan, i);
        ck_assert_int_eq(side->p.op, HGATE_OP_KIRCHHOFF_FORWARD + i);
        ck_assert_mem_eq(side->dims, dims, sizeof dims);
        ck_assert_int_eq(side->p.args[HGATE_KIRCHHOFF_MODEL]->shape[0], 12);
        ck_assert_int_eq(side->p.args[HGATE_KIRCHHOFF_DATA]->shape[2], 8);
        ck_assert_ptr_null(side->p.args[HGATE_KIRCHHOFF_DATA]->data);
        ck_assert_ptr_null(side->p.args[HGATE_KIRCHHOFF_WAV]);
    }
    ck_accepted(hgate_kirchhoff_adjoint_run(plan, NULL, 2, &td, 0.5, &tm));
    ck_assert_int_eq(engine->side, 1);
    ck_assert_double_eq(engine->last.p.alpha_re, 2);
    ck_assert_double_eq(engine->last.p.beta_re, 0.5);
    ck_assert_ptr_eq(engine->last.p.args[HGATE_KIRCHHOFF_TRAV_REC]->data, trav_rec);
    ck_accepted(hgate_kirchhoff_forward_run(plan, NULL, -1, &tm, 0, &td));
    ck_assert_int_eq(engine->side, 0);
    ck_assert_double_eq(engine->last.p.alpha_re, -1);

    hgate_kirchhoff_plan_info info = {.struct_size = sizeof info};
    ck_accepted(hgate_kirchhoff_info(plan, &info));
    ck_assert_str_eq(info.forward_kernel, "scatter");
    ck_assert_str_eq(info.adjoint_plugin, "right");
    ck_assert_uint_eq(info.bytes_prepared, 1000);
    ck_assert_uint_eq(info.ws_host, 300);
    ck_assert_uint_eq(info.ws_device, 5);
    ck_assert_int_eq(info.pairs, 72);
    ck_assert_int_eq(info.pairs_dropped, -1);
    hgate_plan_free(plan);
}
END_TEST

/* Kinematic calls do not see the tables of the weight. */
START_TEST(tables_that_do_not_count)
{
    DLTensor ts = TENSOR(trav_src, F32, 12, 2), tr = TENSOR(trav_rec, F32, 12, 3);
    DLTensor tm = TENSOR(model, F32, 12), td = TENSOR(data, F32, 2, 3, 8);
    DLTensor other = TENSOR(model, F32, 5);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    ck_accepted(hgate_kirchhoff_params_init(&params));
    ck_accepted(hgate_kirchhoff_tables_init(&tables));
    params.dt = 0.5;
    params.nt = 8;
    params.ny = 2;
    params.nz = 3;
    tables.trav_src = &ts;
    tables.trav_rec = &tr;
    tables.vel = tables.six = tables.tap = tables.amp_src = &other;
    ck_accepted(hgate_kirchhoff_forward(engine, NULL, &params, &tables, 1, &tm, 0, &td));
    for (int i = HGATE_KIRCHHOFF_AMP_SRC; i <= HGATE_KIRCHHOFF_WAV; i++) {
        ck_assert_ptr_null(engine->last.p.args[i]);
    }
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_KIRCHHOFF_NX], 2);
    ck_assert_int_eq(engine->last.dims[HGATE_DIM_KIRCHHOFF_NY], 2);
}
END_TEST

START_TEST(inits_refuse_nothing_to_set)
{
    ck_assert_int_eq(hgate_curvature_params_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_emi_params_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_visibility_params_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_visibility_input_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_beam_geometry_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_params_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_tables_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_grid_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_emi_explain(engine, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                     HGATE_EINVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forms");
    TCase *tests = tcase_create("forms");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, configuration_fills_what_no_params_say);
    tcase_add_test(tests, params_win_over_the_configuration);
    tcase_add_test(tests, auto_leaves_a_choice_to_the_configuration);
    tcase_add_test(tests, scalars_of_products);
    tcase_add_test(tests, level_of_operations_without_params);
    tcase_add_test(tests, a_refusing_engine_is_asked_first);
    tcase_add_test(tests, a_count_of_nothing);
    tcase_add_test(tests, devices_keep_their_data);
    tcase_add_test(tests, sizes_of_emi);
    tcase_add_test(tests, sizes_of_temporal_coherence);
    tcase_add_test(tests, sizes_of_visibility);
    tcase_add_test(tests, facts_of_a_matrix);
    tcase_add_test(tests, facts_of_nonsense);
    tcase_add_test(tests, a_plan_of_curvature);
    tcase_add_test(tests, a_plan_of_kirchhoff);
    tcase_add_test(tests, tables_that_do_not_count);
    tcase_add_test(tests, inits_refuse_nothing_to_set);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
