/* SPDX-License-Identifier: BSD-3-Clause */
/* The fused call from its problem: sizes, chunks, workspace, what is served, what it costs. */
#include "plugins/cuda/visibility/fused.h"
#include "plugins/cuda/visibility/selection.h"
#include "plugins/cuda/visibility/visibility.h"
#include "plugins/matprod.h"
#include "plugins/visibility_plan.h"
#include <math.h>
#include <string.h>

/* Z of a chunk beyond this gains nothing, whatever the memory. */
enum { CHUNK_BYTES = 512 << 20 };

static hg_vis_beam beam_of(const hgate_problem *problem)
{
    const hgate_visibility_params *params = problem->params;
    const DLTensor *grid = hgate_arg(problem, HGATE_VISIBILITY_GRID);
    hg_vis_beam beam = {.grid = hgate_tensor_data(grid),
                        .daz = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_DAZ),
                        .dza = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_DZA),
                        .az0 = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_AZ0),
                        .za0 = hg_vis_per_beam_arg(problem, HGATE_VISIBILITY_ZA0),
                        .nbeam = hgate_dim(problem, HGATE_DIM_VISIBILITY_NBEAM),
                        .nax = hgate_dim(problem, HGATE_DIM_VISIBILITY_NAX),
                        .nfeed = hgate_dim(problem, HGATE_DIM_VISIBILITY_NFEED),
                        .nza = (int)hgate_dim(problem, HGATE_DIM_VISIBILITY_NZA),
                        .naz = (int)hgate_dim(problem, HGATE_DIM_VISIBILITY_NAZ),
                        .is_64 = hg_vis_is_64(grid),
                        .is_complex = hg_vis_is_complex(grid),
                        .is_64_angle = problem->dtype == HGATE_C128,
                        .is_periodic = params->az_mode == HGATE_AZ_PERIODIC};
    return beam;
}

/* Sources of a chunk by the memory plan, at most what CHUNK_BYTES hold. 1 where not even one fits:
 * run() says so. */
static int64_t chunk_of(const hgate_problem *problem, int64_t row_bytes)
{
    hgate_visibility_chunk_info info;
    size_t needed;
    if (hg_sources_plan(problem, 1, &info, &needed) != HGATE_OK || info.chunk < 1)
        return 1;
    const int64_t most = CHUNK_BYTES / row_bytes + 1;
    return info.chunk < most ? info.chunk : most;
}

static int is_setting(const hg_cuda_state *state, const char *key, const char *word)
{
    const char *text = state->host->setting(state->host, key);
    return text && strcmp(text, word) == 0;
}

static int form_of(int matprod)
{
    switch (matprod) {
    case HGATE_MATPROD_ZHERK:
        return HG_VIS_AS_DOUBLE;
    case HGATE_MATPROD_FP16X3:
        return HG_VIS_AS_FP16;
    case HGATE_MATPROD_TF32X3:
        return HG_VIS_AS_TF32;
    default:
        return HG_VIS_AS_GIVEN;
    }
}

static hg_vis_fused fused_of(const hg_cuda_state *state, const hgate_problem *problem, int matprod)
{
    const hgate_visibility_params *params = problem->params;
    const DLTensor *beam_idx = hgate_arg(problem, HGATE_VISIBILITY_BEAM_IDX);
    const int64_t n_up = hgate_dim(problem, HGATE_DIM_VISIBILITY_N_UP);
    hg_vis_fused f = {.matprod = matprod,
                      .nant = hgate_dim(problem, HGATE_DIM_VISIBILITY_NANT),
                      .nfeed = hgate_dim(problem, HGATE_DIM_VISIBILITY_NFEED),
                      .nax = hgate_dim(problem, HGATE_DIM_VISIBILITY_NAX),
                      .nsrc = hgate_dim(problem, HGATE_DIM_VISIBILITY_NSRC),
                      .is_signed = params->signed_flux && !params->flux_is_amp};
    const int is_64 = problem->dtype == HGATE_C128;
    const hg_vis_beam beam = beam_of(problem);
    f.rows = f.nant * f.nfeed;
    f.n = n_up >= 0 ? n_up : f.nsrc;
    f.pairs = hg_vis_pairs_of(problem, HGATE_VISIBILITY_PAIRS, f.nant, f.nfeed);
    f.selection =
        (hg_vis_selection){.crd = hgate_arg_data(problem, HGATE_VISIBILITY_CRD),
                           .flux = hgate_arg_data(problem, HGATE_VISIBILITY_FLUX),
                           .nsrc = f.nsrc,
                           .is_64 = is_64,
                           .is_signed = f.is_signed,
                           .is_sorted = !is_setting(state, "ops.visibility.sort_sources", "off"),
                           .beam = beam};
    f.part = (hg_vis_chunk){.sources = {.crd = f.selection.crd,
                                        .flux = f.selection.flux,
                                        .nsrc = f.nsrc,
                                        .beam = beam,
                                        .is_64 = is_64,
                                        .is_shared = beam.daz.n <= 1 && beam.dza.n <= 1 &&
                                                     beam.az0.n <= 1 && beam.za0.n <= 1,
                                        .flux_is_amp = params->flux_is_amp,
                                        .flux_scale = params->flux_scale},
                            .antpos = hgate_arg_data(problem, HGATE_VISIBILITY_ANTPOS),
                            .beam_idx = hgate_arg_data(problem, HGATE_VISIBILITY_BEAM_IDX),
                            .nant = f.nant,
                            .is_int64 = beam_idx && hgate_is_int64(beam_idx),
                            .mode = params->tau_mode,
                            .sign = params->phase_sign,
                            .freq_hz = params->freq_hz,
                            .with_root = params->sqrt_power,
                            .form = form_of(matprod)};
    f.product = (hg_vis_product){
        .matprod = matprod, .is_64 = is_64 || matprod == HGATE_MATPROD_ZHERK, .M = f.rows};
    f.chunk = chunk_of(problem, f.rows * f.nax * (f.product.is_64 ? 16 : 8));
    if (f.chunk > f.n)
        f.chunk = f.n > 0 ? f.n : 1;
    return f;
}

/* Path of a split product on the problem's device; columns of a whole chunk must be served. */
static int find_split(const hg_cuda_state *state, const hgate_problem *problem, hg_vis_fused *f,
                      hgate_reason *reason)
{
    if (!hg_vis_is_split(f->matprod))
        return HGATE_OK;
    return hg_split_chunk_supports(state, problem, hg_vis_plane_kind(f->matprod), f->rows,
                                   f->nax * hg_vis_padded(f->chunk, f->part.form), reason,
                                   &f->split);
}

static void lay_out(hgate_scratch *scratch, hg_vis_fused *f)
{
    const size_t real = f->selection.is_64 ? 8 : 4;
    hg_vis_sources *list = &f->part.sources;
    hg_vis_lay_out_selection(scratch, &f->selection);
    list->unit = hgate_scratch_take(scratch, 3 * f->n, real);
    list->amp = hgate_scratch_take(scratch, f->n, real);
    list->weight = hgate_scratch_take(scratch, 4 * f->n, real);
    list->place = hgate_scratch_take(scratch, f->n, sizeof(hg_vis_place));
    if (hg_vis_is_split(f->matprod)) {
        hg_split_chunk_lay_out(scratch, &f->split, hg_vis_plane_kind(f->matprod), f->rows,
                               f->nax * hg_vis_padded(f->chunk, f->part.form));
        f->beam_bounds =
            hgate_scratch_take(scratch, list->beam.nbeam * f->nfeed + 1, sizeof(float));
        f->product.sum = hgate_scratch_take(scratch, f->rows * f->rows, 8);
        return;
    }
    f->part.Z = hgate_scratch_take(scratch, f->rows * f->nax * f->chunk, f->product.is_64 ? 16 : 8);
    if (f->matprod == HGATE_MATPROD_DOT)
        f->pair_sum = hg_vis_take_pair_sums(scratch, &f->pairs);
    else
        hg_vis_lay_out_product(scratch, &f->product, 0);
}

void hg_vis_fused_make(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                       hgate_scratch *scratch, hg_vis_fused *f)
{
    hgate_reason reason = {.struct_size = sizeof reason};
    *f = fused_of(state, problem, matprod);
    (void)find_split(state, problem, f, &reason); /* supports() asked before */
    lay_out(scratch, f);
}

/* ---- answers ---- */

int hg_vis_fused_supports(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                          hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int is_dot = matprod == HGATE_MATPROD_DOT;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (!status && is_dot && !hgate_arg(problem, HGATE_VISIBILITY_PAIRS))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN, "serves pairs only");
    if (!status)
        status = is_dot || hg_vis_is_split(matprod)
                     ? hg_vis_supports(state, problem, reason)
                     : hg_vis_library_supports(state, problem, reason);
    if (!status)
        status = hg_vis_counts(hgate_dim(problem, HGATE_DIM_VISIBILITY_NSRC),
                               hgate_dim(problem, HGATE_DIM_VISIBILITY_NZA),
                               hgate_dim(problem, HGATE_DIM_VISIBILITY_NAZ), reason);
    if (status || (!is_dot && !hg_vis_is_split(matprod)))
        return status;
    hg_vis_fused f = fused_of(state, problem, matprod);
    return is_dot ? hg_vis_dot_supports(&f.pairs, reason) : find_split(state, problem, &f, reason);
}

/* Grids are read for the bounds, slots written and read. */
static void split_terms(hgate_estimate *est, const hg_vis_fused *f, double chunks)
{
    const hg_vis_beam *beam = &f->selection.beam;
    const double nodes = (double)beam->nbeam * (double)beam->nax * (double)beam->nfeed *
                         (double)beam->nza * (double)beam->naz;
    const double V = 8.0 * (double)f->rows * (double)f->rows;
    est->terms[HG_VIS_SPLIT_BYTES] = nodes * (beam->is_complex ? 4.0 : 2.0) +
                                     chunks * (0.5 * (double)f->split.slot_bytes + 2.0 * V);
    est->terms[HG_VIS_SPLIT_STEPS] =
        chunks * hg_split_chunk_steps(&f->split, hg_vis_plane_kind(f->matprod), f->rows,
                                      f->nax * hg_vis_padded(f->chunk, f->part.form));
    est->terms[HG_VIS_TERM_LAUNCHES] = 4.0 + 3.0 * chunks;
    est->terms[HG_VIS_TERM_V] = (double)f->rows * (double)f->rows;
}

void hg_vis_fused_estimate(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                           hgate_estimate *est)
{
    hgate_scratch scratch = hgate_scratch_count();
    hg_vis_fused f;
    hg_vis_fused_make(state, problem, matprod, &scratch, &f);
    const double columns = (double)f.nax * (double)f.n;
    const double chunks = (double)((f.n + f.chunk - 1) / f.chunk);
    const int is_dot = matprod == HGATE_MATPROD_DOT;
    if (is_dot)
        est->terms[HG_VIS_TERM_WIDEN] = hg_vis_dot_bytes(&f.pairs, columns, f.product.is_64);
    else if (hg_vis_is_split(matprod))
        split_terms(est, &f, chunks);
    else if (chunks > 0)
        hg_vis_product_terms(est, matprod, f.product.is_64, (double)f.rows, columns / chunks,
                             chunks);
    est->terms[HG_VIS_TERM_LAUNCHES] += 20.0 + chunks * (is_dot ? 2.0 : 1.0);
    est->terms[HG_VIS_TERM_Z] = (double)f.rows * columns * (f.product.is_64 ? 2.0 : 1.0);
    if (f.pairs.npairs >= 0)
        est->terms[HG_VIS_TERM_V] = (double)f.pairs.npairs * (double)f.nfeed * (double)f.nfeed;
    est->ws_device = scratch.bytes + hg_vis_call_bytes();
}
