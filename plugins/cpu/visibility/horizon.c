/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of visibility_horizon. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/lanes.h"

/* Sources that are counted, and then packed, as one piece of work of a team. */
enum { PIECE = 1 << 14, MOST_PIECES = 512 };

static const hgate_term terms[] = {
    {"call", HG_K_CALL}, {"sources", HG_K_VISIBILITY_SELECT}, {"team", HG_K_TEAM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const int threads = hg_cpu_threads(state, problem->threads);
    const double nsrc = (double)problem->dims[HGATE_DIM_VISIBILITY_HORIZON_NSRC];
    est->terms[0] = 1.0;
    /* a team counts first, which takes as long */
    est->terms[1] =
        nsrc * (problem->dtype == HGATE_F64 ? 2.0 : 1.0) / threads * (threads > 1 ? 2.0 : 1.0);
    est->terms[2] = hg_cpu_teams(threads, 2.0);
    return HGATE_OK;
}

typedef struct work {
    const hg_visibility_lanes *lanes;
    hg_selection rows;
    int64_t nsrc, pieces;
    int64_t start[MOST_PIECES + 1]; /* where a piece's sources go */
} work;

static int64_t end_of(const work *w, int64_t piece)
{
    return w->nsrc * piece / w->pieces;
}

static void count_piece(void *context, int64_t i, int worker)
{
    (void)worker;
    work *w = context;
    w->start[i + 1] = w->lanes->count_up(&w->rows, end_of(w, i), end_of(w, i + 1));
}

static void pack_piece(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    w->lanes->select(&w->rows, end_of(w, i), end_of(w, i + 1), w->start[i]);
}

/* Keeps source s iff Up > 0, in the order of the input
 *
 * crd (3, nsrc), flux (nsrc), crd_up (3, nsrc), flux_up (nsrc) of one precision, index (nsrc) int64
 * or absent; the first n_up columns are written. A NaN in any component counts as not up. With
 * AVX-512 registers pack themselves, else a block is packed without branches. A team counts its
 * pieces first. Work: one pass over 4 nsrc reals and what is kept. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const int threads = hg_cpu_threads(cpu, run->threads);
    const int64_t nsrc = problem->dims[HGATE_DIM_VISIBILITY_HORIZON_NSRC];
    const int is_64 = problem->dtype == HGATE_F64;
    const size_t row = (size_t)nsrc * (is_64 ? sizeof(double) : sizeof(float));
    const char *crd = hg_arg(problem, HGATE_VISIBILITY_HORIZON_CRD);
    char *crd_up = hg_arg(problem, HGATE_VISIBILITY_HORIZON_CRD_UP);
    work w = {.lanes = hg_visibility_lanes_of(cpu->isa, is_64), .nsrc = nsrc};
    for (size_t d = 0; d < 3; d++) {
        w.rows.in[d] = crd + d * row;
        w.rows.out[d] = crd_up + d * row;
    }
    w.rows.in[3] = hg_arg(problem, HGATE_VISIBILITY_HORIZON_FLUX);
    w.rows.out[3] = hg_arg(problem, HGATE_VISIBILITY_HORIZON_FLUX_UP);
    w.rows.index = hg_arg(problem, HGATE_VISIBILITY_HORIZON_INDEX);

    run->committed = 1;
    if (threads == 1 || nsrc < 2 * PIECE) {
        *problem->n_out = w.lanes->select(&w.rows, 0, nsrc, 0);
        return HGATE_OK;
    }
    w.pieces = nsrc / PIECE < MOST_PIECES ? nsrc / PIECE : MOST_PIECES;
    cpu->spread(threads, w.pieces, count_piece, &w);
    for (int64_t i = 0; i < w.pieces; i++)
        w.start[i + 1] += w.start[i];
    cpu->spread(threads, w.pieces, pack_piece, &w);
    *problem->n_out = w.start[w.pieces];
    return HGATE_OK;
}

HG_CPU_KERNEL(visibility_horizon_direct, .op = HGATE_OP_VISIBILITY_HORIZON, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .estimate = estimate, .run = run);
