/* SPDX-License-Identifier: BSD-3-Clause */
/* The fused call cut in parts: each takes a range of chunks, with memory and sums of its own. */
#ifndef HG_CPU_FUSED_PARTS_H
#define HG_CPU_FUSED_PARTS_H

#include "plugins/cpu/visibility/block.h"
#include "plugins/cpu/visibility/gram_blas.h"
#include "plugins/cpu/visibility/pair_sums.h"

/* A call of the fused operation: inputs and workspace. */
typedef struct hg_fused {
    const hg_cpu *cpu;
    int matprod;
    int parts; /* that there is room for */
    int sorts; /* sources go by the cells of the grid */
    hg_visibility_inputs in;
    hg_sources sources;
    hg_field field;
    hg_gram gram;          /* V, or the whole product that blocks are cut from */
    hg_pair_sums sums;     /* matprod dot */
    hg_herk3 herk3;        /* matprod herk3 */
    hg_negative *negative; /* (parts) */
    char *memory;          /* (parts) of part_bytes: blocks, Z, private V or sums */
    size_t part_bytes;
} hg_fused;

/* Everything that does not need memory. chunk: what the memory plan allows. */
hg_fused hg_fused_of(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     const hgate_visibility_chunk_info *plan);
void hg_fused_lay_out(hgate_scratch *scratch, hg_fused *f);
/* Horizon cut, sort, antennas. */
void hg_fused_prepare(hg_fused *f, int threads);
/* EVALUE for an interpolated power below 0. */
int hg_fused_check_power(const hgate_host *host, hg_fused *f, int threads);
/* All products into gram.V, whose triangle is ready, or into sums or herk3. alpha and beta are
 * those of gram.V. */
int hg_fused_run(hg_fused *f, hgate_run *run, double alpha, double beta);

#endif
