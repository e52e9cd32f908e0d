/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of the NVIDIA driver: device memory is plain memory of the host, copies are counted.
 * Only the calls of tools/mpi/gpu.c. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

static long n_copies;
static long to_fail = -1; /* so many copies from now on one fails */
static int depth;         /* of contexts: 1 while a call is at work */

long fake_driver_copies(void);
void fake_driver_fail(long after);
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuMemAlloc_v2(unsigned long long *address, size_t bytes);
int cuMemFree_v2(unsigned long long address);
int cuMemAllocHost_v2(void **memory, size_t bytes);
int cuMemFreeHost(void *memory);
int cuMemcpyDtoH_v2(void *host, unsigned long long address, size_t bytes);
int cuMemcpyHtoD_v2(unsigned long long address, const void *host, size_t bytes);

enum { INVALID_CONTEXT = 201, OUT_OF_MEMORY = 2, LAUNCH_FAILED = 719 };

long fake_driver_copies(void)
{
    return n_copies;
}

void fake_driver_fail(long after)
{
    to_fail = after;
}

static int count_copy(void)
{
    n_copies++;
    return depth != 1 ? INVALID_CONTEXT : to_fail >= 0 && to_fail-- == 0 ? LAUNCH_FAILED : 0;
}

int cuInit(unsigned flags)
{
    return (int)flags;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = &depth;
    return device;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    return device;
}

int cuCtxPushCurrent_v2(void *context)
{
    depth++;
    return context == &depth ? 0 : INVALID_CONTEXT;
}

int cuCtxPopCurrent_v2(void **context)
{
    *context = &depth;
    return --depth == 0 ? 0 : INVALID_CONTEXT;
}

int cuMemAlloc_v2(unsigned long long *address, size_t bytes)
{
    void *memory = malloc(bytes);
    *address = (uintptr_t)memory;
    return !memory ? OUT_OF_MEMORY : depth == 1 ? 0 : INVALID_CONTEXT;
}

int cuMemFree_v2(unsigned long long address)
{
    free((void *)(uintptr_t)address);
    return 0;
}

int cuMemAllocHost_v2(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    return !*memory ? OUT_OF_MEMORY : depth == 1 ? 0 : INVALID_CONTEXT;
}

int cuMemFreeHost(void *memory)
{
    free(memory);
    return 0;
}

int cuMemcpyDtoH_v2(void *host, unsigned long long address, size_t bytes)
{
    memcpy(host, (const void *)(uintptr_t)address, bytes);
    return count_copy();
}

int cuMemcpyHtoD_v2(unsigned long long address, const void *host, size_t bytes)
{
    memcpy((void *)(uintptr_t)address, host, bytes);
    return count_copy();
}
