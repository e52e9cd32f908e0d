/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels herk, gemm, gemm3m and dot of visibility: Z chunk by chunk, each chunk's product added to
 * V. */
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/fill.h"
#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/cpu/visibility/matprod.h"
#include "plugins/cpu/visibility/pair_sums.h"
#include "plugins/product_cost.h"

/* Inputs and workspace of a run. */
typedef struct work {
    hg_visibility_inputs in;
    hg_sources sources;
    hg_fill fill;
    hg_gram gram;      /* over V, or over the workspace when blocks are cut out of it */
    hg_pair_sums sums; /* with pairs */
} work;

static void take_inputs(const hgate_problem *problem, int matprod, work *w)
{
    w->in = hg_visibility_inputs_of(problem);
    w->gram = (hg_gram){
        .matprod = matprod, .is_64 = w->in.is_64, .M = w->in.nant * w->in.nfeed, .V = w->in.V.data};
    /* Blocks are cut out of Z Z^H; the copy minds the convention. */
    w->gram.is_conj = w->in.npairs < 0 && w->in.params->convention == HGATE_VISIBILITY_CONJ;
    w->sums = (hg_pair_sums){.pairs = w->in.pairs,
                             .nant = w->in.nant,
                             .nfeed = w->in.nfeed,
                             .npairs = w->in.npairs,
                             .convention = w->in.params->convention};
}

static void lay_out(hgate_scratch *scratch, int64_t chunk, work *w)
{
    w->sources.chunk = chunk;
    w->sources.up = hgate_scratch_take(scratch, w->in.nsrc, sizeof(int64_t));
    hg_fill_lay_out(scratch, &w->in, chunk, &w->fill);
    if (w->gram.matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_lay_out(scratch, &w->sums);
    else if (w->in.npairs >= 0)
        w->gram.V = hgate_scratch_take(scratch, w->gram.M * w->gram.M, w->gram.is_64 ? 16 : 8);
}

static int supports(const hgate_problem *problem, int matprod, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int status = hg_matprod_admits(params->matprod, matprod, reason);
    if (status != HGATE_OK)
        return status;
    if (matprod == HGATE_MATPROD_DOT)
        return dims[HGATE_DIM_VISIBILITY_NPAIRS] >= 0
                   ? HGATE_OK
                   : hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                                  "makes chosen pairs only, all of V is asked for");
    return hg_gram_fits(dims[HGATE_DIM_VISIBILITY_NANT] * dims[HGATE_DIM_VISIBILITY_NFEED], 1,
                        reason);
}

static void estimate(const hgate_problem *problem, int matprod, hgate_estimate *est)
{
    work w;
    take_inputs(problem, matprod, &w);
    int64_t chunk = 1; /* if not even one source fits, run() says so */
    size_t needed;
    hg_sources_chunk(problem, &chunk, &needed);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, chunk, &w);

    double M = (double)w.gram.M, columns = (double)w.in.nax * (double)w.in.nsrc;
    double rows = w.in.npairs < 0 ? 0.0 : (double)w.in.npairs * (double)w.in.nfeed;
    int is_dot = matprod == HGATE_MATPROD_DOT;
    hg_product_work product = hg_product_count(M, M, columns);
    est->terms[0] = 1.0;
    est->terms[1 + w.in.is_64] =
        is_dot ? 2.0 * rows * columns * (w.in.is_64 ? 16.0 : 8.0) : product.flop;
    est->terms[3] = (is_dot ? 0.0 : M * M) + rows * (double)w.in.nfeed;
    est->terms[4] = M * columns;
    est->terms[5] = (double)w.in.nant * (double)w.in.nsrc;
    est->terms[6] = (double)w.in.nbeam * (double)w.in.nfeed * columns;
    if (!is_dot)
        est->terms[7 + w.in.is_64] = product.panel;
    est->ws_host = scratch.bytes;
}

/* A power beam must have roots everywhere before V is touched. */
static int check_power(const hgate_host *host, work *w)
{
    if (!w->in.params->sqrt_power || w->in.params->check < HGATE_CHECK_VALUES)
        return HGATE_OK;
    for (int64_t start = 0; start < w->sources.n_up;) {
        hg_chunk chunk = hg_chunk_at(&w->sources, start);
        hg_fill_load(&w->in, &w->sources, chunk, &w->fill);
        int status = hg_fill_check_power(host, &w->in, &w->sources, chunk, &w->fill);
        if (status != HGATE_OK)
            return status;
        start += chunk.n;
    }
    return HGATE_OK;
}

/* V = alpha sum sign Z Z^H + beta V over the chunks. The first product applies beta, also when
 * there is nothing up. */
static int add_chunks(work *w, double alpha, double beta, hgate_run *run)
{
    int is_dot = w->gram.matprod == HGATE_MATPROD_DOT;
    int64_t start = 0;
    do {
        hg_chunk chunk = hg_chunk_at(&w->sources, start);
        int64_t K = w->in.nax * chunk.n;
        hg_fill_load(&w->in, &w->sources, chunk, &w->fill);
        hg_fill_z(&w->in, chunk, &w->fill);
        if (is_dot) {
            hg_pair_sums_add(&w->sums, w->fill.Z, w->in.is_64, K, chunk.sign);
        } else {
            hg_blas_enter(run->host);
            hg_gram_add(&w->gram, K, w->fill.Z, alpha * chunk.sign, start == 0 ? beta : 1.0);
            hg_blas_leave(run->host);
        }
        start += chunk.n;
        int status = hgate_progress(run, start, w->sources.n_up);
        if (status != HGATE_OK)
            return status;
    } while (start < w->sources.n_up);
    return HGATE_OK;
}

static int all_of_v(work *w, const hgate_problem *problem, hgate_run *run)
{
    run->committed = 1;
    hg_gram_begin(&w->gram, problem->beta_re);
    int status = add_chunks(w, problem->alpha_re, problem->beta_re, run);
    hg_gram_end(&w->gram);
    return status;
}

/* The sums are made in the workspace; Vpairs is written at the end. */
static int chosen_pairs(work *w, const hgate_problem *problem, hgate_run *run)
{
    int is_dot = w->gram.matprod == HGATE_MATPROD_DOT;
    if (is_dot)
        hg_pair_sums_begin(&w->sums);
    else
        hg_gram_begin(&w->gram, 0.0);
    int status = add_chunks(w, 1.0, 0.0, run);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    if (is_dot) {
        hg_pair_sums_store(&w->sums, problem->alpha_re, problem->beta_re, w->in.V);
    } else {
        hg_gram_end(&w->gram);
        hg_pair_sums_cut(&w->sums, (hg_reals){w->gram.V, w->gram.is_64}, problem->alpha_re,
                         problem->beta_re, w->in.V);
    }
    return HGATE_OK;
}

/* V = alpha sum_k sign_k Z[i,k] conj(Z[j,k]) + beta V over the sources above the horizon
 *
 * Arrays as in visibility.h. The list of sources is cut once, in order; then chunk by chunk Z (nant
 * nfeed, nax n) is written in the precision of the call and its product is added in place with beta
 * 1; the mirror pass comes once at the end. The product has exactly nax n columns. Beam, phase and
 * amplitude are computed in double and rounded when Z is stored. Work: the product, nant n phases,
 * nbeam nfeed nax n interpolated values, nant nfeed nax n elements of Z per chunk. */
static int fused(const hgate_problem *problem, int matprod, hgate_run *run)
{
    work w;
    take_inputs(problem, matprod, &w);
    int64_t chunk = 1;
    int status = hg_sources_chunk_or_fail(run->host, problem, &chunk);
    if (status == HGATE_OK)
        status = hg_visibility_check(run->host, &w.in);
    if (status != HGATE_OK)
        return status;
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, chunk, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "visibility: workspace is too small");

    hg_sources_find(&w.sources, w.in.crd, w.in.flux, w.in.nsrc, w.in.is_signed);
    hg_sources_split(&w.sources, w.in.params->min_chunks);
    status = check_power(run->host, &w);
    if (status != HGATE_OK)
        return status;
    return w.in.npairs < 0 ? all_of_v(&w, problem, run) : chosen_pairs(&w, problem, run);
}

#define COMMON_TERMS(WORD)                                                                         \
    {"call", HG_K_CALL}, {"work32", HG_K_VISIBILITY_##WORD##_F32},                                 \
        {"work64", HG_K_VISIBILITY_##WORD##_F64}, {"mirror", HG_K_VISIBILITY_MIRROR},              \
        {"elements", HG_K_VISIBILITY_ELEMENT}, {"phases", HG_K_VISIBILITY_PHASE},                  \
    {                                                                                              \
        "values", HG_K_VISIBILITY_VALUE                                                            \
    }
#define PRODUCT_TERMS(WORD)                                                                        \
    COMMON_TERMS(WORD), {"panel32", HG_K_VISIBILITY_##WORD##_PANEL_F32},                           \
    {                                                                                              \
        "panel64", HG_K_VISIBILITY_##WORD##_PANEL_F64                                              \
    }
static const hgate_term terms_dot[] = {COMMON_TERMS(DOT)};
static const hgate_term terms_herk[] = {PRODUCT_TERMS(HERK)};
static const hgate_term terms_gemm[] = {PRODUCT_TERMS(GEMM)};
static const hgate_term terms_gemm3m[] = {PRODUCT_TERMS(GEMM3M)};

#define KERNEL(word, WORD)                                                                         \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        (void)state;                                                                               \
        return supports(problem, HGATE_MATPROD_##WORD, reason);                                    \
    }                                                                                              \
    static int estimate_##word(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)state, (void)k;                                                                      \
        estimate(problem, HGATE_MATPROD_##WORD, est);                                              \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)state, (void)prepared;                                                               \
        return fused(problem, HGATE_MATPROD_##WORD, run);                                          \
    }                                                                                              \
    HG_CPU_KERNEL(visibility_##word, .op = HGATE_OP_VISIBILITY, .name = #word,                     \
                  .dtypes = HGATE_C64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(terms_##word),      \
                  .terms = terms_##word, .supports = supports_##word, .estimate = estimate_##word, \
                  .run = run_##word)

KERNEL(herk, HERK);
KERNEL(gemm, GEMM);
KERNEL(gemm3m, GEMM3M);
KERNEL(dot, DOT);
