/* SPDX-License-Identifier: BSD-3-Clause */
/* Page-locked host memory. Locking takes longer than copying through what was locked, so memory
 * that was given back serves the next call; it goes when a call asks for more, and with the engine.
 */
#include "plugins/cuda/runtime/pinned.h"
#include "plugins/cuda/runtime/spare.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

typedef struct note {
    struct note *next;
    void *memory;
    size_t bytes;
    int device_id; /* that was current; any may use the memory */
    bool is_idle;
} note;

struct hg_cuda_pinned {
    pthread_mutex_t lock;
    note *all;
};

int hg_cuda_pinned_new(const hgate_host *host, struct hg_cuda_pinned **pinned)
{
    struct hg_cuda_pinned *p = host->alloc(host, sizeof *p, 64);
    if (!p)
        return HGATE_ENOMEM;
    pthread_mutex_init(&p->lock, NULL);
    p->all = NULL;
    *pinned = p;
    return HGATE_OK;
}

static void unlock_memory(hg_cuda_state *s, note *old)
{
    int previous;
    if (!hg_cuda_is_lost(s, old->device_id)) {
        const bool is_current = hg_cuda_enter(s, old->device_id, &previous) == HGATE_OK;
        if (cudaFreeHost(old->memory) != cudaSuccess)
            (void)cudaGetLastError();
        if (is_current)
            hg_cuda_leave(previous);
    }
    s->host->free(s->host, old);
}

/* Only under the lock. */
static void drop_idle(hg_cuda_state *s)
{
    for (note **at = &s->pinned->all; *at;) {
        note *old = *at;
        if (!old->is_idle) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        unlock_memory(s, old);
    }
}

void hg_cuda_pinned_free(hg_cuda_state *s)
{
    if (!s->pinned)
        return;
    drop_idle(s);
    pthread_mutex_destroy(&s->pinned->lock);
    s->host->free(s->host, s->pinned);
}

static int lock_memory(hg_cuda_state *s, size_t bytes, int device_id, void **memory)
{
    int previous;
    int status = hg_cuda_enter(s, device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_status(s, device_id, (int)cudaHostAlloc(memory, bytes, cudaHostAllocDefault),
                            "lock host memory");
    hg_cuda_leave(previous);
    return status;
}

/* Only under the lock. */
static int add(hg_cuda_state *s, size_t bytes, int device_id, note **out)
{
    note *made = s->host->alloc(s->host, sizeof *made, 64);
    if (!made)
        return s->host->error(s->host, HGATE_ENOMEM, "no memory for a note of page-locked memory");
    *made = (note){.next = s->pinned->all, .bytes = bytes, .device_id = device_id};
    const int status = lock_memory(s, bytes, device_id, &made->memory);
    if (status) {
        s->host->free(s->host, made);
        return status;
    }
    s->pinned->all = made;
    *out = made;
    return HGATE_OK;
}

int hg_cuda_pin(void *state, size_t bytes, int device_id, void **memory)
{
    hg_cuda_state *s = state;
    int status = HGATE_OK;
    pthread_mutex_lock(&s->pinned->lock);
    note *found = s->pinned->all;
    while (found && !(found->is_idle && found->bytes >= bytes))
        found = found->next;
    if (!found) {
        drop_idle(s);
        status = add(s, bytes, device_id, &found);
    }
    if (!status) {
        found->is_idle = false;
        *memory = found->memory;
    }
    pthread_mutex_unlock(&s->pinned->lock);
    if (!status)
        hg_cuda_spare_begin(s);
    return status;
}

void hg_cuda_unpin(void *state, void *memory, int device_id)
{
    hg_cuda_state *s = state;
    (void)device_id;
    if (!memory)
        return;
    hg_cuda_spare_end(s);
    pthread_mutex_lock(&s->pinned->lock);
    for (note *at = s->pinned->all; at; at = at->next)
        if (at->memory == memory)
            at->is_idle = true;
    pthread_mutex_unlock(&s->pinned->lock);
}
