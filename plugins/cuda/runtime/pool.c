/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool of library handles: one list for all devices under one lock, since a handle is taken for
 * microseconds of host time and there are few. */
#include "plugins/cuda/runtime/pool.h"
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct hg_cuda_pool {
    pthread_mutex_t lock;
    hg_cuda_handle *idle;
};

int hg_cuda_pool_new(const hgate_host *host, struct hg_cuda_pool **pool)
{
    struct hg_cuda_pool *p = host->alloc(host, sizeof *p, 64);
    if (!p)
        return HGATE_ENOMEM;
    pthread_mutex_init(&p->lock, NULL);
    p->idle = NULL;
    *pool = p;
    return HGATE_OK;
}

int hg_cuda_library_status(hg_cuda_state *state, int device_id, int code, const char *call)
{
    if (code == 0)
        return HGATE_OK;
    /* a launch failure inside the library leaves its cause with the runtime */
    const int cause = (int)cudaPeekAtLastError();
    if (cause)
        return hg_cuda_status(state, device_id, cause, call);
    char text[128];
    snprintf(text, sizeof text, "cuda:%d: %s failed with code %d", device_id, call, code);
    /* 3 is CUBLAS_STATUS_ALLOC_FAILED, 2 CUSOLVER_STATUS_ALLOC_FAILED and CUFFT_ALLOC_FAILED */
    const int status = code == 2 || code == 3 ? HGATE_ENOMEM : HGATE_EINTERNAL;
    return state->host->error(state->host, status, text);
}

static void destroy(hg_cuda_state *state, hg_cuda_handle *h)
{
    if (h->solver_params)
        h->calls->cusolverDnDestroyParams(h->solver_params);
    if (h->solver)
        h->calls->cusolverDnDestroy(h->solver);
    if (h->blas)
        h->calls->cublasDestroy_v2(h->blas);
    state->host->free(state->host, h);
}

void hg_cuda_pool_free(hg_cuda_state *state)
{
    struct hg_cuda_pool *p = state->pool;
    if (!p)
        return;
    while (p->idle) {
        hg_cuda_handle *h = p->idle;
        int previous;
        p->idle = h->next;
        if (hg_cuda_is_lost(state, h->device_id)) {
            state->host->free(state->host, h); /* the context is gone, and the handles with it */
            continue;
        }
        const bool is_current = hg_cuda_enter(state, h->device_id, &previous) == HGATE_OK;
        destroy(state, h);
        if (is_current)
            hg_cuda_leave(previous);
    }
    pthread_mutex_destroy(&p->lock);
    state->host->free(state->host, p);
}

static hg_cuda_handle *take_idle(struct hg_cuda_pool *p, int device_id)
{
    pthread_mutex_lock(&p->lock);
    hg_cuda_handle **at = &p->idle;
    while (*at && (*at)->device_id != device_id)
        at = &(*at)->next;
    hg_cuda_handle *h = *at;
    if (h)
        *at = h->next;
    pthread_mutex_unlock(&p->lock);
    return h;
}

static int create(hg_cuda_state *state, int device_id, hg_cuda_handle **handle)
{
    hg_cuda_handle *h = state->host->alloc(state->host, sizeof *h, 64);
    if (!h)
        return HGATE_ENOMEM;
    memset(h, 0, sizeof *h);
    h->device_id = device_id;
    h->calls = hg_cuda_libs_calls(state->libs);
    const int status = hg_cuda_library_status(
        state, device_id, (int)h->calls->cublasCreate_v2(&h->blas), "cublasCreate");
    if (status)
        destroy(state, h);
    else
        *handle = h;
    return status;
}

static int add_solver(hg_cuda_state *state, hg_cuda_handle *h)
{
    int status = hg_cuda_libs_need(state->libs, HG_CUDA_CUSOLVER);
    if (!status && !h->solver)
        status = hg_cuda_library_status(
            state, h->device_id, (int)h->calls->cusolverDnCreate(&h->solver), "cusolverDnCreate");
    if (!status && !h->solver_params)
        status = hg_cuda_library_status(state, h->device_id,
                                        (int)h->calls->cusolverDnCreateParams(&h->solver_params),
                                        "cusolverDnCreateParams");
    return status;
}

/* Everything a former user may have left is set again. */
static int prepare(hg_cuda_state *state, hg_cuda_handle *h, cudaStream_t stream)
{
    int code = (int)h->calls->cublasSetStream_v2(h->blas, stream);
    if (!code)
        code = (int)h->calls->cublasSetPointerMode_v2(h->blas, CUBLAS_POINTER_MODE_HOST);
    if (!code)
        code = (int)h->calls->cublasSetMathMode(h->blas, CUBLAS_PEDANTIC_MATH);
    if (!code && h->solver)
        code = (int)h->calls->cusolverDnSetStream(h->solver, stream);
    return hg_cuda_library_status(state, h->device_id, code, "set up a library handle");
}

int hg_cuda_handle_take(hg_cuda_state *state, int device_id, void *stream, bool with_solver,
                        hg_cuda_handle **handle)
{
    int status = hg_cuda_libs_need(state->libs, HG_CUDA_CUBLAS);
    if (status)
        return status;
    hg_cuda_handle *h = take_idle(state->pool, device_id);
    if (!h)
        status = create(state, device_id, &h);
    if (status)
        return status;
    if (with_solver)
        status = add_solver(state, h);
    if (!status)
        status = prepare(state, h, (cudaStream_t)stream);
    if (status)
        hg_cuda_handle_give(state, h);
    else
        *handle = h;
    return status;
}

void hg_cuda_handle_give(hg_cuda_state *state, hg_cuda_handle *handle)
{
    struct hg_cuda_pool *p = state->pool;
    pthread_mutex_lock(&p->lock);
    handle->next = p->idle;
    p->idle = handle;
    pthread_mutex_unlock(&p->lock);
}
