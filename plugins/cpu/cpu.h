/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CPU plugins share: the state of one engine, the way to spread work, the form of a kernel
 * record. */
#ifndef HG_CPU_H
#define HG_CPU_H

#include "headgate/plugin.h"

/* Instruction sets that the kernels are compiled for, least first. */
enum hg_isa { HG_ISA_BASELINE, HG_ISA_AVX2, HG_ISA_AVX512, HG_ISA_COUNT };

/* One piece of work: i of n, done by a worker with a number below the thread count. */
typedef void (*hg_task_fn)(void *context, int64_t i, int worker);

/* State of a plugin for one engine: what probe() returns and every kernel is given. */
typedef struct hg_cpu {
    const hgate_host *host;
    int isa;            /* enum hg_isa: the best that this processor and the option `isa` allow */
    int is_threaded;    /* cpu-openmp: kernels may use problem->threads and run->threads */
    size_t cache_bytes; /* second-level cache of one core */
    int sort_sources;   /* ops.visibility.sort_sources: 1 on, 0 off, -1 as it pays */
    int steps_apart;    /* ops.visibility.fused_z: off */
    /* Does task(context, i, worker) for each i below n. Which worker takes which i is not fixed, so
     * a result must not depend on it. */
    void (*spread)(int threads, int64_t n, hg_task_fn task, void *context);
} hg_cpu;

/* Threads that a kernel may count on: 1 in cpu-serial, whatever the host allows. */
static inline int hg_cpu_threads(const void *state, int threads)
{
    const hg_cpu *cpu = state;
    return cpu->is_threaded && threads > 1 ? threads : 1;
}

/* Times that a team is waited for, in work that is spread `n` times: none of them on one thread. */
static inline double hg_cpu_teams(int workers, double n)
{
    return workers > 1 ? n : 0.0;
}

#define HG_CPU_SPACES (HGATE_SPACE_HOST | HGATE_SPACE_CUDA_HOST)
#define HG_CPU_FLAGS                                                                               \
    (HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE | HGATE_KERNEL_LINEAR_COST)

/* Defines the records of a shared kernel: hg_serial_<symbol> for cpu-serial, hg_team_<symbol> for
 * cpu-openmp. The rest are initializers of hgate_kernel. */
#define HG_CPU_KERNEL(symbol, ...)                                                                 \
    const hgate_kernel hg_serial_##symbol = {.struct_size = sizeof(hgate_kernel),                  \
                                             .spaces = HG_CPU_SPACES,                              \
                                             .flags = HG_CPU_FLAGS,                                \
                                             __VA_ARGS__};                                         \
    const hgate_kernel hg_team_##symbol = {.struct_size = sizeof(hgate_kernel),                    \
                                           .spaces = HG_CPU_SPACES,                                \
                                           .flags = HG_CPU_FLAGS | HGATE_KERNEL_THREADED,          \
                                           __VA_ARGS__}

#endif
