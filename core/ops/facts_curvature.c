/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about a mapping matrix that decide between the curvature kernels: finite values, and the
 * share of the full work that the row-restricted and the pair-halved kernel need.
 *
 * width(y) is the span of masked pixels in row y and tail(y) the sum of width from y down. The row-
 * restricted kernel works from the first row of a column on, the pair-halved one from the row of
 * each entry on: f = sum_s nnz_s tail(ymin_s) / (nnz ny nx)        g = sum_t tail(iy_t) / (nnz ny
 * nx) in O(N + nnz + ny). At check level none indices were not looked at, so every one is tested
 * here; what is out of range counts as no work. */
#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/engine/dispatch.h"
#include "core/ops/facts.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

/* ---- tails of a mask ---- */

size_t hg_tails_bytes(int64_t ny)
{
    size_t bytes;
    return hg_size_of_count(ny, 3 * sizeof(int64_t), &bytes) &&
                   hg_size_add(bytes, 3 * sizeof(int64_t), &bytes)
               ? bytes
               : 0;
}

int64_t *hg_tails_fill(void *memory, const hg_mask *mask)
{
    int64_t *tail = memory, *first = tail + mask->ny + 1, *last = first + mask->ny + 1;
    for (int64_t y = 0; y <= mask->ny; y++) {
        first[y] = mask->nx;
        last[y] = -1;
    }
    for (int64_t p = 0; p < mask->iy->shape[0]; p++) {
        int64_t y = hg_index_at(mask->iy, p), x = hg_index_at(mask->ix, p);
        if (y >= 0 && y < mask->ny && x >= 0 && x < mask->nx) {
            first[y] = x < first[y] ? x : first[y];
            last[y] = x > last[y] ? x : last[y];
        }
    }
    tail[mask->ny] = 0;
    for (int64_t y = mask->ny - 1; y >= 0; y--) {
        tail[y] = tail[y + 1] + (last[y] < 0 ? 0 : last[y] - first[y] + 1);
    }
    return tail;
}

/* ---- fractions ---- */

/* Row of entry t, ny for one that points nowhere. */
static int64_t row_of(const hg_mask *mask, const DLTensor *rows, int64_t t)
{
    int64_t p = hg_index_at(rows, t);
    int64_t y = p >= 0 && p < mask->iy->shape[0] ? hg_index_at(mask->iy, p) : mask->ny;
    return y >= 0 && y < mask->ny ? y : mask->ny;
}

hg_fractions hg_work_fractions(const hg_mask *mask, const int64_t *tail, const DLTensor *indptr,
                               const DLTensor *rows)
{
    int64_t nnz = rows->shape[0];
    const int64_t *start = indptr->data;
    double by_column = 0, by_entry = 0;
    for (int64_t s = 0; s + 1 < indptr->shape[0]; s++) {
        if (start[s] < 0 || start[s + 1] > nnz) {
            continue;
        }
        int64_t top = mask->ny;
        for (int64_t t = start[s]; t < start[s + 1]; t++) {
            int64_t y = row_of(mask, rows, t);
            top = y < top ? y : top;
            by_entry += (double)tail[y];
        }
        by_column += (double)(start[s + 1] - start[s]) * (double)tail[top];
    }
    double full = (double)nnz * (double)mask->ny * (double)mask->nx;
    return nnz ? (hg_fractions){by_column / full, by_entry / full} : (hg_fractions){0, 0};
}

/* ---- steps of the operation ---- */

static bool has_data(const DLTensor *tensor)
{
    return tensor->data || hg_tensor_count(tensor) == 0;
}

static bool can_know(const hg_problem *problem)
{
    for (int i = HGATE_CURVATURE_IY; i <= HGATE_CURVATURE_VALS; i++) {
        if (!has_data(problem->args[i])) {
            return false;
        }
    }
    return true;
}

static hg_mask mask_of(const hg_problem *problem)
{
    return (hg_mask){problem->args[HGATE_CURVATURE_IY], problem->args[HGATE_CURVATURE_IX],
                     problem->dims[HGATE_DIM_CURVATURE_NY], problem->dims[HGATE_DIM_CURVATURE_NX]};
}

static void tell(hg_problem *problem, const hg_mask *mask, const int64_t *tail)
{
    static const hg_range finite = HG_FINITE;
    hg_fractions fractions = hg_work_fractions(mask, tail, problem->args[HGATE_CURVATURE_INDPTR],
                                               problem->args[HGATE_CURVATURE_ROWS]);
    problem->facts.is_known = 1;
    problem->facts.vals_finite = hg_scan_range(problem->args[HGATE_CURVATURE_VALS], &finite) < 0;
    problem->facts.work_fraction = fractions.by_column;
    problem->facts.pair_fraction = fractions.by_entry;
}

int hg_curvature_facts(hg_problem *problem, const hgate_engine *engine, const hgate_plan *plan)
{
    if (!can_know(problem)) {
        return HGATE_OK;
    }
    hg_mask mask = mask_of(problem);
    if (plan && hg_plan_kept(plan)) {
        tell(problem, &mask, hg_plan_kept(plan));
        return HGATE_OK;
    }
    const hg_allocator *allocator = hg_engine_allocator(engine);
    void *memory = hg_alloc(allocator, hg_tails_bytes(mask.ny));
    if (!memory) {
        return hg_error_memory("rows of the mask", hg_tails_bytes(mask.ny));
    }
    tell(problem, &mask, hg_tails_fill(memory, &mask));
    hg_free(allocator, memory);
    return HGATE_OK;
}

/* The mask stays, so its tails do: a run then allocates nothing. */
int hg_curvature_keep(hgate_plan *plan, const hg_problem *problem)
{
    hg_mask mask = mask_of(problem);
    void *memory;
    if (!(problem->p.space & HG_HOST_SPACES)) {
        return HGATE_OK;
    }
    int status = hg_plan_keep(plan, hg_tails_bytes(mask.ny), &memory);
    if (status == HGATE_OK) {
        hg_tails_fill(memory, &mask);
    }
    return status;
}
