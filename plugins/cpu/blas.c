/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS as the CPU plugins use it: on one thread, under the host's guard.
 *
 * The functions come from the plugin's own link, so the guard always acts on the copy that is
 * called. */
#include "plugins/cpu/blas.h"

#include "plugins/cpu/isa.h"

#include <cblas.h>
#include <stdbool.h>
#include <strings.h>

/* A build without threads of its own has no locks either, as far as anyone can ask: two threads in
 * it take the same work buffer and get wrong numbers. */
static bool takes_one_caller(void)
{
    return openblas_get_parallel() == OPENBLAS_SEQUENTIAL;
}

int hg_blas_enter(const hgate_host *host, int threads)
{
    if (takes_one_caller()) {
        host->blas_enter(host, NULL, NULL);
        return 1;
    }
    host->blas_enter(host, openblas_set_num_threads, openblas_get_num_threads);
    return threads;
}

void hg_blas_leave(const hgate_host *host)
{
    host->blas_leave(host, takes_one_caller() ? NULL : openblas_set_num_threads);
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

const char *hg_blas_warning(void)
{
    static const char *const old[] = {"Prescott", "Core2", "Nehalem", "generic"};
    for (size_t i = 0; hg_isa_best() >= HG_ISA_AVX2 && i < sizeof old / sizeof *old; i++)
        if (strcasecmp(hg_blas_core(), old[i]) == 0)
            return "OpenBLAS took kernels of an old processor, its products are slow: "
                   "set OPENBLAS_CORETYPE=Haswell, or SkylakeX where there is AVX-512";
    if (takes_one_caller())
        return "OpenBLAS is a build without threads and locks, one thread at a time works in it: "
               "take the build with pthreads";
    return NULL;
}

const char *hg_blas_config(void)
{
    return openblas_get_config();
}

int hg_blas_threads(void)
{
    return openblas_get_num_threads();
}
