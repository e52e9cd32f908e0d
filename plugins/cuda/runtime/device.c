/* SPDX-License-Identifier: BSD-3-Clause */
/* The current device, kept as the caller had it, and what CUDA error codes mean to us. */
#include "plugins/cuda/runtime/state.h"
#include <cuda_runtime_api.h>
#include <stdio.h>

bool hg_cuda_is_lost(const hg_cuda_state *state, int device_id)
{
    if (device_id < 0 || device_id >= state->n_devices)
        return false;
    return __atomic_load_n(&state->devices[device_id].is_lost, __ATOMIC_RELAXED) != 0;
}

int hg_cuda_enter(hg_cuda_state *state, int device_id, int *previous)
{
    const hgate_host *host = state->host;
    if (state->is_assumed)
        return host->error(host, HGATE_EUNAVAILABLE,
                           "the device is only assumed: nothing can run on it");
    if (hg_cuda_is_lost(state, device_id))
        return host->error(host, HGATE_EDEVICE_LOST, "the device failed before");
    cudaError_t error = cudaGetDevice(previous);
    if (error == cudaSuccess && *previous != device_id)
        error = cudaSetDevice(device_id);
    return hg_cuda_status(state, device_id, (int)error, "select the device");
}

void hg_cuda_leave(int previous)
{
    int now = -1; /* where nobody can tell, the device is set */
    cudaError_t error = cudaGetDevice(&now);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    if (now != previous)
        error = cudaSetDevice(previous);
    if (error != cudaSuccess)
        (void)cudaGetLastError(); /* not for the caller's own checks */
}

/* Errors after which the context of the process is gone. */
static bool is_sticky(cudaError_t error)
{
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorContextIsDestroyed:
        return true;
    default:
        return false;
    }
}

int hg_cuda_status(hg_cuda_state *state, int device_id, int code, const char *what)
{
    const cudaError_t error = (cudaError_t)code;
    if (error == cudaSuccess)
        return HGATE_OK;
    (void)cudaGetLastError(); /* an error that is not sticky must not be found by the caller's own
                                 checks */
    char text[256];
    snprintf(text, sizeof text, "cuda:%d: cannot %s: %s", device_id, what,
             cudaGetErrorString(error));
    int status = HGATE_EINTERNAL;
    if (error == cudaErrorMemoryAllocation)
        status = HGATE_ENOMEM;
    else if (error == cudaErrorDevicesUnavailable)
        status = HGATE_EDEVICE_BUSY;
    else if (error == cudaErrorStreamCaptureUnsupported ||
             error == cudaErrorStreamCaptureInvalidated)
        status = HGATE_ESTATE;
    else if (is_sticky(error)) {
        status = HGATE_EDEVICE_LOST;
        if (device_id >= 0 && device_id < state->n_devices)
            __atomic_store_n(&state->devices[device_id].is_lost, 1, __ATOMIC_RELAXED);
    }
    return state->host->error(state->host, status, text);
}
