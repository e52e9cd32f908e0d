/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cuda plugin knows about this process: devices with their limits, options, libraries. */
#ifndef HG_CUDA_STATE_H
#define HG_CUDA_STATE_H

#include "headgate/plugin_util.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hg_cuda_libs;
struct hg_cuda_pool;
struct hg_cuda_scratches;
struct hg_cuda_faults;
struct hg_cuda_pinned;
struct hg_cuda_spare;

/* Limits of one device as its attributes tell them; sizes in bytes. */
typedef struct hg_cuda_device {
    char name[128];
    int cc; /* compute capability, 10 major + minor */
    int multiprocessors;
    int64_t smem_block; /* shared memory of a block without opt-in */
    int64_t smem_optin; /* with opt-in */
    int64_t smem_multiprocessor;
    int64_t smem_reserved; /* per block, taken by the system */
    int registers;         /* 32-bit, of a multiprocessor */
    int threads;           /* of a multiprocessor */
    int blocks;            /* of a multiprocessor */
    int64_t l2_bytes;
    int64_t memory; /* in all */
    int clock_khz;
    int mode;    /* enum cudaComputeMode */
    int is_lost; /* a sticky error was seen; relaxed atomic */
} hg_cuda_device;

typedef struct hg_cuda_state {
    const hgate_host *host;
    bool is_assumed; /* limits were given by plugins.cuda.options.assume_device: nothing can run */
    int runtime_version, driver_version;
    int n_devices;
    hg_cuda_device *devices;
    struct hg_cuda_libs *libs; /* cuBLAS, cuSOLVER, cuFFT: bound at first use */
    struct hg_cuda_pool *pool; /* handles of those libraries, per device */
    struct hg_cuda_scratches *scratches;
    struct hg_cuda_pinned *pinned; /* page-locked memory, in use or for the next call */
    struct hg_cuda_spare *spare;   /* memory of a discarded plan, for the next one */
    struct hg_cuda_faults *faults; /* what runs found wrong in device data, per stream */
} hg_cuda_state;

/* Device of a problem: its own when it is in device memory, else the first one. NULL if there is
 * none. */
static inline const hg_cuda_device *hg_cuda_device_of(const hg_cuda_state *state,
                                                      const hgate_problem *problem)
{
    const int id = problem->space == HGATE_SPACE_HOST ? 0 : problem->device_id;
    return id >= 0 && id < state->n_devices ? &state->devices[id] : NULL;
}

/* ---- probe.c */
int hg_cuda_probe(const hgate_host *host, hgate_reason *reason, void **state);
void hg_cuda_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user);
void hg_cuda_release(void *state);

/* ---- assume.c: a device from its name ("a100", "h200") or a file of "key value" lines */
int hg_cuda_assume(const char *what, hg_cuda_device *device, hgate_reason *reason);

/* ---- device.c: the current device and errors */

/* Makes the device current and keeps the caller's in *previous. */
int hg_cuda_enter(hg_cuda_state *state, int device_id, int *previous);
void hg_cuda_leave(int previous);
/* Status of a CUDA error code (cudaError_t), with a message that names what was done. A sticky
 * error marks the device lost. */
int hg_cuda_status(hg_cuda_state *state, int device_id, int error, const char *what);
bool hg_cuda_is_lost(const hg_cuda_state *state, int device_id);

/* ---- memory.c, pinned.c */
int hg_cuda_ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory);
void hg_cuda_ws_free(void *state, void *memory, int device_id, void *stream);
int hg_cuda_copy(void *state, int direction, void *device, void *host, size_t bytes, int device_id,
                 void *stream);
int hg_cuda_sync(void *state, int device_id, void *stream);
int hg_cuda_free_memory(void *state, int device_id, size_t *bytes);
int hg_cuda_pin(void *state, size_t bytes, int device_id, void **memory);
void hg_cuda_unpin(void *state, void *memory, int device_id);
int hg_cuda_copy_async(void *state, int direction, void *device, void *host, size_t bytes,
                       int device_id, void *stream);

/* ---- refuse.c: what supports() and runs ask first */

/* Refuses device work on assumed or lost devices and devices that are not there. */
int hg_cuda_refuse_device(const hg_cuda_state *state, const hgate_problem *problem,
                          hgate_reason *reason);
/* Refuses to wait for the device on a stream that is captured; `text` is the message. ESTATE. */
int hg_cuda_refuse_capture(hg_cuda_state *state, const hgate_run *run, const char *text);

#ifdef __cplusplus
}
#endif
#endif
