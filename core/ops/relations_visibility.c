/* SPDX-License-Identifier: BSD-3-Clause */
/* Visibility: what the shapes of one array, its type and the options say about another. */
#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/ops/steps.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/option_table.h"

/* ---- pieces ---- */

static uint32_t dtype_at(const hg_problem *problem, int index)
{
    return hg_dtype_of(problem->args[index]->dtype);
}

/* Without an index each antenna has a beam of its own, or all have the one there is. */
static int check_beam_idx(const DLTensor *beam_idx, int64_t nbeam, int64_t nant)
{
    if (beam_idx || nbeam == 1 || nbeam == nant) {
        return HGATE_OK;
    }
    return hg_error(HGATE_ESHAPE,
                    "beam_idx: is NULL with %lld beams and %lld antennas, expected an array, one "
                    "beam or a beam for each antenna",
                    (long long)nbeam, (long long)nant);
}

static int check_root(uint32_t grid, int sqrt_power)
{
    if (sqrt_power && grid & HG_COMPLEX_TYPES) {
        return hg_error(HGATE_EDTYPE, "grid: type is %s, expected f32 or f64 with sqrt_power",
                        hg_dtype_word(grid));
    }
    return HGATE_OK;
}

/* Which products a call can be asked to take: masks over enum hgate_matprod. */
enum {
    RECTANGULAR = 1 << HGATE_MATPROD_AUTO | 1 << HGATE_MATPROD_GEMM | 1 << HGATE_MATPROD_GEMM3M,
    SQUARE = RECTANGULAR | 1 << HGATE_MATPROD_HERK | 1 << HGATE_MATPROD_HERK3 |
             1 << HGATE_MATPROD_ZHERK | 1 << HGATE_MATPROD_FP16X3 | 1 << HGATE_MATPROD_TF32X3,
    LISTED = SQUARE | 1 << HGATE_MATPROD_DOT,
    NOT_DOUBLE = 1 << HGATE_MATPROD_ZHERK | 1 << HGATE_MATPROD_FP16X3 | 1 << HGATE_MATPROD_TF32X3
};

static int check_matprod(const hg_problem *problem, int offered)
{
    int wanted = problem->params.visibility.matprod;
    bool is_double = problem->p.dtype & HG_DOUBLE_TYPES;
    if ((is_double ? offered & ~NOT_DOUBLE : offered) >> wanted & 1) {
        return HGATE_OK;
    }
    const hg_option_list *list = hg_option_list_of(problem->p.op);
    const char *word = "";
    for (int i = 0; i < list->n; i++) {
        if (list->options[i].offset == offsetof(hgate_visibility_params, matprod)) {
            word = list->options[i].words[wanted];
        }
    }
    return hg_error(HGATE_EINVAL, "matprod: is %s, which cannot serve %s with %s and type %s", word,
                    hg_op_row(problem->p.op)->word,
                    offered == LISTED ? "pairs" : "the whole product",
                    hg_dtype_word(problem->p.dtype));
}

static int check_convention(const hg_problem *problem, bool is_listed)
{
    if (problem->params.visibility.convention == HGATE_VISIBILITY_PAIRS_MATVIS && !is_listed) {
        return hg_error(HGATE_EINVAL, "convention: is pairs_matvis, expected zzh or conj where "
                                      "there are no pairs");
    }
    return HGATE_OK;
}

static void set_scalars(hg_problem *problem)
{
    const hgate_visibility_params *params = &problem->params.visibility;
    bool is_product = problem->p.op == HGATE_OP_VISIBILITY_PRODUCT;
    problem->p.alpha_re = is_product ? params->alpha_re : params->alpha;
    problem->p.alpha_im = is_product ? params->alpha_im : 0;
    problem->p.beta_re = is_product ? params->beta_re : params->beta;
    problem->p.beta_im = is_product ? params->beta_im : 0;
}

/* ---- visibility ---- */

int hg_visibility_sizes(hg_draft *draft)
{
    draft->layouts = draft->problem.args[HGATE_VISIBILITY_PAIRS] ? "listed" : "square";
    return HGATE_OK;
}

/* In a run the chunks are planned already, so the count may not pass that of the plan. */
static int set_n_up(hg_draft *draft)
{
    int64_t *dims = draft->problem.dims;
    int64_t n_up = draft->given.n_up;
    int64_t most = dims[HGATE_DIM_VISIBILITY_NSRC];
    if (draft->planned && draft->planned->dims[HGATE_DIM_VISIBILITY_N_UP] >= 0) {
        most = draft->planned->dims[HGATE_DIM_VISIBILITY_N_UP];
        n_up = n_up < 0 ? most + 1 : n_up;
    }
    if (n_up < -1 || n_up > most) {
        return hg_error(HGATE_EVALUE, "n_up: is %lld, expected %s0 to %lld",
                        (long long)draft->given.n_up,
                        most == dims[HGATE_DIM_VISIBILITY_NSRC] ? "-1 or " : "", (long long)most);
    }
    dims[HGATE_DIM_VISIBILITY_N_UP] = n_up;
    return HGATE_OK;
}

/* Z of all sources at once is never made, but its elements are counted in one int64. */
static int check_z_size(const hg_problem *problem)
{
    const int64_t *dims = problem->dims;
    int64_t count;
    size_t bytes;
    if (hg_int64_mul(dims[HGATE_DIM_VISIBILITY_NANT], dims[HGATE_DIM_VISIBILITY_NFEED], &count) &&
        hg_int64_mul(count, dims[HGATE_DIM_VISIBILITY_NAX], &count) &&
        hg_int64_mul(count, dims[HGATE_DIM_VISIBILITY_NSRC], &count) &&
        hg_size_of_count(count, hg_dtype_bytes(problem->p.dtype), &bytes)) {
        return HGATE_OK;
    }
    return hg_error(HGATE_ESHAPE, "crd: %lld sources make Z larger than an address can reach",
                    (long long)dims[HGATE_DIM_VISIBILITY_NSRC]);
}

static int check_flux_options(const hgate_visibility_params *params)
{
    if (params->signed_flux && params->flux_is_amp) {
        return hg_error(HGATE_EINVAL, "signed_flux: is 1, expected 0 with flux_is_amp");
    }
    return HGATE_OK;
}

int hg_visibility_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    const hgate_visibility_params *params = &problem->params.visibility;
    bool is_listed = problem->args[HGATE_VISIBILITY_PAIRS];
    set_scalars(problem);
    int status = set_n_up(draft);
    if (status == HGATE_OK) {
        status = check_beam_idx(problem->args[HGATE_VISIBILITY_BEAM_IDX],
                                problem->dims[HGATE_DIM_VISIBILITY_NBEAM],
                                problem->dims[HGATE_DIM_VISIBILITY_NANT]);
    }
    if (status == HGATE_OK) {
        status = check_root(dtype_at(problem, HGATE_VISIBILITY_GRID), params->sqrt_power);
    }
    if (status == HGATE_OK) {
        status = check_flux_options(params);
    }
    if (status == HGATE_OK) {
        status = check_convention(problem, is_listed);
    }
    if (status == HGATE_OK) {
        status = check_matprod(problem, is_listed ? LISTED : SQUARE);
    }
    return status == HGATE_OK ? check_z_size(problem) : status;
}

/* ---- the steps ---- */

int hg_visibility_beam_relations(hg_draft *draft)
{
    const hg_problem *problem = &draft->problem;
    uint32_t grid = dtype_at(problem, HGATE_VISIBILITY_BEAM_GRID);
    uint32_t beam = dtype_at(problem, HGATE_VISIBILITY_BEAM_BEAM);
    if (grid & HG_COMPLEX_TYPES && !(beam & HG_COMPLEX_TYPES)) {
        return hg_error(HGATE_EDTYPE, "beam: type is %s, expected c64 or c128 for a complex grid",
                        hg_dtype_word(beam));
    }
    return check_root(grid, problem->params.visibility.sqrt_power);
}

int hg_visibility_z_relations(hg_draft *draft)
{
    const hg_problem *problem = &draft->problem;
    return check_beam_idx(problem->args[HGATE_VISIBILITY_Z_BEAM_IDX],
                          problem->dims[HGATE_DIM_VISIBILITY_Z_NBEAM],
                          problem->dims[HGATE_DIM_VISIBILITY_Z_NANT]);
}

int hg_visibility_product_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    int op = problem->p.op;
    set_scalars(problem);
    int offered = op == HGATE_OP_VISIBILITY_PRODUCT ? RECTANGULAR
                  : op == HGATE_OP_VISIBILITY_PAIRS ? LISTED
                                                    : SQUARE;
    int status = check_matprod(problem, offered);
    return status == HGATE_OK ? check_convention(problem, op != HGATE_OP_VISIBILITY_GRAM) : status;
}
