/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAS has one thread count in the whole process, and the host application may use the same
 * library. Kernels split their work themselves and want 1; the host wants its own number back. */
#include "core/plugin/blas_guard.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct library {
    void (*set_threads)(int);
    int (*get_threads)(void);
    long inside; /* calls of enter without their leave */
    int found;   /* the count when the first one came in */
    struct library *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Held by who works in a BLAS without locks; a callback of the host may come in once more. */
static pthread_mutex_t alone = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct library *libraries; /* grows by one per BLAS in the process; lives as long */

static struct library *find(void (*set_threads)(int))
{
    struct library *library = libraries;
    while (library && library->set_threads != set_threads) {
        library = library->next;
    }
    return library;
}

static struct library *find_or_add(void (*set_threads)(int), int (*get_threads)(void))
{
    struct library *library = find(set_threads);
    if (!library && (library = malloc(sizeof *library))) {
        *library = (struct library){set_threads, get_threads, 0, 0, libraries};
        libraries = library;
    }
    return library;
}

void hg_blas_enter(void (*set_threads)(int), int (*get_threads)(void))
{
    if (!set_threads) {
        pthread_mutex_lock(&alone);
        return;
    }
    pthread_mutex_lock(&lock);
    struct library *library = find_or_add(set_threads, get_threads);
    /* Without memory for the note nothing is changed: slower perhaps, never wrong. */
    if (library && library->inside++ == 0) {
        library->found = get_threads();
        if (library->found != 1) {
            set_threads(1);
        }
    }
    pthread_mutex_unlock(&lock);
}

void hg_blas_leave(void (*set_threads)(int))
{
    if (!set_threads) {
        pthread_mutex_unlock(&alone);
        return;
    }
    pthread_mutex_lock(&lock);
    struct library *library = find(set_threads);
    if (library && library->inside > 0 && --library->inside == 0) {
        /* A count other than 1 was set by the host in the meantime, and is its newer wish. */
        if (library->found != 1 && library->get_threads() == 1) {
            set_threads(library->found);
        }
    }
    pthread_mutex_unlock(&lock);
}

void hg_blas_before_fork(void)
{
    pthread_mutex_lock(&lock);
}

void hg_blas_after_fork(bool is_child)
{
    if (is_child) {
        alone = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        /* Those who were inside did not come along. Raising the count here could hang (the OpenMP
         * build of OpenBLAS does), and 1 is what a child wants anyway. */
        for (struct library *library = libraries; library; library = library->next) {
            library->inside = 0;
        }
    }
    pthread_mutex_unlock(&lock);
}
