/* SPDX-License-Identifier: BSD-3-Clause */
/* hgate_curvature_work_fraction(): a plain function over host arrays, without an engine. */
#include "core/base/alloc.h"
#include "core/base/error.h"
#include "core/ops/facts.h"
#include "core/ops/steps.h"
#include "core/tensor/arguments.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/tensor.h"

/* The four arrays of the mask and of M in the problem of a curvature call that lacks the others. */
static int take(hg_problem *problem, const DLTensor *const *args, int64_t ny, int64_t nx)
{
    const hg_op *row = hg_op_row(HGATE_OP_CURVATURE);
    hg_problem_init(problem, HGATE_OP_CURVATURE);
    int status = HGATE_OK;
    for (int i = HGATE_CURVATURE_IY; status == HGATE_OK && i <= HGATE_CURVATURE_ROWS; i++) {
        status = hg_tensor_check_shape(row->args[i].name, args[i]);
    }
    if (status == HGATE_OK) {
        status = hg_arguments_take(problem, args, HG_NEED_GIVEN);
    }
    if (status == HGATE_OK && !(problem->p.space & HG_HOST_SPACES)) {
        status = hg_error(HGATE_EDEVICE, "iy: is in device memory, expected host memory");
    }
    problem->dims[HGATE_DIM_CURVATURE_NY] = ny;
    problem->dims[HGATE_DIM_CURVATURE_NX] = nx;
    return status == HGATE_OK ? hg_arguments_match(problem, "") : status;
}

static int check_extent(int64_t ny, int64_t nx)
{
    if (ny < 1 || nx < 1) {
        return hg_error(HGATE_EVALUE, "%s: is %lld, expected 1 or more", ny < 1 ? "ny" : "nx",
                        (long long)(ny < 1 ? ny : nx));
    }
    if (!hg_tails_bytes(ny)) {
        return hg_error(HGATE_ESHAPE, "ny: is %lld, more than memory can hold", (long long)ny);
    }
    return HGATE_OK;
}

int hgate_curvature_work_fraction(const DLTensor *iy, const DLTensor *ix, int64_t ny, int64_t nx,
                                  const DLTensor *indptr, const DLTensor *rows, double *f)
{
    const DLTensor *args[] = {NULL, iy, ix, indptr, rows, NULL, NULL};
    hg_problem problem;
    if (!f) {
        return hg_error(HGATE_EINVAL, "f: is NULL, expected a place for the result");
    }
    int status = check_extent(ny, nx);
    if (status == HGATE_OK) {
        status = take(&problem, args, ny, nx);
    }
    if (status == HGATE_OK) {
        status = hg_curvature_mask_values(&problem);
    }
    if (status == HGATE_OK) {
        status = hg_curvature_values(&problem);
    }
    if (status != HGATE_OK) {
        return status;
    }
    hg_mask mask = {problem.args[HGATE_CURVATURE_IY], problem.args[HGATE_CURVATURE_IX], ny, nx};
    void *memory = hg_alloc(NULL, hg_tails_bytes(ny));
    if (!memory) {
        return hg_error_memory("rows of the mask", hg_tails_bytes(ny));
    }
    *f = hg_work_fractions(&mask, hg_tails_fill(memory, &mask),
                           problem.args[HGATE_CURVATURE_INDPTR], problem.args[HGATE_CURVATURE_ROWS])
             .by_column;
    hg_free(NULL, memory);
    return HGATE_OK;
}
