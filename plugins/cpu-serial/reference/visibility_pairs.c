/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of visibility_pairs: the blocks of Z Z^H that belong to pairs of antennas. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/antenna.h"
#include "plugins/cpu/visibility/dot.h"
#include "plugins/cpu/visibility/hermitian.h"
#include "plugins/matprod.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"products", HG_K_REFERENCE_DOT_TERM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    double nfeed = (double)dims[HGATE_DIM_VISIBILITY_PAIRS_NFEED];
    est->terms[0] = 1.0;
    est->terms[1] = (double)dims[HGATE_DIM_VISIBILITY_PAIRS_NPAIRS] * nfeed * nfeed *
                    (double)dims[HGATE_DIM_VISIBILITY_PAIRS_K];
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    const hgate_visibility_params *params = problem->params;
    return hg_matprod_admits(params->matprod, HGATE_MATPROD_AUTO, reason);
}

/* Vpairs[p,a,b] = alpha sum_k Z[(i,a),k] conj(Z[(j,b),k]) + beta Vpairs[p,a,b],  (i, j) = pairs[p]
 *
 * Z (nant nfeed, K), Vpairs (npairs, nfeed, nfeed), one precision; pairs (npairs, 2). Convention
 * conj is the conjugate, pairs_matvis the block of (j, i). Sums in double. For beta 0 Vpairs is not
 * read. Work: npairs nfeed^2 K complex multiply-adds. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_visibility_params *params = problem->params;
    const int64_t *dims = problem->dims;
    int64_t nant = dims[HGATE_DIM_VISIBILITY_PAIRS_NANT];
    int64_t nfeed = dims[HGATE_DIM_VISIBILITY_PAIRS_NFEED];
    int64_t K = dims[HGATE_DIM_VISIBILITY_PAIRS_K];
    int64_t npairs = dims[HGATE_DIM_VISIBILITY_PAIRS_NPAIRS];
    hg_reals Z = hg_real_arg(problem, HGATE_VISIBILITY_PAIRS_Z);
    hg_indices pairs = hg_index_arg(problem, HGATE_VISIBILITY_PAIRS_PAIRS);
    hg_reals Vpairs = hg_real_arg(problem, HGATE_VISIBILITY_PAIRS_VPAIRS);

    int status = hg_check_indices(run->host, "pairs", pairs, 2 * npairs, nant);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    for (int64_t p = 0; p < npairs; p++)
        for (int64_t a = 0; a < nfeed; a++)
            for (int64_t b = 0; b < nfeed; b++) {
                hg_block_rows rows =
                    hg_block_element(hg_index(pairs, 2 * p), hg_index(pairs, 2 * p + 1), a, b,
                                     nfeed, params->convention);
                double complex sum = hg_dot(Z, rows.left * K, Z, rows.right * K, K);
                hg_pair_put(Vpairs, (p * nfeed + a) * nfeed + b, sum, problem->alpha_re,
                            problem->beta_re);
            }
    return HGATE_OK;
}

const hgate_kernel hg_reference_visibility_pairs = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_PAIRS,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
