/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS as the CPU plugins use it: on one thread, under the host's guard. */
#ifndef HG_CPU_BLAS_H
#define HG_CPU_BLAS_H

#include "headgate/plugin.h"

/* Every call of BLAS or LAPACK stands between these two. Parallel work is ours, outside of BLAS:
 * the answer says how many of the wanted threads may call it at once, 1 where it takes no locks. */
int hg_blas_enter(const hgate_host *host, int threads);
void hg_blas_leave(const hgate_host *host);

/* "serial", "pthread", "openmp": how this OpenBLAS would use threads. */
const char *hg_blas_flavour(void);
/* The kernels it picked for this processor, "Haswell". */
const char *hg_blas_core(void);
/* What to do where it picked kernels of an old processor although this one has AVX2 (an OpenBLAS
 * that is older than the processor does that), or where it has no locks. NULL where all is well. */
const char *hg_blas_warning(void);
/* Its version and build options, in its own words. */
const char *hg_blas_config(void);
int hg_blas_threads(void);

#endif
