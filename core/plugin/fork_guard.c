/* SPDX-License-Identifier: BSD-3-Clause */
/* One flag that a child finds set. The locks of this room are held over a fork, so that a child
 * never inherits one that another thread had taken. */
#include "core/plugin/fork_guard.h"

#include "core/plugin/blas_guard.h"
#include "core/plugin/loaded.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool is_child;
static _Atomic pid_t watched; /* 0: not yet watched */

static void before_fork(void)
{
    hg_loader_before_fork();
    hg_blas_before_fork();
}

static void after_fork_in_parent(void)
{
    hg_blas_after_fork(false);
    hg_loader_after_fork();
}

static void after_fork_in_child(void)
{
    atomic_store_explicit(&is_child, true, memory_order_relaxed);
    hg_blas_after_fork(true);
    hg_loader_after_fork();
}

static void watch(void)
{
    atomic_store(&watched, getpid());
    /* Without handlers (no memory) the process number still tells a child. */
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void hg_fork_watch(void)
{
    pthread_once(&once, watch);
}

bool hg_fork_is_child(void)
{
    /* A child made by the bare system call runs no handlers; its process number is another one. */
    pid_t pid = atomic_load_explicit(&watched, memory_order_relaxed);
    return atomic_load_explicit(&is_child, memory_order_relaxed) || (pid != 0 && pid != getpid());
}
