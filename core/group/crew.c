/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that come and go. */
#include "core/group/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct crew {
    void (*work)(void *context, int64_t part);
    void *context;
    int64_t n;
    _Atomic int64_t next;
} crew;

static void *member(void *user)
{
    crew *all = user;
    for (;;) {
        const int64_t part = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed);
        if (part >= all->n) {
            return NULL;
        }
        all->work(all->context, part);
    }
}

void hg_crew_run(int threads, int64_t n, void (*work)(void *context, int64_t part), void *context)
{
    pthread_t hands[HG_CREW_MOST];
    crew all = {work, context, n, 0};
    int wanted = threads < HG_CREW_MOST ? threads : HG_CREW_MOST, started = 0;
    wanted = wanted < n ? wanted : (int)n;
    /* signals are the host application's: none is delivered to our threads */
    sigset_t every, before;
    sigfillset(&every);
    if (wanted > 1 && pthread_sigmask(SIG_SETMASK, &every, &before) == 0) {
        while (started < wanted - 1 && pthread_create(&hands[started], NULL, member, &all) == 0) {
            started++;
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    member(&all);
    for (int i = 0; i < started; i++) {
        pthread_join(hands[i], NULL);
    }
}
