/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS as the CPU plugins use it: on one thread, under the host's guard.
 *
 * The functions come from the plugin's own link, so the guard always acts on the copy that is
 * called. */
#include "plugins/cpu/blas.h"

#include <cblas.h>

static void set_threads(int threads)
{
    openblas_set_num_threads(threads);
}

static int get_threads(void)
{
    return openblas_get_num_threads();
}

void hg_blas_enter(const hgate_host *host)
{
    host->blas_enter(host, set_threads, get_threads);
}

void hg_blas_leave(const hgate_host *host)
{
    host->blas_leave(host, set_threads);
}

const char *hg_blas_flavour(void)
{
    switch (openblas_get_parallel()) {
    case OPENBLAS_SEQUENTIAL:
        return "serial";
    case OPENBLAS_THREAD:
        return "pthread";
    case OPENBLAS_OPENMP:
        return "openmp";
    default:
        return "unknown";
    }
}

const char *hg_blas_core(void)
{
    return openblas_get_corename();
}

const char *hg_blas_config(void)
{
    return openblas_get_config();
}

int hg_blas_threads(void)
{
    return openblas_get_num_threads();
}
