/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices without harming a machine that has none: only calls that create no context. */
#include "plugins/cuda/runtime/fault.h"
#include "plugins/cuda/runtime/libs.h"
#include "plugins/cuda/runtime/pinned.h"
#include "plugins/cuda/runtime/pool.h"
#include "plugins/cuda/runtime/scratch.h"
#include "plugins/cuda/runtime/spare.h"
#include "plugins/cuda/runtime/state.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An attribute as int64; 0 where the driver does not know it. */
static int64_t attribute(int id, enum cudaDeviceAttr attr)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attr, id) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return value;
}

/* cudaGetDeviceProperties fills name and memory; it creates no context either. */
static int read_device(int id, hg_cuda_device *d)
{
    struct cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, id) != cudaSuccess) {
        (void)cudaGetLastError();
        return HGATE_EUNAVAILABLE;
    }
    memset(d, 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%.127s", prop.name);
    d->cc = 10 * prop.major + prop.minor;
    d->multiprocessors = prop.multiProcessorCount;
    d->smem_block = (int64_t)prop.sharedMemPerBlock;
    d->smem_optin = (int64_t)prop.sharedMemPerBlockOptin;
    d->smem_multiprocessor = (int64_t)prop.sharedMemPerMultiprocessor;
    d->smem_reserved = (int64_t)prop.reservedSharedMemPerBlock;
    d->registers = prop.regsPerMultiprocessor;
    d->threads = prop.maxThreadsPerMultiProcessor;
    d->blocks = prop.maxBlocksPerMultiProcessor;
    d->l2_bytes = prop.l2CacheSize;
    d->memory = (int64_t)prop.totalGlobalMem;
    d->clock_khz = (int)attribute(id, cudaDevAttrClockRate);
    d->mode = (int)attribute(id, cudaDevAttrComputeMode);
    return HGATE_OK;
}

/* cudaGetDeviceCount does not write the count when it fails, so it starts at 0. The driver version
 * tells "no driver" (0) from "driver too old". */
static int count_devices(hg_cuda_state *s, hgate_reason *reason)
{
    int n = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);
    (void)cudaRuntimeGetVersion(&s->runtime_version);
    (void)cudaDriverGetVersion(&s->driver_version);
    (void)cudaGetLastError();
    if (error == cudaSuccess && n > 0) {
        s->n_devices = n;
        return HGATE_OK;
    }
    if (s->driver_version == 0)
        return hgate_refuse(reason, HGATE_REFUSE_DEVICE, (double)error, 0,
                            "no CUDA driver on this machine (error %d)", (int)error);
    if (error == cudaErrorInsufficientDriver)
        return hgate_refuse(reason, HGATE_REFUSE_DEVICE, s->driver_version, s->runtime_version,
                            "CUDA driver %d is older than the runtime %d", s->driver_version,
                            s->runtime_version);
    if (error == cudaSuccess || error == cudaErrorNoDevice) {
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");
        return visible ? hgate_refuse(reason, HGATE_REFUSE_DEVICE, 0, 0,
                                      "no CUDA device is visible (driver %d, CUDA_VISIBLE_DEVICES "
                                      "is \"%.60s\")",
                                      s->driver_version, visible)
                       : hgate_refuse(reason, HGATE_REFUSE_DEVICE, 0, 0,
                                      "no CUDA device is visible (driver %d)", s->driver_version);
    }
    return hgate_refuse(reason, HGATE_REFUSE_DEVICE, (double)error, 0,
                        "CUDA devices cannot be used: %s (error %d)", cudaGetErrorString(error),
                        (int)error);
}

/* A device in exclusive mode may be free: only the first call that makes a context can tell. */
static int need_one(const hg_cuda_state *s, hgate_reason *reason)
{
    for (int i = 0; i < s->n_devices; i++)
        if (s->devices[i].mode != cudaComputeModeProhibited)
            return HGATE_OK;
    return hgate_refuse(reason, HGATE_REFUSE_DEVICE, s->n_devices, 0,
                        "no CUDA device takes work: compute mode prohibited (%d visible, driver "
                        "%d)",
                        s->n_devices, s->driver_version);
}

static int fill_devices(hg_cuda_state *s, const char *assumed, hgate_reason *reason)
{
    if (assumed) {
        s->is_assumed = true;
        s->n_devices = 1;
    } else {
        const int status = count_devices(s, reason);
        if (status)
            return status;
    }
    s->devices = s->host->alloc(s->host, (size_t)s->n_devices * sizeof *s->devices, 64);
    if (!s->devices)
        return HGATE_ENOMEM;
    if (assumed)
        return hg_cuda_assume(assumed, &s->devices[0], reason);
    for (int i = 0; i < s->n_devices; i++)
        if (read_device(i, &s->devices[i]))
            return hgate_refuse(reason, HGATE_REFUSE_DEVICE, i, 0,
                                "device %d does not tell its properties", i);
    return assumed ? HGATE_OK : need_one(s, reason);
}

int hg_cuda_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    hg_cuda_state *s = host->alloc(host, sizeof *s, 64);
    if (!s)
        return HGATE_ENOMEM;
    memset(s, 0, sizeof *s);
    s->host = host;
    int status = fill_devices(s, host->option(host, "assume_device"), reason);
    if (!status)
        status = hg_cuda_libs_new(host, &s->libs);
    if (!status)
        status = hg_cuda_pool_new(host, &s->pool);
    if (!status)
        status = hg_cuda_scratches_new(host, &s->scratches);
    if (!status)
        status = hg_cuda_pinned_new(host, &s->pinned);
    if (!status)
        status = hg_cuda_spare_new(host, &s->spare);
    if (!status)
        status = hg_cuda_faults_new(host, &s->faults);
    if (status) {
        hg_cuda_release(s);
        return status == HGATE_ENOMEM ? status : HGATE_EUNAVAILABLE;
    }
    *state = s;
    return HGATE_OK;
}

static const char *mode_words(int mode)
{
    return mode == cudaComputeModeProhibited ? ", compute mode prohibited: takes no work"
           : mode == cudaComputeModeExclusive || mode == cudaComputeModeExclusiveProcess
               ? ", compute mode exclusive: one process at a time"
               : "";
}

void hg_cuda_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user)
{
    const hg_cuda_state *s = state;
    char key[64], value[256];
    if (!s->is_assumed) {
        snprintf(value, sizeof value, "runtime %d, driver %d", s->runtime_version,
                 s->driver_version);
        row(user, "cuda", value);
    }
    for (int i = 0; i < s->n_devices; i++) {
        const hg_cuda_device *d = &s->devices[i];
        row(user, "gpu", d->name); /* what calibration files are keyed by */
        snprintf(key, sizeof key, "device %d", i);
        snprintf(value, sizeof value, "%s%s, sm_%d, %d multiprocessors, %.1f GiB, %d MHz%s",
                 d->name, s->is_assumed ? " (assumed)" : "", d->cc, d->multiprocessors,
                 (double)d->memory / (1 << 30), d->clock_khz / 1000, mode_words(d->mode));
        row(user, key, value);
        snprintf(key, sizeof key, "device %d limits", i);
        snprintf(value, sizeof value,
                 "shared memory %" PRId64 " bytes a block, %" PRId64 " opt-in, %" PRId64
                 " a multiprocessor; %d registers, %d threads",
                 d->smem_block, d->smem_optin, d->smem_multiprocessor, d->registers, d->threads);
        row(user, key, value);
    }
    hg_cuda_libs_describe(s->libs, row, user);
}

void hg_cuda_release(void *state)
{
    hg_cuda_state *s = state;
    if (!s)
        return;
    hg_cuda_scratches_free(s);
    hg_cuda_spare_free(s);
    hg_cuda_pinned_free(s);
    hg_cuda_faults_free(s);
    hg_cuda_pool_free(s);
    hg_cuda_libs_free(s->libs);
    if (s->devices)
        s->host->free(s->host, s->devices);
    s->host->free(s->host, s);
}
