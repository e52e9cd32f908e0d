/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hermitian product as three real ones, in parts that several threads add to. */
#ifndef HG_CPU_HERK3_H
#define HG_CPU_HERK3_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/lanes.h"

/* Sums of Z Z^H of M rows; each part has panels and sums of its own. */
typedef struct hg_herk3 {
    const hg_visibility_lanes *lanes;
    int is_64;
    int parts; /* that there is room for */
    int64_t M;
    int64_t depth; /* columns of a block */
    char *planes;  /* (parts, 3, n depth lanes) */
    char *sums;    /* (parts, 2, (n lanes)^2): G and Q of each part */
} hg_herk3;

/* Columns of a block at most: the panels of a few hundred rows fit the second-level cache, two of
 * them the first. */
int64_t hg_herk3_depth(int is_64);
void hg_herk3_lay_out(hgate_scratch *scratch, hg_herk3 *h);
hg_panels hg_herk3_panels(const hg_herk3 *h, int part);
/* The panels of a part from K columns of Z, whose rows are stride elements apart. */
void hg_herk3_pack(const hg_herk3 *h, int part, const void *Z, int64_t stride, int64_t K);
void hg_herk3_clear(const hg_herk3 *h, int part);
/* Adds the first K columns of the panels of a part, times sign. */
void hg_herk3_add(const hg_herk3 *h, int part, int64_t K, double sign);
/* V = alpha (sum of the first n parts) + beta V, Hermitian in bits; the transpose with is_conj. V
 * is not read for beta 0, else its lower triangle is. The parts are added in their order. */
void hg_herk3_finish(const hg_herk3 *h, int n, const hg_cpu *cpu, int threads, double alpha,
                     double beta, int is_conj, void *V);

#endif
