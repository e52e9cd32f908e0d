/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase linking: the layout of the coherences, the image count, the reference image. */
#include "core/base/error.h"
#include "core/ops/steps.h"

/* The number of dimensions tells the layout; in a run the plan does. */
static const char *layout_of(const hg_problem *problem, const DLTensor *coh, int full_dim,
                             const char *flat)
{
    if (problem->dims[full_dim] >= 0) {
        return problem->dims[full_dim] ? "full" : flat;
    }
    return coh->ndim == 3 ? "full" : coh->ndim == 2 ? flat : "full packed listed";
}

static void set_images(hg_problem *problem, int n_dim)
{
    int n_images = problem->params.emi.n_images;
    if (problem->dims[n_dim] < 0 && n_images > 0) {
        problem->dims[n_dim] = n_images;
    }
}

/* Kernels count points and images with 31 bits. */
static int check_counts(int64_t batch, int64_t n)
{
    if (batch > INT32_MAX || n > INT32_MAX) {
        return hg_error(HGATE_ESHAPE, "phase: shape is (%lld, %lld), expected numbers below 2^31",
                        (long long)batch, (long long)n);
    }
    return HGATE_OK;
}

int hg_emi_sizes(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    set_images(problem, HGATE_DIM_EMI_N);
    draft->layouts = layout_of(problem, problem->args[HGATE_EMI_COH], HGATE_DIM_EMI_FULL, "packed");
    return HGATE_OK;
}

int hg_emi_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    int64_t n = problem->dims[HGATE_DIM_EMI_N];
    problem->dims[HGATE_DIM_EMI_FULL] = problem->args[HGATE_EMI_COH]->ndim == 3;
    if (problem->params.emi.ref >= n) {
        return hg_error(HGATE_EVALUE, "ref: is %d, expected 0 to %lld", problem->params.emi.ref,
                        (long long)n - 1);
    }
    return check_counts(problem->dims[HGATE_DIM_EMI_BATCH], n);
}

/* Columns of coh are all pairs, or those that `pairs` lists; a full matrix has no columns to list.
 */
int hg_ds_temp_coh_sizes(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    const DLTensor *coh = problem->args[HGATE_DS_TEMP_COH_COH];
    bool is_listed = problem->args[HGATE_DS_TEMP_COH_PAIRS];
    if (is_listed && coh->ndim == 3) {
        return hg_error(HGATE_EINVAL, "pairs: is given, expected NULL where coh is (batch, n, n)");
    }
    set_images(problem, HGATE_DIM_DS_TEMP_COH_N);
    draft->layouts =
        layout_of(problem, coh, HGATE_DIM_DS_TEMP_COH_FULL, is_listed ? "listed" : "packed");
    return HGATE_OK;
}

int hg_ds_temp_coh_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    int64_t n = problem->dims[HGATE_DIM_DS_TEMP_COH_N];
    problem->dims[HGATE_DIM_DS_TEMP_COH_FULL] = problem->args[HGATE_DS_TEMP_COH_COH]->ndim == 3;
    int status = check_counts(problem->dims[HGATE_DIM_DS_TEMP_COH_BATCH], n);
    if (status == HGATE_OK && !problem->args[HGATE_DS_TEMP_COH_PAIRS]) {
        problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS] = n * (n - 1) / 2;
    }
    return status;
}
