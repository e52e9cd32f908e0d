// SPDX-License-Identifier: BSD-3-Clause
// The CUDA runtime as a double: one device, whose memory is the host's and whose kernels do
// nothing.
#include "tests/cuda/double.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cuda_double *cuda_double_shared(void)
{
    static cuda_double unused;
    void *address = NULL;
    const char *told = getenv("CUDA_DOUBLE");
    return told && sscanf(told, "%p", &address) == 1 ? address : &unused;
}

static int is_sticky(int error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure;
}

static int mode_of(int device)
{
    const cuda_double *d = cuda_double_shared();
    return d->prohibited >> device & 1 ? cudaComputeModeProhibited
           : d->is_taken               ? cudaComputeModeExclusiveProcess
                                       : cudaComputeModeDefault;
}

static int takes_work(int device)
{
    return mode_of(device) == cudaComputeModeDefault;
}

// Calls that no captured stream allows, or only a thread that has said so.
static _Thread_local enum cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

static int spoils_capture(const char *name)
{
    static const char *const waits[] = {"cudaStreamSynchronize", "cudaDeviceSynchronize"};
    static const char *const unsafe[] = {"cudaMalloc",         "cudaFree",          "cudaHostAlloc",
                                         "cudaFreeHost",       "a create function", "cufftCreate",
                                         "cufftMakePlanMany64"};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        if (strcmp(name, waits[i]) == 0) {
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
        if (strcmp(name, unsafe[i]) == 0) {
            return capture_mode != cudaStreamCaptureModeRelaxed;
        }
    }
    return 0;
}

// Calls that are answered without a context on the device.
static int needs_context(const char *name)
{
    static const char *const without[] = {
        "cudaGetDeviceCount",
        "cudaRuntimeGetVersion",
        "cudaDriverGetVersion",
        "cudaGetDeviceProperties",
        "cudaDeviceGetAttribute",
        "cudaGetDevice",
        "cudaSetDevice", // looks for itself
        "cudaThreadExchangeStreamCaptureMode",
        "dlopen",
        "dlsym",
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (strcmp(name, without[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

int cuda_double_call(const char *name)
{
    cuda_double *d = cuda_double_shared();
    d->calls++;
    if (!takes_work(d->current) && needs_context(name)) {
        d->pending = cudaErrorDevicesUnavailable;
        return d->pending;
    }
    if (d->captured && spoils_capture(name)) {
        d->captured = 2;
        snprintf(d->failed, sizeof d->failed, "%s", name);
        d->pending = cudaErrorStreamCaptureUnsupported;
        return d->pending;
    }
    if (d->calls != d->fail_at && !d->is_lost) {
        return 0;
    }
    if (d->calls == d->fail_at) {
        snprintf(d->failed, sizeof d->failed, "%s", name);
        d->is_lost = is_sticky(d->error);
    }
    d->pending = d->error;
    return d->error;
}

#define FAIL_OR_GO_ON                                                                              \
    const int error = cuda_double_call(__func__);                                                  \
    if (error) {                                                                                   \
        return (cudaError_t)error;                                                                 \
    }

// ---- errors

cudaError_t cudaGetLastError(void)
{
    cuda_double *d = cuda_double_shared();
    const int error = d->pending;
    d->pending = d->is_lost ? d->error : 0;
    return (cudaError_t)error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return (cudaError_t)cuda_double_shared()->pending;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "an error of the double";
}

// ---- devices

cudaError_t cudaGetDeviceCount(int *count)
{
    FAIL_OR_GO_ON
    const int refused = cuda_double_shared()->count_error;
    if (refused) { // the count is not written
        cuda_double_shared()->pending = refused;
        return (cudaError_t)refused;
    }
    *count = cuda_double_shared()->n_devices ? cuda_double_shared()->n_devices : 1;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    FAIL_OR_GO_ON
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    FAIL_OR_GO_ON
    const int driver = cuda_double_shared()->driver;
    *version = driver < 0 ? 0 : driver ? driver : CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    FAIL_OR_GO_ON
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "double %d", device);
    p->major = 9;
    p->multiProcessorCount = 132;
    p->sharedMemPerBlock = 49152;
    p->sharedMemPerBlockOptin = 232448;
    p->sharedMemPerMultiprocessor = 233472;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerMultiprocessor = 65536;
    p->maxThreadsPerMultiProcessor = 2048;
    p->l2CacheSize = 52428800;
    p->totalGlobalMem = (size_t)1 << 34;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    FAIL_OR_GO_ON
    switch ((int)attribute) {
    case cudaDevAttrComputeMode:
        *value = mode_of(device);
        return cudaSuccess;
    case cudaDevAttrClockRate:
        *value = 1980000;
        return cudaSuccess;
    default: // the plugin asks for no other
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaGetDevice(int *device)
{
    FAIL_OR_GO_ON
    *device = cuda_double_shared()->current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    FAIL_OR_GO_ON
    const int n = cuda_double_shared()->n_devices ? cuda_double_shared()->n_devices : 1;
    if (device < 0 || device >= n || !takes_work(device)) {
        const int refused =
            device < 0 || device >= n ? cudaErrorInvalidDevice : cudaErrorDevicesUnavailable;
        cuda_double_shared()->pending = refused;
        return (cudaError_t)refused;
    }
    cuda_double_shared()->current = device;
    return cudaSuccess;
}

// ---- memory and streams

static cudaError_t get_memory(void **memory, size_t bytes, const char *name)
{
    const int error = cuda_double_call(name);
    cuda_double_shared()->takes++;
    *memory = error ? NULL : calloc(1, bytes + 1);
    cuda_double_shared()->live += *memory != NULL;
    return error ? (cudaError_t)error : *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

// A failed cudaFree has freed: what real devices do is to tell an older error.
static cudaError_t give_memory(void *memory, const char *name)
{
    cuda_double_shared()->live -= memory != NULL;
    free(memory);
    return (cudaError_t)cuda_double_call(name);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return get_memory(memory, bytes, __func__);
}

cudaError_t cudaFree(void *memory)
{
    return give_memory(memory, __func__);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return get_memory(memory, bytes, __func__);
}

cudaError_t cudaFreeHost(void *memory)
{
    return give_memory(memory, __func__);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    FAIL_OR_GO_ON
    *available = *total = (size_t)1 << 33;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    FAIL_OR_GO_ON(void) stream;
    cuda_double_shared()->crossings += kind != cudaMemcpyDeviceToDevice;
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    FAIL_OR_GO_ON(void) stream;
    memset(to, value == 0 ? cuda_double_shared()->written : value, bytes);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    FAIL_OR_GO_ON(void) stream;
    cuda_double_shared()->waits++;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    FAIL_OR_GO_ON
    cuda_double_shared()->waits++;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    FAIL_OR_GO_ON(void) stream;
    static const enum cudaStreamCaptureStatus words[] = {cudaStreamCaptureStatusNone,
                                                         cudaStreamCaptureStatusActive,
                                                         cudaStreamCaptureStatusInvalidated};
    *status = words[cuda_double_shared()->captured];
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    FAIL_OR_GO_ON
    const enum cudaStreamCaptureMode before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

// ---- kernels: what nvcc's code calls

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    FAIL_OR_GO_ON(void) function, (void)attribute, (void)value;
    return cudaSuccess;
}

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *function, char *device, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *size);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream);

void **__cudaRegisterFatBinary(void *image)
{
    static void *handle;
    (void)image;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *function, char *device, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *size)
{
    (void)handle, (void)function, (void)device, (void)name, (void)threads;
    (void)tid, (void)bid, (void)block, (void)grid, (void)size;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    *(const void **)kernel = function;
    return cudaSuccess;
}

static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} launch;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    launch.grid = grid;
    launch.block = block;
    launch.shared = shared;
    launch.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *grid = launch.grid;
    *block = launch.block;
    *shared = launch.shared;
    *(void **)stream = launch.stream;
    return cudaSuccess;
}

// Grids and blocks that no device takes are the caller's mistake, told as a real device would.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    FAIL_OR_GO_ON(void) kernel, (void)args, (void)stream;
    cuda_double_shared()->launches++;
    const unsigned threads = block.x * block.y * block.z;
    const int is_possible = grid.x > 0 && grid.x <= 2147483647u && grid.y > 0 && grid.y <= 65535 &&
                            grid.z > 0 && grid.z <= 65535 && threads > 0 && threads <= 1024 &&
                            shared <= 232448;
    if (!is_possible) {
        cuda_double_shared()->pending = cudaErrorInvalidConfiguration;
        return cudaErrorInvalidConfiguration;
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
    return __cudaLaunchKernel((cudaKernel_t)(uintptr_t)function, config->gridDim, config->blockDim,
                              args, config->dynamicSmemBytes, config->stream);
}
