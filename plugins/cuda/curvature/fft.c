/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel fft of curvature: convolution by Fourier transforms, whole or in sections.
 *
 *      U_s = inverse(sum over blocks of transform(entries of s in the block) times spectrum of w)
 *
 * The extent is cut into blocks; the entries of one block and all results fit a period (fft.h). The
 * transform of a column, which has few rows, times the spectra is a sum (fft.cu); spectra of w and
 * the inverse transforms are cuFFT's, a bounded batch of columns at a time. Then the gather of
 * symmetric, or with w_general that of full.
 *
 * A plan owns the spectra, and a cuFFT plan without memory of its own: stream and work area are set
 * for each batch under a lock, so that threads may share it.
 *
 * Limits: finite vals; periods below 65536. Errors are about the float type's epsilon times max
 * |U|, spread over all cells. */
#include "plugins/cuda/curvature/columns.h"
#include "plugins/cuda/curvature/curvature.h"
#include "plugins/cuda/curvature/fft_plan.h"
#include "plugins/cuda/kernels.h"
#include <math.h>

/* ---- cost and refusals --------------------------------------------------- */

static size_t fixed_bytes(const hgate_problem *problem, CurvatureColumns *columns)
{
    hgate_scratch s = hgate_scratch_count();
    hg_cuda_columns_lay_out(&s, problem, HG_LISTS_PIECES, columns);
    return s.bytes;
}

/* Rows with entries of a column: about the root of its entries, half as many again where they lie
 * in two blocks. */
static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const double n = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_S),
                 nnz = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_NNZ);
    CurvatureCut c;
    CurvatureColumns columns;
    if (!hg_cuda_fft_cut(state, problem, &c))
        return HGATE_ESHAPE;
    const int batch = hg_cuda_fft_batch(state, problem, &c);
    const size_t fixed = fixed_bytes(problem, &columns), plane = hg_cuda_fft_plane(problem, &c);
    const size_t kept = hg_cuda_fft_plan_bytes(state, problem, &c);
    if (fixed == SIZE_MAX || kept == SIZE_MAX)
        return HGATE_ESHAPE;
    est->ws_device = fixed + (size_t)batch * HG_FFT_PLANES * plane + HG_FFT_SPARE_BYTES;
    est->prepared_bytes = kept;
    const double batches = ceil(n / batch), points = (double)c.period_y * c.period_x;
    est->terms[0] = 14 + 5 * batches;
    est->terms[1] = nnz;
    est->terms[2] = batches * batch * points * log2(points + 1);
    est->terms[3] = 1.5 * sqrt(nnz * n) * (double)c.period_y * c.bins;
    est->terms[4] = 0.5 * n * nnz;
    est->terms[5] = 0.5 * n * n;
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    hg_cuda_state *s = state;
    const hgate_curvature_facts *facts = problem->facts;
    CurvatureCut c;
    int status = hg_cuda_refuse_device(s, problem, reason);
    if (!status)
        status = hg_cuda_extent_can(problem, reason);
    if (status)
        return status;
    if (facts && facts->is_known && !facts->vals_finite)
        return hgate_refuse(reason, HGATE_REFUSE_NOT_FINITE, NAN, NAN, "vals has a NaN or an Inf");
    if (!hg_cuda_fft_cut(s, problem, &c))
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, NAN, HG_FFT_LONGEST,
                            "the extent needs a period above %d", HG_FFT_LONGEST);
    return hg_cuda_libs_can(s->libs, HG_CUDA_CUFFT, reason);
}

/* ---- run ----------------------------------------------------------------- */

typedef struct Work {
    CurvatureColumns columns;
    CurvatureChunk chunk;
    void *area; /* cuFFT's */
    void *F;
    int is_general;
} Work;

static int invert(hg_cuda_state *state, hg_cuda_fft_plan *plan, const Work *w, const hgate_run *run)
{
    pthread_mutex_lock(&plan->lock);
    int code = (int)plan->calls->cufftSetStream(plan->inverse, run->stream);
    if (!code)
        code = (int)plan->calls->cufftSetWorkArea(plan->inverse, w->area);
    if (!code)
        code = plan->spectra.is_f64
                   ? (int)plan->calls->cufftExecZ2D(plan->inverse, w->chunk.u, w->chunk.u)
                   : (int)plan->calls->cufftExecC2R(plan->inverse, w->chunk.u, w->chunk.u);
    pthread_mutex_unlock(&plan->lock);
    return hg_cuda_library_status(state, run->device_id, code, "cufftExec");
}

static int do_batches(hg_cuda_state *state, hg_cuda_fft_plan *plan, Work *w, const hgate_run *run)
{
    const int n = w->columns.n_columns;
    const enum CurvatureRoute route = w->is_general ? HG_FULL : HG_SYMMETRIC;
    int status = HGATE_OK;
    for (int first = 0; first < n && !status; first += plan->batch) {
        w->chunk.first = first;
        w->chunk.count = n - first < plan->batch ? n - first : plan->batch;
        status =
            hg_cuda_status(state, run->device_id,
                           (int)hg_curvature_fft_forward(&plan->spectra, &w->columns, &w->chunk,
                                                         plan->batch, w->is_general, run->stream),
                           "start curvature/fft");
        if (!status)
            status = invert(state, plan, w, run);
        if (!status)
            status = hg_cuda_status(
                state, run->device_id,
                (int)hg_curvature_gather(&w->columns, &w->chunk, route, w->F, run->stream),
                "start curvature/fft");
    }
    return status;
}

static int lay_out_run(const hgate_problem *problem, const hg_cuda_fft_plan *plan,
                       const hgate_run *run, Work *w)
{
    const CurvatureCut *c = &plan->spectra.cut;
    hgate_scratch s = {run->ws_device, run->ws_device_bytes, 0, 0};
    hg_cuda_columns_lay_out(&s, problem, HG_LISTS_PIECES, &w->columns);
    w->chunk.u_ld = 2 * c->bins;
    w->chunk.u_column = (int64_t)c->period_y * w->chunk.u_ld;
    w->chunk.u = hgate_scratch_take(&s, plan->batch, hg_cuda_fft_plane(problem, c));
    w->area = hgate_scratch_take(&s, 1, plan->work_bytes);
    if (s.is_short)
        return hgate_fail(run->host, HGATE_ENOMEM,
                          "curvature/fft: cuFFT wants %zu bytes for %d columns, which is more than "
                          "was reckoned with",
                          plan->work_bytes, plan->batch);
    return HGATE_OK;
}

static int start(hg_cuda_state *state, const hgate_problem *problem, hg_cuda_fft_plan *plan,
                 Work *w, hgate_run *run)
{
    const CurvatureCut *c = &plan->spectra.cut;
    const CurvatureLists lists = {HG_LISTS_PIECES, c->height, c->width, c->columns};
    const int status =
        hg_cuda_columns_set_up(state, problem, run, &plan->extent->device, &lists, 0, &w->columns);
    if (status)
        return status;
    run->committed = 1;
    return do_batches(state, plan, w, run);
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    hg_cuda_fft_plan *plan =
        (hg_cuda_fft_plan *)(uintptr_t)prepared; /* what changes in it is under its lock */
    Work w = {.F = hgate_arg_data(problem, HGATE_CURVATURE_F),
              .is_general = ((const hgate_curvature_params *)problem->params)->w_general};
    int previous;
    if (hgate_dim(problem, HGATE_DIM_CURVATURE_S) == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = lay_out_run(problem, plan, run, &w);
    if (!status)
        status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = start(state, problem, plan, &w, run);
    hg_cuda_leave(previous);
    return status;
}

static const hgate_term terms[] = {
    {"launches", HG_CUDA_K_launch},
    {"entries", HG_CUDA_K_curvature_entry},
    {"points", HG_CUDA_K_curvature_fft_point},
    {"pieces", HG_CUDA_K_curvature_fft_piece},
    {"gather", HG_CUDA_K_curvature_gather},
    {"elements", HG_CUDA_K_curvature_element},
};

const hgate_kernel hg_cuda_curvature_fft = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE,
    .name = "fft",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .prepare = hg_cuda_fft_prepare,
    .discard = hg_cuda_fft_discard,
    .run = run,
};
