/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of the emi family through the public calls. What is wrong with a single point
 * is the kernels' matter and no refusal. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { P = 3, N = 4, NPAIRS = N * (N - 1) / 2, LISTED = 5 };

static hgate_engine *engine;
static hgate_emi_params params;
static const hgate_emi_params *given;

static double complex coh[P * N * N + P * N]; /* room behind it for outputs that overlap */
static int32_t pairs[2 * LISTED];
/* outputs have room for shapes that claim more: those must not overlap */
static double complex phase[P * (N + 1)];
static double quality[P + 1], beta[P], t_coh[P];
static int32_t status[P];
static DLTensor tcoh, tpairs, tphase, tquality, tstatus, tbeta, tt_coh;
static const DLTensor *opt_pairs;
static DLTensor *opt_quality, *opt_status, *opt_beta;

static void setup(void)
{
    static const int32_t list[2 * LISTED] = {0, 1, 2, 0, 3, 1, 1, 2, 2, 3};
    static const int64_t lengths[7][3] = {{P, NPAIRS}, {LISTED, 2}, {P, N}, {P}, {P}, {P}, {P}};
    static int64_t shapes[7][3];
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_emi_params_init(&params));
    given = &params;
    memcpy(pairs, list, sizeof pairs);
    memcpy(shapes, lengths, sizeof shapes);
    for (int k = 0; k < P * N * N; k++) {
        coh[k] = 0.5 * cexp(0.7 * I * k) + 0.01 * k / (P * N * N);
    }
    poison(phase, sizeof phase);
    poison(quality, sizeof quality);
    poison(status, sizeof status);
    poison(beta, sizeof beta);
    poison(t_coh, sizeof t_coh);
    tcoh = tensor_of(coh, C128, 2, shapes[0]);
    tpairs = tensor_of(pairs, I32, 2, shapes[1]);
    tphase = tensor_of(phase, C128, 2, shapes[2]);
    tquality = tensor_of(quality, F64, 1, shapes[3]);
    tstatus = tensor_of(status, I32, 1, shapes[4]);
    tbeta = tensor_of(beta, F64, 1, shapes[5]);
    tt_coh = tensor_of(t_coh, F64, 1, shapes[6]);
    opt_pairs = NULL;
    opt_quality = &tquality;
    opt_status = &tstatus;
    opt_beta = &tbeta;
}

static void teardown(void)
{
    hgate_close(engine);
}

static int emi(void)
{
    return hgate_emi(engine, NULL, given, &tcoh, &tphase, opt_quality, opt_status, opt_beta);
}

static int evd(void)
{
    return hgate_evd(engine, NULL, given, &tcoh, &tphase, opt_quality, opt_status);
}

/* Here phase is an input; its poison is what is read. */
static int ds_temp_coh(void)
{
    return hgate_ds_temp_coh(engine, NULL, given, &tcoh, opt_pairs, &tphase, &tt_coh);
}

static void set_full(int64_t rows, int64_t columns)
{
    static int64_t shape[3];
    shape[0] = P;
    shape[1] = rows;
    shape[2] = columns;
    tcoh.shape = shape;
    tcoh.ndim = 3;
}

static void set_listed(void)
{
    opt_pairs = &tpairs;
    tcoh.shape[1] = LISTED;
}

SPOIL(packed_length, tcoh.shape[1] = NPAIRS - 1)
SPOIL(points, tphase.shape[0] = P - 1)
SPOIL(images, tphase.shape[1] = N + 1)
SPOIL(no_images, tphase.shape[1] = 0; tcoh.shape[1] = 0)
SPOIL(full_not_square, set_full(N, N - 1))
SPOIL(full_no_images, set_full(0, 0); tphase.shape[1] = 0)
SPOIL(coh_line, tcoh.ndim = 1)
SPOIL(coh_deep, static int64_t shape[] = {P, N, 2, 2}; tcoh.shape = shape; tcoh.ndim = 4)
SPOIL(quality_length, tquality.shape[0] = P + 1)
SPOIL(status_length, tstatus.shape[0] = 1)
SPOIL(beta_flat, tbeta.ndim = 0)
SPOIL(coh_single, tcoh.dtype.bits = 64)
SPOIL(coh_real, tcoh.dtype = (DLDataType){HGATE_DL_FLOAT, 64, 1})
SPOIL(coh_half, tcoh.dtype.bits = 32)
SPOIL(coh_lanes, tcoh.dtype.lanes = 2)
SPOIL(quality_single, tquality.dtype.bits = 32)
SPOIL(status_long, tstatus.dtype.bits = 64)
SPOIL(status_unsigned, tstatus.dtype.code = HGATE_DL_UINT)
SPOIL(phase_on_device, tphase.device.device_type = (DLDeviceType)HGATE_DL_CUDA)
SPOIL(coh_strided, static int64_t strides[] = {1, P}; tcoh.strides = strides)
SPOIL(coh_misaligned, tcoh.byte_offset = 8)
SPOIL(phase_over_coh, tphase.data = coh + 2)
SPOIL(quality_over_beta, tquality.data = beta + P - 1)
SPOIL(status_over_coh, tstatus.data = (int32_t *)coh + 1)
SPOIL(ref_high, params.ref = N)
SPOIL(ref_low, params.ref = -1)
SPOIL(beta_one, params.beta = 1)
SPOIL(beta_low, params.beta = -DBL_MIN; params.rule = HGATE_EMI_BETA_FIXED)
SPOIL(beta_nan, params.beta = NAN)
SPOIL(kappa_low, params.kappa = 99.9)
SPOIL(kappa_high, params.kappa = 1.1e12)
SPOIL(kappa_nan, params.kappa = NAN)
SPOIL(rule_unknown, params.rule = 3)
SPOIL(fallback_unknown, params.fallback = -1)
SPOIL(check_unknown, params.check = 7)
SPOIL(n_images_differs, params.n_images = N + 1)
SPOIL(n_images_negative, params.n_images = -N)
SPOIL(size_zero, params.struct_size = 0)
SPOIL(coh_no_data, tcoh.data = NULL)
SPOIL(phase_no_data, tphase.data = NULL)
SPOIL(pair_high, set_listed(); pairs[5] = N)
SPOIL(pair_negative, set_listed(); pairs[0] = -1)
SPOIL(pair_of_one, set_listed(); pairs[6] = pairs[7] = 3)
SPOIL(pairs_count, set_listed(); tpairs.shape[0] = LISTED - 1)
SPOIL(pairs_three, set_listed(); tpairs.shape[1] = 3)
SPOIL(pairs_long, set_listed(); tpairs.dtype.bits = 64)
SPOIL(pairs_and_full, set_full(N, N); opt_pairs = &tpairs)
SPOIL(t_coh_length, tt_coh.shape[0] = P - 1)
SPOIL(t_coh_over_phase, tt_coh.data = phase)

static const struct {
    int (*call)(void);
    refusal row;
} refusals[] = {
    {emi, {packed_length, HGATE_ESHAPE, "coh"}},
    {emi, {points, HGATE_ESHAPE, "quality"}},
    {emi, {images, HGATE_ESHAPE, "coh"}},
    {emi, {no_images, HGATE_ESHAPE, "phase"}},
    {emi, {full_not_square, HGATE_ESHAPE, "coh"}},
    {emi, {full_no_images, HGATE_ESHAPE, "coh"}},
    {emi, {coh_line, HGATE_ESHAPE, "coh"}},
    {emi, {coh_deep, HGATE_ESHAPE, "coh"}},
    {emi, {quality_length, HGATE_ESHAPE, "quality"}},
    {emi, {status_length, HGATE_ESHAPE, "status"}},
    {emi, {beta_flat, HGATE_ESHAPE, "beta"}},
    {emi, {coh_single, HGATE_EDTYPE, "phase"}},
    {emi, {coh_real, HGATE_EDTYPE, "coh"}},
    {emi, {coh_half, HGATE_EDTYPE, "coh"}},
    {emi, {coh_lanes, HGATE_EDTYPE, "coh"}},
    {emi, {quality_single, HGATE_EDTYPE, "quality"}},
    {emi, {status_long, HGATE_EDTYPE, "status"}},
    {emi, {status_unsigned, HGATE_EDTYPE, "status"}},
    {emi, {phase_on_device, HGATE_EDEVICE, "phase"}},
    {emi, {coh_strided, HGATE_ESTRIDE, "coh"}},
    {emi, {coh_misaligned, HGATE_ESTRIDE, "coh"}},
    {emi, {phase_over_coh, HGATE_EOVERLAP, "phase"}},
    {emi, {quality_over_beta, HGATE_EOVERLAP, "quality"}},
    {emi, {status_over_coh, HGATE_EOVERLAP, "status"}},
    {emi, {ref_high, HGATE_EVALUE, "ref"}},
    {emi, {ref_low, HGATE_EVALUE, "ref"}},
    {emi, {beta_one, HGATE_EVALUE, "beta"}},
    {emi, {beta_low, HGATE_EVALUE, "beta"}},
    {emi, {beta_nan, HGATE_EVALUE, "beta"}},
    {emi, {kappa_low, HGATE_EVALUE, "kappa"}},
    {emi, {kappa_high, HGATE_EVALUE, "kappa"}},
    {emi, {kappa_nan, HGATE_EVALUE, "kappa"}},
    {emi, {rule_unknown, HGATE_EINVAL, "rule"}},
    {emi, {fallback_unknown, HGATE_EINVAL, "fallback"}},
    {emi, {check_unknown, HGATE_EINVAL, "check"}},
    {emi, {n_images_differs, HGATE_ESHAPE, "coh"}},
    {emi, {n_images_negative, HGATE_EVALUE, "n_images"}},
    {emi, {size_zero, HGATE_EABI, "params"}},
    {emi, {coh_no_data, HGATE_EINVAL, "coh"}},
    {emi, {phase_no_data, HGATE_EINVAL, "phase"}},
    {evd, {packed_length, HGATE_ESHAPE, "coh"}},
    {evd, {ref_high, HGATE_EVALUE, "ref"}},
    {evd, {phase_over_coh, HGATE_EOVERLAP, "phase"}},
    {evd, {quality_single, HGATE_EDTYPE, "quality"}},
    {evd, {status_length, HGATE_ESHAPE, "status"}},
    {ds_temp_coh, {packed_length, HGATE_ESHAPE, "coh"}},
    {ds_temp_coh, {pair_high, HGATE_EVALUE, "pairs"}},
    {ds_temp_coh, {pair_negative, HGATE_EVALUE, "pairs"}},
    {ds_temp_coh, {pair_of_one, HGATE_EVALUE, "pairs"}},
    {ds_temp_coh, {pairs_count, HGATE_ESHAPE, "pairs"}},
    {ds_temp_coh, {pairs_three, HGATE_ESHAPE, "pairs"}},
    {ds_temp_coh, {pairs_long, HGATE_EDTYPE, "pairs"}},
    {ds_temp_coh, {pairs_and_full, HGATE_EINVAL, "pairs"}},
    {ds_temp_coh, {t_coh_length, HGATE_ESHAPE, "t_coh"}},
    {ds_temp_coh, {t_coh_over_phase, HGATE_EOVERLAP, "t_coh"}},
    {ds_temp_coh, {n_images_differs, HGATE_ESHAPE, "coh"}},
    {ds_temp_coh, {points, HGATE_ESHAPE, "t_coh"}},
};

START_TEST(refused)
{
    double complex old_coh[P * N * N + P * N];
    memcpy(old_coh, coh, sizeof coh);
    refusals[_i].row.spoil();
    ck_refused(refusals[_i].call(), &refusals[_i].row);
    ck_untouched(phase, sizeof phase);
    ck_untouched(quality, sizeof quality);
    ck_untouched(status, sizeof status);
    ck_untouched(beta, sizeof beta);
    ck_untouched(t_coh, sizeof t_coh);
    ck_assert_mem_eq(coh, old_coh, sizeof coh);
}
END_TEST

SPOIL(nothing, (void)0)
SPOIL(full, set_full(N, N); params.n_images = N)
SPOIL(defaults, given = NULL)
SPOIL(one_image, tcoh.shape[1] = 0; tphase.shape[1] = 1; tcoh.data = NULL)
SPOIL(outputs_missing, opt_quality = opt_beta = NULL; opt_status = NULL)
SPOIL(bad_points, for (int k = 0; k < NPAIRS; k++) coh[k] = NAN; coh[NPAIRS] = 3)
SPOIL(limits_of_range, params.kappa = 1e12; params.beta = 0.999; params.ref = N - 1)
SPOIL(list, set_listed())
SPOIL(list_of_none, set_listed(); tpairs.shape[0] = tcoh.shape[1] = 0)
SPOIL(not_of_evd, params.kappa = params.beta = NAN; params.rule = 9; params.fallback = 9)

static const struct {
    int (*call)(void);
    void (*change)(void);
} good[] = {
    {emi, nothing},
    {emi, full},
    {emi, defaults},
    {emi, one_image},
    {emi, bad_points},
    {emi, outputs_missing},
    {emi, limits_of_range},
    {evd, nothing},
    {evd, full},
    {evd, outputs_missing},
    {evd, not_of_evd},
    {evd, defaults},
    {ds_temp_coh, nothing},
    {ds_temp_coh, full},
    {ds_temp_coh, list},
    {ds_temp_coh, list_of_none},
    {ds_temp_coh, defaults},
};

START_TEST(accepted)
{
    for (int k = 0; good[_i].call == ds_temp_coh && k < P * N; k++) {
        phase[k] = cexp(0.3 * I * k);
    }
    good[_i].change();
    ck_accepted(good[_i].call());
}
END_TEST

/* No points: success, with no data anywhere and nothing written; the trace tells the choice. */
START_TEST(no_points)
{
    DLTensor *all[] = {&tcoh, &tphase, &tquality, &tstatus, &tbeta, &tt_coh};
    for (int i = 0; i < 6; i++) {
        all[i]->shape[0] = 0;
        all[i]->data = NULL;
    }
    hgate_exec *exec;
    const hgate_trace *trace;
    const char *plugin, *kernel, *reason;
    double predicted, measured;
    ck_accepted(hgate_exec_new(engine, &exec));
    ck_accepted(hgate_emi(engine, exec, given, &tcoh, &tphase, opt_quality, opt_status, opt_beta));
    ck_accepted(hgate_exec_last_trace(exec, &trace));
    ck_accepted(hgate_trace_choice(trace, &plugin, &kernel, &reason));
    ck_assert_str_ne(plugin, "");
    ck_accepted(hgate_trace_seconds(trace, &predicted, &measured));
    ck_assert(isnan(measured));
    hgate_exec_free(exec);
    ck_accepted(evd());
    ck_accepted(ds_temp_coh());
    params.ref = N;
    ck_refused(emi(), &(refusal){NULL, HGATE_EVALUE, "ref"});
}
END_TEST

/* 2^31 points are refused, one fewer is a question for the kernels. */
START_TEST(too_many_points)
{
    hgate_trace *trace = NULL;
    int64_t points = INT64_C(1) << 31;
    tcoh.data = tphase.data = NULL;
    tcoh.shape[0] = tphase.shape[0] = points;
    ck_refused(hgate_emi_explain(engine, NULL, given, &tcoh, &tphase, NULL, NULL, NULL, &trace),
               &(refusal){NULL, HGATE_ESHAPE, "phase"});
    tcoh.shape[0] = tphase.shape[0] = INT64_C(1) << 61;
    ck_refused(hgate_emi_explain(engine, NULL, given, &tcoh, &tphase, NULL, NULL, NULL, &trace),
               &(refusal){NULL, HGATE_ESHAPE, "coh"});
    ck_assert_ptr_null(trace);
}
END_TEST

/* An operation that is switched off answers so before it looks at anything. */
START_TEST(switched_off)
{
    hgate_options options;
    hgate_config *config;
    hgate_close(engine);
    ck_accepted(hgate_options_init(&options));
    ck_accepted(hgate_config_new(&config));
    ck_accepted(hgate_config_set(config, "ops.evd.enabled", "false"));
    options.config = config;
    ck_accepted(hgate_open(&options, &engine));
    hgate_config_free(config);
    ck_refused(evd(), &(refusal){NULL, HGATE_EDISABLED, "evd"});
    packed_length();
    ck_refused(evd(), &(refusal){NULL, HGATE_EDISABLED, "evd"});
    ck_refused(emi(), &(refusal){NULL, HGATE_ESHAPE, "coh"});
    ck_untouched(phase, sizeof phase);
}
END_TEST

/* Pairs that nobody checked; the address sanitizer sees what is touched. */
START_TEST(unchecked_pairs)
{
    set_listed();
    params.check = HGATE_CHECK_NONE;
    pairs[0] = -1;
    pairs[3] = INT32_MAX;
    pairs[4] = pairs[5] = 2;
    ck_assert_int_le(ds_temp_coh(), HGATE_OK);
}
END_TEST

START_TEST(runs_like_planned)
{
    hgate_plan *plan = NULL;
    tcoh.data = tphase.data = NULL;
    ck_accepted(hgate_emi_plan(engine, NULL, given, &tcoh, &tphase, NULL, &tstatus, NULL, &plan));
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, NULL, &tstatus, NULL),
               &(refusal){NULL, HGATE_EINVAL, "coh"});
    tcoh.data = coh;
    tphase.data = phase;
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, &tquality, &tstatus, NULL),
               &(refusal){NULL, HGATE_EINVAL, "quality"});
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, NULL, NULL, NULL),
               &(refusal){NULL, HGATE_EINVAL, "status"});
    tcoh.shape[0] = tphase.shape[0] = tstatus.shape[0] = P - 1;
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, NULL, &tstatus, NULL),
               &(refusal){NULL, HGATE_ESHAPE, "coh"});
    tcoh.shape[0] = tphase.shape[0] = tstatus.shape[0] = P;
    DLTensor packed = tcoh;
    set_full(N, N);
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, NULL, &tstatus, NULL),
               &(refusal){NULL, HGATE_ESHAPE, "coh"});
    tcoh = packed;
    tcoh.dtype.bits = tphase.dtype.bits = 64;
    ck_refused(hgate_emi_run(plan, NULL, &tcoh, &tphase, NULL, &tstatus, NULL),
               &(refusal){NULL, HGATE_EDTYPE, "coh"});
    ck_untouched(phase, sizeof phase);
    ck_untouched(status, sizeof status);
    hgate_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_emi");
    TCase *tests = tcase_create("op_emi");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tests, accepted, 0, sizeof good / sizeof *good);
    tcase_add_test(tests, no_points);
    tcase_add_test(tests, too_many_points);
    tcase_add_test(tests, switched_off);
    tcase_add_test(tests, unchecked_pairs);
    tcase_add_test(tests, runs_like_planned);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
