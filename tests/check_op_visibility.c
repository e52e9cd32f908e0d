/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of the visibility calls: the fused one and the steps before Z. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <complex.h>
#include <math.h>

enum { NANT = 3, NFEED = 2, NAX = 2, NSRC = 5, NBEAM = 2, NZA = 4, NAZ = 6, NPAIRS = 4 };
enum { M = NANT * NFEED, NGRID = NBEAM * NAX * NFEED * NZA * NAZ };

static hgate_engine *engine;
static hgate_visibility_params params;
static const hgate_visibility_params *given;
static hgate_visibility_input in;
static hgate_beam_geometry geometry;

static double antpos[NANT * 3], crd[3 * NSRC], flux[NSRC], daz[NBEAM], dza[NBEAM], az0[NBEAM],
    za0[NBEAM];
static double complex grid[NGRID];
static int32_t beam_idx[NANT];
static int64_t pairs[3 * NPAIRS];
/* outputs have room for shapes that claim more: those must not overlap */
static double complex V[(M + 1) * (M + 1)], exptau[(NANT + 1) * NSRC],
    beam[NBEAM * NFEED * (NAX + 1) * NSRC];
static double crd_up[3 * NSRC], flux_up[NSRC], az[NSRC + 1], za[NSRC];
static int64_t up_index[NSRC], n_up;
static DLTensor tantpos, tcrd, tflux, tgrid, tdaz, tdza, taz0, tza0, tbeam_idx, tpairs, tV, tcrd_up,
    tflux_up, tindex, taz, tza, tbeam, texptau;

static void fill_arrays(void)
{
    static const int32_t beams[NANT] = {1, 0, 1};
    static const int64_t list[2 * NPAIRS] = {0, 1, 2, 2, 2, 0, 0, 1};
    memcpy(beam_idx, beams, sizeof beams);
    memcpy(pairs, list, sizeof list);
    for (int a = 0; a < NANT * 3; a++) {
        antpos[a] = 14.6 * a - 0.3 * a * a;
    }
    for (int s = 0; s < NSRC; s++) { /* the last one is below the horizon */
        double up = 0.9 - 0.25 * s, across = sqrt(1 - up * up);
        crd[s] = across * cos(1.0 + s);
        crd[NSRC + s] = across * sin(1.0 + s);
        crd[2 * NSRC + s] = up;
        flux[s] = 1 + 0.5 * s;
    }
    for (int k = 0; k < NGRID; k++) {
        grid[k] = cexp(0.1 * I * k) / (1 + 0.01 * k);
    }
    for (int b = 0; b < NBEAM; b++) {
        daz[b] = 2 * M_PI / NAZ;
        dza[b] = 0.5 + 0.1 * b;
        az0[b] = 0.1 * b;
        za0[b] = 0;
    }
}

static void make_tensors(void)
{
    static const int64_t lengths[18][5] = {{NANT, 3},
                                           {3, NSRC},
                                           {NSRC},
                                           {NBEAM, NAX, NFEED, NZA, NAZ},
                                           {NBEAM},
                                           {NBEAM},
                                           {NBEAM},
                                           {NBEAM},
                                           {NANT},
                                           {NPAIRS, 2},
                                           {M, M},
                                           {3, NSRC},
                                           {NSRC},
                                           {NSRC},
                                           {NSRC},
                                           {NSRC},
                                           {NBEAM, NFEED, NAX, NSRC},
                                           {NANT, NSRC}};
    static int64_t shapes[18][5];
    memcpy(shapes, lengths, sizeof shapes);
    tantpos = tensor_of(antpos, F64, 2, shapes[0]);
    tcrd = tensor_of(crd, F64, 2, shapes[1]);
    tflux = tensor_of(flux, F64, 1, shapes[2]);
    tgrid = tensor_of(grid, C128, 5, shapes[3]);
    tdaz = tensor_of(daz, F64, 1, shapes[4]);
    tdza = tensor_of(dza, F64, 1, shapes[5]);
    taz0 = tensor_of(az0, F64, 1, shapes[6]);
    tza0 = tensor_of(za0, F64, 1, shapes[7]);
    tbeam_idx = tensor_of(beam_idx, I32, 1, shapes[8]);
    tpairs = tensor_of(pairs, I64, 2, shapes[9]);
    tV = tensor_of(V, C128, 2, shapes[10]);
    tcrd_up = tensor_of(crd_up, F64, 2, shapes[11]);
    tflux_up = tensor_of(flux_up, F64, 1, shapes[12]);
    tindex = tensor_of(up_index, I64, 1, shapes[13]);
    taz = tensor_of(az, F64, 1, shapes[14]);
    tza = tensor_of(za, F64, 1, shapes[15]);
    tbeam = tensor_of(beam, C128, 4, shapes[16]);
    texptau = tensor_of(exptau, C128, 2, shapes[17]);
}

static void setup(void)
{
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_visibility_params_init(&params));
    ck_accepted(hgate_visibility_input_init(&in));
    ck_accepted(hgate_beam_geometry_init(&geometry));
    params.freq_hz = 150e6;
    given = &params;
    fill_arrays();
    make_tensors();
    in = (hgate_visibility_input){.struct_size = sizeof in,
                                  .antpos = &tantpos,
                                  .crd = &tcrd,
                                  .flux = &tflux,
                                  .grid = &tgrid,
                                  .daz = &tdaz,
                                  .dza = &tdza,
                                  .az0 = &taz0,
                                  .za0 = &tza0,
                                  .beam_idx = &tbeam_idx,
                                  .n_up = -1};
    geometry.daz = &tdaz;
    geometry.dza = &tdza;
    geometry.az0 = &taz0;
    geometry.za0 = &tza0;
    poison(V, sizeof V);
    poison(crd_up, sizeof crd_up);
    poison(flux_up, sizeof flux_up);
    poison(up_index, sizeof up_index);
    poison(&n_up, sizeof n_up);
    poison(az, sizeof az);
    poison(za, sizeof za);
    poison(beam, sizeof beam);
    poison(exptau, sizeof exptau);
}

static void teardown(void)
{
    hgate_close(engine);
}

static void list_pairs(void)
{
    static int64_t shape[] = {NPAIRS, NFEED, NFEED};
    in.pairs = &tpairs;
    tV.shape = shape;
    tV.ndim = 3;
}

/* ---- calls ---- */

static int fused(void)
{
    return hgate_visibility(engine, NULL, given, &in, &tV);
}

static int horizon(void)
{
    return hgate_visibility_horizon(engine, NULL, given, &tcrd, &tflux, &tcrd_up, &tflux_up,
                                    &tindex, &n_up);
}

static int angles(void)
{
    return hgate_visibility_angles(engine, NULL, given, &tcrd, &taz, &tza);
}

/* az and za are inputs here: any angles, also their poison. */
static int interpolate(void)
{
    return hgate_visibility_beam(engine, NULL, given, &tgrid, &geometry, &taz, &tza, &tbeam);
}

static int tau(void)
{
    return hgate_visibility_tau(engine, NULL, given, &tantpos, &tcrd, &texptau);
}

/* ---- refusals ---- */

SPOIL(flux_nan, flux[2] = NAN)
SPOIL(flux_inf, flux[4] = INFINITY)
SPOIL(flux_negative, flux[1] = -1e-300)
SPOIL(crd_nan, crd[NSRC + 3] = NAN)
SPOIL(up_inf, crd[2 * NSRC] = -INFINITY)
SPOIL(crd_long, crd[2] *= 1.003; crd[NSRC + 2] *= 1.003; crd[2 * NSRC + 2] *= 1.003)
SPOIL(crd_zero, crd[1] = crd[NSRC + 1] = crd[2 * NSRC + 1] = 0)
SPOIL(antpos_inf, antpos[7] = INFINITY)
SPOIL(idx_negative, beam_idx[1] = -1)
SPOIL(idx_high, beam_idx[2] = NBEAM)
SPOIL(idx_missing, in.beam_idx = NULL)
SPOIL(idx_length, tbeam_idx.shape[0] = NANT + 1)
SPOIL(pair_high, list_pairs(); pairs[3] = NANT)
SPOIL(pair_negative, list_pairs(); pairs[6] = -2)
SPOIL(pairs_three, list_pairs(); tpairs.shape[1] = 3)
SPOIL(crd_rows, tcrd.shape[0] = 2)
SPOIL(flux_length, tflux.shape[0] = NSRC - 1)
SPOIL(antpos_rank, tantpos.ndim = 1)
SPOIL(grid_rank, tgrid.ndim = 4)
SPOIL(daz_length, tdaz.shape[0] = NBEAM + 1)
SPOIL(V_small, tV.shape[1] = M - 1)
SPOIL(V_square_with_pairs, in.pairs = &tpairs)
SPOIL(V_listed_without, list_pairs(); in.pairs = NULL)
SPOIL(no_antennas, tantpos.shape[0] = 0; in.beam_idx = NULL; tV.shape[0] = tV.shape[1] = 0)
SPOIL(no_feeds, tgrid.shape[2] = 0)
SPOIL(no_axes, tgrid.shape[1] = 0)
SPOIL(no_beams, tgrid.shape[0] = 0)
SPOIL(no_za, tgrid.shape[3] = 0)
SPOIL(no_az, tgrid.shape[4] = 0)
SPOIL(crd_transposed, static int64_t strides[] = {1, 3}; tcrd.strides = strides)
SPOIL(flux_gap, static int64_t strides[] = {3}; tflux.strides = strides)
SPOIL(crd_single, tcrd.dtype.bits = 32)
SPOIL(grid_single, tgrid.dtype.bits = 64)
SPOIL(grid_integer, tgrid.dtype = (DLDataType){HGATE_DL_INT, 64, 1})
SPOIL(V_single, tV.dtype.bits = 64)
SPOIL(V_real, tV.dtype = (DLDataType){HGATE_DL_FLOAT, 64, 1})
SPOIL(idx_real, tbeam_idx.dtype.code = HGATE_DL_FLOAT)
SPOIL(grid_on_device, tgrid.device.device_type = (DLDeviceType)HGATE_DL_CUDA)
SPOIL(daz_zero, daz[1] = 0)
SPOIL(daz_negative, daz[0] = -1)
SPOIL(dza_nan, dza[0] = NAN)
SPOIL(dza_inf, dza[1] = INFINITY)
SPOIL(az0_nan, az0[1] = NAN)
SPOIL(za0_inf, za0[0] = INFINITY)
SPOIL(freq_zero, params.freq_hz = 0)
SPOIL(freq_negative, params.freq_hz = -1)
SPOIL(freq_nan, params.freq_hz = NAN)
SPOIL(freq_inf, params.freq_hz = INFINITY)
SPOIL(not_a_turn, params.az_mode = HGATE_AZ_PERIODIC; daz[1] *= 1.01)
SPOIL(root_of_complex, params.sqrt_power = 1)
SPOIL(buffer_zero, params.memory_buffer = 0)
SPOIL(buffer_high, params.memory_buffer = 1.01)
SPOIL(buffer_nan, params.memory_buffer = NAN)
SPOIL(chunks_zero, params.min_chunks = 0)
SPOIL(V_over_grid, tV.data = grid + 3)
SPOIL(V_over_idx, tV.data = (void *)((uintptr_t)(beam_idx + 3) & ~(uintptr_t)15))
SPOIL(sign_zero, params.phase_sign = 0)
SPOIL(sign_two, params.phase_sign = 2)
SPOIL(alpha_nan, params.alpha = NAN)
SPOIL(alpha_inf, params.alpha = INFINITY)
SPOIL(beta_nan, params.beta = NAN)
SPOIL(tau_wide, tantpos.dtype.bits = tcrd.dtype.bits = 32)
SPOIL(scale_negative, params.flux_scale = -0.5)
SPOIL(scale_nan, params.flux_scale = NAN)
SPOIL(convention_unknown, params.convention = 3)
SPOIL(convention_of_pairs, params.convention = HGATE_VISIBILITY_PAIRS_MATVIS)
SPOIL(az_mode_unknown, params.az_mode = 2)
SPOIL(tau_mode_unknown, params.tau_mode = -1)
SPOIL(matprod_unknown, params.matprod = 9)
SPOIL(matprod_dot, params.matprod = HGATE_MATPROD_DOT)
SPOIL(matprod_single, params.matprod = HGATE_MATPROD_FP16X3)
SPOIL(flux_twice, params.flux_is_amp = params.signed_flux = 1)
SPOIL(flag_two, params.signed_flux = 2)
SPOIL(n_up_high, in.n_up = NSRC + 1)
SPOIL(n_up_low, in.n_up = -2)
SPOIL(n_up_wrong, in.n_up = NSRC)
SPOIL(input_size, in.struct_size = 0)
SPOIL(geometry_size, geometry.struct_size = 4)
SPOIL(no_params, given = NULL)
SPOIL(no_grid, in.grid = NULL)
SPOIL(no_crd_data, tcrd.data = NULL)
SPOIL(up_length, tflux_up.shape[0] = NSRC - 1)
SPOIL(index_short, tindex.dtype.bits = 32)
SPOIL(up_over_crd, tcrd_up.data = crd)
SPOIL(az_over_za, taz.data = za)
SPOIL(az_length, taz.shape[0] = NSRC + 1)
SPOIL(beam_transposed, tbeam.shape[1] = NAX + 1)
SPOIL(beam_real, tbeam.dtype = (DLDataType){HGATE_DL_FLOAT, 64, 1})
SPOIL(za_single, tza.dtype.bits = 32)
SPOIL(no_steps, geometry.dza = NULL)
SPOIL(exptau_real, texptau.dtype = (DLDataType){HGATE_DL_FLOAT, 64, 1})
SPOIL(exptau_shape, texptau.shape[0] = NANT + 1)
SPOIL(exptau_over_crd, texptau.data = (void *)((uintptr_t)(crd + 3) & ~(uintptr_t)15))

static const struct {
    int (*call)(void);
    refusal row;
} refusals[] = {
    {fused, {flux_nan, HGATE_EVALUE, "flux"}},
    {fused, {flux_inf, HGATE_EVALUE, "flux"}},
    {fused, {flux_negative, HGATE_EVALUE, "flux"}},
    {fused, {crd_nan, HGATE_EVALUE, "crd"}},
    {fused, {up_inf, HGATE_EVALUE, "crd"}},
    {fused, {crd_long, HGATE_EVALUE, "crd"}},
    {fused, {crd_zero, HGATE_EVALUE, "crd"}},
    {fused, {antpos_inf, HGATE_EVALUE, "antpos"}},
    {fused, {idx_negative, HGATE_EVALUE, "beam_idx"}},
    {fused, {idx_high, HGATE_EVALUE, "beam_idx"}},
    {fused, {idx_missing, HGATE_ESHAPE, "beam_idx"}},
    {fused, {idx_length, HGATE_ESHAPE, "beam_idx"}},
    {fused, {pair_high, HGATE_EVALUE, "pairs"}},
    {fused, {pair_negative, HGATE_EVALUE, "pairs"}},
    {fused, {pairs_three, HGATE_ESHAPE, "pairs"}},
    {fused, {crd_rows, HGATE_ESHAPE, "crd"}},
    {fused, {flux_length, HGATE_ESHAPE, "flux"}},
    {fused, {antpos_rank, HGATE_ESHAPE, "antpos"}},
    {fused, {grid_rank, HGATE_ESHAPE, "grid"}},
    {fused, {daz_length, HGATE_ESHAPE, "daz"}},
    {fused, {V_small, HGATE_ESHAPE, "V"}},
    {fused, {V_square_with_pairs, HGATE_ESHAPE, "V"}},
    {fused, {V_listed_without, HGATE_ESHAPE, "V"}},
    {fused, {no_antennas, HGATE_ESHAPE, "antpos"}},
    {fused, {no_feeds, HGATE_ESHAPE, "grid"}},
    {fused, {no_axes, HGATE_ESHAPE, "grid"}},
    {fused, {no_beams, HGATE_ESHAPE, "grid"}},
    {fused, {no_za, HGATE_ESHAPE, "grid"}},
    {fused, {no_az, HGATE_ESHAPE, "grid"}},
    {fused, {crd_transposed, HGATE_ESTRIDE, "crd"}},
    {fused, {flux_gap, HGATE_ESTRIDE, "flux"}},
    {fused, {crd_single, HGATE_EDTYPE, "crd"}},
    {fused, {grid_single, HGATE_EDTYPE, "grid"}},
    {fused, {grid_integer, HGATE_EDTYPE, "grid"}},
    {fused, {V_single, HGATE_EDTYPE, "V"}},
    {fused, {V_real, HGATE_EDTYPE, "V"}},
    {fused, {idx_real, HGATE_EDTYPE, "beam_idx"}},
    {fused, {grid_on_device, HGATE_EDEVICE, "grid"}},
    {fused, {daz_zero, HGATE_EVALUE, "daz"}},
    {fused, {daz_negative, HGATE_EVALUE, "daz"}},
    {fused, {dza_nan, HGATE_EVALUE, "dza"}},
    {fused, {dza_inf, HGATE_EVALUE, "dza"}},
    {fused, {az0_nan, HGATE_EVALUE, "az0"}},
    {fused, {za0_inf, HGATE_EVALUE, "za0"}},
    {fused, {freq_zero, HGATE_EVALUE, "freq_hz"}},
    {fused, {freq_negative, HGATE_EVALUE, "freq_hz"}},
    {fused, {freq_nan, HGATE_EVALUE, "freq_hz"}},
    {fused, {freq_inf, HGATE_EVALUE, "freq_hz"}},
    {fused, {not_a_turn, HGATE_EINVAL, "daz"}},
    {fused, {root_of_complex, HGATE_EDTYPE, "grid"}},
    {fused, {buffer_zero, HGATE_EVALUE, "memory_buffer"}},
    {fused, {buffer_high, HGATE_EVALUE, "memory_buffer"}},
    {fused, {buffer_nan, HGATE_EVALUE, "memory_buffer"}},
    {fused, {chunks_zero, HGATE_EVALUE, "min_chunks"}},
    {fused, {V_over_grid, HGATE_EOVERLAP, "V"}},
    {fused, {V_over_idx, HGATE_EOVERLAP, "V"}},
    {fused, {sign_zero, HGATE_EVALUE, "phase_sign"}},
    {fused, {sign_two, HGATE_EVALUE, "phase_sign"}},
    {fused, {alpha_nan, HGATE_EVALUE, "alpha"}},
    {fused, {alpha_inf, HGATE_EVALUE, "alpha"}},
    {fused, {beta_nan, HGATE_EVALUE, "beta"}},
    {tau, {tau_wide, HGATE_EDTYPE, "exptau"}},
    {fused, {scale_negative, HGATE_EVALUE, "flux_scale"}},
    {fused, {scale_nan, HGATE_EVALUE, "flux_scale"}},
    {fused, {convention_unknown, HGATE_EINVAL, "convention"}},
    {fused, {convention_of_pairs, HGATE_EINVAL, "convention"}},
    {fused, {az_mode_unknown, HGATE_EINVAL, "az_mode"}},
    {fused, {tau_mode_unknown, HGATE_EINVAL, "tau_mode"}},
    {fused, {matprod_unknown, HGATE_EINVAL, "matprod"}},
    {fused, {matprod_dot, HGATE_EINVAL, "matprod"}},
    {fused, {matprod_single, HGATE_EINVAL, "matprod"}},
    {fused, {flux_twice, HGATE_EINVAL, "signed_flux"}},
    {fused, {flag_two, HGATE_EINVAL, "signed_flux"}},
    {fused, {n_up_high, HGATE_EVALUE, "n_up"}},
    {fused, {n_up_low, HGATE_EVALUE, "n_up"}},
    {fused, {n_up_wrong, HGATE_EVALUE, "n_up"}},
    {fused, {input_size, HGATE_EABI, "in"}},
    {fused, {no_params, HGATE_EVALUE, "freq_hz"}},
    {fused, {no_grid, HGATE_EINVAL, "grid"}},
    {fused, {no_crd_data, HGATE_EINVAL, "crd"}},
    {horizon, {flux_nan, HGATE_EVALUE, "flux"}},
    {horizon, {crd_nan, HGATE_EVALUE, "crd"}},
    {horizon, {crd_rows, HGATE_ESHAPE, "crd"}},
    {horizon, {up_length, HGATE_ESHAPE, "flux_up"}},
    {horizon, {index_short, HGATE_EDTYPE, "index"}},
    {horizon, {up_over_crd, HGATE_EOVERLAP, "crd_up"}},
    {angles, {crd_nan, HGATE_EVALUE, "crd"}},
    {angles, {crd_long, HGATE_EVALUE, "crd"}},
    {angles, {az_over_za, HGATE_EOVERLAP, "az"}},
    {angles, {az_length, HGATE_ESHAPE, "az"}},
    {angles, {za_single, HGATE_EDTYPE, "za"}},
    {interpolate, {daz_zero, HGATE_EVALUE, "daz"}},
    {interpolate, {not_a_turn, HGATE_EINVAL, "daz"}},
    {interpolate, {root_of_complex, HGATE_EDTYPE, "grid"}},
    {interpolate, {grid_integer, HGATE_EDTYPE, "grid"}},
    {interpolate, {beam_real, HGATE_EDTYPE, "beam"}},
    {interpolate, {beam_transposed, HGATE_ESHAPE, "beam"}},
    {interpolate, {za_single, HGATE_EDTYPE, "za"}},
    {interpolate, {no_za, HGATE_ESHAPE, "grid"}},
    {interpolate, {geometry_size, HGATE_EABI, "geometry"}},
    {interpolate, {no_steps, HGATE_EINVAL, "dza"}},
    {tau, {freq_zero, HGATE_EVALUE, "freq_hz"}},
    {tau, {antpos_inf, HGATE_EVALUE, "antpos"}},
    {tau, {crd_nan, HGATE_EVALUE, "crd"}},
    {tau, {sign_two, HGATE_EVALUE, "phase_sign"}},
    {tau, {exptau_real, HGATE_EDTYPE, "exptau"}},
    {tau, {exptau_shape, HGATE_ESHAPE, "exptau"}},
    {tau, {exptau_over_crd, HGATE_EOVERLAP, "exptau"}},
    {tau, {no_antennas, HGATE_ESHAPE, "antpos"}},
};

START_TEST(refused)
{
    double complex old_grid[NGRID];
    memcpy(old_grid, grid, sizeof grid);
    refusals[_i].row.spoil();
    ck_refused(refusals[_i].call(), &refusals[_i].row);
    ck_untouched(V, sizeof V);
    ck_untouched(crd_up, sizeof crd_up);
    ck_untouched(flux_up, sizeof flux_up);
    ck_untouched(up_index, sizeof up_index);
    ck_untouched(&n_up, sizeof n_up);
    ck_untouched(az, sizeof az);
    ck_untouched(za, sizeof za);
    ck_untouched(beam, sizeof beam);
    ck_untouched(exptau, sizeof exptau);
    ck_assert_mem_eq(grid, old_grid, sizeof grid);
}
END_TEST

/* ---- accepted ---- */

SPOIL(nothing, (void)0)
SPOIL(on_the_horizon, crd[2 * NSRC + 3] = -0.0; crd[3] = 1; crd[NSRC + 3] = 0)
SPOIL(listed, list_pairs())
SPOIL(listed_matvis, list_pairs(); params.convention = HGATE_VISIBILITY_PAIRS_MATVIS)
SPOIL(listed_dot, list_pairs(); params.matprod = HGATE_MATPROD_DOT)
SPOIL(no_pairs, list_pairs(); tpairs.shape[0] = tV.shape[0] = 0)
SPOIL(no_sources, tcrd.shape[1] = tflux.shape[0] = 0; tcrd.data = tflux.data = NULL)
SPOIL(none_up, for (int s = 0; s < NSRC; s++) crd[2 * NSRC + s] = -fabs(crd[2 * NSRC + s]))
SPOIL(one_beam_no_idx, tgrid.shape[0] = 1; tdaz.shape[0] = tdza.shape[0] = 1;
      in.az0 = in.za0 = NULL; in.beam_idx = NULL)
SPOIL(one_step, tdaz.shape[0] = tdza.shape[0] = taz0.shape[0] = 1)
SPOIL(turn, params.az_mode = HGATE_AZ_PERIODIC; daz[1] *= 1.0001)
SPOIL(power, tgrid.dtype = (DLDataType){HGATE_DL_FLOAT, 64, 1})
SPOIL(nan_below, for (int k = 0; k < NAZ; k++) grid[(NZA - 1) * NAZ + k] = NAN)
SPOIL(negative_amplitude, params.flux_is_amp = 1; flux[1] = -2)
SPOIL(negative_flux, params.signed_flux = 1; flux[1] = -2)
SPOIL(chunks_many, params.min_chunks = 100)
SPOIL(known_up, in.n_up = 4)
SPOIL(tau_narrow, texptau.dtype.bits = 64)
SPOIL(beam_narrow, tbeam.dtype.bits = 64)
SPOIL(unchecked, params.check = HGATE_CHECK_NONE; crd[2 * NSRC + 1] = NAN)

static const struct {
    int (*call)(void);
    void (*change)(void);
} good[] = {
    {fused, nothing},
    {fused, on_the_horizon},
    {fused, listed},
    {fused, listed_matvis},
    {fused, listed_dot},
    {fused, no_pairs},
    {fused, no_sources},
    {fused, none_up},
    {fused, one_beam_no_idx},
    {fused, one_step},
    {fused, turn},
    {fused, power},
    {fused, nan_below},
    {fused, negative_amplitude},
    {fused, negative_flux},
    {fused, chunks_many},
    {fused, known_up},
    {fused, unchecked},
    {horizon, nothing},
    {horizon, no_sources},
    {horizon, no_params},
    {angles, nothing},
    {angles, no_params},
    {interpolate, nothing},
    {interpolate, turn},
    {interpolate, power},
    {interpolate, beam_narrow},
    {interpolate, no_params},
    {tau, nothing},
    {tau, tau_narrow},
};

START_TEST(accepted)
{
    for (int s = 0; good[_i].call == interpolate && s < NSRC; s++) {
        az[s] = s;
        za[s] = 0.2 * s;
    }
    good[_i].change();
    if (good[_i].change == no_sources) {
        tcrd_up.shape[1] = tflux_up.shape[0] = tindex.shape[0] = 0;
    }
    ck_accepted(good[_i].call());
}
END_TEST

/* No sources: V = beta V, so that NaN in V is overwritten when beta is 0. Nothing above the
 * horizon: the count says so. */
START_TEST(nothing_above)
{
    none_up();
    ck_accepted(fused());
    for (int k = 0; k < M * M; k++) {
        ck_assert(V[k] == 0);
    }
    ck_accepted(horizon());
    ck_assert_int_eq(n_up, 0);
    ck_untouched(flux_up, sizeof flux_up);
}
END_TEST

/* What nobody checked; the address sanitizer sees what is touched. */
START_TEST(unchecked_values)
{
    static void (*const wild[])(void) = {
        idx_negative, idx_high, pair_high, pair_negative, crd_nan,    up_inf,   crd_zero,
        daz_zero,     dza_nan,  az0_nan,   za0_inf,       n_up_wrong, flux_nan, not_a_turn};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        teardown();
        setup();
        params.check = HGATE_CHECK_NONE;
        wild[i]();
        ck_assert_int_le(fused(), HGATE_OK);
        az[0] = NAN;
        za[1] = -INFINITY;
        az[2] = 1e300;
        ck_assert_int_le(interpolate(), HGATE_OK);
        ck_assert_int_le(tau(), HGATE_OK);
        ck_assert_int_le(horizon(), HGATE_OK);
        ck_assert_int_le(angles(), HGATE_OK);
    }
    teardown();
    setup();
    params.check = HGATE_CHECK_NONE;
    in.n_up = 1; /* four are up */
    ck_assert_int_le(fused(), HGATE_OK);
}
END_TEST

START_TEST(horizon_needs_its_count)
{
    int status = hgate_visibility_horizon(engine, NULL, given, &tcrd, &tflux, &tcrd_up, &tflux_up,
                                          &tindex, NULL);
    ck_refused(status, &(refusal){NULL, HGATE_EINVAL, "n_up"});
    ck_untouched(flux_up, sizeof flux_up);
}
END_TEST

START_TEST(runs_like_planned)
{
    hgate_plan *plan = NULL;
    in.n_up = 3; /* not looked at before there are runs */
    ck_accepted(hgate_visibility_plan(engine, NULL, given, &in, &tV, &plan));
    in.n_up = 4;
    ck_refused(hgate_visibility_run(plan, NULL, &in, &tV), &(refusal){NULL, HGATE_EVALUE, "n_up"});
    in.n_up = 3;
    in.az0 = NULL;
    ck_refused(hgate_visibility_run(plan, NULL, &in, &tV), &(refusal){NULL, HGATE_EINVAL, "az0"});
    in.az0 = &taz0;
    tflux.shape[0] = tcrd.shape[1] = NSRC - 1;
    ck_refused(hgate_visibility_run(plan, NULL, &in, &tV), &(refusal){NULL, HGATE_ESHAPE, "crd"});
    ck_untouched(V, sizeof V);
    hgate_plan_free(plan);
}
END_TEST

/* Sizes that no address reaches: Z is never made as a whole, and counted all the same. */
START_TEST(overflow)
{
    hgate_trace *trace = NULL;
    tantpos.data = tcrd.data = tflux.data = tgrid.data = tV.data = NULL;
    in.beam_idx = NULL;
    tgrid.shape[0] = tdaz.shape[0] = tdza.shape[0] = taz0.shape[0] = tza0.shape[0] = 1;
    tcrd.shape[1] = tflux.shape[0] = INT64_C(1) << 55;
    tantpos.shape[0] = INT64_C(1) << 8;
    tV.shape[0] = tV.shape[1] = NFEED * tantpos.shape[0];
    ck_refused(hgate_visibility_explain(engine, NULL, given, &in, &tV, &trace),
               &(refusal){NULL, HGATE_ESHAPE, "crd"});
    tantpos.shape[0] = INT64_MAX / 3;
    ck_refused(hgate_visibility_explain(engine, NULL, given, &in, &tV, &trace),
               &(refusal){NULL, HGATE_ESHAPE, "antpos"});
    ck_assert_ptr_null(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_visibility");
    TCase *tests = tcase_create("op_visibility");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tests, accepted, 0, sizeof good / sizeof *good);
    tcase_add_test(tests, nothing_above);
    tcase_add_test(tests, unchecked_values);
    tcase_add_test(tests, horizon_needs_its_count);
    tcase_add_test(tests, runs_like_planned);
    tcase_add_test(tests, overflow);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
