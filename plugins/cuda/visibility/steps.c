/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels `direct` of the single steps: angles, beam, tau, Z. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/call.h"
#include "plugins/cuda/visibility/visibility.h"

static const hgate_term source_terms[] = {{"launches", HG_CUDA_K_launch},
                                          {"sources", HG_CUDA_K_visibility_source}};
static const hgate_term byte_terms[] = {{"launches", HG_CUDA_K_launch},
                                        {"bytes", HG_CUDA_K_visibility_byte}};

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_vis_supports(state, problem, reason);
}

/* ---- angles ---- */

static int angles_estimate(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 3;
    est->terms[1] = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_ANGLES_NSRC);
    est->ws_device = hg_vis_call_bytes();
    return HGATE_OK;
}

/* az = atan2(north, east) in [0, 2 pi), za = atan2(hypot(east, north), up), both in double and
 * rounded once. */
static int angles_run(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *run)
{
    (void)prepared;
    const hg_vis_angles args = {.crd = hgate_arg_data(problem, HGATE_VISIBILITY_ANGLES_CRD),
                                .az = hgate_arg_data(problem, HGATE_VISIBILITY_ANGLES_AZ),
                                .za = hgate_arg_data(problem, HGATE_VISIBILITY_ANGLES_ZA),
                                .nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_ANGLES_NSRC),
                                .is_64 = problem->dtype == HGATE_F64};
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    if (hg_vis_checks(&call)) {
        hg_vis_demand(&call, HGATE_VISIBILITY_ANGLES_CRD, HG_VIS_FINITE, HG_FAULT_CRD, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_ANGLES_CRD, HG_VIS_UNIT, HG_FAULT_LENGTH, 0);
    }
    status = hg_vis_commit(&call, 0);
    if (!status && args.nsrc > 0)
        status = hg_vis_status(&call, hg_vis_start_angles(&args, call.fault, call.stream));
    return hg_vis_end(&call, status);
}

/* ---- beam ---- */

static hg_vis_interpolation interpolation_of(const hgate_problem *problem)
{
    const hgate_visibility_params *params = problem->params;
    const DLTensor *grid = hgate_arg(problem, HGATE_VISIBILITY_BEAM_GRID);
    const DLTensor *az = hgate_arg(problem, HGATE_VISIBILITY_BEAM_AZ);
    const DLTensor *beam = hgate_arg(problem, HGATE_VISIBILITY_BEAM_BEAM);
    hg_vis_interpolation args = {
        .beam = {.grid = hgate_tensor_data(grid),
                 .daz = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DAZ),
                 .dza = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DZA),
                 .az0 = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_AZ0),
                 .za0 = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_ZA0),
                 .nbeam = hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NBEAM),
                 .nax = hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NAX),
                 .nfeed = hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NFEED),
                 .nza = (int)hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NZA),
                 .naz = (int)hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NAZ),
                 .is_64 = hg_vis_is_64(grid),
                 .is_complex = hg_vis_is_complex(grid),
                 .is_64_angle = hg_vis_is_64(az),
                 .is_periodic = params->az_mode == HGATE_AZ_PERIODIC},
        .az = hgate_tensor_data(az),
        .za = hgate_arg_data(problem, HGATE_VISIBILITY_BEAM_ZA),
        .out = hgate_tensor_data(beam),
        .nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NSRC),
        .is_64_out = hg_vis_is_64(beam),
        .is_complex_out = hg_vis_is_complex(beam),
        .with_root = params->sqrt_power};
    return args;
}

static int beam_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const int status = hg_vis_supports(state, problem, reason);
    return status ? status
                  : hg_vis_counts(hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NSRC),
                                  hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NZA),
                                  hgate_dim(problem, HGATE_DIM_VISIBILITY_BEAM_NAZ), reason);
}

static int beam_estimate(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)state, (void)k;
    const hg_vis_interpolation args = interpolation_of(problem);
    const double planes = (double)args.beam.nbeam * (double)args.beam.nfeed * (double)args.beam.nax;
    const double grid = (args.beam.is_64 ? 8 : 4) * (args.beam.is_complex ? 2 : 1);
    const double out = (args.is_64_out ? 8 : 4) * (args.is_complex_out ? 2 : 1);
    est->terms[0] = 3;
    est->terms[1] = planes * (double)args.nsrc * (out + 4 * grid);
    est->ws_device = hg_vis_call_bytes();
    return HGATE_OK;
}

/* beam[b,f,x,s] = sum over the 2 x 2 nodes around (za[s], az[s]) of weight grid[b,x,f,node]
 *
 * Arithmetic in the wider precision of grid and angles, one rounding to that of the output. A node
 * of weight 0 is not read. With sqrt_power a first pass looks for powers below 0. */
static int beam_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_vis_interpolation args = interpolation_of(problem);
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    if (hg_vis_checks(&call)) {
        hg_vis_demand(&call, HGATE_VISIBILITY_BEAM_DAZ, HG_VIS_POSITIVE, HG_FAULT_DAZ, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_BEAM_DZA, HG_VIS_POSITIVE, HG_FAULT_DZA, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_BEAM_AZ0, HG_VIS_FINITE, HG_FAULT_AZ0, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_BEAM_ZA0, HG_VIS_FINITE, HG_FAULT_ZA0, 0);
        if (args.beam.is_periodic)
            hg_vis_demand(&call, HGATE_VISIBILITY_BEAM_DAZ, HG_VIS_TURN, HG_FAULT_TURN,
                          args.beam.naz);
    }
    const int looks_for_power = args.with_root && call.params->check >= HGATE_CHECK_VALUES;
    call.rules.power_size[0] = args.beam.nfeed;
    call.rules.power_size[1] = args.beam.nax;
    call.rules.power_size[2] = args.nsrc;
    status = hg_vis_commit(&call, looks_for_power);
    if (!status && args.nsrc > 0 && looks_for_power)
        status = hg_vis_status(&call, hg_vis_check_power(&args, call.fault, call.stream));
    if (!status && args.nsrc > 0)
        status = hg_vis_status(&call, hg_vis_start_beam(&args, call.fault, call.stream));
    return hg_vis_end(&call, status);
}

/* ---- tau ---- */

static int tau_estimate(void *state, const hgate_problem *problem, const double *k,
                        hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 3;
    est->terms[1] = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_TAU_NANT) *
                    (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_TAU_NSRC) *
                    (problem->dtype == HGATE_C128 ? 16 : 8);
    est->ws_device = hg_vis_call_bytes();
    return HGATE_OK;
}

/* exptau[a,s] = exp(phase_sign 2 pi i freq_hz / c  antpos[a] . crd[:,s])
 *
 * Whole turns are removed before the sine: in float32 with exact products (reduced), in double for
 * float64 inputs or mode wide; mode direct works in radians in the precision of exptau. */
static int tau_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hgate_visibility_params *params = problem->params;
    const hg_vis_tau args = {.antpos = hgate_arg_data(problem, HGATE_VISIBILITY_TAU_ANTPOS),
                             .crd = hgate_arg_data(problem, HGATE_VISIBILITY_TAU_CRD),
                             .exptau = hgate_arg_data(problem, HGATE_VISIBILITY_TAU_EXPTAU),
                             .nant = hgate_dim(problem, HGATE_DIM_VISIBILITY_TAU_NANT),
                             .nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_TAU_NSRC),
                             .is_64 = hg_vis_is_64(hgate_arg(problem, HGATE_VISIBILITY_TAU_CRD)),
                             .is_64_out = problem->dtype == HGATE_C128,
                             .mode = params->tau_mode,
                             .sign = params->phase_sign,
                             .freq_hz = params->freq_hz};
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    if (hg_vis_checks(&call)) {
        hg_vis_demand(&call, HGATE_VISIBILITY_TAU_ANTPOS, HG_VIS_FINITE, HG_FAULT_ANTPOS, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_TAU_CRD, HG_VIS_FINITE, HG_FAULT_CRD, 0);
        hg_vis_demand(&call, HGATE_VISIBILITY_TAU_CRD, HG_VIS_UNIT, HG_FAULT_LENGTH, 0);
    }
    status = hg_vis_commit(&call, 0);
    if (!status && args.nsrc > 0)
        status = hg_vis_status(&call, hg_vis_start_tau(&args, call.fault, call.stream));
    return hg_vis_end(&call, status);
}

/* ---- Z ---- */

static int z_estimate(void *state, const hgate_problem *problem, const double *k,
                      hgate_estimate *est)
{
    (void)state, (void)k;
    const double rows = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NANT) *
                        (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NFEED);
    est->terms[0] = 4;
    est->terms[1] = rows * (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NAX) *
                    (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NSRC) * 2 *
                    (problem->dtype == HGATE_C128 ? 16 : 8);
    est->ws_device = hg_vis_call_bytes();
    return HGATE_OK;
}

/* Z[(a,f),(x,s)] = beam[beam_idx[a],f,x,s] exptau[a,s] amp[s],  amp = sqrt(flux_scale flux) or
 * flux. Reads beam once an antenna and writes Z: bytes decide. */
static int z_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hgate_visibility_params *params = problem->params;
    const DLTensor *beam_idx = hgate_arg(problem, HGATE_VISIBILITY_Z_BEAM_IDX);
    const hg_vis_z args = {.beam = hgate_arg_data(problem, HGATE_VISIBILITY_Z_BEAM),
                           .exptau = hgate_arg_data(problem, HGATE_VISIBILITY_Z_EXPTAU),
                           .flux = hgate_arg_data(problem, HGATE_VISIBILITY_Z_FLUX),
                           .beam_idx = hgate_arg_data(problem, HGATE_VISIBILITY_Z_BEAM_IDX),
                           .Z = hgate_arg_data(problem, HGATE_VISIBILITY_Z_Z),
                           .nant = hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NANT),
                           .nfeed = hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NFEED),
                           .nax = hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NAX),
                           .nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NSRC),
                           .nbeam = hgate_dim(problem, HGATE_DIM_VISIBILITY_Z_NBEAM),
                           .is_64 = problem->dtype == HGATE_C128,
                           .is_int64 = beam_idx && hgate_is_int64(beam_idx),
                           .flux_is_amp = params->flux_is_amp,
                           .flux_scale = params->flux_scale};
    hg_vis_call call;
    int status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    hg_vis_demand(&call, HGATE_VISIBILITY_Z_BEAM_IDX, HG_VIS_INDEX, HG_FAULT_BEAM_IDX, args.nbeam);
    if (hg_vis_checks(&call))
        hg_vis_demand(&call, HGATE_VISIBILITY_Z_FLUX,
                      args.flux_is_amp ? HG_VIS_FINITE : HG_VIS_NOT_NEGATIVE,
                      args.flux_is_amp ? HG_FAULT_FLUX : HG_FAULT_FLUX_NEGATIVE, 0);
    status = hg_vis_commit(&call, 0);
    if (!status && args.nsrc > 0)
        status = hg_vis_status(&call, hg_vis_start_z(&args, call.fault, call.stream));
    return hg_vis_end(&call, status);
}

/* ---- records ---- */

#define STEP(NAME, OP, TYPES, FLAGS, TERMS, SUPPORTS)                                              \
    const hgate_kernel hg_cuda_visibility_##NAME##_direct = {                                      \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = "direct",                                                                          \
        .dtypes = TYPES,                                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_LINEAR_COST | (FLAGS),                  \
        .n_terms = HGATE_LENGTH_OF(TERMS),                                                         \
        .terms = TERMS,                                                                            \
        .supports = SUPPORTS,                                                                      \
        .estimate = NAME##_estimate,                                                               \
        .run = NAME##_run,                                                                         \
    };

enum { REALS = HGATE_F32 | HGATE_F64, COMPLEXES = HGATE_C64 | HGATE_C128 };

STEP(angles, HGATE_OP_VISIBILITY_ANGLES, REALS, HGATE_KERNEL_ASYNC, source_terms, supports)
STEP(beam, HGATE_OP_VISIBILITY_BEAM, REALS | COMPLEXES, HGATE_KERNEL_ASYNC, byte_terms,
     beam_supports)
STEP(tau, HGATE_OP_VISIBILITY_TAU, COMPLEXES, HGATE_KERNEL_ASYNC, byte_terms, supports)
STEP(z, HGATE_OP_VISIBILITY_Z, COMPLEXES, HGATE_KERNEL_ASYNC, byte_terms, supports)
