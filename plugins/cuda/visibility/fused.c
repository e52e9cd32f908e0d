/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of visibility, all steps in one call: sources above the horizon, Z a chunk at a time, the
 * product of each chunk added to a sum, V from the sum. */
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/visibility/pairs.h"
#include "plugins/cuda/visibility/selection.h"
#include "plugins/cuda/visibility/visibility.h"
#include "plugins/matprod.h"
#include "plugins/visibility_plan.h"
#include <string.h>

/* Z of a chunk beyond this gains nothing, whatever the memory. */
enum { CHUNK_BYTES = 512 << 20 };

typedef struct Fused {
    int matprod;
    int64_t nant, nfeed, nax, nsrc, rows;
    int64_t n;     /* sources of the list, or as many as it can have */
    int64_t chunk; /* sources of a chunk, at most */
    int is_signed;
    hg_vis_selection selection;
    hg_vis_chunk part; /* of the first chunk; the others differ in start and n */
    hg_vis_product product;
    hg_vis_pairs pairs;
    void *pair_sum;
    int64_t found[2]; /* positive ones up; all up */
} Fused;

/* ---- from the problem ---- */

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
    if (hg_sources_plan(problem, &info, &needed) != HGATE_OK || info.chunk < 1)
        return 1;
    const int64_t most = CHUNK_BYTES / row_bytes + 1;
    return info.chunk < most ? info.chunk : most;
}

static int is_setting(const hg_cuda_state *state, const char *key, const char *word)
{
    const char *text = state->host->setting(state->host, key);
    return text && strcmp(text, word) == 0;
}

static Fused fused_of(const hg_cuda_state *state, const hgate_problem *problem, int matprod)
{
    const hgate_visibility_params *params = problem->params;
    const DLTensor *beam_idx = hgate_arg(problem, HGATE_VISIBILITY_BEAM_IDX);
    const int64_t n_up = hgate_dim(problem, HGATE_DIM_VISIBILITY_N_UP);
    Fused f = {.matprod = matprod,
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
    f.part =
        (hg_vis_chunk){.sources = {.crd = f.selection.crd,
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
                       .form = matprod == HGATE_MATPROD_ZHERK ? HG_VIS_AS_DOUBLE : HG_VIS_AS_GIVEN};
    f.product = (hg_vis_product){
        .matprod = matprod, .is_64 = is_64 || matprod == HGATE_MATPROD_ZHERK, .M = f.rows};
    f.chunk = chunk_of(problem, f.rows * f.nax * (f.product.is_64 ? 16 : 8));
    if (f.chunk > f.n)
        f.chunk = f.n > 0 ? f.n : 1;
    return f;
}

static void lay_out(hgate_scratch *scratch, Fused *f)
{
    const size_t real = f->selection.is_64 ? 8 : 4;
    hg_vis_sources *list = &f->part.sources;
    hg_vis_lay_out_selection(scratch, &f->selection);
    list->unit = hgate_scratch_take(scratch, 3 * f->n, real);
    list->amp = hgate_scratch_take(scratch, f->n, real);
    list->weight = hgate_scratch_take(scratch, 4 * f->n, real);
    list->place = hgate_scratch_take(scratch, f->n, sizeof(hg_vis_place));
    f->part.Z = hgate_scratch_take(scratch, f->rows * f->nax * f->chunk, f->product.is_64 ? 16 : 8);
    if (f->matprod == HGATE_MATPROD_DOT)
        f->pair_sum = hg_vis_take_pair_sums(scratch, &f->pairs);
    else
        hg_vis_lay_out_product(scratch, &f->product, 0);
}

static int supports(void *state, const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int is_dot = matprod == HGATE_MATPROD_DOT;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (!status && is_dot && !hgate_arg(problem, HGATE_VISIBILITY_PAIRS))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN, "serves pairs only");
    if (!status)
        status = is_dot ? hg_vis_supports(state, problem, reason)
                        : hg_vis_library_supports(state, problem, reason);
    return status ? status
                  : hg_vis_counts(hgate_dim(problem, HGATE_DIM_VISIBILITY_NSRC),
                                  hgate_dim(problem, HGATE_DIM_VISIBILITY_NZA),
                                  hgate_dim(problem, HGATE_DIM_VISIBILITY_NAZ), reason);
}

static void estimate(const hg_cuda_state *state, const hgate_problem *problem, int matprod,
                     hgate_estimate *est)
{
    Fused f = fused_of(state, problem, matprod);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &f);
    const double columns = (double)f.nax * (double)f.n;
    const double chunks = (double)((f.n + f.chunk - 1) / f.chunk);
    const int is_dot = matprod == HGATE_MATPROD_DOT;
    if (is_dot)
        est->terms[HG_VIS_TERM_WIDEN] = hg_vis_dot_bytes(&f.pairs, columns, f.product.is_64);
    else if (chunks > 0)
        hg_vis_product_terms(est, matprod, f.product.is_64, (double)f.rows, columns / chunks,
                             chunks);
    est->terms[HG_VIS_TERM_LAUNCHES] += 20.0 + chunks * (is_dot ? 2.0 : 1.0);
    est->terms[HG_VIS_TERM_Z] = (double)f.rows * columns * (f.product.is_64 ? 2.0 : 1.0);
    if (f.pairs.npairs >= 0)
        est->terms[HG_VIS_TERM_V] = (double)f.pairs.npairs * (double)f.nfeed * (double)f.nfeed;
    est->ws_device = scratch.bytes + hg_vis_call_bytes();
}

/* ---- the run ---- */

static void demand(hg_vis_call *call, const Fused *f)
{
    const hg_vis_beam *beam = &f->selection.beam;
    hg_vis_demand(call, HGATE_VISIBILITY_BEAM_IDX, HG_VIS_INDEX, HG_FAULT_BEAM_IDX, beam->nbeam);
    hg_vis_demand(call, HGATE_VISIBILITY_PAIRS, HG_VIS_INDEX, HG_FAULT_PAIRS, f->nant);
    call->rules.n_up = hgate_dim(call->problem, HGATE_DIM_VISIBILITY_N_UP);
    call->rules.power_size[0] = f->nfeed;
    call->rules.power_size[1] = f->nax;
    call->rules.power_size[2] = f->nsrc;
    if (!hg_vis_checks(call))
        return;
    hg_vis_demand(call, HGATE_VISIBILITY_ANTPOS, HG_VIS_FINITE, HG_FAULT_ANTPOS, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_DAZ, HG_VIS_POSITIVE, HG_FAULT_DAZ, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_DZA, HG_VIS_POSITIVE, HG_FAULT_DZA, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_AZ0, HG_VIS_FINITE, HG_FAULT_AZ0, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_ZA0, HG_VIS_FINITE, HG_FAULT_ZA0, 0);
    if (beam->is_periodic)
        hg_vis_demand(call, HGATE_VISIBILITY_DAZ, HG_VIS_TURN, HG_FAULT_TURN, beam->naz);
    const int any_sign = call->params->signed_flux || call->params->flux_is_amp;
    hg_vis_demand(call, HGATE_VISIBILITY_FLUX, any_sign ? HG_VIS_FINITE : HG_VIS_NOT_NEGATIVE,
                  any_sign ? HG_FAULT_FLUX : HG_FAULT_FLUX_NEGATIVE, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_CRD, HG_VIS_FINITE, HG_FAULT_CRD, 0);
    hg_vis_demand(call, HGATE_VISIBILITY_CRD, HG_VIS_UNIT, HG_FAULT_LENGTH, 0);
}

/* Fills the list of sources. The numbers are read back, the one wait of a run, unless the caller
 * told how many are up and all count alike: then nothing here waits. */
static int make_list(const hg_vis_call *call, Fused *f)
{
    const int64_t n_up = call->rules.n_up;
    hg_vis_sources *list = &f->part.sources;
    int status = hg_vis_status(call, hg_vis_select(&f->selection, &list->order, call->stream));
    if (!status && n_up >= 0 && hg_vis_checks(call))
        status =
            hg_vis_status(call, hg_vis_check_n_up(&f->selection, n_up, call->fault, call->stream));
    f->found[0] = f->found[1] = n_up;
    if (!status && (n_up < 0 || f->is_signed))
        status = hg_cuda_copy(call->state, HGATE_COPY_OUT, f->selection.found, f->found,
                              sizeof f->found, call->run->device_id, call->stream);
    if (f->found[1] > f->n) /* more are up than was told */
        f->found[1] = f->n;
    if (f->found[0] > f->found[1])
        f->found[0] = f->found[1];
    list->n = f->found[1];
    list->found = f->selection.found;
    return status ? status : hg_vis_status(call, hg_vis_load_sources(list, call->stream));
}

static int add_chunk(const hg_vis_call *call, Fused *f, int64_t start, int64_t n, double sign)
{
    f->part.start = start;
    f->part.n = n;
    int status = hg_vis_status(call, hg_vis_start_chunk(&f->part, call->fault, call->stream));
    if (status)
        return status;
    const int64_t K = f->nax * n;
    if (f->matprod == HGATE_MATPROD_DOT)
        return hg_vis_status(call,
                             hg_vis_pair_dot(&f->pairs, f->part.Z, K, f->product.is_64, sign,
                                             start == 0, f->pair_sum, call->fault, call->stream));
    return hg_vis_product_add(call, &f->product, f->part.Z, K, K, sign);
}

/* Equal chunks of one sign each, at least min_chunks in all. No wait and no allocation in the loop.
 */
static int add_chunks(const hg_vis_call *call, Fused *f)
{
    const int64_t min_chunks = call->params->min_chunks, n_up = f->found[1];
    int64_t chunk = f->chunk;
    int status = HGATE_OK;
    if (n_up > 0 && min_chunks > 1 && chunk > (n_up - 1) / min_chunks + 1)
        chunk = (n_up - 1) / min_chunks + 1;
    for (int64_t start = 0; !status && start < n_up;) {
        const int64_t end = start < f->found[0] ? f->found[0] : n_up;
        const int64_t pieces = (end - start + chunk - 1) / chunk;
        const int64_t n = (end - start + pieces - 1) / pieces;
        status = add_chunk(call, f, start, n, start < f->found[0] ? 1.0 : -1.0);
        start += n;
        if (!status)
            status = hgate_progress(call->run, start, n_up);
    }
    return status;
}

static int finish(const hg_vis_call *call, const Fused *f)
{
    const hgate_problem *problem = call->problem;
    void *V = hgate_arg_data(problem, HGATE_VISIBILITY_V);
    const int is_64 = problem->dtype == HGATE_C128, is_dot = f->matprod == HGATE_MATPROD_DOT;
    if (f->pairs.npairs < 0) {
        const hg_vis_finish g = {.sum = f->product.sum,
                                 .V = V,
                                 .M = f->rows,
                                 .is_64_sum = hg_vis_sum_is_64(&f->product),
                                 .is_64 = is_64,
                                 .has_sum = f->found[1] > 0,
                                 .is_conj = f->pairs.convention == HGATE_VISIBILITY_CONJ,
                                 .alpha = problem->alpha_re,
                                 .beta = problem->beta_re};
        return hg_vis_status(call, hg_vis_finish_gram(&g, call->fault, call->stream));
    }
    const hg_vis_finish_pairs g = {.pairs = f->pairs,
                                   .sum = is_dot ? f->pair_sum : f->product.sum,
                                   .Vpairs = V,
                                   .is_full = !is_dot,
                                   .is_64_sum = hg_vis_sum_is_64(&f->product),
                                   .is_64 = is_64,
                                   .has_sum = f->found[1] > 0,
                                   .alpha = problem->alpha_re,
                                   .beta = problem->beta_re};
    return hg_vis_status(call, hg_vis_finish_blocks(&g, call->fault, call->stream));
}

/* V = alpha sum_k sign_k Z[i,k] conj(Z[j,k]) + beta V over the sources above the horizon
 *
 * Arrays as in visibility.h. Sources are cut and sorted once, Z of a chunk is made in one pass and
 * its product added to a sum; V is written by one pass at the end, and not at all when something
 * was found wrong. With n_up given nothing waits and the whole run may be captured in a graph. */
static int run_fused(void *state, const hgate_problem *problem, int matprod, hgate_run *run)
{
    hgate_visibility_chunk_info info;
    int status = hg_sources_plan_or_fail(run->host, problem, &info);
    if (status)
        return status;
    hg_vis_call call;
    status = hg_vis_begin(&call, state, problem, run);
    if (status)
        return status;
    Fused f = fused_of(state, problem, matprod);
    lay_out(&call.scratch, &f);
    demand(&call, &f);
    status = hg_vis_look(&call, 1);
    if (f.part.with_root && call.params->check >= HGATE_CHECK_VALUES)
        f.part.power = call.fault;
    if (!status && matprod != HGATE_MATPROD_DOT)
        status = hg_vis_product_begin(&call, &f.product);
    if (!status)
        status = make_list(&call, &f);
    if (!status)
        status = add_chunks(&call, &f);
    hg_vis_product_end(&call, &f.product);
    if (!status) {
        run->committed = 1;
        status = finish(&call, &f);
    }
    return hg_vis_end(&call, status);
}

/* ---- records ---- */

#define KERNEL(word, WORD, TYPES, ...)                                                             \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        return supports(state, problem, HGATE_MATPROD_##WORD, reason);                             \
    }                                                                                              \
    static int estimate_##word(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)k;                                                                                   \
        estimate(state, problem, HGATE_MATPROD_##WORD, est);                                       \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)prepared;                                                                            \
        return run_fused(state, problem, HGATE_MATPROD_##WORD, run);                               \
    }                                                                                              \
    static const hgate_term terms_##word[] = {__VA_ARGS__};                                        \
    const hgate_kernel hg_cuda_visibility_##word = {                                               \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_VISIBILITY,                                                                 \
        .name = #word,                                                                             \
        .dtypes = TYPES,                                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(terms_##word),                                                  \
        .terms = terms_##word,                                                                     \
        .supports = supports_##word,                                                               \
        .estimate = estimate_##word,                                                               \
        .run = run_##word,                                                                         \
    };

KERNEL(dot, DOT, HGATE_C64 | HGATE_C128, HG_VIS_FUSED_DOT_TERMS)
KERNEL(herk, HERK, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(herk))
KERNEL(gemm, GEMM, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm))
KERNEL(gemm3m, GEMM3M, HGATE_C64 | HGATE_C128, HG_VIS_TERMS(gemm3m))
KERNEL(zherk, ZHERK, HGATE_C64, HG_VIS_TERMS(herk))
