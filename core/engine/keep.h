/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan keeps between runs: objects that kernels prepared, and copies of its arrays on a
 * device. Kernels of a plugin with the same prepare function share one object, over all problems of
 * the plan. */
#ifndef HG_ENGINE_KEEP_H
#define HG_ENGINE_KEEP_H

#include "core/route/candidates.h"
#include "core/route/staged.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct hg_kept hg_kept;

typedef struct hg_keep {
    const hg_allocator *allocator;
    _Atomic(hg_kept *)
        first;            /* entries are only added while runs go on, so reading needs no lock */
    pthread_mutex_t lock; /* of adding */
} hg_keep;

void hg_keep_init(hg_keep *keep, const hg_allocator *allocator);
void hg_keep_release(hg_keep *keep);

/** The object that a kernel runs with, made now if nobody has yet; NULL for kernels that prepare
 * nothing. The problem is as the kernel sees it. */
int hg_keep_prepared(hg_keep *keep, const hg_candidate *candidate, const hgate_problem *problem,
                     bool is_staged, const hgate_run *run, const void **out);

/** Device copies of the arguments that stay in the plan, one block laid out by `staged`; NULL when
 * there are none. `problem` is the one in host memory. */
int hg_keep_copies(hg_keep *keep, const hg_backend *backend, const hgate_problem *problem,
                   const hg_staged *staged, const hgate_run *run, void **out);

#endif
