/* SPDX-License-Identifier: BSD-3-Clause */
/* What the vector kernels of both directions share: the choice of instruction set, supports, cost.
 */
#ifndef HG_CPU_KIRCHHOFF_WORK_H
#define HG_CPU_KIRCHHOFF_WORK_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/cpu.h"

/* hg_<isa>_name for each instruction set that is compiled. */
#ifdef HG_X86_64
#define HG_BY_ISA(name)                                                                            \
    {                                                                                              \
        hg_baseline_##name, hg_avx2_##name, hg_avx512_##name                                       \
    }
#else
#define HG_BY_ISA(name)                                                                            \
    {                                                                                              \
        hg_baseline_##name, hg_baseline_##name, hg_baseline_##name                                 \
    }
#endif

static inline size_t hg_real_bytes(int is_64)
{
    return is_64 ? sizeof(double) : sizeof(float);
}

/* Refuses records that are too long for the packed tables. */
int hg_migration_supports(void *state, const hgate_problem *problem, hgate_reason *reason);

/* Terms: call, pairs of points and traces by precision without and with weights, samples of the
 * data, products with the wavelet, entries of the tables, teams. Fills prepared_bytes too. */
enum { HG_MIGRATION_TERMS = 9 };
void hg_migration_count(const hg_cpu *cpu, const hgate_problem *problem, hgate_estimate *est);

/* The list of terms of a kernel whose constants are named KERNEL_F32 ... */
#define HG_MIGRATION_TERM_LIST(KERNEL)                                                             \
    {"call", HG_K_CALL}, {"pairs32", HG_K_KIRCHHOFF_##KERNEL##_F32},                               \
        {"pairs64", HG_K_KIRCHHOFF_##KERNEL##_F64},                                                \
        {"weighted32", HG_K_KIRCHHOFF_##KERNEL##_DYNAMIC_F32},                                     \
        {"weighted64", HG_K_KIRCHHOFF_##KERNEL##_DYNAMIC_F64}, {"samples", HG_K_KIRCHHOFF_SAMPLE}, \
        {"wavelet", HG_K_KIRCHHOFF_WAVELET_TERM}, {"entries", HG_K_KIRCHHOFF_ENTRY},               \
    {                                                                                              \
        "team", HG_K_TEAM                                                                          \
    }

/* Spreads tasks over threads, in portions if the caller wants to hear of progress. OK or ESTOPPED.
 */
int hg_spread_told(const hg_cpu *cpu, const hgate_run *run, int threads, int64_t n, hg_task_fn task,
                   void *context);

#endif
