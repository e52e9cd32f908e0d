/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel `library` of emi and evd: cuSOLVER's eigensolver and cuBLAS' pivoting inverse over chunks
 * of points. It serves every rule, type and size; what the other kernels cannot do ends here. */
#include "plugins/cuda/emi/library.h"
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/pool.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of a chunk of `count` points at `memory`; returns the bytes, also when memory is NULL. */
static size_t lay_out(LibraryChunk *k, size_t count, size_t n, void *memory)
{
    const struct {
        void **piece;
        size_t bytes; /* a point */
    } pieces[] = {
        {(void **)&k->a, 8 * n * n},
        {(void **)&k->inverse, 8 * n * n},
        {(void **)&k->m, 16 * n * n},
        {(void **)&k->values, 8 * n},
        {(void **)&k->beta, 8},
        {(void **)&k->state, 4},
        {(void **)&k->pivots, 4 * n},
        {(void **)&k->info_lu, 4},
        {(void **)&k->info_inverse, 4},
        {(void **)&k->info_values, 4},
        {(void **)&k->info_vectors, 4},
        {(void **)&k->a_each, sizeof(double *)},
        {(void **)&k->inverse_each, sizeof(double *)},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        if (memory)
            *pieces[i].piece = (char *)memory + used;
        used += (count * pieces[i].bytes + 255) & ~(size_t)255;
    }
    return used;
}

/* What `count` points want with the solver's share, which only a device can tell: cuSOLVER of CUDA
 * 13 was seen to want 1 MiB and about 14 KiB an image. */
static size_t bytes_guess(size_t count, size_t n)
{
    LibraryChunk none;
    return lay_out(&none, count, n, NULL) + count * 64 * n * n + ((size_t)2 << 20) + 20480 * n;
}

static size_t workspace_cap(const hg_cuda_state *state)
{
    const char *text = state->host->setting(state->host, "ops.emi.cuda.workspace_mb");
    const long megabytes = text ? strtol(text, NULL, 10) : 0;
    return (size_t)(megabytes > 0 ? megabytes : 1024) << 20;
}

int hg_cuda_emi_library_supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    hg_cuda_state *s = state;
    int status = hg_cuda_refuse_device(s, problem, reason);
    if (!status)
        status = hg_cuda_libs_can(s->libs, HG_CUDA_CUBLAS, reason);
    return status ? status : hg_cuda_libs_can(s->libs, HG_CUDA_CUSOLVER, reason);
}

size_t hg_cuda_emi_library_bytes(const hg_cuda_state *state, size_t points, size_t n)
{
    const size_t cap = workspace_cap(state), one = bytes_guess(1, n);
    const size_t all = points > cap / (96 * n * n) ? cap : bytes_guess(points, n);
    return all < cap ? all : cap > one ? cap : one;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const size_t n = (size_t)hgate_dim(problem, HGATE_DIM_EMI_N);
    const size_t points = (size_t)hgate_dim(problem, HGATE_DIM_EMI_BATCH);
    est->ws_device = hg_cuda_emi_library_bytes(state, points, n);
    est->ws_host = HG_CUDA_EMI_LIBRARY_HOST;
    const double chunks = ceil((double)points * (double)bytes_guess(1, n) / (double)est->ws_device);
    est->terms[0] = 1 + chunks * 12;
    est->terms[1] = chunks * (double)n;
    est->terms[2] = (double)points * (double)n * (double)n * (double)n;
    return HGATE_OK;
}

/* ---- the calls ----------------------------------------------------------------------------------
 */

typedef struct Solver {
    hg_cuda_state *state;
    hg_cuda_handle *handle;
    int device_id;
    cudaStream_t stream;
    LibraryChunk chunk;
    const hg_cuda_emi_rest *rest; /* the points, the memory */
    void *device;                 /* the solver's workspace */
    size_t device_bytes, host_bytes;
} Solver;

static int check(const Solver *s, int code, const char *call)
{
    return hg_cuda_library_status(s->state, s->device_id, code, call);
}

static int launched(const Solver *s, cudaError_t error)
{
    return hg_cuda_status(s->state, s->device_id, (int)error, "start emi/library");
}

/* The larger of what the two eigenproblems want for `count` points. */
static int solver_bytes(const Solver *s, size_t count, size_t *device, size_t *host)
{
    const hg_cuda_handle *h = s->handle;
    const int64_t n = s->chunk.args.n;
    size_t d1 = 0, h1 = 0, d2 = 0, h2 = 0;
    int code = (int)h->calls->cusolverDnXsyevBatched_bufferSize(
        h->solver, h->solver_params, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n,
        CUDA_R_64F, NULL, n, CUDA_R_64F, NULL, CUDA_R_64F, &d1, &h1, (int64_t)count);
    if (!code)
        code = (int)h->calls->cusolverDnXsyevBatched_bufferSize(
            h->solver, h->solver_params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n,
            CUDA_C_64F, NULL, n, CUDA_R_64F, NULL, CUDA_C_64F, &d2, &h2, (int64_t)count);
    *device = d1 > d2 ? d1 : d2;
    *host = h1 > h2 ? h1 : h2;
    return check(s, code, "cusolverDnXsyevBatched_bufferSize");
}

/* Largest chunk that the workspace holds, found by halving; one point must fit. */
static int choose_chunk(Solver *s, size_t *count)
{
    const size_t n = (size_t)s->chunk.args.n, points = (size_t)s->rest->count;
    size_t need = 0;
    for (size_t c = points < INT_MAX / 2 ? points : INT_MAX / 2; c > 0; c /= 2) {
        const size_t own = lay_out(&s->chunk, c, n, NULL);
        if (own > s->rest->device_bytes)
            continue;
        const int status = solver_bytes(s, c, &s->device_bytes, &s->host_bytes);
        if (status)
            return status;
        need = own + s->device_bytes;
        if (need <= s->rest->device_bytes && s->host_bytes <= s->rest->host_bytes) {
            lay_out(&s->chunk, c, n, s->rest->device);
            s->device = (char *)s->rest->device + own;
            *count = c;
            return HGATE_OK;
        }
    }
    return hgate_fail(
        s->state->host, HGATE_ENOMEM,
        "emi/library: one point of %zu images needs %zu bytes of device workspace, given %zu", n,
        need, s->rest->device_bytes);
}

static int eigenvalues_of_modulus(const Solver *s)
{
    const LibraryChunk *k = &s->chunk;
    const hg_cuda_handle *h = s->handle;
    const int64_t n = k->args.n;
    return check(s,
                 (int)h->calls->cusolverDnXsyevBatched(
                     h->solver, h->solver_params, CUSOLVER_EIG_MODE_NOVECTOR,
                     CUBLAS_FILL_MODE_UPPER, n, CUDA_R_64F, k->a, n, CUDA_R_64F, k->values,
                     CUDA_R_64F, s->device, s->device_bytes, s->rest->host, s->host_bytes,
                     k->info_values, k->count),
                 "cusolverDnXsyevBatched");
}

static int inverse_of_modulus(const Solver *s)
{
    const LibraryChunk *k = &s->chunk;
    const hg_cuda_handle *h = s->handle;
    const int n = k->args.n, count = (int)k->count;
    int status = check(
        s,
        (int)h->calls->cublasDgetrfBatched(h->blas, n, k->a_each, n, k->pivots, k->info_lu, count),
        "cublasDgetrfBatched");
    if (!status)
        status = check(s,
                       (int)h->calls->cublasDgetriBatched(
                           h->blas, n, (const double *const *)k->a_each, n, k->pivots,
                           k->inverse_each, n, k->info_inverse, count),
                       "cublasDgetriBatched");
    return status;
}

static int eigenvectors(const Solver *s)
{
    const LibraryChunk *k = &s->chunk;
    const hg_cuda_handle *h = s->handle;
    const int64_t n = k->args.n;
    return check(s,
                 (int)h->calls->cusolverDnXsyevBatched(
                     h->solver, h->solver_params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                     n, CUDA_C_64F, k->m, n, CUDA_R_64F, k->values, CUDA_C_64F, s->device,
                     s->device_bytes, s->rest->host, s->host_bytes, k->info_vectors, k->count),
                 "cusolverDnXsyevBatched");
}

static int solve_chunk(const Solver *s)
{
    const LibraryChunk *k = &s->chunk;
    int status = launched(s, hg_emi_library_load(k, s->stream));
    if (!status && k->rule == hg_emi_evd)
        status = launched(s, cudaMemsetAsync(k->beta, 0, 8 * (size_t)k->count, s->stream));
    if (!status && k->rule != hg_emi_evd) {
        status = eigenvalues_of_modulus(s);
        if (!status)
            status = launched(s, hg_emi_library_regularize(k, s->stream));
        if (!status)
            status = inverse_of_modulus(s);
    }
    if (!status)
        status = launched(s, hg_emi_library_weigh(k, s->stream));
    if (!status)
        status = eigenvectors(s);
    return status ? status : launched(s, hg_emi_library_finish(k, s->stream));
}

static int solve(Solver *s, hgate_run *run)
{
    const int64_t points = s->rest->count;
    size_t count = 0;
    int status = choose_chunk(s, &count);
    if (status)
        return status;
    run->committed = 1;
    for (int64_t first = 0; first < points && !status; first += (int64_t)count) {
        s->chunk.first = first;
        s->chunk.count = points - first < (int64_t)count ? points - first : (int64_t)count;
        status = solve_chunk(s);
    }
    return status;
}

static int rule_of(const hgate_problem *problem)
{
    const hgate_emi_params *params = problem->params;
    if (problem->op == HGATE_OP_EVD)
        return hg_emi_evd;
    return params->rule == HGATE_EMI_BETA_ADAPTIVE ? hg_emi_adaptive
           : params->rule == HGATE_EMI_BETA_FIXED  ? hg_emi_fixed
                                                   : hg_emi_none;
}

int hg_cuda_emi_library_run(hg_cuda_state *state, const hgate_problem *problem, hgate_run *run,
                            const hg_cuda_emi_rest *rest)
{
    const hgate_emi_params *params = problem->params;
    Solver s = {.state = state,
                .device_id = run->device_id,
                .stream = run->stream,
                .rest = rest,
                .chunk = {.args = hg_cuda_emi_arguments(state, problem),
                          .is_wide = problem->dtype == HGATE_C128,
                          .rule = rule_of(problem),
                          .fallback_evd = params->fallback == HGATE_EMI_FALLBACK_EVD,
                          .index = rest->index}};
    int previous;
    if (rest->count == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_handle_take(state, run->device_id, run->stream, true, &s.handle);
    if (!status) {
        status = solve(&s, run);
        hg_cuda_handle_give(state, s.handle);
    }
    hg_cuda_leave(previous);
    return status;
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cuda_emi_rest all = {.count = hgate_dim(problem, HGATE_DIM_EMI_BATCH),
                                  .device = run->ws_device,
                                  .device_bytes = run->ws_device_bytes,
                                  .host = run->ws_host,
                                  .host_bytes = run->ws_host_bytes};
    return hg_cuda_emi_library_run(state, problem, run, &all);
}

static const hgate_term terms[] = {{"launches", HG_CUDA_K_launch},
                                   {"steps", HG_CUDA_K_emi_library_step},
                                   {"n3", HG_CUDA_K_emi_library_n3}};

#define LIBRARY_KERNEL(SYMBOL, OP)                                                                 \
    const hgate_kernel SYMBOL = {                                                                  \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = "library",                                                                         \
        .dtypes = HGATE_C64 | HGATE_C128,                                                          \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(terms),                                                         \
        .terms = terms,                                                                            \
        .supports = hg_cuda_emi_library_supports,                                                  \
        .estimate = estimate,                                                                      \
        .run = run,                                                                                \
    };

LIBRARY_KERNEL(hg_cuda_emi_library, HGATE_OP_EMI)
LIBRARY_KERNEL(hg_cuda_evd_library, HGATE_OP_EVD)
