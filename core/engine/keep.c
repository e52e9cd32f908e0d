/* SPDX-License-Identifier: BSD-3-Clause */
/* A short list, read without a lock, extended under one. */
#include "core/engine/keep.h"

#include "core/base/error.h"
#include "core/plugin/fork_guard.h"

typedef int (*prepare_function)(void *state, const hgate_problem *problem, const hgate_run *run,
                                void **prepared);

struct hg_kept {
    hg_kept *next;
    const hg_backend *backend;
    const hgate_kernel *kernel; /* that prepared the object; NULL: device copies */
    bool is_staged;
    int device_id;
    void *stream;
    void *object;
};

void hg_keep_init(hg_keep *keep, const hg_allocator *allocator)
{
    keep->allocator = allocator;
    atomic_init(&keep->first, NULL);
    pthread_mutex_init(&keep->lock, NULL);
}

static void give_back(const hg_kept *kept)
{
    const hg_plugin *plugin = kept->backend->plugin;
    if (!kept->object) {
        return;
    }
    if (kept->kernel) {
        kept->kernel->discard(plugin->state, kept->object);
    } else {
        plugin->descriptor->ws_free(plugin->state, kept->object, kept->device_id, kept->stream);
    }
}

void hg_keep_release(hg_keep *keep)
{
    hg_kept *kept = atomic_exchange(&keep->first, NULL);
    /* newest first: what was prepared from copies goes before the copies */
    while (kept) {
        hg_kept *next = kept->next;
        give_back(kept);
        hg_free(keep->allocator, kept);
        kept = next;
    }
    pthread_mutex_destroy(&keep->lock);
}

/* An entry that serves, by what would be asked to make it. */
static const hg_kept *find(hg_keep *keep, const hg_kept *wanted)
{
    const prepare_function prepare = wanted->kernel ? wanted->kernel->prepare : NULL;
    const hg_kept *kept = atomic_load_explicit(&keep->first, memory_order_acquire);
    for (; kept; kept = kept->next) {
        const prepare_function by = kept->kernel ? kept->kernel->prepare : NULL;
        if (by == prepare && kept->backend == wanted->backend &&
            kept->is_staged == wanted->is_staged && kept->device_id == wanted->device_id) {
            return kept;
        }
    }
    return NULL;
}

/* In a forked child a thread that no longer exists may hold the lock: nobody waits for it there. */
static int take_lock(hg_keep *keep)
{
    if (!hg_fork_is_child()) {
        pthread_mutex_lock(&keep->lock);
        return HGATE_OK;
    }
    return pthread_mutex_trylock(&keep->lock) == 0
               ? HGATE_OK
               : hg_error(HGATE_EFORK, "the plan was being prepared when this process was forked");
}

/* Adds an entry whose object make() fills in, unless another thread was quicker. */
static int add(hg_keep *keep, const hg_kept *wanted, int (*make)(hg_kept *kept, const void *user),
               const void *user, void **out)
{
    int status = take_lock(keep);
    if (status != HGATE_OK) {
        return status;
    }
    const hg_kept *there = find(keep, wanted);
    if (there) {
        *out = there->object;
        goto unlock;
    }
    hg_kept *kept = hg_alloc(keep->allocator, sizeof *kept);
    if (!kept) {
        status = hg_error_memory("plan", sizeof *kept);
        goto unlock;
    }
    *kept = *wanted;
    status = make(kept, user);
    if (status != HGATE_OK) {
        hg_free(keep->allocator, kept);
        goto unlock;
    }
    kept->next = atomic_load_explicit(&keep->first, memory_order_relaxed);
    atomic_store_explicit(&keep->first, kept, memory_order_release);
    *out = kept->object;
unlock:
    pthread_mutex_unlock(&keep->lock);
    return status;
}

/* ---- prepared objects --------------------------------------------------- */

typedef struct preparation {
    const hgate_problem *problem;
    const hgate_run *run;
} preparation;

static int prepare(hg_kept *kept, const void *user)
{
    const preparation *with = user;
    return kept->kernel->prepare(kept->backend->plugin->state, with->problem, with->run,
                                 &kept->object);
}

int hg_keep_prepared(hg_keep *keep, const hg_candidate *candidate, const hgate_problem *problem,
                     bool is_staged, const hgate_run *run, const void **out)
{
    *out = NULL;
    if (!candidate->kernel->prepare) {
        return HGATE_OK;
    }
    const hg_kept wanted = {
        .backend = candidate->backend,
        .kernel = candidate->kernel,
        .is_staged = is_staged,
        .device_id = problem->device_id,
        .stream = run->stream,
    };
    const hg_kept *there = find(keep, &wanted);
    if (there) {
        *out = there->object;
        return HGATE_OK;
    }
    void *object = NULL;
    const preparation with = {problem, run};
    const int status = add(keep, &wanted, prepare, &with, &object);
    *out = object;
    return status;
}

/* ---- copies ------------------------------------------------------------- */

typedef struct copying {
    const hgate_problem *problem;
    const hg_staged *staged;
    const hgate_run *run;
} copying;

static int copy_kept(hg_kept *kept, const void *user)
{
    const copying *with = user;
    const hg_plugin *plugin = kept->backend->plugin;
    const hgate_plugin *calls = plugin->descriptor;
    int status = calls->ws_alloc(plugin->state, with->staged->kept_block, kept->device_id,
                                 kept->stream, &kept->object);
    for (int i = 0; i < with->problem->n_args && status == HGATE_OK; i++) {
        if (with->problem->args[i] && with->staged->is_kept[i] && with->staged->bytes[i] > 0) {
            unsigned char *to = (unsigned char *)kept->object + with->staged->offset[i];
            status = calls->copy(plugin->state, HGATE_COPY_IN, to, with->problem->args[i]->data,
                                 with->staged->bytes[i], kept->device_id, kept->stream);
        }
    }
    if (status == HGATE_OK && calls->sync) {
        /* other streams may use the copies next */
        status = calls->sync(plugin->state, kept->device_id, kept->stream);
    }
    if (status != HGATE_OK) {
        give_back(kept);
    }
    return status;
}

int hg_keep_copies(hg_keep *keep, const hg_backend *backend, const hgate_problem *problem,
                   const hg_staged *staged, const hgate_run *run, void **out)
{
    *out = NULL;
    if (staged->kept_block == 0) {
        return HGATE_OK;
    }
    const hg_kept wanted = {
        .backend = backend,
        .is_staged = true,
        .device_id = staged->problem.device_id,
        .stream = run->stream,
    };
    const hg_kept *there = find(keep, &wanted);
    if (there) {
        *out = there->object;
        return HGATE_OK;
    }
    const copying with = {problem, staged, run};
    return add(keep, &wanted, copy_kept, &with, out);
}
