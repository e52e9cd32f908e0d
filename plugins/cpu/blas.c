/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS as the CPU plugins use it: on one thread, under the host's guard.
 *
 * The functions come from the plugin's own link, so the guard always acts on the copy that is
 * called. */
#include "plugins/cpu/blas.h"

#include "plugins/cpu/isa.h"

#include <cblas.h>
#include <strings.h>

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

const char *hg_blas_warning(void)
{
    static const char *const old[] = {"Prescott", "Core2", "Nehalem", "generic"};
    for (size_t i = 0; hg_isa_best() >= HG_ISA_AVX2 && i < sizeof old / sizeof *old; i++)
        if (strcasecmp(hg_blas_core(), old[i]) == 0)
            return "OpenBLAS took kernels of an old processor, its products are slow: "
                   "set OPENBLAS_CORETYPE=Haswell, or SkylakeX where there is AVX-512";
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
