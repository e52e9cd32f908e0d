/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory through the NVIDIA driver, found by dlopen when the first device array comes: this
 * library links no CUDA. The primary context of a device is that of every runtime in the process.
 */
#include "tools/mpi/mpi_int.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* X(NAME, SYMBOL, ARGUMENTS): the driver calls used, with the types of their ABI. */
#define DRIVER_CALLS(X)                                                                            \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(device_get, "cuDeviceGet", (int *device, int ordinal))                                       \
    X(context_retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                    \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (int device))                               \
    X(context_push, "cuCtxPushCurrent_v2", (void *context))                                        \
    X(context_pop, "cuCtxPopCurrent_v2", (void **context))                                         \
    X(alloc, "cuMemAlloc_v2", (unsigned long long *address, size_t bytes))                         \
    X(free, "cuMemFree_v2", (unsigned long long address))                                          \
    X(alloc_host, "cuMemAllocHost_v2", (void **memory, size_t bytes))                              \
    X(free_host, "cuMemFreeHost", (void *memory))                                                  \
    X(get, "cuMemcpyDtoH_v2", (void *host, unsigned long long address, size_t bytes))              \
    X(put, "cuMemcpyHtoD_v2", (unsigned long long address, const void *host, size_t bytes))

struct hg_mpi_gpu {
    void *library;
    int device; /* one at a time: a rank works on one device */
    int handle;
    void *context;
#define DRIVER_MEMBER(NAME, SYMBOL, ARGUMENTS) int(*NAME) ARGUMENTS;
    DRIVER_CALLS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
};

static int bind_calls(hgate_mpi *mpi, hg_mpi_gpu *gpu)
{
    gpu->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!gpu->library) {
        return hg_mpi_fail(mpi, HGATE_EUNAVAILABLE, "device arrays: %s", dlerror());
    }
#define DRIVER_BIND(NAME, SYMBOL, ARGUMENTS)                                                       \
    *(void **)&gpu->NAME = dlsym(gpu->library, SYMBOL);                                            \
    if (!gpu->NAME) {                                                                              \
        return hg_mpi_fail(mpi, HGATE_EUNAVAILABLE, "device arrays: the driver has no " SYMBOL);   \
    }
    DRIVER_CALLS(DRIVER_BIND)
#undef DRIVER_BIND
    return HGATE_OK;
}

static int judge(hgate_mpi *mpi, int code, const char *what)
{
    return code == 0 ? HGATE_OK
                     : hg_mpi_fail(mpi, code == 2 ? HGATE_ENOMEM : HGATE_EDEVICE,
                                   "device arrays: %s: driver code %d", what, code);
}

/* The device's context becomes current; the host's comes back with leave(). */
static int enter(hgate_mpi *mpi, int device)
{
    const int status = hg_mpi_gpu_open(mpi, device);
    return status == HGATE_OK
               ? judge(mpi, mpi->gpu->context_push(mpi->gpu->context), "cuCtxPushCurrent")
               : status;
}

static void leave(hgate_mpi *mpi)
{
    void *context;
    (void)mpi->gpu->context_pop(&context);
}

int hg_mpi_gpu_open(hgate_mpi *mpi, int device)
{
    if (mpi->gpu && mpi->gpu->device == device) {
        return HGATE_OK;
    }
    hg_mpi_gpu_close(mpi->gpu);
    mpi->gpu = NULL;
    hg_mpi_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        return hg_mpi_fail(mpi, HGATE_ENOMEM, "device arrays: no memory");
    }
    gpu->device = device;
    int status = bind_calls(mpi, gpu);
    status = status == HGATE_OK ? judge(mpi, gpu->init(0), "cuInit") : status;
    status = status == HGATE_OK ? judge(mpi, gpu->device_get(&gpu->handle, device), "cuDeviceGet")
                                : status;
    if (status == HGATE_OK) {
        status =
            judge(mpi, gpu->context_retain(&gpu->context, gpu->handle), "cuDevicePrimaryCtxRetain");
    }
    if (status != HGATE_OK) {
        hg_mpi_gpu_close(gpu);
        return status;
    }
    mpi->gpu = gpu;
    return HGATE_OK;
}

void hg_mpi_gpu_close(hg_mpi_gpu *gpu)
{
    if (gpu && gpu->context) {
        (void)gpu->context_release(gpu->handle);
    }
    free(gpu); /* the driver stays mapped, as it does in every program */
}

int hg_mpi_gpu_alloc(hgate_mpi *mpi, int device, size_t bytes, void **memory)
{
    unsigned long long address = 0;
    int status = enter(mpi, device);
    if (status == HGATE_OK) {
        status = judge(mpi, mpi->gpu->alloc(&address, bytes ? bytes : 1), "cuMemAlloc");
        leave(mpi);
        *memory = (void *)(uintptr_t)address;
    }
    return status;
}

void hg_mpi_gpu_free(hgate_mpi *mpi, int device, void *memory)
{
    if (memory && enter(mpi, device) == HGATE_OK) {
        (void)mpi->gpu->free((uintptr_t)memory);
        leave(mpi);
    }
}

int hg_mpi_gpu_get(hgate_mpi *mpi, int device, void *host, const void *memory, size_t bytes)
{
    int status = bytes > 0 ? enter(mpi, device) : HGATE_OK;
    if (status == HGATE_OK && bytes > 0) {
        status = judge(mpi, mpi->gpu->get(host, (uintptr_t)memory, bytes), "cuMemcpyDtoH");
        leave(mpi);
    }
    return status;
}

int hg_mpi_gpu_put(hgate_mpi *mpi, int device, void *memory, const void *host, size_t bytes)
{
    int status = bytes > 0 ? enter(mpi, device) : HGATE_OK;
    if (status == HGATE_OK && bytes > 0) {
        status = judge(mpi, mpi->gpu->put((uintptr_t)memory, host, bytes), "cuMemcpyHtoD");
        leave(mpi);
    }
    return status;
}

int hg_mpi_staging(hgate_mpi *mpi, int device, size_t bytes, void **memory)
{
    int status = enter(mpi, device);
    if (status == HGATE_OK) {
        status = judge(mpi, mpi->gpu->alloc_host(memory, bytes ? bytes : 1), "cuMemAllocHost");
        leave(mpi);
    }
    return status;
}

void hg_mpi_staging_free(hgate_mpi *mpi, int device, void *memory)
{
    if (memory && enter(mpi, device) == HGATE_OK) {
        (void)mpi->gpu->free_host(memory);
        leave(mpi);
    }
}
