/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels full, symmetric and pair of curvature: direct convolution over the extent.
 *
 *      U_s(y, x) = sum_{t in s} vals[t] w(y - iy[t], x - ix[t])
 *      F[s, c] = sum_{t in c} vals[t] U_s(iy[t], ix[t])
 *
 * full: U wherever the mask is, then all of F. symmetric: columns by their first row; a column
 * needs U from its first row on only, for columns that begin there or below; the other triangle is
 * the mirror image. pair: an entry adds to its own row one half, to rows below it all, and F = A +
 * A'. U is in device memory for as many columns at a time as the workspace holds.
 *
 * Nothing in a run waits or allocates but the check of device data that nobody looked at
 * (columns.h). A value that is not finite makes its own row and column non-finite under `full`; the
 * others hand such data over. */
#include "plugins/cuda/curvature/columns.h"
#include "plugins/cuda/curvature/curvature.h"
#include "plugins/cuda/curvature/extent.h"
#include "plugins/cuda/kernels.h"
#include <math.h>

enum { MOST_COLUMNS = 65535 / 32 * 32, GROUP = 32 }; /* of a chunk: a grid's depth */

static const hgate_curvature_facts *facts_of(const hgate_problem *problem)
{
    const hgate_curvature_facts *facts = problem->facts;
    return facts && facts->is_known ? facts : NULL;
}

static size_t plane_bytes(const hgate_problem *problem)
{
    const size_t size = problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
    return (size_t)hgate_dim(problem, HGATE_DIM_CURVATURE_NY) *
           (size_t)hgate_dim(problem, HGATE_DIM_CURVATURE_NX) * size;
}

/* Columns of a chunk: at least one, whole groups of the gather where there is room. */
static int chunk_of(const hg_cuda_state *state, const hgate_problem *problem, size_t fixed)
{
    const int64_t n = hgate_dim(problem, HGATE_DIM_CURVATURE_S);
    const size_t fits = hg_cuda_columns_room(state, problem, fixed) / plane_bytes(problem);
    int64_t count = fits < MOST_COLUMNS ? (int64_t)fits : MOST_COLUMNS;
    if (count >= n)
        return (int)n;
    count = count >= GROUP ? count / GROUP * GROUP : count > 0 ? count : 1;
    const int64_t chunks = (n + count - 1) / count; /* of about equal size */
    const int64_t even = ((n + chunks - 1) / chunks + GROUP - 1) / GROUP * GROUP;
    return (int)(even < count ? even : count);
}

/* ---- cost and refusals --------------------------------------------------- */

/* share: of the multiply-adds of all cells; planes: of the cells of U; gathers: of F. */
static int estimate(const hg_cuda_state *state, const hgate_problem *problem, double share,
                    double planes, double gathers, hgate_estimate *est)
{
    const double nnz = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_NNZ),
                 n = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_S),
                 plane = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_NY) *
                         (double)hgate_dim(problem, HGATE_DIM_CURVATURE_NX);
    CurvatureColumns columns;
    hgate_scratch s = hgate_scratch_count();
    hg_cuda_columns_lay_out(&s, problem, HG_LISTS_BOXES, &columns);
    if (s.bytes == SIZE_MAX)
        return HGATE_ESHAPE;
    const int chunk = chunk_of(state, problem, s.bytes);
    hgate_scratch_take(&s, chunk, plane_bytes(problem));
    est->ws_device = s.bytes;
    est->prepared_bytes = hg_cuda_extent_bytes(state, problem);
    /* what is counted and put in order before takes a dozen short launches and a wait */
    est->terms[0] = 14 + 2 * ceil(n / (chunk > 0 ? chunk : 1));
    est->terms[1] = nnz;
    est->terms[problem->dtype == HGATE_F64 ? 2 : 3] = share * nnz * plane;
    est->terms[4] = planes * n * plane;
    est->terms[5] = gathers * n * nnz;
    est->terms[6] = gathers * n * n;
    return HGATE_OK;
}

static int full_estimate(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    return estimate(state, problem, 1, 1, 1, est);
}

static int symmetric_estimate(void *state, const hgate_problem *problem, const double *k,
                              hgate_estimate *est)
{
    (void)k;
    const hgate_curvature_facts *facts = facts_of(problem);
    const double f = facts ? facts->work_fraction : 1;
    return estimate(state, problem, f, f, 0.5, est);
}

static int pair_estimate(void *state, const hgate_problem *problem, const double *k,
                         hgate_estimate *est)
{
    (void)k;
    const hgate_curvature_facts *facts = facts_of(problem);
    return estimate(state, problem, facts ? facts->pair_fraction : 1,
                    facts ? facts->work_fraction : 1, 1, est);
}

static int full_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const int status = hg_cuda_refuse_device(state, problem, reason);
    return status ? status : hg_cuda_extent_can(problem, reason);
}

static int symmetric_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_curvature_params *params = problem->params;
    const hgate_curvature_facts *facts = facts_of(problem);
    if (params->w_general)
        return hgate_refuse(
            reason, HGATE_REFUSE_FEATURE, NAN, NAN,
            "w_general: w need not be even, and only an even one gives a symmetric F");
    if (facts && !facts->vals_finite)
        return hgate_refuse(reason, HGATE_REFUSE_NOT_FINITE, NAN, NAN, "vals has a NaN or an Inf");
    return full_supports(state, problem, reason);
}

static int pair_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    if (!hg_cuda_permits_pair(state))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "ops.curvature.exact_triangle is not false");
    return symmetric_supports(state, problem, reason);
}

/* ---- run ----------------------------------------------------------------- */

typedef struct Work {
    const CurvatureExtent *extent;
    CurvatureColumns columns;
    CurvatureChunk chunk;
    void *F;
} Work;

static cudaError_t do_chunks(Work *w, enum CurvatureRoute route, cudaStream_t stream)
{
    const int n = w->columns.n_columns, most = w->chunk.count;
    cudaError_t error = cudaSuccess;
    for (int first = 0; first < n && error == cudaSuccess; first += most) {
        w->chunk.first = first;
        w->chunk.count = n - first < most ? n - first : most;
        error = (w->columns.is_f64 ? hg_curvature_convolve_f64 : hg_curvature_convolve_f32)(
            w->extent, &w->columns, &w->chunk, route, stream);
        if (error == cudaSuccess)
            error = hg_curvature_gather(&w->columns, &w->chunk, route, w->F, stream);
    }
    if (error == cudaSuccess && route == HG_PAIR)
        error = hg_curvature_add_transpose(w->F, n, w->columns.is_f64, stream);
    return error;
}

static int lay_out(const hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                   Work *w)
{
    hgate_scratch s = {run->ws_device, run->ws_device_bytes, 0, 0};
    hg_cuda_columns_lay_out(&s, problem, HG_LISTS_BOXES, &w->columns);
    w->chunk.count = chunk_of(state, problem, s.bytes);
    w->chunk.u = hgate_scratch_take(&s, w->chunk.count, plane_bytes(problem));
    w->chunk.u_ld = (int)hgate_dim(problem, HGATE_DIM_CURVATURE_NX);
    w->chunk.u_column = hgate_dim(problem, HGATE_DIM_CURVATURE_NY) * w->chunk.u_ld;
    if (s.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature: workspace of %zu bytes, needs %zu",
                          run->ws_device_bytes, s.bytes);
    return HGATE_OK;
}

static int start(hg_cuda_state *state, const hgate_problem *problem, enum CurvatureRoute route,
                 Work *w, hgate_run *run)
{
    const CurvatureLists lists = {.kind = HG_LISTS_BOXES};
    int status = hg_cuda_columns_set_up(state, problem, run, w->extent, &lists, route == HG_FULL,
                                        &w->columns);
    if (status)
        return status;
    run->committed = 1;
    return hg_cuda_status(state, run->device_id, (int)do_chunks(w, route, run->stream),
                          "start curvature");
}

static int run_route(enum CurvatureRoute route, hg_cuda_state *state, const hgate_problem *problem,
                     const void *prepared, hgate_run *run)
{
    Work w = {.extent = &((const hg_cuda_extent *)prepared)->device,
              .F = hgate_arg_data(problem, HGATE_CURVATURE_F)};
    int previous;
    if (hgate_dim(problem, HGATE_DIM_CURVATURE_S) == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = lay_out(state, problem, run, &w);
    if (!status)
        status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = start(state, problem, route, &w, run);
    hg_cuda_leave(previous);
    return status;
}

static int full_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    return run_route(HG_FULL, state, problem, prepared, run);
}

static int symmetric_run(void *state, const hgate_problem *problem, const void *prepared,
                         hgate_run *run)
{
    return run_route(HG_SYMMETRIC, state, problem, prepared, run);
}

static int pair_run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    return run_route(HG_PAIR, state, problem, prepared, run);
}

static const hgate_term terms[] = {
    {"launches", HG_CUDA_K_launch},
    {"entries", HG_CUDA_K_curvature_entry},
    {"cells", HG_CUDA_K_curvature_cell},
    {"cells_f32", HG_CUDA_K_curvature_cell_f32},
    {"planes", HG_CUDA_K_curvature_plane},
    {"gather", HG_CUDA_K_curvature_gather},
    {"elements", HG_CUDA_K_curvature_element},
};

#define DIRECT_KERNEL(NAME, PLAIN)                                                                 \
    const hgate_kernel hg_cuda_curvature_##NAME = {                                                \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_CURVATURE,                                                                  \
        .name = #NAME,                                                                             \
        .dtypes = HGATE_F32 | HGATE_F64,                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .plain = PLAIN,                                                                            \
        .n_terms = HGATE_LENGTH_OF(terms),                                                         \
        .terms = terms,                                                                            \
        .supports = NAME##_supports,                                                               \
        .estimate = NAME##_estimate,                                                               \
        .prepare = hg_cuda_extent_prepare,                                                         \
        .discard = hg_cuda_extent_discard,                                                         \
        .run = NAME##_run,                                                                         \
    };

DIRECT_KERNEL(full, NULL)
DIRECT_KERNEL(symmetric, "full")
DIRECT_KERNEL(pair, "full")
