/* SPDX-License-Identifier: BSD-3-Clause */
/* A few threads for the time of one call: memory is faster from several cores. */
#ifndef HG_GROUP_CREW_H
#define HG_GROUP_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** Threads beyond this number add nothing to copying. */
enum { HG_CREW_MOST = 16 };

/** Stays where it is between open and close. One thread at a time gives it work. */
typedef struct hg_crew {
    int threads; /* at most, the calling one among them */
    int started; /* of them, at the first work for several */
    bool has_started, is_over;
    pthread_t hands[HG_CREW_MOST];
    pthread_mutex_t lock;
    pthread_cond_t called, done;
    _Atomic unsigned round;
    int active; /* hands at work */
    void (*work)(void *context, int64_t part);
    void *context;
    int64_t n;
    _Atomic int64_t next;
} hg_crew;

/** Starts no thread yet. */
void hg_crew_open(hg_crew *crew, int threads);
/** Runs work(context, part) for parts 0 to n - 1 on the threads of the crew, the calling one among
 * them. Where no thread can be started fewer do it. */
void hg_crew_run(hg_crew *crew, int64_t n, void (*work)(void *context, int64_t part),
                 void *context);
/** Ends the threads. */
void hg_crew_close(hg_crew *crew);

#endif
