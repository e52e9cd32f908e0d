/* SPDX-License-Identifier: BSD-3-Clause */
/* One-dimensional transforms by FFTW, of either precision. The only file that knows FFTW.
 *
 * Planning is the one thing in FFTW that is not thread-safe. The lock keeps our own threads apart;
 * a host that plans with FFTW itself at the same time calls fftw_make_planner_thread_safe(). Plans
 * are executed on other arrays than they were made with, by any number of threads. */
#include "plugins/cpu-fftw/transforms.h"

#include <fftw3.h>
#include <pthread.h>

#define REAL float
#define FFTW(name) fftwf_##name
#define TYPED(base) base##_f32
#include "plugins/cpu-fftw/transforms_real.h"

#define REAL double
#define FFTW(name) fftw_##name
#define TYPED(base) base##_f64
#include "plugins/cpu-fftw/transforms_real.h"

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&planner);
}

static void unlock(void)
{
    pthread_mutex_unlock(&planner);
}

static void watch_forks(void)
{
    pthread_atfork(lock, unlock, unlock);
}

void hg_transforms_survive_fork(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}

int hg_transforms_make(hg_transforms *t, int is_f64, int64_t n_row, int64_t n_line)
{
    *t = (hg_transforms){.n_row = n_row, .n_line = n_line};
    lock();
    if (is_f64)
        make_f64(t);
    else
        make_f32(t);
    unlock();
    return t->forward_row && t->backward_row && t->forward_line && t->backward_line;
}

void hg_transforms_free(hg_transforms *t, int is_f64)
{
    void *plans[] = {t->forward_row, t->backward_row, t->forward_line, t->backward_line};
    lock();
    for (int i = 0; i < 4; i++) {
        if (is_f64)
            destroy_f64(plans[i]);
        else
            destroy_f32(plans[i]);
    }
    unlock();
}

const char *hg_transforms_version(void)
{
    return fftw_version;
}
