/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the arrays of the curvature family. vals may hold anything: NaN and Inf there choose
 * the kernel and are no error. */
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"

#include <math.h>

/* ---- w ---- */

typedef struct offsets {
    const DLTensor *w;
    int64_t ny, nx;
} offsets;

static inline double at(const offsets *o, int64_t y, int64_t x)
{
    return hg_real_at(o->w, y * 2 * o->nx + x);
}

static int refuse_uneven(const offsets *o, int64_t y, int64_t x, int64_t y2, int64_t x2)
{
    char here[HG_REAL_CHARS], there[HG_REAL_CHARS];
    hg_format_real(here, at(o, y, x));
    hg_format_real(there, at(o, y2, x2));
    return hg_error(HGATE_EVALUE,
                    "w: entry (%lld, %lld) is %s and entry (%lld, %lld) is %s, expected an even "
                    "kernel, w(-dy,-dx) = w(dy,dx) (see w_general)",
                    (long long)y, (long long)x, here, (long long)y2, (long long)x2, there);
}

/* Row ny and column nx belong to no pair of pixels and may hold anything. Half of the rows has
 * every pair: a pair of offsets is finite and, within 1e-10 of w(0,0), equal. */
static int check_w(const hg_problem *problem)
{
    offsets o = {problem->args[HGATE_CURVATURE_W], problem->dims[HGATE_DIM_CURVATURE_NY],
                 problem->dims[HGATE_DIM_CURVATURE_NX]};
    bool is_even = !problem->params.curvature.w_general;
    double tolerance = 1e-10 * fabs(at(&o, 0, 0));
    for (int64_t y = 0; y < o.ny; y++) {
        int64_t y2 = y ? 2 * o.ny - y : 0;
        for (int64_t x = 0; x < 2 * o.nx; x++) {
            int64_t x2 = x ? 2 * o.nx - x : 0;
            if (x == o.nx) {
                continue;
            }
            double here = at(&o, y, x), there = at(&o, y2, x2);
            if (!isfinite(here) || !isfinite(there)) {
                int64_t bad = isfinite(here) ? y2 * 2 * o.nx + x2 : y * 2 * o.nx + x;
                return hg_refuse_real("w", o.w, bad, "a finite number");
            }
            if (is_even && !(fabs(here - there) <= tolerance)) {
                return refuse_uneven(&o, y, x, y2, x2);
            }
        }
    }
    return HGATE_OK;
}

int hg_curvature_mask_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_CURVATURE_IY, HGATE_DIM_CURVATURE_NY),
        HG_INDICES(HGATE_CURVATURE_IX, HGATE_DIM_CURVATURE_NX),
    };
    return HG_CHECK_ELEMENTS(problem, rules);
}

int hg_curvature_kept_values(const hg_problem *problem)
{
    int status = hg_curvature_mask_values(problem);
    return status == HGATE_OK ? check_w(problem) : status;
}

/* ---- M ---- */

/* Columns lie one behind the other in rows and vals. */
static int check_indptr(const DLTensor *indptr, int64_t nnz)
{
    int64_t n = indptr->shape[0];
    const int64_t *start = indptr->data;
    if (start[0] != 0) {
        return hg_error(HGATE_EVALUE, "indptr: entry 0 is %lld, expected 0", (long long)start[0]);
    }
    for (int64_t s = 0; s + 1 < n; s++) {
        if (start[s + 1] < start[s]) {
            return hg_error(HGATE_EVALUE, "indptr: column %lld ends at %lld, before its start %lld",
                            (long long)s, (long long)start[s + 1], (long long)start[s]);
        }
    }
    if (start[n - 1] != nnz) {
        return hg_error(HGATE_EVALUE, "indptr: the last column, %lld, ends at %lld, expected %lld",
                        (long long)(n - 2), (long long)start[n - 1], (long long)nnz);
    }
    return HGATE_OK;
}

int hg_curvature_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_CURVATURE_ROWS, HGATE_DIM_CURVATURE_N),
    };
    int status =
        check_indptr(problem->args[HGATE_CURVATURE_INDPTR], problem->dims[HGATE_DIM_CURVATURE_NNZ]);
    return status == HGATE_OK ? HG_CHECK_ELEMENTS(problem, rules) : status;
}

int hg_curvature_data_vector_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_CURVATURE_DATA_VECTOR_ROWS, HGATE_DIM_CURVATURE_DATA_VECTOR_N),
    };
    int status = check_indptr(problem->args[HGATE_CURVATURE_DATA_VECTOR_INDPTR],
                              problem->dims[HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ]);
    return status == HGATE_OK ? HG_CHECK_ELEMENTS(problem, rules) : status;
}

/* ---- visibilities ---- */

/* The real and the imaginary part of a visibility have one noise: with two of them the matrix
 * depends on positions and not on offsets alone, and no w can hold it. */
static int check_sigma_columns(const DLTensor *sigma)
{
    const double *both = sigma->data;
    for (int64_t k = 0; sigma->ndim == 2 && k < sigma->shape[0]; k++) {
        if (both[2 * k + 1] != both[2 * k]) {
            return hg_refuse_real("sigma", sigma, 2 * k + 1, "the number of column 0");
        }
    }
    return HGATE_OK;
}

/* An infinite sigma flags a visibility: its weight is 0. */
#define NOISE                                                                                      \
    {                                                                                              \
        DBL_TRUE_MIN, INFINITY, false, "a number above 0, or Inf"                                  \
    }

int hg_curvature_kernel_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_CURVATURE_KERNEL_UV, HG_FINITE),
        HG_NUMBERS(HGATE_CURVATURE_KERNEL_SIGMA, NOISE),
    };
    int status = HG_CHECK_ELEMENTS(problem, rules);
    return status == HGATE_OK ? check_sigma_columns(problem->args[HGATE_CURVATURE_KERNEL_SIGMA])
                              : status;
}

int hg_curvature_dirty_values(const hg_problem *problem)
{
    static const hg_value_rule rules[] = {
        HG_NUMBERS(HGATE_CURVATURE_DIRTY_UV, HG_FINITE),
        HG_NUMBERS(HGATE_CURVATURE_DIRTY_SIGMA, NOISE),
        HG_NUMBERS(HGATE_CURVATURE_DIRTY_VIS, HG_FINITE),
        HG_NUMBERS(HGATE_CURVATURE_DIRTY_Y, HG_FINITE),
        HG_NUMBERS(HGATE_CURVATURE_DIRTY_X, HG_FINITE),
    };
    return HG_CHECK_ELEMENTS(problem, rules);
}
