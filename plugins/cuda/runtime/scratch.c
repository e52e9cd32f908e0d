/* SPDX-License-Identifier: BSD-3-Clause */
/* Small pieces of device memory for what has no workspace of its own: kept after use, so that the
 * next call allocates nothing. */
#include "plugins/cuda/runtime/scratch.h"
#include <pthread.h>

struct hg_cuda_scratches {
    pthread_mutex_t lock;
    hg_cuda_scratch *idle;
};

int hg_cuda_scratches_new(const hgate_host *host, struct hg_cuda_scratches **scratches)
{
    struct hg_cuda_scratches *all = host->alloc(host, sizeof *all, 64);
    if (!all)
        return HGATE_ENOMEM;
    pthread_mutex_init(&all->lock, NULL);
    all->idle = NULL;
    *scratches = all;
    return HGATE_OK;
}

static void destroy(hg_cuda_state *state, hg_cuda_scratch *scratch)
{
    hg_cuda_ws_free(state, scratch->memory, scratch->device_id, NULL);
    state->host->free(state->host, scratch);
}

void hg_cuda_scratches_free(hg_cuda_state *state)
{
    struct hg_cuda_scratches *all = state->scratches;
    if (!all)
        return;
    while (all->idle) {
        hg_cuda_scratch *scratch = all->idle;
        all->idle = scratch->next;
        destroy(state, scratch);
    }
    pthread_mutex_destroy(&all->lock);
    state->host->free(state->host, all);
}

/* One that is large enough, else any of the device, which is then replaced. */
static hg_cuda_scratch *take_idle(struct hg_cuda_scratches *all, int device_id, size_t bytes)
{
    pthread_mutex_lock(&all->lock);
    hg_cuda_scratch **found = NULL;
    for (hg_cuda_scratch **at = &all->idle; *at; at = &(*at)->next)
        if ((*at)->device_id == device_id && (!found || (*at)->bytes >= bytes))
            found = at;
    hg_cuda_scratch *scratch = found ? *found : NULL;
    if (scratch)
        *found = scratch->next;
    pthread_mutex_unlock(&all->lock);
    return scratch;
}

int hg_cuda_scratch_take(hg_cuda_state *state, int device_id, size_t bytes,
                         hg_cuda_scratch **scratch)
{
    hg_cuda_scratch *found = take_idle(state->scratches, device_id, bytes);
    if (found && found->bytes >= bytes) {
        *scratch = found;
        return HGATE_OK;
    }
    if (found)
        destroy(state, found);
    found = state->host->alloc(state->host, sizeof *found, 64);
    if (!found)
        return state->host->error(state->host, HGATE_ENOMEM, "no memory for a note of scratch");
    *found = (hg_cuda_scratch){.device_id = device_id, .bytes = bytes};
    const int status = hg_cuda_ws_alloc(state, bytes, device_id, NULL, &found->memory);
    if (status)
        state->host->free(state->host, found);
    else
        *scratch = found;
    return status;
}

void hg_cuda_scratch_give(hg_cuda_state *state, hg_cuda_scratch *scratch)
{
    struct hg_cuda_scratches *all = state->scratches;
    pthread_mutex_lock(&all->lock);
    scratch->next = all->idle;
    all->idle = scratch;
    pthread_mutex_unlock(&all->lock);
}
