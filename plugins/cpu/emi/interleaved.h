/* SPDX-License-Identifier: BSD-3-Clause */
/* Solving as many points at once as a vector has lanes, for each instruction set and type. */
#ifndef HG_EMI_INTERLEAVED_H
#define HG_EMI_INTERLEAVED_H

#include "plugins/cpu/cpu.h"
#include "plugins/cpu/emi/point.h"
#include "plugins/cpu/emi/temp_coh.h"

typedef struct hg_interleaved {
    int lanes;
    /* Bytes of memory that a group of points needs, 64-byte aligned; SIZE_MAX when the count
     * overflows. */
    size_t (*bytes)(int64_t n);
    /* Solves and stores the points first ... first + lanes - 1 that exist, n >= 3. Bit l of the
     * result is set when point first + l needs more digits or a solver with pivoting: what was
     * stored for it does not count. */
    uint64_t (*solve)(const hg_emi_call *call, int64_t first, void *memory);
    /* The same for temporal coherences, any n. */
    size_t (*temp_coh_bytes)(int64_t n);
    void (*temp_coh)(const hg_temp_coh_call *call, int64_t first, void *memory);
} hg_interleaved;

/* By precision: [0] complex64, [1] complex128. */
extern const hg_interleaved hg_baseline_interleaved[2];
extern const hg_interleaved hg_avx2_interleaved[2];
extern const hg_interleaved hg_avx512_interleaved[2];

/* The one of this plugin's instruction set and the problem's type. */
const hg_interleaved *hg_interleaved_of(const hg_cpu *cpu, const hgate_problem *problem);

#endif
