/* SPDX-License-Identifier: BSD-3-Clause */
/* One piece of spare device memory: mapping and unmapping hundreds of megabytes for every group
 * takes longer than filling them. */
#include "plugins/cuda/runtime/spare.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

typedef struct piece {
    void *memory;
    size_t size;
    int device_id;
} piece;

struct hg_cuda_spare {
    pthread_mutex_t lock;
    int callers; /* between begin and end */
    piece idle;
};

int hg_cuda_spare_new(const hgate_host *host, struct hg_cuda_spare **spare)
{
    struct hg_cuda_spare *s = host->alloc(host, sizeof *s, 64);
    if (!s)
        return HGATE_ENOMEM;
    pthread_mutex_init(&s->lock, NULL);
    s->callers = 0;
    s->idle = (piece){.memory = NULL};
    *spare = s;
    return HGATE_OK;
}

/* Puts `next` in place of what is idle. */
static void replace(hg_cuda_state *state, piece next)
{
    pthread_mutex_lock(&state->spare->lock);
    const piece old = state->spare->idle;
    state->spare->idle = next;
    pthread_mutex_unlock(&state->spare->lock);
    hg_cuda_ws_free(state, old.memory, old.device_id, NULL);
}

void hg_cuda_spare_free(hg_cuda_state *state)
{
    if (!state->spare)
        return;
    replace(state, (piece){.memory = NULL});
    pthread_mutex_destroy(&state->spare->lock);
    state->host->free(state->host, state->spare);
}

static int add_callers(hg_cuda_state *state, int n)
{
    pthread_mutex_lock(&state->spare->lock);
    const int callers = state->spare->callers += n;
    pthread_mutex_unlock(&state->spare->lock);
    return callers;
}

void hg_cuda_spare_begin(hg_cuda_state *state)
{
    add_callers(state, 1);
}

void hg_cuda_spare_end(hg_cuda_state *state)
{
    if (add_callers(state, -1) == 0)
        replace(state, (piece){.memory = NULL});
}

int hg_cuda_spare_take(hg_cuda_state *state, size_t bytes, int device_id, void **memory,
                       size_t *size)
{
    struct hg_cuda_spare *s = state->spare;
    pthread_mutex_lock(&s->lock);
    const piece found = s->idle;
    s->idle = (piece){.memory = NULL};
    pthread_mutex_unlock(&s->lock);
    if (found.memory && found.device_id == device_id && found.size >= bytes) {
        *memory = found.memory;
        *size = found.size;
        return HGATE_OK;
    }
    hg_cuda_ws_free(state, found.memory, found.device_id, NULL);
    *size = bytes;
    return hg_cuda_ws_alloc(state, bytes, device_id, NULL, memory);
}

/* Nothing may use the memory any more when another plan is made in it. */
static int wait_for_device(hg_cuda_state *state, int device_id)
{
    int previous;
    int status = hg_cuda_enter(state, device_id, &previous);
    if (status)
        return status;
    status = hg_cuda_status(state, device_id, (int)cudaDeviceSynchronize(), "wait for the device");
    hg_cuda_leave(previous);
    return status;
}

void hg_cuda_spare_give(hg_cuda_state *state, void *memory, size_t size, int device_id)
{
    if (!memory)
        return;
    if (add_callers(state, 0) > 0 && wait_for_device(state, device_id) == HGATE_OK) {
        replace(state, (piece){memory, size, device_id});
        /* the last caller may have ended meanwhile */
        if (add_callers(state, 0) == 0)
            replace(state, (piece){.memory = NULL});
        return;
    }
    hg_cuda_ws_free(state, memory, device_id, NULL);
}
