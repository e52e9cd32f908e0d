/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels direct of curvature_dirty and curvature_data_vector, and the check of visibilities. */
#include "plugins/cuda/curvature/sky.h"
#include "plugins/cuda/curvature/curvature.h"
#include "plugins/cuda/kernels.h"
#include <inttypes.h>

/* ---- checks -------------------------------------------------------------- */

CurvatureVisibilities hg_cuda_visibilities(const hgate_problem *problem, int uv, int sigma,
                                           int count)
{
    return (CurvatureVisibilities){.count = hgate_dim(problem, count),
                                   .uv = hgate_arg_data(problem, uv),
                                   .sigma = hgate_arg_data(problem, sigma),
                                   .sigma_step = hgate_arg(problem, sigma)->ndim == 2 ? 2 : 1};
}

static int tell(const hg_cuda_state *state, const unsigned long long found[HG_N_FAULTS])
{
    static const char *const texts[HG_N_FAULTS] = {
        [HG_FAULT_UV] = "uv: element %llu is not finite, expected a finite number",
        [HG_FAULT_SIGMA] = "sigma: element %llu is not above 0, expected a number above 0, or Inf",
        [HG_FAULT_SIGMA_PAIR] =
            "sigma: element %llu differs from column 0, expected the number of column 0",
        [HG_FAULT_VIS] = "vis: part %llu is not finite, expected a finite number",
        [HG_FAULT_Y] = "y: element %llu is not finite, expected a finite number",
        [HG_FAULT_X] = "x: element %llu is not finite, expected a finite number",
    };
    char text[128];
    for (int i = 0; i < HG_N_FAULTS; i++)
        if (found[i] != ~0ull) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, texts[i], found[i]);
#pragma GCC diagnostic pop
            return state->host->error(state->host, HGATE_EVALUE, text);
        }
    return HGATE_OK;
}

int hg_cuda_check_visibilities(hg_cuda_state *state, const hgate_run *run,
                               const CurvatureVisibilities *v, const CurvatureDirty *dirty,
                               unsigned long long *faults)
{
    unsigned long long found[HG_N_FAULTS];
    if (run->check == HGATE_CHECK_NONE)
        return HGATE_OK;
    int status = hg_cuda_refuse_capture(state, run, "curvature: " HG_CUDA_NO_CHECK);
    if (status)
        return status;
    cudaError_t error = cudaMemsetAsync(faults, 0xff, sizeof found, run->stream);
    if (error == cudaSuccess)
        error = hg_curvature_look_at_visibilities(v, dirty, faults, run->stream);
    status = hg_cuda_status(state, run->device_id, (int)error, "check visibilities");
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, faults, found, sizeof found, run->device_id,
                              run->stream);
    return status ? status : tell(state, found);
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    return hg_cuda_refuse_device(state, problem, reason);
}

/* ---- dirty image --------------------------------------------------------- */

/* Visibilities are cut where pixels alone do not fill a device of 2^18 threads. */
static int slices_of(int64_t n_pixels, int64_t count)
{
    const int64_t by_room = (1 << 18) / (n_pixels > 0 ? n_pixels : 1), by_work = count / 1024;
    const int64_t slices = by_room < by_work ? by_room : by_work;
    return (int)(slices < 1 ? 1 : slices > 1024 ? 1024 : slices);
}

static void lay_out_dirty(hgate_scratch *s, const hgate_problem *problem, CurvatureDirty *d,
                          unsigned long long **faults)
{
    *d = (CurvatureDirty){.n_pixels = hgate_dim(problem, HGATE_DIM_CURVATURE_DIRTY_N)};
    d->n_slices = slices_of(d->n_pixels, hgate_dim(problem, HGATE_DIM_CURVATURE_DIRTY_K));
    *faults = hgate_scratch_take(s, HG_N_FAULTS, sizeof **faults);
    if (d->n_slices > 1)
        d->parts = hgate_scratch_take(s, d->n_slices, (size_t)d->n_pixels * sizeof(double));
}

static int dirty_estimate(void *state, const hgate_problem *problem, const double *k,
                          hgate_estimate *est)
{
    (void)state, (void)k;
    CurvatureDirty d;
    unsigned long long *faults;
    hgate_scratch s = hgate_scratch_count();
    lay_out_dirty(&s, problem, &d, &faults);
    est->ws_device = s.bytes;
    est->terms[0] = 4;
    est->terms[1] = (double)d.n_pixels * (double)hgate_dim(problem, HGATE_DIM_CURVATURE_DIRTY_K);
    return HGATE_OK;
}

static int start_dirty(hg_cuda_state *state, const hgate_problem *problem, CurvatureDirty *d,
                       unsigned long long *faults, hgate_run *run)
{
    const CurvatureVisibilities v =
        hg_cuda_visibilities(problem, HGATE_CURVATURE_DIRTY_UV, HGATE_CURVATURE_DIRTY_SIGMA,
                             HGATE_DIM_CURVATURE_DIRTY_K);
    d->vis = hgate_arg_data(problem, HGATE_CURVATURE_DIRTY_VIS);
    d->y = hgate_arg_data(problem, HGATE_CURVATURE_DIRTY_Y);
    d->x = hgate_arg_data(problem, HGATE_CURVATURE_DIRTY_X);
    d->d = hgate_arg_data(problem, HGATE_CURVATURE_DIRTY_D);
    const int status = hg_cuda_check_visibilities(state, run, &v, d, faults);
    if (status)
        return status;
    run->committed = 1;
    if (d->n_pixels == 0)
        return HGATE_OK;
    return hg_cuda_status(state, run->device_id, (int)hg_curvature_dirty(&v, d, run->stream),
                          "start curvature_dirty");
}

static int dirty_run(void *state, const hgate_problem *problem, const void *prepared,
                     hgate_run *run)
{
    (void)prepared;
    CurvatureDirty d;
    unsigned long long *faults;
    hgate_scratch s = {run->ws_device, run->ws_device_bytes, 0, 0};
    int previous;
    lay_out_dirty(&s, problem, &d, &faults);
    if (s.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature_dirty: workspace is too small");
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = start_dirty(state, problem, &d, faults, run);
    hg_cuda_leave(previous);
    return status;
}

/* ---- data vector --------------------------------------------------------- */

enum { N_PRODUCT_FAULTS = 2 };

static int product_estimate(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)state, (void)k;
    est->ws_device = N_PRODUCT_FAULTS * sizeof(unsigned long long);
    est->terms[0] = 6;
    est->terms[1] = (double)hgate_dim(problem, HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ) +
                    (double)hgate_dim(problem, HGATE_DIM_CURVATURE_DATA_VECTOR_S);
    return HGATE_OK;
}

static int check_product(hg_cuda_state *state, const CurvatureProduct *a, const hgate_run *run)
{
    unsigned long long *faults = run->ws_device, found[N_PRODUCT_FAULTS];
    if (run->check == HGATE_CHECK_NONE)
        return HGATE_OK;
    int status = hg_cuda_refuse_capture(state, run, "curvature_data_vector: " HG_CUDA_NO_CHECK);
    if (status)
        return status;
    cudaError_t error = cudaMemsetAsync(faults, 0xff, sizeof found, run->stream);
    if (error == cudaSuccess)
        error = hg_curvature_look_at_columns(a, faults, run->stream);
    status = hg_cuda_status(state, run->device_id, (int)error, "check curvature_data_vector");
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, faults, found, sizeof found, run->device_id,
                              run->stream);
    if (status)
        return status;
    if (found[0] != ~0ull)
        return hgate_fail(state->host, HGATE_EVALUE,
                          "indptr: entry %llu breaks the order, expected a rise from 0 to %" PRId64,
                          found[0], a->nnz);
    if (found[1] != ~0ull)
        return hgate_fail(state->host, HGATE_EVALUE,
                          "rows: entry %llu is out of range, expected 0 to %" PRId64, found[1],
                          a->n_rows - 1);
    return HGATE_OK;
}

static int product_run(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)prepared;
    const CurvatureProduct a = {
        .n_rows = hgate_dim(problem, HGATE_DIM_CURVATURE_DATA_VECTOR_N),
        .nnz = hgate_dim(problem, HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ),
        .n_columns = hgate_dim(problem, HGATE_DIM_CURVATURE_DATA_VECTOR_S),
        .d = hgate_arg_data(problem, HGATE_CURVATURE_DATA_VECTOR_d),
        .vals = hgate_arg_data(problem, HGATE_CURVATURE_DATA_VECTOR_VALS),
        .rows = hgate_arg_data(problem, HGATE_CURVATURE_DATA_VECTOR_ROWS),
        .indptr = hgate_arg_data(problem, HGATE_CURVATURE_DATA_VECTOR_INDPTR),
        .rows_are_64 = hgate_is_int64(hgate_arg(problem, HGATE_CURVATURE_DATA_VECTOR_ROWS)),
        .is_f64 = problem->dtype == HGATE_F64,
        .D = hgate_arg_data(problem, HGATE_CURVATURE_DATA_VECTOR_D),
    };
    int previous;
    if (a.n_columns == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = check_product(state, &a, run);
    if (!status) {
        run->committed = 1;
        status =
            hg_cuda_status(state, run->device_id, (int)hg_curvature_data_vector(&a, run->stream),
                           "start curvature_data_vector");
    }
    hg_cuda_leave(previous);
    return status;
}

/* ---- records ------------------------------------------------------------- */

static const hgate_term dirty_terms[] = {{"launches", HG_CUDA_K_launch},
                                         {"waves", HG_CUDA_K_curvature_wave}};
static const hgate_term product_terms[] = {{"launches", HG_CUDA_K_launch},
                                           {"entries", HG_CUDA_K_curvature_data_entry}};

#define SKY_KERNEL(SYMBOL, OP, DTYPES, WORD)                                                       \
    const hgate_kernel SYMBOL = {                                                                  \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = "direct",                                                                          \
        .dtypes = DTYPES,                                                                          \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(WORD##_terms),                                                  \
        .terms = WORD##_terms,                                                                     \
        .supports = supports,                                                                      \
        .estimate = WORD##_estimate,                                                               \
        .run = WORD##_run,                                                                         \
    };

SKY_KERNEL(hg_cuda_curvature_dirty, HGATE_OP_CURVATURE_DIRTY, HGATE_F64 | HGATE_C128, dirty)
SKY_KERNEL(hg_cuda_curvature_data_vector, HGATE_OP_CURVATURE_DATA_VECTOR, HGATE_F32 | HGATE_F64,
           product)
