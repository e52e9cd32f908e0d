/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of the kirchhoff family through the public calls. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <math.h>

enum { NS = 2, NR = 3, NT = 9, NX = 4, NZ = 5, NI = NX * NZ, NTAP = 4, NWAV = 3 };

static hgate_engine *engine;
static hgate_kirchhoff_params params;
static const hgate_kirchhoff_params *given;
static hgate_kirchhoff_tables tables;

static double trav_src[NI * NS], trav_rec[NI * NR], amp_src[NI * NS], amp_rec[NI * NR];
static double ang_src[NI * NS], ang_rec[NI * NR], vel[NI], tap[NTAP], wav[NWAV];
static int32_t six[NS], rix[NR];
static double model[NI], data[NS * (NR + 1) * NT]; /* data with room for a trace too many */
static DLTensor ttrav_src, ttrav_rec, tamp_src, tamp_rec, tang_src, tang_rec, tvel, tsix, trix,
    ttap, twav, tmodel, tdata;

static void fill(double *x, int n, double start, double step)
{
    for (int i = 0; i < n; i++) {
        x[i] = start + step * i;
    }
}

static void fill_arrays(void)
{
    fill(trav_src, NI * NS, 0.125, 0.01);
    fill(trav_rec, NI * NR, 0.25, 0.005);
    fill(amp_src, NI * NS, -0.5, 0.05);
    fill(amp_rec, NI * NR, 1, 0.01);
    fill(ang_src, NI * NS, -1, 0.05);
    fill(ang_rec, NI * NR, 0.9, -0.03);
    fill(vel, NI, 1500, 10);
    fill(tap, NTAP, 1, -0.3);
    fill(wav, NWAV, 1, 1);
    for (int s = 0; s < NS; s++) {
        six[s] = 3 * s - 1;
    }
    for (int r = 0; r < NR; r++) {
        rix[r] = r + 1;
    }
}

static void setup(void)
{
    static const int64_t lengths[13][3] = {{NI, NS}, {NI, NR}, {NI, NS},    {NI, NR}, {NI, NS},
                                           {NI, NR}, {NI},     {NS},        {NR},     {NTAP},
                                           {NWAV},   {NX, NZ}, {NS, NR, NT}};
    static int64_t shapes[13][3];
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_kirchhoff_params_init(&params));
    ck_accepted(hgate_kirchhoff_tables_init(&tables));
    params.dt = 0.25;
    params.nt = NT;
    params.nz = NZ;
    given = &params;
    fill_arrays();
    memcpy(shapes, lengths, sizeof shapes);
    poison(model, sizeof model);
    poison(data, sizeof data);
    ttrav_src = tensor_of(trav_src, F64, 2, shapes[0]);
    ttrav_rec = tensor_of(trav_rec, F64, 2, shapes[1]);
    tamp_src = tensor_of(amp_src, F64, 2, shapes[2]);
    tamp_rec = tensor_of(amp_rec, F64, 2, shapes[3]);
    tang_src = tensor_of(ang_src, F64, 2, shapes[4]);
    tang_rec = tensor_of(ang_rec, F64, 2, shapes[5]);
    tvel = tensor_of(vel, F64, 1, shapes[6]);
    tsix = tensor_of(six, I32, 1, shapes[7]);
    trix = tensor_of(rix, I32, 1, shapes[8]);
    ttap = tensor_of(tap, F64, 1, shapes[9]);
    twav = tensor_of(wav, F64, 1, shapes[10]);
    tmodel = tensor_of(model, F64, 2, shapes[11]);
    tdata = tensor_of(data, F64, 3, shapes[12]);
    tables.trav_src = &ttrav_src;
    tables.trav_rec = &ttrav_rec;
}

static void teardown(void)
{
    hgate_close(engine);
}

static void go_dynamic(void)
{
    params.flags |= HGATE_KIRCHHOFF_DYNAMIC;
    tables.amp_src = &tamp_src;
    tables.amp_rec = &tamp_rec;
    tables.ang_src = &tang_src;
    tables.ang_rec = &tang_rec;
    tables.vel = &tvel;
}

static void set_aperture(void)
{
    go_dynamic();
    params.aperture[0] = 0.8;
    params.aperture[1] = 1.5;
    tables.six = &tsix;
    tables.rix = &trix;
}

static void skip(void)
{
    params.flags |= HGATE_KIRCHHOFF_SKIP_NONFINITE;
}

/* The input keeps its poison where it is the other call's output: a number like any other. */
static int forward(void)
{
    return hgate_kirchhoff_forward(engine, NULL, given, &tables, 1, &tmodel, 0, &tdata);
}

static int adjoint(void)
{
    return hgate_kirchhoff_adjoint(engine, NULL, given, &tables, 1, &tdata, 0, &tmodel);
}

static int plan_only(void)
{
    hgate_plan *plan = NULL;
    int status = hgate_kirchhoff_plan(engine, NULL, given, &tables, &plan);
    ck_assert(status == HGATE_OK || !plan);
    hgate_plan_free(plan);
    return status;
}

SPOIL(dt_zero, params.dt = 0)
SPOIL(dt_negative, params.dt = -0.004)
SPOIL(dt_nan, params.dt = NAN)
SPOIL(dt_inf, params.dt = INFINITY)
SPOIL(nt_one, params.nt = 1)
SPOIL(t0_nan, params.t0 = NAN)
SPOIL(t0_inf, params.t0 = -INFINITY)
SPOIL(nz_missing, params.nz = 0)
SPOIL(nz_negative, params.nz = -5)
SPOIL(nz_odd, params.nz = 3)
SPOIL(nx_negative, params.nx = -1)
SPOIL(nx_wrong, params.nx = NX + 1)
SPOIL(ny_wrong, params.ny = 3)
SPOIL(nx_huge, params.nx = INT64_MAX / 2)
SPOIL(model_transposed, tmodel.shape[0] = NZ; tmodel.shape[1] = NX)
SPOIL(model_deep, static int64_t shape[] = {1, NX, NZ}; tmodel.shape = shape; tmodel.ndim = 3)
SPOIL(data_traces, tdata.shape[1] = NR + 1)
SPOIL(data_samples, tdata.shape[2] = NT - 1)
SPOIL(data_flat_wrong, static int64_t shape[] = {NS * NR - 1, NT}; tdata.shape = shape;
      tdata.ndim = 2)
SPOIL(rec_points, ttrav_rec.shape[0] = NI - 1)
SPOIL(src_line, ttrav_src.ndim = 1)
SPOIL(station_major_wrong, params.flags = HGATE_KIRCHHOFF_STATION_MAJOR)
SPOIL(amp_shape, go_dynamic(); tamp_rec.shape[1] = NS)
SPOIL(vel_length, go_dynamic(); tvel.shape[0] = 2)
SPOIL(six_length, set_aperture(); tsix.shape[0] = NS + 1)
SPOIL(rix_length, set_aperture(); trix.shape[0] = NR - 1)
SPOIL(tap_short, go_dynamic(); tables.tap = &ttap; ttap.shape[0] = 1)
SPOIL(src_negative, trav_src[7] = -1e-9)
SPOIL(rec_negative, trav_rec[11] = -0.5)
SPOIL(rec_negative_skip, trav_rec[11] = -0.5; skip())
SPOIL(src_nan, trav_src[0] = NAN)
SPOIL(rec_inf, trav_rec[NI * NR - 1] = INFINITY)
SPOIL(amp_nan, go_dynamic(); amp_src[3] = NAN)
SPOIL(ang_inf, go_dynamic(); ang_rec[3] = INFINITY)
SPOIL(vel_zero, go_dynamic(); vel[2] = 0)
SPOIL(vel_negative, go_dynamic(); vel[2] = -1500)
SPOIL(vel_inf, go_dynamic(); vel[2] = INFINITY)
SPOIL(vel_nan_skip, go_dynamic(); skip(); vel[2] = NAN)
SPOIL(tap_nan, go_dynamic(); tables.tap = &ttap; tap[1] = NAN)
SPOIL(wav_nan, tables.wav = &twav; wav[2] = NAN)
SPOIL(limits_swapped, params.angle[0] = 1; params.angle[1] = 0.5)
SPOIL(limits_negative, params.aperture[0] = -1; params.aperture[1] = 2)
SPOIL(limits_nan, params.angle[1] = NAN)
SPOIL(no_amp, go_dynamic(); tables.amp_src = NULL)
SPOIL(no_ang, go_dynamic(); tables.ang_rec = NULL)
SPOIL(no_vel, go_dynamic(); tables.vel = NULL)
SPOIL(no_six, set_aperture(); tables.six = NULL)
SPOIL(no_rix, set_aperture(); tables.rix = NULL)
SPOIL(no_rix_3d, set_aperture(); params.ny = 2; params.nx = 2; tables.rix = NULL)
SPOIL(no_src, tables.trav_src = NULL)
SPOIL(wavc_high, tables.wav = &twav; params.wavc = NWAV)
SPOIL(wavc_negative, params.wavc = -1)
SPOIL(wav_empty, tables.wav = &twav; twav.shape[0] = 0)
SPOIL(src_half, ttrav_src.dtype.bits = 16)
SPOIL(src_integer, ttrav_src.dtype.code = HGATE_DL_INT)
SPOIL(src_complex, ttrav_src.dtype = (DLDataType){HGATE_DL_COMPLEX, 128, 1})
SPOIL(rec_single, ttrav_rec.dtype.bits = 32)
SPOIL(model_single, tmodel.dtype.bits = 32)
SPOIL(six_float, set_aperture(); tsix.dtype.code = HGATE_DL_FLOAT)
SPOIL(src_strided, static int64_t strides[] = {1, NI}; ttrav_src.strides = strides)
SPOIL(data_misaligned, tdata.byte_offset = 4)
SPOIL(rec_on_device, ttrav_rec.device.device_type = (DLDeviceType)HGATE_DL_CUDA)
SPOIL(data_over_model, tdata.data = model)
SPOIL(data_over_table, tdata.data = trav_src)
SPOIL(flags_unknown, params.flags = 64)
SPOIL(taper_unknown, params.offset_taper = 2)
SPOIL(check_unknown, params.check = -1)
SPOIL(params_size, params.struct_size = 1)
SPOIL(tables_size, tables.struct_size += 8)
SPOIL(no_params, given = NULL)
SPOIL(src_no_data, ttrav_src.data = NULL)

static const refusal refusals[] = {
    {dt_zero, HGATE_EVALUE, "dt"},
    {dt_negative, HGATE_EVALUE, "dt"},
    {dt_nan, HGATE_EVALUE, "dt"},
    {dt_inf, HGATE_EVALUE, "dt"},
    {nt_one, HGATE_EVALUE, "nt"},
    {t0_nan, HGATE_EVALUE, "t0"},
    {t0_inf, HGATE_EVALUE, "t0"},
    {nz_missing, HGATE_EVALUE, "nz"},
    {nz_negative, HGATE_EVALUE, "nz"},
    {nx_negative, HGATE_EVALUE, "nx"},
    {nx_wrong, HGATE_ESHAPE, "trav_src"},
    {nx_huge, HGATE_ESHAPE, "nx"},
    {rec_points, HGATE_ESHAPE, "trav_rec"},
    {src_line, HGATE_ESHAPE, "trav_src"},
    {station_major_wrong, HGATE_ESHAPE, "trav_rec"},
    {amp_shape, HGATE_ESHAPE, "amp_rec"},
    {vel_length, HGATE_ESHAPE, "vel"},
    {six_length, HGATE_ESHAPE, "six"},
    {rix_length, HGATE_ESHAPE, "rix"},
    {tap_short, HGATE_ESHAPE, "tap"},
    {src_negative, HGATE_EVALUE, "trav_src"},
    {rec_negative, HGATE_EVALUE, "trav_rec"},
    {rec_negative_skip, HGATE_EVALUE, "trav_rec"},
    {src_nan, HGATE_EVALUE, "trav_src"},
    {rec_inf, HGATE_EVALUE, "trav_rec"},
    {amp_nan, HGATE_EVALUE, "amp_src"},
    {ang_inf, HGATE_EVALUE, "ang_rec"},
    {vel_zero, HGATE_EVALUE, "vel"},
    {vel_negative, HGATE_EVALUE, "vel"},
    {vel_inf, HGATE_EVALUE, "vel"},
    {vel_nan_skip, HGATE_EVALUE, "vel"},
    {tap_nan, HGATE_EVALUE, "tap"},
    {wav_nan, HGATE_EVALUE, "wav"},
    {limits_swapped, HGATE_EVALUE, "angle"},
    {limits_negative, HGATE_EVALUE, "aperture"},
    {limits_nan, HGATE_EVALUE, "angle"},
    {no_amp, HGATE_EINVAL, "amp_src"},
    {no_ang, HGATE_EINVAL, "ang_rec"},
    {no_vel, HGATE_EINVAL, "vel"},
    {no_six, HGATE_EINVAL, "six"},
    {no_rix, HGATE_EINVAL, "rix"},
    {no_rix_3d, HGATE_EINVAL, "rix"},
    {no_src, HGATE_EINVAL, "trav_src"},
    {wavc_high, HGATE_EVALUE, "wavc"},
    {wavc_negative, HGATE_EVALUE, "wavc"},
    {wav_empty, HGATE_EVALUE, "wavc"},
    {src_half, HGATE_EDTYPE, "trav_src"},
    {src_integer, HGATE_EDTYPE, "trav_src"},
    {src_complex, HGATE_EDTYPE, "trav_src"},
    {rec_single, HGATE_EDTYPE, "trav_rec"},
    {six_float, HGATE_EDTYPE, "six"},
    {src_strided, HGATE_ESTRIDE, "trav_src"},
    {rec_on_device, HGATE_EDEVICE, "trav_rec"},
    {flags_unknown, HGATE_EINVAL, "flags"},
    {taper_unknown, HGATE_EINVAL, "offset_taper"},
    {check_unknown, HGATE_EINVAL, "check"},
    {params_size, HGATE_EABI, "params"},
    {tables_size, HGATE_EABI, "tables"},
    {no_params, HGATE_EVALUE, "dt"},
    {src_no_data, HGATE_EINVAL, "trav_src"},
};

/* The same tables in both directions, and in the plan of both. */
START_TEST(refused)
{
    refusals[_i].spoil();
    ck_refused(forward(), &refusals[_i]);
    ck_refused(adjoint(), &refusals[_i]);
    ck_refused(plan_only(), &refusals[_i]);
    ck_untouched(model, sizeof model);
    ck_untouched(data, sizeof data);
}
END_TEST

static const refusal array_refusals[] = {
    {model_transposed, HGATE_ESHAPE, "model"}, {model_deep, HGATE_ESHAPE, "model"},
    {data_traces, HGATE_ESHAPE, "data"},       {data_samples, HGATE_ESHAPE, "data"},
    {data_flat_wrong, HGATE_ESHAPE, "data"},   {model_single, HGATE_EDTYPE, "model"},
    {data_misaligned, HGATE_ESTRIDE, "data"},
};

START_TEST(arrays_refused)
{
    double old_src[NI * NS];
    memcpy(old_src, trav_src, sizeof old_src);
    array_refusals[_i].spoil();
    ck_refused(forward(), &array_refusals[_i]);
    ck_refused(adjoint(), &array_refusals[_i]);
    ck_accepted(plan_only());
    ck_untouched(model, sizeof model);
    ck_untouched(data, sizeof data);
    ck_assert_mem_eq(trav_src, old_src, sizeof old_src);
}
END_TEST

START_TEST(overlap)
{
    data_over_model();
    ck_refused(forward(), &(refusal){NULL, HGATE_EOVERLAP, "data"});
    ck_refused(adjoint(), &(refusal){NULL, HGATE_EOVERLAP, "model"});
    data_over_table();
    ck_refused(forward(), &(refusal){NULL, HGATE_EOVERLAP, "data"});
    ck_untouched(model, sizeof model);
    ck_assert_double_eq(trav_src[0], 0.125);
}
END_TEST

/* The message of a bad entry has its point, its station and its value. */
START_TEST(position)
{
    trav_rec[4 * NR + 1] = -0.5;
    ck_refused(forward(), &(refusal){NULL, HGATE_EVALUE, "trav_rec"});
    ck_assert_str_eq(hgate_last_error(),
                     "trav_rec: entry (4, 1) is -0.5, expected a finite number, 0 or more");
    nz_odd();
    trav_rec[4 * NR + 1] = 0.5;
    ck_refused(plan_only(), &(refusal){NULL, HGATE_ESHAPE, "nz"});
    ck_assert_str_eq(hgate_last_error(), "nz: 3 does not divide the 20 image points of trav_src");
    ck_refused(forward(), &(refusal){NULL, HGATE_ESHAPE, "model"});
    ck_assert_str_eq(hgate_last_error(), "model: shape is (4, 5), expected (nx, 3)");
    params.nz = NZ;
    ny_wrong();
    ck_refused(plan_only(), &(refusal){NULL, HGATE_ESHAPE, "nz"});
}
END_TEST

SPOIL(nothing, (void)0)
SPOIL(minus_zero, trav_src[3] = -0.0)
SPOIL(far_beyond, trav_src[3] = 1e30)
SPOIL(skipped, skip(); trav_src[3] = NAN; trav_rec[5] = INFINITY; trav_rec[6] = -INFINITY)
SPOIL(skipped_dynamic, go_dynamic(); skip(); amp_src[3] = NAN; ang_rec[1] = -INFINITY;
      vel[7] = INFINITY)
SPOIL(pinned, ttrav_src.device.device_type = (DLDeviceType)HGATE_DL_CUDA_HOST)
SPOIL(all_pinned,
      ttrav_src.device.device_type = ttrav_rec.device.device_type = tmodel.device.device_type =
          tdata.device.device_type = (DLDeviceType)HGATE_DL_CUDA_HOST)
SPOIL(dynamic, go_dynamic())
SPOIL(one_velocity, go_dynamic(); tvel.shape[0] = 1)
SPOIL(aperture, set_aperture())
SPOIL(aperture_long, set_aperture(); static int64_t wide[] = {-5, 7}; tsix.data = wide;
      tsix.dtype.bits = 64)
SPOIL(tapered, set_aperture(); tables.tap = &ttap; params.offset_taper = HGATE_OFFSET_TAPER_UNIT)
SPOIL(hard_cut, go_dynamic(); params.angle[0] = params.angle[1] = 0.5)
SPOIL(wavelet, tables.wav = &twav; params.wavc = NWAV - 1)
SPOIL(unused_tables, go_dynamic(); params.flags = 0; amp_src[0] = NAN; tvel.shape[0] = 7)
SPOIL(three_dimensions, static int64_t shape[] = {2, 2, NZ}; params.ny = 2; params.nx = 2;
      tmodel.shape = shape; tmodel.ndim = 3)
SPOIL(nx_from_ni, static int64_t shape[] = {2, 2, NZ}; params.ny = 2; tmodel.shape = shape;
      tmodel.ndim = 3)
SPOIL(flat, static int64_t line[] = {NI}, traces[] = {NS * NR, NT}; tmodel.shape = line;
      tmodel.ndim = 1; tdata.shape = traces; tdata.ndim = 2)
SPOIL(station_major, params.flags = HGATE_KIRCHHOFF_STATION_MAJOR; ttrav_src.shape[0] = NS;
      ttrav_src.shape[1] = NI; ttrav_rec.shape[0] = NR; ttrav_rec.shape[1] = NI)
SPOIL(no_sources, ttrav_src.shape[1] = 0; tdata.shape[0] = 0; ttrav_src.data = tdata.data = NULL)
SPOIL(no_receivers, ttrav_rec.shape[1] = 0; tdata.shape[1] = 0)
SPOIL(no_points, ttrav_src.shape[0] = ttrav_rec.shape[0] = tmodel.shape[0] = 0)
SPOIL(unchecked, params.check = HGATE_CHECK_NONE; trav_src[2] = NAN; trav_rec[4] = -3)
SPOIL(checked_fully, params.check = HGATE_CHECK_FULL)

static void (*const good[])(void) = {
    nothing,       minus_zero,       far_beyond,    skipped,       skipped_dynamic, dynamic,
    one_velocity,  aperture,         aperture_long, tapered,       hard_cut,        wavelet,
    unused_tables, three_dimensions, nx_from_ni,    flat,          station_major,   no_sources,
    no_receivers,  no_points,        unchecked,     checked_fully, pinned,          all_pinned,
};

START_TEST(accepted)
{
    fill(model, NI, 1, 0.5);
    fill(data, NS * NR * NT, -1, 0.25);
    good[_i]();
    ck_accepted(plan_only());
    ck_accepted(forward());
    ck_accepted(adjoint());
}
END_TEST

START_TEST(plan_runs)
{
    hgate_plan *plan = NULL;
    hgate_kirchhoff_plan_info info = {.struct_size = sizeof info};
    params.check = HGATE_CHECK_FULL;
    trav_src[1] = 1e30;
    ck_accepted(hgate_kirchhoff_plan(engine, NULL, given, &tables, &plan));
    data_samples();
    ck_refused(hgate_kirchhoff_forward_run(plan, NULL, 1, &tmodel, 0, &tdata),
               &(refusal){NULL, HGATE_ESHAPE, "data"});
    ck_refused(hgate_kirchhoff_adjoint_run(plan, NULL, 1, &tdata, 0, &tmodel),
               &(refusal){NULL, HGATE_ESHAPE, "data"});
    tdata.shape[2] = NT;
    ck_refused(hgate_kirchhoff_forward_run(plan, NULL, 1, NULL, 0, &tdata),
               &(refusal){NULL, HGATE_EINVAL, "model"});
    tmodel.data = trav_rec;
    ck_refused(hgate_kirchhoff_adjoint_run(plan, NULL, 1, &tdata, 0, &tmodel),
               &(refusal){NULL, HGATE_EOVERLAP, "model"});
    tmodel.data = model;
    ck_untouched(model, sizeof model);
    ck_untouched(data, sizeof data);
    ck_accepted(hgate_kirchhoff_info(plan, &info));
    ck_assert_int_eq(info.pairs, NS * NR * NI);
    ck_assert_int_eq(info.pairs_dropped, NR); /* one point of one source is unreachable */
    ck_assert_uint_eq(info.bytes_referenced, sizeof trav_src + sizeof trav_rec);
    info.struct_size = 4;
    ck_refused(hgate_kirchhoff_info(plan, &info), &(refusal){NULL, HGATE_EABI, "info"});
    ck_refused(hgate_kirchhoff_info(NULL, &info), &(refusal){NULL, HGATE_EINVAL, "plan"});
    ck_accepted(hgate_kirchhoff_forward_run(plan, NULL, 1, &tmodel, 0, &tdata));
    ck_accepted(hgate_kirchhoff_adjoint_run(plan, NULL, 1, &tdata, 0, &tmodel));
    hgate_plan_free(plan);
    ck_refused(hgate_kirchhoff_forward_run(NULL, NULL, 1, &tmodel, 0, &tdata),
               &(refusal){NULL, HGATE_EINVAL, "plan"});
    ck_refused(hgate_kirchhoff_adjoint_run(NULL, NULL, 1, &tdata, 0, &tmodel),
               &(refusal){NULL, HGATE_EINVAL, "plan"});
}
END_TEST

/* Tables that nobody checked; the address sanitizer sees what is touched. */
START_TEST(unchecked_tables)
{
    static const double wild[] = {NAN, INFINITY, -INFINITY, -1e-3, -5, 1e30, -1e30, 2.5e9};
    fill(model, NI, 1, 0.5);
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        set_aperture();
        params.check = HGATE_CHECK_NONE;
        trav_src[i] = wild[i];
        trav_rec[NI * NR - 1 - i] = wild[i];
        amp_src[i + 1] = ang_rec[i + 2] = vel[i] = wild[i];
        ck_assert_int_le(forward(), HGATE_OK);
        ck_assert_int_le(adjoint(), HGATE_OK);
    }
}
END_TEST

/* Sizes that no int64 holds. */
START_TEST(overflow)
{
    hgate_trace *trace = NULL;
    ttrav_src.data = ttrav_rec.data = tmodel.data = tdata.data = NULL;
    ttrav_src.shape[1] = tdata.shape[0] = INT64_C(1) << 30;
    ttrav_rec.shape[1] = tdata.shape[1] = INT64_C(1) << 30;
    ck_refused(hgate_kirchhoff_forward_explain(engine, NULL, given, &tables, 1, &tmodel, 0, &tdata,
                                               &trace),
               &(refusal){NULL, HGATE_ESHAPE, "data"});
    params.nt = 2; /* data fits, the pairs do not */
    tdata.shape[0] = ttrav_src.shape[1] = INT64_C(1) << 29;
    tdata.shape[1] = ttrav_rec.shape[1] = (INT64_C(1) << 26) * 15;
    tdata.shape[2] = 2;
    ck_refused(hgate_kirchhoff_forward_explain(engine, NULL, given, &tables, 1, &tmodel, 0, &tdata,
                                               &trace),
               &(refusal){NULL, HGATE_ESHAPE, "trav_rec"});
    ck_assert_ptr_null(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_kirchhoff");
    TCase *tests = tcase_create("op_kirchhoff");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tests, arrays_refused, 0, sizeof array_refusals / sizeof *array_refusals);
    tcase_add_test(tests, overlap);
    tcase_add_test(tests, position);
    tcase_add_loop_test(tests, accepted, 0, sizeof good / sizeof *good);
    tcase_add_test(tests, plan_runs);
    tcase_add_test(tests, unchecked_tables);
    tcase_add_test(tests, overflow);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
