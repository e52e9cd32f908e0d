/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that wait between two pieces of work and end with the call. Starting them for each piece
 * would take as long as copying it. */
#include "core/group/crew.h"

#include <signal.h>
#include <stddef.h>

/* Looks at a counter before a thread sleeps: the next piece of a copy comes within microseconds,
 * and waking takes longer. */
enum { PATIENCE = 30000 };

static void do_parts(hg_crew *crew, void (*work)(void *, int64_t), void *context, int64_t n)
{
    for (;;) {
        const int64_t part = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
        if (part >= n) {
            return;
        }
        work(context, part);
    }
}

static void linger(hg_crew *crew, unsigned seen)
{
    for (int i = 0; i < PATIENCE; i++) {
        if (atomic_load_explicit(&crew->round, memory_order_relaxed) != seen) {
            return;
        }
    }
}

static void *hand(void *user)
{
    hg_crew *crew = user;
    unsigned seen = 0;
    pthread_mutex_lock(&crew->lock);
    while (!crew->is_over) {
        const unsigned round = atomic_load_explicit(&crew->round, memory_order_relaxed);
        if (round == seen || !crew->work) {
            pthread_cond_wait(&crew->called, &crew->lock);
            continue;
        }
        seen = round;
        crew->active++;
        void (*const work)(void *, int64_t) = crew->work;
        void *const context = crew->context;
        const int64_t n = crew->n;
        pthread_mutex_unlock(&crew->lock);
        do_parts(crew, work, context, n);
        pthread_mutex_lock(&crew->lock);
        if (--crew->active == 0) {
            pthread_cond_signal(&crew->done);
        }
        pthread_mutex_unlock(&crew->lock);
        linger(crew, seen);
        pthread_mutex_lock(&crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Signals are the host application's: none is delivered to our threads. */
static void start_hands(hg_crew *crew)
{
    sigset_t every, before;
    crew->has_started = true;
    sigfillset(&every);
    if (pthread_sigmask(SIG_SETMASK, &every, &before) != 0) {
        return;
    }
    while (crew->started < crew->threads - 1 &&
           pthread_create(&crew->hands[crew->started], NULL, hand, crew) == 0) {
        crew->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void hg_crew_open(hg_crew *crew, int threads)
{
    *crew = (hg_crew){.threads = threads < HG_CREW_MOST ? threads : HG_CREW_MOST};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->called, NULL);
    pthread_cond_init(&crew->done, NULL);
}

void hg_crew_run(hg_crew *crew, int64_t n, void (*work)(void *context, int64_t part), void *context)
{
    if (n > 1 && crew->threads > 1 && !crew->has_started) {
        start_hands(crew);
    }
    if (n <= 1 || crew->started == 0) {
        for (int64_t part = 0; part < n; part++) {
            work(context, part);
        }
        return;
    }
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->n = n;
    atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->round, 1, memory_order_relaxed);
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    do_parts(crew, work, context, n);
    /* hands that come only now find nothing: they are not waited for */
    pthread_mutex_lock(&crew->lock);
    crew->work = NULL;
    while (crew->active > 0) {
        pthread_cond_wait(&crew->done, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
}

void hg_crew_close(hg_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->is_over = true;
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->started; i++) {
        pthread_join(crew->hands[i], NULL);
    }
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->lock);
}
