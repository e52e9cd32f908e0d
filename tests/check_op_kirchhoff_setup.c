/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of the set-up operations of kirchhoff through the public calls. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <math.h>

enum { NX = 3, NZ = 4, NI = NX * NZ, N = 2, NWAV = 3, NT = 7, TRACES = 5 };

static hgate_engine *engine;
static hgate_kirchhoff_grid grid;
static double stations[3 * N], v, table[NI * N], wav[NWAV], in[TRACES * NT];
/* outputs have room for shapes that claim more: those must not overlap */
static double out_table[NI * (N + 1)], out_dist[NI * N], wav_filtered[NWAV], out[TRACES * NT];
static int32_t idx[N + 1];
static int ndim, is_adjoint;
static double eps, dt;
static int64_t wavc;
static DLTensor tstations, ttable, twav, tin, tout_table, tout_dist, twav_filtered, tout, tidx;

static void setup(void)
{
    static const int64_t lengths[9][3] = {{2, N},  {NI, N}, {NWAV},       {TRACES, NT}, {NI, N},
                                          {NI, N}, {NWAV},  {TRACES, NT}, {N}};
    static int64_t shapes[9][3];
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_kirchhoff_grid_init(&grid));
    grid.nx = NX;
    grid.nz = NZ;
    grid.dx = 10;
    grid.dz = -6;
    v = 1500;
    ndim = 2;
    eps = 0.5;
    dt = 0.004;
    wavc = 1;
    is_adjoint = 0;
    for (int i = 0; i < 3 * N; i++) {
        stations[i] = 7.5 * i - 3;
    }
    for (int i = 0; i < NI * N; i++) {
        table[i] = 1 + 0.1 * i;
    }
    for (int i = 0; i < NWAV; i++) {
        wav[i] = i + 1;
    }
    for (int i = 0; i < TRACES * NT; i++) {
        in[i] = sin(i);
    }
    memcpy(shapes, lengths, sizeof shapes);
    poison(out_table, sizeof out_table);
    poison(out_dist, sizeof out_dist);
    poison(wav_filtered, sizeof wav_filtered);
    poison(out, sizeof out);
    poison(idx, sizeof idx);
    tstations = tensor_of(stations, F64, 2, shapes[0]);
    ttable = tensor_of(table, F64, 2, shapes[1]);
    twav = tensor_of(wav, F64, 1, shapes[2]);
    tin = tensor_of(in, F64, 2, shapes[3]);
    tout_table = tensor_of(out_table, F64, 2, shapes[4]);
    tout_dist = tensor_of(out_dist, F64, 2, shapes[5]);
    twav_filtered = tensor_of(wav_filtered, F64, 1, shapes[6]);
    tout = tensor_of(out, F64, 2, shapes[7]);
    tidx = tensor_of(idx, I32, 1, shapes[8]);
}

static void teardown(void)
{
    hgate_close(engine);
}

static int traveltime(void)
{
    return hgate_kirchhoff_traveltime(engine, NULL, &grid, &tstations, v, &tout_table, &tout_dist);
}

static int angles(void)
{
    return hgate_kirchhoff_angles(engine, NULL, &grid, &ttable, &tout_table);
}

static int spreading(void)
{
    return hgate_kirchhoff_spreading(engine, NULL, ndim, eps, &ttable, &tout_table);
}

static int station_index(void)
{
    return hgate_kirchhoff_station_index(engine, NULL, &grid, &tstations, &tidx);
}

static int wavelet(void)
{
    return hgate_kirchhoff_wavelet(engine, NULL, ndim, dt, &twav, &twav_filtered);
}

static int convolve(void)
{
    return hgate_kirchhoff_convolve(engine, NULL, is_adjoint, &twav, wavc, &tin, &tout);
}

static void go_3d(void)
{
    static int64_t shapes[2][2] = {{3, N}, {NI, N}};
    grid.ny = 2;
    grid.nx = 2;
    grid.nz = 3;
    grid.dy = 4;
    tstations.shape = shapes[0];
}

SPOIL(no_columns, grid.nx = 0)
SPOIL(negative_ny, grid.ny = -1)
SPOIL(no_depth, grid.nz = 0)
SPOIL(dx_zero, grid.dx = 0)
SPOIL(dz_nan, grid.dz = NAN)
SPOIL(dy_zero, go_3d(); grid.dy = 0)
SPOIL(dy_inf, go_3d(); grid.dy = INFINITY)
SPOIL(x0_inf, grid.x0 = INFINITY)
SPOIL(grid_huge, grid.nx = grid.nz = INT64_C(1) << 33)
SPOIL(grid_size, grid.struct_size = 0)
SPOIL(v_zero, v = 0)
SPOIL(v_negative, v = -1500)
SPOIL(v_nan, v = NAN)
SPOIL(station_nan, stations[1] = NAN)
SPOIL(station_inf, stations[2] = INFINITY)
SPOIL(stations_3d, tstations.shape[0] = 3)
SPOIL(stations_2d, go_3d(); tstations.shape[0] = 2)
SPOIL(table_points, ttable.shape[0] = NI - 1)
SPOIL(out_points, tout_table.shape[0] = NI - 1)
SPOIL(out_stations, tout_table.shape[1] = N + 1)
SPOIL(dist_stations, tout_dist.shape[1] = N - 1)
SPOIL(out_single, tout_table.dtype.bits = 32)
SPOIL(out_over_dist, tout_table.data = out_dist)
SPOIL(out_over_table, tout_table.data = table)
SPOIL(eps_zero, eps = 0)
SPOIL(eps_nan, eps = NAN)
SPOIL(one_dimension, ndim = 1)
SPOIL(four_dimensions, ndim = 4)
SPOIL(dist_negative, table[5] = -0.25)
SPOIL(idx_float, tidx.dtype.code = HGATE_DL_FLOAT)
SPOIL(idx_length, tidx.shape[0] = N + 1)
SPOIL(idx_overflows, grid.dx = 1e-9; stations[0] = 3)
SPOIL(dt_zero, dt = 0)
SPOIL(dt_inf, dt = INFINITY)
SPOIL(wavelet_length, twav_filtered.shape[0] = NWAV - 1)
SPOIL(wavelet_over, twav_filtered.data = wav)
SPOIL(wavc_high, wavc = NWAV)
SPOIL(wavc_negative, wavc = -1)
SPOIL(no_wavelet, twav.shape[0] = 0; wavc = 0)
SPOIL(out_transposed, tout.shape[0] = NT; tout.shape[1] = TRACES)
SPOIL(out_flat, static int64_t shape[] = {TRACES * NT}; tout.shape = shape; tout.ndim = 1)
SPOIL(in_scalar, tin.ndim = 0)
SPOIL(in_single, tin.dtype.bits = 32)
SPOIL(out_over_in, tout.data = in)
SPOIL(adjoint_two, is_adjoint = 2)

static const struct {
    int (*call)(void);
    refusal row;
} refusals[] = {
    {traveltime, {no_columns, HGATE_EVALUE, "nx"}},
    {traveltime, {negative_ny, HGATE_EVALUE, "ny"}},
    {traveltime, {no_depth, HGATE_EVALUE, "nz"}},
    {traveltime, {dx_zero, HGATE_EVALUE, "dx"}},
    {traveltime, {dz_nan, HGATE_EVALUE, "dz"}},
    {traveltime, {dy_zero, HGATE_EVALUE, "dy"}},
    {traveltime, {dy_inf, HGATE_EVALUE, "dy"}},
    {traveltime, {x0_inf, HGATE_EVALUE, "x0"}},
    {traveltime, {grid_huge, HGATE_ESHAPE, "nx"}},
    {traveltime, {grid_size, HGATE_EABI, "grid"}},
    {traveltime, {v_zero, HGATE_EVALUE, "v"}},
    {traveltime, {v_negative, HGATE_EVALUE, "v"}},
    {traveltime, {v_nan, HGATE_EVALUE, "v"}},
    {traveltime, {station_nan, HGATE_EVALUE, "stations"}},
    {traveltime, {station_inf, HGATE_EVALUE, "stations"}},
    {traveltime, {stations_3d, HGATE_ESHAPE, "stations"}},
    {traveltime, {stations_2d, HGATE_ESHAPE, "stations"}},
    {traveltime, {out_points, HGATE_ESHAPE, "trav"}},
    {traveltime, {out_stations, HGATE_ESHAPE, "trav"}},
    {traveltime, {dist_stations, HGATE_ESHAPE, "dist"}},
    {traveltime, {out_single, HGATE_EDTYPE, "trav"}},
    {traveltime, {out_over_dist, HGATE_EOVERLAP, "trav"}},
    {angles, {dx_zero, HGATE_EVALUE, "dx"}},
    {angles, {table_points, HGATE_ESHAPE, "trav"}},
    {angles, {out_stations, HGATE_ESHAPE, "ang"}},
    {angles, {out_over_table, HGATE_EOVERLAP, "ang"}},
    {spreading, {eps_zero, HGATE_EVALUE, "eps"}},
    {spreading, {eps_nan, HGATE_EVALUE, "eps"}},
    {spreading, {one_dimension, HGATE_EVALUE, "ndim"}},
    {spreading, {four_dimensions, HGATE_EVALUE, "ndim"}},
    {spreading, {dist_negative, HGATE_EVALUE, "dist"}},
    {spreading, {out_points, HGATE_ESHAPE, "amp"}},
    {spreading, {out_over_table, HGATE_EOVERLAP, "amp"}},
    {station_index, {dx_zero, HGATE_EVALUE, "dx"}},
    {station_index, {station_nan, HGATE_EVALUE, "stations"}},
    {station_index, {idx_float, HGATE_EDTYPE, "idx"}},
    {station_index, {idx_length, HGATE_ESHAPE, "idx"}},
    {station_index, {idx_overflows, HGATE_EVALUE, "stations"}},
    {wavelet, {four_dimensions, HGATE_EVALUE, "ndim"}},
    {wavelet, {dt_zero, HGATE_EVALUE, "dt"}},
    {wavelet, {dt_inf, HGATE_EVALUE, "dt"}},
    {wavelet, {wavelet_length, HGATE_ESHAPE, "wav_filtered"}},
    {wavelet, {wavelet_over, HGATE_EOVERLAP, "wav_filtered"}},
    {convolve, {wavc_high, HGATE_EVALUE, "wavc"}},
    {convolve, {wavc_negative, HGATE_EVALUE, "wavc"}},
    {convolve, {no_wavelet, HGATE_EVALUE, "wavc"}},
    {convolve, {out_transposed, HGATE_ESHAPE, "out"}},
    {convolve, {out_flat, HGATE_ESHAPE, "out"}},
    {convolve, {in_scalar, HGATE_ESHAPE, "in"}},
    {convolve, {in_single, HGATE_EDTYPE, "in"}},
    {convolve, {out_over_in, HGATE_EOVERLAP, "out"}},
    {convolve, {adjoint_two, HGATE_EINVAL, "adjoint"}},
};

START_TEST(refused)
{
    double old_table[NI * N], old_in[TRACES * NT];
    refusals[_i].row.spoil();
    memcpy(old_table, table, sizeof table);
    memcpy(old_in, in, sizeof in);
    ck_refused(refusals[_i].call(), &refusals[_i].row);
    ck_untouched(out_table, sizeof out_table);
    ck_untouched(out_dist, sizeof out_dist);
    ck_untouched(wav_filtered, sizeof wav_filtered);
    ck_untouched(out, sizeof out);
    ck_untouched(idx, sizeof idx);
    ck_assert_mem_eq(table, old_table, sizeof table);
    ck_assert_mem_eq(in, old_in, sizeof in);
}
END_TEST

SPOIL(nothing, (void)0)
SPOIL(in_3d, go_3d())
SPOIL(unreachable, table[3] = NAN; table[4] = INFINITY)
SPOIL(no_stations, tstations.shape[1] = ttable.shape[1] = tout_table.shape[1] = tout_dist.shape[1] =
                       tidx.shape[0] = 0;
      tstations.data = NULL)
SPOIL(long_index, static int64_t wide[N]; tidx.data = wide; tidx.dtype.bits = 64; grid.dx = 1e-9)
SPOIL(deep_traces, static int64_t shape[] = {1, TRACES, 1, NT}; tin.shape = tout.shape = shape;
      tin.ndim = tout.ndim = 4)
SPOIL(one_trace, static int64_t shape[] = {NT}; tin.shape = tout.shape = shape;
      tin.ndim = tout.ndim = 1)
SPOIL(no_traces, tin.shape[0] = tout.shape[0] = 0; tin.data = tout.data = NULL)
SPOIL(nan_in_trace, in[3] = NAN)
SPOIL(turned, is_adjoint = 1)
SPOIL(three, ndim = 3)

START_TEST(accepted)
{
    static const struct {
        int (*call)(void);
        void (*change)(void);
    } good[] = {{traveltime, nothing},
                {traveltime, in_3d},
                {traveltime, no_stations},
                {angles, nothing},
                {angles, in_3d},
                {angles, unreachable},
                {angles, no_stations},
                {spreading, nothing},
                {spreading, three},
                {spreading, unreachable},
                {spreading, no_stations},
                {station_index, nothing},
                {station_index, in_3d},
                {station_index, long_index},
                {station_index, no_stations},
                {wavelet, nothing},
                {wavelet, three},
                {convolve, nothing},
                {convolve, deep_traces},
                {convolve, one_trace},
                {convolve, no_traces},
                {convolve, nan_in_trace},
                {convolve, turned}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        teardown();
        setup();
        good[i].change();
        ck_accepted(good[i].call());
    }
}
END_TEST

START_TEST(runs_like_planned)
{
    hgate_plan *plan = NULL;
    tout_table.data = NULL;
    ck_accepted(hgate_kirchhoff_traveltime_plan(engine, NULL, &grid, &tstations, v, &tout_table,
                                                NULL, &plan));
    tout_table.data = out_table;
    ck_refused(hgate_kirchhoff_traveltime_run(plan, NULL, &tstations, &tout_table, &tout_dist),
               &(refusal){NULL, HGATE_EINVAL, "dist"});
    tstations.shape[1] = tout_table.shape[1] = N - 1;
    ck_refused(hgate_kirchhoff_traveltime_run(plan, NULL, &tstations, &tout_table, NULL),
               &(refusal){NULL, HGATE_ESHAPE, "stations"});
    tstations.shape[1] = tout_table.shape[1] = N;
    stations[0] = NAN;
    ck_refused(hgate_kirchhoff_traveltime_run(plan, NULL, &tstations, &tout_table, NULL),
               &(refusal){NULL, HGATE_EVALUE, "stations"});
    ck_untouched(out_table, sizeof out_table);
    stations[0] = 1;
    ck_accepted(hgate_kirchhoff_traveltime_run(plan, NULL, &tstations, &tout_table, NULL));
    hgate_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_kirchhoff_setup");
    TCase *tests = tcase_create("op_kirchhoff_setup");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, accepted);
    tcase_add_test(tests, runs_like_planned);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
