/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of visibility_beam. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/stencils.h"

#include <math.h>

/* Sources of a piece of work; nodes and weights live on the stack of the thread. */
enum { BLOCK = 128 };

static const hgate_term terms[] = {
    {"call", HG_K_CALL}, {"values", HG_K_VISIBILITY_STORED_VALUE}, {"team", HG_K_TEAM}};

typedef struct work {
    const hg_visibility_lanes *lanes;
    hg_beam beam;
    int64_t nsrc;
    int with_root;
    hg_reals az, za, out;
    int is_complex_out;
} work;

static work work_of(const hg_cpu *cpu, const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    const hgate_visibility_params *params = problem->params;
    const DLTensor *out = problem->args[HGATE_VISIBILITY_BEAM_BEAM];
    work w = {.nsrc = dims[HGATE_DIM_VISIBILITY_BEAM_NSRC],
              .with_root = params->sqrt_power,
              .az = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_AZ),
              .za = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_ZA),
              .out = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_BEAM),
              .is_complex_out = out->dtype.code == HGATE_DL_COMPLEX};
    w.beam = (hg_beam){.grid = hg_real_arg(problem, HGATE_VISIBILITY_BEAM_GRID),
                       .daz = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DAZ),
                       .dza = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_DZA),
                       .az0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_AZ0),
                       .za0 = hg_per_beam_arg(problem, HGATE_VISIBILITY_BEAM_ZA0),
                       .nbeam = dims[HGATE_DIM_VISIBILITY_BEAM_NBEAM],
                       .nax = dims[HGATE_DIM_VISIBILITY_BEAM_NAX],
                       .nfeed = dims[HGATE_DIM_VISIBILITY_BEAM_NFEED],
                       .nza = dims[HGATE_DIM_VISIBILITY_BEAM_NZA],
                       .naz = dims[HGATE_DIM_VISIBILITY_BEAM_NAZ],
                       .is_periodic = params->az_mode == HGATE_AZ_PERIODIC};
    w.beam.is_complex = problem->args[HGATE_VISIBILITY_BEAM_GRID]->dtype.code == HGATE_DL_COMPLEX;
    w.beam.is_64 = w.beam.grid.is_64 || w.az.is_64;
    w.lanes = hg_visibility_lanes_of(cpu->isa, w.beam.grid.is_64);
    return w;
}

/* The lanes compute in the precision of the grid. Where angles are wider, or a root is wanted with
 * more digits, the reference serves. */
static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    work w = work_of(state, problem);
    if (!w.beam.grid.is_64 && (w.az.is_64 || (w.out.is_64 && w.with_root)))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "computes in float32 for a float32 grid, %s float64",
                            w.az.is_64 ? "angles are" : "the root is wanted in");
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    work w = work_of(cpu, problem);
    int threads = hg_cpu_threads(cpu, problem->threads);
    est->terms[0] = 1.0;
    est->terms[1] = (double)w.beam.nbeam * (double)w.beam.nfeed * (double)w.beam.nax *
                    (double)w.nsrc / threads * hg_visibility_lanes_cost(cpu->isa) *
                    (w.beam.is_64 ? 2.0 : 1.0);
    est->terms[2] = hg_cpu_teams(threads, 1.0);
    return HGATE_OK;
}

/* Nodes and weights of n sources from `start` on in beam b; zeros behind. */
static void find_nodes(const work *w, int64_t b, int64_t start, int64_t n, int64_t *node,
                       void *weight)
{
    for (int64_t s = 0; s < BLOCK; s++) {
        hg_stencil za = {{0, 0}, {0.0, 0.0}}, az = za;
        if (s < n)
            hg_beam_stencils(&w->beam, b, hg_real(w->az, start + s), hg_real(w->za, start + s), &za,
                             &az);
        hg_stencil_put(za, az, w->beam.naz, s, BLOCK, node, (hg_reals){weight, w->beam.grid.is_64});
    }
}

/* Planes of values into the output, whatever its type. */
static void store(const work *w, const hg_factors *row, int64_t at, int64_t n)
{
    size_t real = w->out.is_64 ? sizeof(double) : sizeof(float);
    hg_reals re = {(void *)(uintptr_t)row->value[0], w->beam.grid.is_64};
    hg_reals im = {(void *)(uintptr_t)row->value[1], w->beam.grid.is_64};
    if (w->is_complex_out && w->out.is_64 == re.is_64) {
        w->lanes->weave(n, row, (char *)w->out.data + (size_t)at * 2 * real);
        return;
    }
    for (int64_t s = 0; s < n; s++)
        if (w->is_complex_out)
            hg_complex_put(w->out, at + s, CMPLX(hg_real(re, s), hg_real(im, s)));
        else
            hg_real_put(w->out, at + s, hg_real(re, s));
}

static void do_block(void *context, int64_t block, int worker)
{
    (void)worker;
    const work *w = context;
    const hg_beam *beam = &w->beam;
    int64_t node[4 * BLOCK];
    double weight[4 * BLOCK], re[BLOCK], im[BLOCK];
    int64_t start = block * BLOCK, n = w->nsrc - start < BLOCK ? w->nsrc - start : BLOCK;
    size_t real = beam->grid.is_64 ? sizeof(double) : sizeof(float);
    size_t plane_bytes = (size_t)(beam->nza * beam->naz) * (beam->is_complex ? 2 : 1) * real;
    hg_stencils at = {.n = n};
    for (int k = 0; k < 4; k++) {
        at.node[k] = node + k * BLOCK;
        at.weight[k] = (char *)weight + (size_t)(k * BLOCK) * real;
    }
    hg_factors row = {{re, im}, {NULL, NULL}};
    for (int64_t b = 0; b < beam->nbeam; b++) {
        if (b == 0 || !hg_beam_is_shared(beam))
            find_nodes(w, b, start, n, node, weight);
        for (int64_t plane = 0; plane < beam->nfeed * beam->nax; plane++) {
            int64_t feed = plane / beam->nax, axis = plane % beam->nax;
            int64_t from = (b * beam->nax + axis) * beam->nfeed + feed;
            w->lanes->interpolate(&at, (const char *)beam->grid.data + (size_t)from * plane_bytes,
                                  beam->is_complex, w->with_root, NULL, re, im);
            store(w, &row, (b * beam->nfeed * beam->nax + plane) * w->nsrc + start, n);
        }
    }
}

/* The first interpolated power below 0, whose root does not exist. Weights are not negative, so a
 * grid without negative nodes has none. */
static int check_power(const hgate_host *host, const work *w)
{
    const hg_beam *beam = &w->beam;
    int64_t n = beam->nbeam * beam->nax * beam->nfeed * beam->nza * beam->naz, at = 0;
    while (at < n && !(hg_real(beam->grid, at) < 0.0))
        at++;
    for (int64_t b = 0; at < n && b < beam->nbeam; b++)
        for (int64_t s = 0; s < w->nsrc; s++) {
            hg_stencil za, az;
            hg_beam_stencils(beam, b, hg_real(w->az, s), hg_real(w->za, s), &za, &az);
            for (int64_t feed = 0; feed < beam->nfeed; feed++)
                for (int64_t axis = 0; axis < beam->nax; axis++)
                    if (creal(hg_beam_value(beam, b, axis, feed, za, az)) < 0.0)
                        return hg_beam_negative(host, b, axis, feed, s);
        }
    return HGATE_OK;
}

/* beam[b,f,x,s] = sum over the 2 x 2 nodes around (za[s], az[s]) of weight grid[b,x,f,node]
 *
 * grid (nbeam, nax, nfeed, nza, naz) real or complex; az, za (nsrc); beam (nbeam, nfeed, nax, nsrc)
 * of any type that holds it. Indices by a division in the wider precision of angles and grid,
 * weights once per source where all beams have one geometry, sums in the precision of the grid, one
 * rounding to that of beam. A node of weight 0 is not read. Threads take blocks of sources. Work: 4
 * gathers and multiply-adds per value and part. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const hgate_visibility_params *params = problem->params;
    work w = work_of(cpu, problem);
    if (w.with_root && params->check >= HGATE_CHECK_VALUES) {
        int status = check_power(run->host, &w);
        if (status != HGATE_OK)
            return status;
    }
    run->committed = 1;
    cpu->spread(hg_cpu_threads(cpu, run->threads), (w.nsrc + BLOCK - 1) / BLOCK, do_block, &w);
    return HGATE_OK;
}

HG_CPU_KERNEL(visibility_beam_direct, .op = HGATE_OP_VISIBILITY_BEAM, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128,
              .n_terms = HGATE_LENGTH_OF(terms), .terms = terms, .supports = supports,
              .estimate = estimate, .run = run);
