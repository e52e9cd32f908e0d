/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of curvature_data_vector: D = M' d. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/csc.h"

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"entries", HG_K_REFERENCE_DATA_VECTOR_ENTRY}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ] +
                    (double)problem->dims[HGATE_DIM_CURVATURE_DATA_VECTOR_S];
    return HGATE_OK;
}

/* D_s = sum_{t in s} vals_t d[rows_t]
 *
 * d (N), vals (nnz), D (S) of one precision; indptr (S+1) int64, rows (nnz) int32 or int64.
 * Work: nnz multiply-adds in double, in the order of the entries, and one pass over rows that
 * checks them. Source: normal equations of the pixelized image, D = M' d with d from
 * curvature_dirty. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const int64_t *dims = problem->dims;
    hg_csc m = {.n_rows = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_N],
                .n_columns = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_S],
                .nnz = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ],
                .indptr = hg_arg(problem, HGATE_CURVATURE_DATA_VECTOR_INDPTR),
                .rows = hg_index_arg(problem, HGATE_CURVATURE_DATA_VECTOR_ROWS)};
    hg_reals d = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_d);
    hg_reals vals = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_VALS);
    hg_reals out = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_D);

    int status = hg_csc_check(run->host, &m);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    for (int64_t s = 0; s < m.n_columns; s++) {
        double sum = 0.0;
        for (int64_t t = m.indptr[s]; t < m.indptr[s + 1]; t++)
            sum += hg_real(vals, t) * hg_real(d, hg_index(m.rows, t));
        hg_real_put(out, s, sum);
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_curvature_data_vector = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE_DATA_VECTOR,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
