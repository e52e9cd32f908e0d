/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan of kernel fft keeps: spectra of w, and a cuFFT plan without memory of its own. */
#include "plugins/cuda/curvature/fft_plan.h"
#include "plugins/cuda/curvature/columns.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO_SECTIONS = 4, WORTH_CUTTING = 16, AUTO_BATCH = 64, LONGEST = HG_FFT_LONGEST };

/* ---- sizes --------------------------------------------------------------- */

static int64_t setting(const hg_cuda_state *state, const char *key, int64_t otherwise)
{
    const char *text = state->host->setting(state->host, key);
    char *end;
    const long long value = text ? strtoll(text, &end, 10) : 0;
    return text && end != text && *end == '\0' && value > 0 ? value : otherwise;
}

/* Next length without a prime factor above 7, even where rows are real. */
static int64_t period_of(int64_t n, int is_even)
{
    for (;; n++) {
        int64_t rest = n;
        for (int factor = 2; factor <= 7; factor++)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1 && (!is_even || n % 2 == 0))
            return n;
    }
}

/* 0 where a period is too long. */
int hg_cuda_fft_cut(const hg_cuda_state *state, const hgate_problem *problem, CurvatureCut *c)
{
    const int64_t ny = hgate_dim(problem, HGATE_DIM_CURVATURE_NY),
                  nx = hgate_dim(problem, HGATE_DIM_CURVATURE_NX), smaller = ny < nx ? ny : nx;
    const int64_t n =
        setting(state, "ops.curvature.fft_sections", smaller < WORTH_CUTTING ? 1 : AUTO_SECTIONS);
    if (ny > LONGEST / 2 || nx > LONGEST / 2)
        return 0;
    *c = (CurvatureCut){.ny = (int)ny, .nx = (int)nx};
    c->height = (int)((ny + (n < ny ? n : ny) - 1) / (n < ny ? n : ny));
    c->width = (int)((nx + (n < nx ? n : nx) - 1) / (n < nx ? n : nx));
    c->rows = (c->ny + c->height - 1) / c->height;
    c->columns = (c->nx + c->width - 1) / c->width;
    c->period_y = (int)period_of(ny + c->height - 1, 0);
    c->period_x = (int)period_of(nx + c->width - 1, 1);
    c->bins = c->period_x / 2 + 1;
    return c->period_y <= LONGEST && c->period_x <= LONGEST;
}

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

/* Bytes of a transformed column. */
size_t hg_cuda_fft_plane(const hgate_problem *problem, const CurvatureCut *c)
{
    return 2 * real_size(problem) * (size_t)c->period_y * (size_t)c->bins;
}

/* Of a plan, whose runs may have any number of columns. */
int hg_cuda_fft_batch(const hg_cuda_state *state, const hgate_problem *problem,
                      const CurvatureCut *c)
{
    const size_t room = hg_cuda_columns_room(state, problem, HG_FFT_SPARE_BYTES) / 2;
    const size_t fits = room / (HG_FFT_PLANES * hg_cuda_fft_plane(problem, c));
    const int64_t wanted = setting(state, "ops.curvature.fft_batch", AUTO_BATCH);
    const int64_t batch = (int64_t)fits < wanted ? (int64_t)fits : wanted;
    return batch < 1 ? 1 : batch > LONGEST ? LONGEST : (int)batch;
}

static void lay_out(hgate_scratch *s, const hgate_problem *problem, const CurvatureCut *cut,
                    CurvatureSpectra *spectra)
{
    *spectra = (CurvatureSpectra){.cut = *cut, .is_f64 = problem->dtype == HGATE_F64};
    spectra->spectra =
        hgate_scratch_take(s, (int64_t)cut->rows * cut->columns, hg_cuda_fft_plane(problem, cut));
    spectra->turn_y = hgate_scratch_take(s, cut->period_y, 2 * real_size(problem));
    spectra->turn_x = hgate_scratch_take(s, cut->period_x, 2 * real_size(problem));
}

size_t hg_cuda_fft_plan_bytes(const hg_cuda_state *state, const hgate_problem *problem,
                              const CurvatureCut *cut)
{
    CurvatureSpectra spectra;
    hgate_scratch s = hgate_scratch_count();
    lay_out(&s, problem, cut, &spectra);
    return s.bytes == SIZE_MAX ? SIZE_MAX : s.bytes + hg_cuda_extent_bytes(state, problem);
}

/* ---- plan ---------------------------------------------------------------- */

/* What cannot be taken down leaves no error for the host's own checks. */
static void destroy_fft(const hg_cuda_calls *calls, cufftHandle handle)
{
    if (calls->cufftDestroy(handle) != CUFFT_SUCCESS)
        (void)cudaGetLastError();
}

/* A cuFFT plan over planes of period_y x bins numbers, in place. */
static int make_fft(hg_cuda_state *state, const hg_cuda_fft_plan *plan, int is_inverse, int batch,
                    cufftHandle *handle, size_t *work_bytes)
{
    const CurvatureCut *c = &plan->spectra.cut;
    const hg_cuda_calls *calls = hg_cuda_libs_calls(state->libs);
    const int is_f64 = plan->spectra.is_f64;
    long long n[] = {c->period_y, c->period_x}, numbers[] = {c->period_y, c->bins},
              reals[] = {c->period_y, 2 * (long long)c->bins};
    const long long plane = numbers[0] * numbers[1];
    const cufftType type =
        is_inverse ? (is_f64 ? CUFFT_Z2D : CUFFT_C2R) : (is_f64 ? CUFFT_D2Z : CUFFT_R2C);
    int code = (int)calls->cufftCreate(handle);
    if (code)
        return hg_cuda_library_status(state, plan->extent->device_id, code, "cufftCreate");
    code = (int)calls->cufftSetAutoAllocation(*handle, !is_inverse);
    if (!code)
        code = (int)calls->cufftMakePlanMany64(
            *handle, 2, n, is_inverse ? numbers : reals, 1, is_inverse ? plane : 2 * plane,
            is_inverse ? reals : numbers, 1, is_inverse ? 2 * plane : plane, type, batch,
            work_bytes);
    const int status =
        hg_cuda_library_status(state, plan->extent->device_id, code, "cufftMakePlanMany64");
    if (code)
        destroy_fft(calls, *handle);
    return status;
}

static int transform_sections(hg_cuda_state *state, const hg_cuda_fft_plan *plan,
                              cufftHandle forward, cudaStream_t stream)
{
    const CurvatureSpectra *s = &plan->spectra;
    const hg_cuda_calls *calls = hg_cuda_libs_calls(state->libs);
    const size_t plane = (s->is_f64 ? 16 : 8) * (size_t)s->cut.period_y * (size_t)s->cut.bins;
    int status =
        hg_cuda_library_status(state, plan->extent->device_id,
                               (int)calls->cufftSetStream(forward, stream), "cufftSetStream");
    for (int block = 0; block < s->cut.rows * s->cut.columns && !status; block++) {
        void *data = (char *)s->spectra + (size_t)block * plane;
        status =
            hg_cuda_status(state, plan->extent->device_id,
                           (int)hg_curvature_fft_section(&plan->extent->device, s, block, stream),
                           "prepare curvature/fft");
        if (!status)
            status =
                hg_cuda_library_status(state, plan->extent->device_id,
                                       s->is_f64 ? (int)calls->cufftExecD2Z(forward, data, data)
                                                 : (int)calls->cufftExecR2C(forward, data, data),
                                       "cufftExec");
    }
    return status;
}

/* Waits: the plan for the spectra goes, and other streams may use them next. */
static int fill_spectra(hg_cuda_state *state, const hg_cuda_fft_plan *plan, cudaStream_t stream)
{
    const int device_id = plan->extent->device_id;
    cufftHandle forward;
    size_t unused;
    int status =
        hg_cuda_status(state, device_id, (int)hg_curvature_fft_tables(&plan->spectra, stream),
                       "prepare curvature/fft");
    if (!status)
        status = make_fft(state, plan, 0, 1, &forward, &unused);
    if (status)
        return status;
    status = transform_sections(state, plan, forward, stream);
    if (!status)
        status =
            hg_cuda_status(state, device_id, (int)hg_curvature_fft_scale(&plan->spectra, stream),
                           "prepare curvature/fft");
    const int waited = hg_cuda_sync(state, device_id, stream);
    destroy_fft(hg_cuda_libs_calls(state->libs), forward);
    return status ? status : waited;
}

static int complete(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                    hg_cuda_fft_plan *plan)
{
    CurvatureCut cut;
    int previous;
    if (!hg_cuda_fft_cut(state, problem, &cut))
        return hgate_fail(state->host, HGATE_ESHAPE, "w: an extent too large for fft");
    hgate_scratch count = hgate_scratch_count();
    lay_out(&count, problem, &cut, &plan->spectra);
    int status = hg_cuda_ws_alloc(state, count.bytes, run->device_id, run->stream, &plan->memory);
    if (status)
        return status;
    hgate_scratch s = {plan->memory, count.bytes, 0, 0};
    lay_out(&s, problem, &cut, &plan->spectra);
    plan->batch = hg_cuda_fft_batch(state, problem, &cut);
    status = hg_cuda_libs_need(state->libs, HG_CUDA_CUFFT);
    if (!status)
        status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = fill_spectra(state, plan, run->stream);
    if (!status)
        status = make_fft(state, plan, 1, plan->batch, &plan->inverse, &plan->work_bytes);
    if (!status)
        plan->calls = hg_cuda_libs_calls(state->libs);
    hg_cuda_leave(previous);
    return status;
}

void hg_cuda_fft_discard(void *state, void *prepared)
{
    hg_cuda_state *s = state;
    hg_cuda_fft_plan *plan = prepared;
    int previous;
    if (plan->calls) { /* goes even where the device cannot be selected */
        const int status = hg_cuda_enter(s, plan->extent->device_id, &previous);
        destroy_fft(plan->calls, plan->inverse);
        if (status == HGATE_OK)
            hg_cuda_leave(previous);
    }
    hg_cuda_ws_free(s, plan->memory, plan->extent->device_id, plan->extent->stream);
    hg_cuda_extent_discard(s, plan->extent);
    pthread_mutex_destroy(&plan->lock);
    s->host->free(s->host, plan);
}

int hg_cuda_fft_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                        void **prepared)
{
    hg_cuda_state *s = state;
    void *extent;
    int status = hg_cuda_extent_prepare(s, problem, run, &extent);
    if (status)
        return status;
    hg_cuda_fft_plan *plan = s->host->alloc(s->host, sizeof *plan, 64);
    if (!plan) {
        hg_cuda_extent_discard(s, extent);
        return hgate_fail(s->host, HGATE_ENOMEM, "curvature: no memory for a plan");
    }
    memset(plan, 0, sizeof *plan);
    plan->extent = extent;
    pthread_mutex_init(&plan->lock, NULL);
    status = complete(s, problem, run, plan);
    if (status)
        hg_cuda_fft_discard(s, plan);
    else
        *prepared = plan;
    return status;
}
