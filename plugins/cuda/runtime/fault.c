/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of deferred errors, one for each stream that was seen, and their messages. */
#include "plugins/cuda/runtime/fault.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 64 }; /* records of one pinned allocation */

typedef struct page {
    struct page *next;
    int device_id, n;
    void *stream[PAGE];
    hg_cuda_fault *record;
} page;

struct hg_cuda_faults {
    pthread_mutex_t lock;
    page *pages;
};

int hg_cuda_faults_new(const hgate_host *host, struct hg_cuda_faults **faults)
{
    struct hg_cuda_faults *f = host->alloc(host, sizeof *f, 64);
    if (!f)
        return HGATE_ENOMEM;
    pthread_mutex_init(&f->lock, NULL);
    f->pages = NULL;
    *faults = f;
    return HGATE_OK;
}

void hg_cuda_faults_free(hg_cuda_state *state)
{
    struct hg_cuda_faults *f = state->faults;
    if (!f)
        return;
    while (f->pages) {
        page *p = f->pages;
        f->pages = p->next;
        if (!hg_cuda_is_lost(state, p->device_id) && cudaFreeHost(p->record) != cudaSuccess)
            (void)cudaGetLastError(); /* the context is gone, and the memory with it */
        state->host->free(state->host, p);
    }
    pthread_mutex_destroy(&f->lock);
    state->host->free(state->host, f);
}

static hg_cuda_fault *find(const struct hg_cuda_faults *f, int device_id, const void *stream)
{
    for (page *p = f->pages; p; p = p->next)
        for (int i = 0; p->device_id == device_id && i < p->n; i++)
            if (p->stream[i] == stream)
                return &p->record[i];
    return NULL;
}

/* An allocation is no part of what is captured, so it is let through. */
static cudaError_t pin(size_t bytes, void **memory)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaError_t error = cudaThreadExchangeStreamCaptureMode(&mode);
    if (error != cudaSuccess)
        return error;
    error = cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
}

static int add_page(hg_cuda_state *state, int device_id)
{
    struct hg_cuda_faults *f = state->faults;
    page *p = state->host->alloc(state->host, sizeof *p, 64);
    void *memory = NULL;
    if (!p)
        return HGATE_ENOMEM;
    const int status = hg_cuda_status(
        state, device_id, (int)pin(PAGE * sizeof(hg_cuda_fault), &memory), "allocate host memory");
    if (status) {
        state->host->free(state->host, p);
        return status;
    }
    memset(memory, 0xFF, PAGE * sizeof(hg_cuda_fault));
    *p = (page){.next = f->pages, .device_id = device_id, .record = memory};
    f->pages = p;
    return HGATE_OK;
}

int hg_cuda_fault_record(hg_cuda_state *state, int device_id, void *stream, hg_cuda_fault **record)
{
    struct hg_cuda_faults *f = state->faults;
    int status = HGATE_OK;
    pthread_mutex_lock(&f->lock);
    hg_cuda_fault *found = find(f, device_id, stream);
    if (!found) {
        page *p = f->pages;
        while (p && (p->device_id != device_id || p->n == PAGE))
            p = p->next;
        if (!p) {
            status = add_page(state, device_id);
            p = f->pages;
        }
        if (!status) {
            p->stream[p->n] = stream;
            found = &p->record[p->n++];
        }
    }
    pthread_mutex_unlock(&f->lock);
    *record = found;
    return status;
}

/* ---- messages ----------------------------------------------------------------------------------
 */

/* Decimal points whatever the locale of the process. */
static void number(char *text, size_t size, double value)
{
    snprintf(text, size, "%.9g", value);
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '.';
}

static int element(char *text, size_t size, const char *name, int64_t at, const char *value,
                   const char *expected)
{
    return snprintf(text, size, "%s: element %" PRId64 " is %s, expected %s", name, at, value,
                    expected);
}

static void index_words(char *text, size_t size, const char *name, int64_t at,
                        const hg_cuda_fault *f)
{
    snprintf(text, size, "%s: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64, name, at,
             (int64_t)f->value, f->size[0] - 1);
}

static void power_words(char *text, size_t size, int64_t at, const hg_cuda_fault *f)
{
    const int64_t nfeed = f->size[0], nax = f->size[1], nsrc = f->size[2];
    const int64_t axis = at % nax, feed = at / nax % nfeed, s = at / nax / nfeed % nsrc;
    snprintf(text, size,
             "grid: power of beam %" PRId64 ", axis %" PRId64 ", feed %" PRId64
             " is negative at source %" PRId64 ", expected at least 0 for sqrt_power",
             at / nax / nfeed / nsrc, axis, feed, s);
}

static int words(const hg_cuda_fault *f, char *text, size_t size)
{
    static const char finite[] = "a finite number", positive[] = "a finite number above 0";
    const int64_t at = (int64_t)(f->key & ((1ULL << HG_FAULT_SHIFT) - 1));
    char value[40];
    number(value, sizeof value, f->value);
    switch ((int)(f->key >> HG_FAULT_SHIFT)) {
    case HG_FAULT_BEAM_IDX:
        index_words(text, size, "beam_idx", at, f);
        break;
    case HG_FAULT_PAIRS:
        index_words(text, size, "pairs", at, f);
        break;
    case HG_FAULT_ANTPOS:
        element(text, size, "antpos", at, value, finite);
        break;
    case HG_FAULT_DAZ:
        element(text, size, "daz", at, value, positive);
        break;
    case HG_FAULT_DZA:
        element(text, size, "dza", at, value, positive);
        break;
    case HG_FAULT_AZ0:
        element(text, size, "az0", at, value, finite);
        break;
    case HG_FAULT_ZA0:
        element(text, size, "za0", at, value, finite);
        break;
    case HG_FAULT_TURN:
        snprintf(text, size,
                 "daz: %" PRId64 " columns of beam %" PRId64
                 " are %s radians apart, expected 2 pi in all for az_mode periodic",
                 f->size[0], at, value);
        return HGATE_EINVAL;
    case HG_FAULT_FLUX:
        element(text, size, "flux", at, value, finite);
        break;
    case HG_FAULT_FLUX_NEGATIVE:
        element(text, size, "flux", at, value, "a finite number, 0 or more");
        break;
    case HG_FAULT_CRD:
        element(text, size, "crd", at, value, finite);
        break;
    case HG_FAULT_LENGTH:
        snprintf(text, size, "crd: source %" PRId64 " has length %s, expected 1 to within 1e-3", at,
                 value);
        break;
    case HG_FAULT_N_UP:
        snprintf(text, size, "n_up: is %" PRId64 ", but %" PRId64 " sources are above the horizon",
                 f->size[0], at);
        break;
    case HG_FAULT_POWER:
        power_words(text, size, at, f);
        break;
    default:
        snprintf(text, size, "device data: fault %" PRIu64, (uint64_t)f->key);
        return HGATE_EINTERNAL;
    }
    return HGATE_EVALUE;
}

int hg_cuda_fault_take(hg_cuda_state *state, int device_id, void *stream)
{
    struct hg_cuda_faults *f = state->faults;
    hg_cuda_fault fault = {.key = HG_FAULT_NONE};
    pthread_mutex_lock(&f->lock);
    hg_cuda_fault *found = find(f, device_id, stream);
    if (found && found->key != HG_FAULT_NONE) {
        fault = *found;
        found->key = HG_FAULT_NONE;
    }
    pthread_mutex_unlock(&f->lock);
    if (fault.key == HG_FAULT_NONE)
        return HGATE_OK;
    char text[256];
    const int status = words(&fault, text, sizeof text);
    return state->host->error(state->host, status, text);
}
