/* SPDX-License-Identifier: BSD-3-Clause */
/* Device workspace, copies, and waiting: never for more than the caller's stream. */
#include "plugins/cuda/runtime/fault.h"
#include "plugins/cuda/runtime/state.h"
#include <cuda_runtime_api.h>
#include <stdio.h>

/* A plain allocation: stream-ordered pools would stay attached to the host application's device. */
int hg_cuda_ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory)
{
    hg_cuda_state *s = state;
    int previous;
    (void)stream;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    void *p = NULL;
    const cudaError_t error = cudaMalloc(&p, bytes);
    if (error == cudaErrorMemoryAllocation) {
        size_t available = 0, total = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&available, &total);
        (void)cudaGetLastError();
        char text[128];
        snprintf(text, sizeof text, "cuda:%d: %zu bytes asked for, %zu free", device_id, bytes,
                 available);
        status = s->host->error(s->host, HGATE_ENOMEM, text);
    } else {
        status = hg_cuda_status(s, device_id, (int)error, "allocate");
    }
    hg_cuda_leave(previous);
    if (!status)
        *memory = p;
    return status;
}

/* Memory knows its device: where that cannot be made current, it goes all the same. */
void hg_cuda_ws_free(void *state, void *memory, int device_id, void *stream)
{
    hg_cuda_state *s = state;
    int previous;
    (void)stream;
    if (!memory || hg_cuda_is_lost(s, device_id))
        return;
    const bool is_current = hg_cuda_enter(s, device_id, &previous) == HGATE_OK;
    if (cudaFree(memory) != cudaSuccess)
        (void)cudaGetLastError();
    if (is_current)
        hg_cuda_leave(previous);
}

int hg_cuda_free_memory(void *state, int device_id, size_t *bytes)
{
    hg_cuda_state *s = state;
    size_t available = 0, total = 0;
    int previous;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    status =
        hg_cuda_status(s, device_id, (int)cudaMemGetInfo(&available, &total), "ask for memory");
    hg_cuda_leave(previous);
    if (!status)
        *bytes = available;
    return status;
}

/* ---- copies */

static cudaError_t start_copy(int direction, void *device, void *host, size_t bytes,
                              cudaStream_t stream)
{
    return direction == HGATE_COPY_IN
               ? cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream)
               : cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream);
}

static int copy_status(hg_cuda_state *s, int direction, int device_id, cudaError_t error)
{
    return hg_cuda_status(s, device_id, (int)error,
                          direction == HGATE_COPY_IN ? "copy to the device" : "copy to the host");
}

int hg_cuda_copy_async(void *state, int direction, void *device, void *host, size_t bytes,
                       int device_id, void *stream)
{
    hg_cuda_state *s = state;
    int previous;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    status = copy_status(s, direction, device_id,
                         start_copy(direction, device, host, bytes, (cudaStream_t)stream));
    hg_cuda_leave(previous);
    return status;
}

/* Pageable host memory: the call returns when the host buffer may be reused. A copy out waits for
 * the stream, since the caller reads the buffer next. */
int hg_cuda_copy(void *state, int direction, void *device, void *host, size_t bytes, int device_id,
                 void *stream)
{
    hg_cuda_state *s = state;
    const cudaStream_t st = stream;
    int previous;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    cudaError_t error = start_copy(direction, device, host, bytes, st);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(st);
    status = copy_status(s, direction, device_id, error);
    hg_cuda_leave(previous);
    return status;
}

int hg_cuda_sync(void *state, int device_id, void *stream)
{
    hg_cuda_state *s = state;
    int previous;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_status(s, device_id, (int)cudaStreamSynchronize((cudaStream_t)stream),
                            "wait for the stream");
    hg_cuda_leave(previous);
    return status ? status : hg_cuda_fault_take(s, device_id, stream);
}
