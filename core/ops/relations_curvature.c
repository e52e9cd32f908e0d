/* SPDX-License-Identifier: BSD-3-Clause */
/* Curvature: the one size that no array has, and stand-ins for the matrix that a plan does not
 * know. */
#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/ops/steps.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape_rule.h"

/* Every run has an M of its own. */
int hg_curvature_sizes(hg_draft *draft)
{
    draft->problem.dims[HGATE_DIM_CURVATURE_S] = HG_SIZE_UNKNOWN;
    draft->problem.dims[HGATE_DIM_CURVATURE_NNZ] = HG_SIZE_UNKNOWN;
    return HGATE_OK;
}

/* A matrix without columns; its index type is a guess that no decision depends on. */
static void put_stand_ins(hg_problem *problem)
{
    static const int64_t one[] = {1}, none[] = {0, 0};
    problem->dims[HGATE_DIM_CURVATURE_S] = 0;
    problem->dims[HGATE_DIM_CURVATURE_NNZ] = 0;
    hg_arguments_put_shape(problem, HGATE_CURVATURE_INDPTR, HG_I64, 1, one);
    hg_arguments_put_shape(problem, HGATE_CURVATURE_ROWS, HG_I32, 1, none);
    hg_arguments_put_shape(problem, HGATE_CURVATURE_VALS, problem->p.dtype, 1, none);
    hg_arguments_put_shape(problem, HGATE_CURVATURE_F, problem->p.dtype, 2, none);
}

int hg_curvature_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    int64_t gathered;
    if (!problem->args[HGATE_CURVATURE_VALS]) {
        put_stand_ins(problem);
    }
    if (!hg_int64_mul(problem->dims[HGATE_DIM_CURVATURE_S], problem->dims[HGATE_DIM_CURVATURE_NNZ],
                      &gathered)) {
        return hg_error(HGATE_ESHAPE, "vals: %lld entries times %lld columns are more than 2^63-1",
                        (long long)problem->dims[HGATE_DIM_CURVATURE_NNZ],
                        (long long)problem->dims[HGATE_DIM_CURVATURE_S]);
    }
    return HGATE_OK;
}
