/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hermitian product of a given Z: columns shared out over threads, one pass that adds. */
#ifndef HG_CPU_GRAM_PARTS_H
#define HG_CPU_GRAM_PARTS_H

#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/cpu/visibility/herk3.h"

typedef struct hg_gram_parts {
    const hg_cpu *cpu;
    hg_gram gram; /* any matprod but dot */
    int64_t K;
    const void *Z; /* (M, K) */
    int parts;     /* that there is room for */
    hg_herk3 herk3;
    char *own; /* (parts - 1, M, M) of the products through BLAS */
} hg_gram_parts;

hg_gram_parts hg_gram_parts_of(const hg_cpu *cpu, int threads, const hg_gram *gram, int64_t K,
                               const void *Z);
void hg_gram_parts_lay_out(hgate_scratch *scratch, hg_gram_parts *p);
/* gram.V = alpha Z Z^H + beta gram.V, Hermitian in bits. */
void hg_gram_parts_run(hg_gram_parts *p, const hgate_run *run, double alpha, double beta);

#endif
