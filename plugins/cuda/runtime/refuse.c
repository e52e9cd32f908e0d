/* SPDX-License-Identifier: BSD-3-Clause */
/* The refusals that every kernel of the plugin shares. */
#include "plugins/cuda/runtime/state.h"
#include <cuda_runtime_api.h>
#include <math.h>

int hg_cuda_refuse_device(const hg_cuda_state *state, const hgate_problem *problem,
                          hgate_reason *reason)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    if (!device)
        return hgate_refuse(reason, HGATE_REFUSE_DEVICE, problem->device_id, state->n_devices - 1,
                            "device %d is not there, %d visible", problem->device_id,
                            state->n_devices);
    if (device->mode == cudaComputeModeProhibited)
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, device->mode, 0,
                            "device %d takes no work: its compute mode is prohibited",
                            (int)(device - state->devices));
    if (hg_cuda_is_lost(state, problem->device_id))
        return hgate_refuse(reason, HGATE_REFUSE_DEVICE, problem->device_id, NAN,
                            "device %d failed before and stays unusable in this process",
                            problem->device_id);
    return HGATE_OK;
}

int hg_cuda_refuse_capture(hg_cuda_state *state, const hgate_run *run, const char *text)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(run->stream, &capture);
    if (error != cudaSuccess)
        return hg_cuda_status(state, run->device_id, (int)error, "ask for the stream's capture");
    return capture == cudaStreamCaptureStatusNone
               ? HGATE_OK
               : state->host->error(state->host, HGATE_ESTATE, text);
}
