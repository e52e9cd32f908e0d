/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels direct of visibility_angles, visibility_tau and visibility_z. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/inputs.h"
#include "plugins/cpu/visibility/lanes.h"
#include "plugins/cpu/visibility/stencils.h"

#include <string.h>

/* Sources of a piece of work; its planes live on the stack of the thread. */
enum { BLOCK = 128 };

static int64_t blocks_of(int64_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static int64_t block_of(int64_t n, int64_t start)
{
    return n - start < BLOCK ? n - start : BLOCK;
}

/* Terms: call, work of one kind in register lanes, shared out over the threads, teams. */
static void count(const hg_cpu *cpu, const hgate_problem *problem, double work, int is_64,
                  hgate_estimate *est)
{
    int threads = hg_cpu_threads(cpu, problem->threads);
    est->terms[0] = 1.0;
    est->terms[1] = work / threads * hg_visibility_lanes_cost(cpu->isa) * (is_64 ? 2.0 : 1.0);
    est->terms[2] = hg_cpu_teams(threads, 1.0);
}

/* ---- angles ---- */

static const hgate_term angles_terms[] = {
    {"call", HG_K_CALL}, {"sources", HG_K_VISIBILITY_ANGLE}, {"team", HG_K_TEAM}};

static int estimate_angles(void *state, const hgate_problem *problem, const double *k,
                           hgate_estimate *est)
{
    (void)k;
    count(state, problem, (double)problem->dims[HGATE_DIM_VISIBILITY_ANGLES_NSRC], 0, est);
    return HGATE_OK;
}

typedef struct angles_work {
    const hg_visibility_lanes *lanes;
    int64_t nsrc;
    hg_reals crd, az, za;
} angles_work;

static void do_angles(void *context, int64_t block, int worker)
{
    (void)worker;
    const angles_work *w = context;
    double unit[3][BLOCK] = {{0.0}}, az[BLOCK], za[BLOCK];
    int64_t start = block * BLOCK, n = block_of(w->nsrc, start);
    for (int d = 0; d < 3; d++)
        for (int64_t s = 0; s < n; s++)
            unit[d][s] = hg_real(w->crd, d * w->nsrc + start + s);
    w->lanes->angles(n, unit[0], unit[1], unit[2], az, za);
    for (int64_t s = 0; s < n; s++) {
        /* Rounding must not reach the end of the half-open range. */
        double last = w->az.is_64 ? az[s] : (double)(float)az[s];
        int is_over = !w->az.is_64 && (float)az[s] >= (float)HG_TWO_PI;
        hg_real_put(w->az, start + s, is_over ? 0.0 : last);
        hg_real_put(w->za, start + s, za[s]);
    }
}

/* az = atan2(north, east) in [0, 2 pi),  za = atan2(hypot(east, north), up)
 *
 * crd (3, nsrc), az, za (nsrc) of one precision. In lanes of double, rounded once; errors of a few
 * 1e-16 relative before that. Work: two quotients, a root and 13 multiply-adds twice. */
static int run_angles(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    angles_work w = {.lanes = hg_visibility_lanes_of(cpu->isa, 1),
                     .nsrc = problem->dims[HGATE_DIM_VISIBILITY_ANGLES_NSRC],
                     .crd = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_CRD),
                     .az = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_AZ),
                     .za = hg_real_arg(problem, HGATE_VISIBILITY_ANGLES_ZA)};
    run->committed = 1;
    cpu->spread(hg_cpu_threads(cpu, run->threads), blocks_of(w.nsrc), do_angles, &w);
    return HGATE_OK;
}

HG_CPU_KERNEL(visibility_angles_direct, .op = HGATE_OP_VISIBILITY_ANGLES, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(angles_terms),
              .terms = angles_terms, .estimate = estimate_angles, .run = run_angles);

/* ---- tau ---- */

static const hgate_term tau_terms[] = {
    {"call", HG_K_CALL}, {"phases", HG_K_VISIBILITY_PHASE}, {"team", HG_K_TEAM}};

static int estimate_tau(void *state, const hgate_problem *problem, const double *k,
                        hgate_estimate *est)
{
    (void)k;
    count(state, problem,
          (double)problem->dims[HGATE_DIM_VISIBILITY_TAU_NANT] *
              (double)problem->dims[HGATE_DIM_VISIBILITY_TAU_NSRC],
          problem->dtype == HGATE_C128, est);
    return HGATE_OK;
}

typedef struct tau_work {
    const hg_visibility_lanes *lanes;
    const hgate_visibility_params *params;
    int64_t nant, nsrc;
    int tau_mode;
    hg_reals antpos, crd, exptau;
    hg_split wavenumber;
} tau_work;

/* All antennas for a block of sources. */
static void do_tau(void *context, int64_t block, int worker)
{
    (void)worker;
    const tau_work *w = context;
    double wide[3 * BLOCK] = {0.0}, planes[2 * BLOCK];
    float narrow[3 * BLOCK] = {0.0f};
    int is_64 = w->exptau.is_64;
    int64_t start = block * BLOCK, n = block_of(w->nsrc, start);
    for (int d = 0; d < 3; d++)
        for (int64_t s = 0; s < n; s++) {
            wide[d * BLOCK + s] = hg_real(w->crd, d * w->nsrc + start + s);
            narrow[d * BLOCK + s] = (float)wide[d * BLOCK + s];
        }
    hg_directions to = {n, BLOCK, is_64 ? (const void *)wide : narrow, wide};
    size_t real = is_64 ? sizeof(double) : sizeof(float);
    void *im = (char *)planes + BLOCK * real;
    hg_factors row = {{planes, im}, {NULL, NULL}};
    for (int64_t a = 0; a < w->nant; a++) {
        double metres[3];
        for (int d = 0; d < 3; d++)
            metres[d] = hg_real(w->antpos, 3 * a + d);
        hg_antenna_turns antenna =
            hg_antenna_turns_of(metres, w->wavenumber, w->params->phase_sign, is_64);
        w->lanes->phases(&antenna, &to, w->tau_mode, planes, im);
        w->lanes->weave(n, &row, (char *)w->exptau.data + (size_t)(a * w->nsrc + start) * 2 * real);
    }
}

/* exptau[a,s] = exp(phase_sign 2 pi i freq_hz / c  antpos[a] . crd[:,s])
 *
 * antpos (nant, 3), crd (3, nsrc) of one precision, exptau (nant, nsrc) of that precision or
 * complex64. Positions become wavelengths in double; then reduced: turns in two parts of the
 * precision of exptau, whole ones removed exactly; wide: the dot product in double; direct: radians
 * in the precision of exptau. What is wider than exptau goes by the wide mode, unless direct was
 * asked for. Work: some 45 operations per phase. */
static int run_tau(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const hgate_visibility_params *params = problem->params;
    tau_work w = {.params = params,
                  .nant = problem->dims[HGATE_DIM_VISIBILITY_TAU_NANT],
                  .nsrc = problem->dims[HGATE_DIM_VISIBILITY_TAU_NSRC],
                  .tau_mode = params->tau_mode,
                  .antpos = hg_real_arg(problem, HGATE_VISIBILITY_TAU_ANTPOS),
                  .crd = hg_real_arg(problem, HGATE_VISIBILITY_TAU_CRD),
                  .exptau = hg_real_arg(problem, HGATE_VISIBILITY_TAU_EXPTAU),
                  .wavenumber = hg_wavenumber(params->freq_hz)};
    w.lanes = hg_visibility_lanes_of(cpu->isa, w.exptau.is_64);
    if (w.crd.is_64 && !w.exptau.is_64 && w.tau_mode != HGATE_TAU_DIRECT)
        w.tau_mode = HGATE_TAU_WIDE; /* float32 directions would lose what was given */
    run->committed = 1;
    cpu->spread(hg_cpu_threads(cpu, run->threads), blocks_of(w.nsrc), do_tau, &w);
    return HGATE_OK;
}

HG_CPU_KERNEL(visibility_tau_direct, .op = HGATE_OP_VISIBILITY_TAU, .name = "direct",
              .dtypes = HGATE_C64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(tau_terms),
              .terms = tau_terms, .estimate = estimate_tau, .run = run_tau);

/* ---- Z ---- */

static const hgate_term z_terms[] = {
    {"call", HG_K_CALL}, {"elements", HG_K_VISIBILITY_STORED_ELEMENT}, {"team", HG_K_TEAM}};

static int estimate_z(void *state, const hgate_problem *problem, const double *k,
                      hgate_estimate *est)
{
    (void)k;
    const int64_t *dims = problem->dims;
    count(state, problem,
          (double)dims[HGATE_DIM_VISIBILITY_Z_NANT] * (double)dims[HGATE_DIM_VISIBILITY_Z_NFEED] *
              (double)dims[HGATE_DIM_VISIBILITY_Z_NAX] * (double)dims[HGATE_DIM_VISIBILITY_Z_NSRC],
          problem->dtype == HGATE_C128, est);
    return HGATE_OK;
}

typedef struct z_work {
    const hg_visibility_lanes *lanes;
    const hgate_visibility_params *params;
    int64_t nant, nfeed, nax, nsrc, nbeam;
    hg_reals beam, exptau, flux, Z;
    hg_indices beam_idx;
} z_work;

/* All rows for a block of sources: phases times amplitudes once per antenna. */
static void do_z(void *context, int64_t block, int worker)
{
    (void)worker;
    const z_work *w = context;
    double amp_room[BLOCK], phase_room[2 * BLOCK];
    int64_t start = block * BLOCK, n = block_of(w->nsrc, start), planes = w->nfeed * w->nax;
    size_t number = w->Z.is_64 ? 16 : 8;
    hg_reals amp = {amp_room, w->Z.is_64};
    for (int64_t s = 0; s < n; s++)
        hg_real_put(amp, s, hg_amplitude(hg_real(w->flux, start + s), w->params));
    for (int64_t a = 0; a < w->nant; a++) {
        int64_t b = hg_beam_of(w->beam_idx, w->nbeam, a);
        const char *exptau = (const char *)w->exptau.data + (size_t)(a * w->nsrc + start) * number;
        w->lanes->scale(n, exptau, amp_room, phase_room);
        for (int64_t plane = 0; plane < planes; plane++) {
            size_t from = (size_t)((b * planes + plane) * w->nsrc + start) * number;
            size_t to = (size_t)((a * planes + plane) * w->nsrc + start) * number;
            w->lanes->times(n, (const char *)w->beam.data + from, phase_room,
                            (char *)w->Z.data + to);
        }
    }
}

/* Z[(a,f),(x,s)] = beam[beam_idx[a],f,x,s] exptau[a,s] amp[s],  amp = sqrt(flux_scale flux) or flux
 *
 * beam (nbeam, nfeed, nax, nsrc), exptau (nant, nsrc), flux (nsrc), Z (nant nfeed, nax nsrc), one
 * precision, in which everything but the amplitude is computed. Work: 8 operations and two pairs of
 * memory per element. */
static int run_z(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const int64_t *dims = problem->dims;
    z_work w = {.params = problem->params,
                .nant = dims[HGATE_DIM_VISIBILITY_Z_NANT],
                .nfeed = dims[HGATE_DIM_VISIBILITY_Z_NFEED],
                .nax = dims[HGATE_DIM_VISIBILITY_Z_NAX],
                .nsrc = dims[HGATE_DIM_VISIBILITY_Z_NSRC],
                .nbeam = dims[HGATE_DIM_VISIBILITY_Z_NBEAM],
                .beam = hg_real_arg(problem, HGATE_VISIBILITY_Z_BEAM),
                .exptau = hg_real_arg(problem, HGATE_VISIBILITY_Z_EXPTAU),
                .flux = hg_real_arg(problem, HGATE_VISIBILITY_Z_FLUX),
                .Z = hg_real_arg(problem, HGATE_VISIBILITY_Z_Z),
                .beam_idx = hg_index_arg(problem, HGATE_VISIBILITY_Z_BEAM_IDX)};
    w.lanes = hg_visibility_lanes_of(cpu->isa, w.Z.is_64);
    int status = hg_check_indices(run->host, "beam_idx", w.beam_idx, w.nant, w.nbeam);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    cpu->spread(hg_cpu_threads(cpu, run->threads), blocks_of(w.nsrc), do_z, &w);
    return HGATE_OK;
}

HG_CPU_KERNEL(visibility_z_direct, .op = HGATE_OP_VISIBILITY_Z, .name = "direct",
              .dtypes = HGATE_C64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(z_terms),
              .terms = z_terms, .estimate = estimate_z, .run = run_z);
