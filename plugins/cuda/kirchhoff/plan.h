/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of both directions share on the host: the plan's object, sizes of a problem. */
#ifndef HG_CUDA_KIRCHHOFF_PLAN_H
#define HG_CUDA_KIRCHHOFF_PLAN_H

#include "plugins/cuda/kirchhoff/tables.h"
#include "plugins/cuda/runtime/state.h"

/* Made once for both directions; tables point into device memory. */
typedef struct hg_migration_plan {
    const hgate_host *host;
    int device_id;
    void *memory;
    size_t bytes; /* of memory */
    void *offset_memory;
    hg_cuda_tables tables;
} hg_migration_plan;

typedef struct hg_migration_sizes {
    int64_t ns, nr, nt, ni, nz, nwav, traces, n_tiles;
    int is_64, is_dynamic, has_aperture;
    size_t real; /* bytes */
} hg_migration_sizes;

hg_migration_sizes hg_migration_sizes_of(const hgate_problem *problem);

/* Refuses what no kernel of the family serves: devices, records that are too long, too many pairs
 * of tiles and stations. */
int hg_migration_refuse(const hg_cuda_state *state, const hgate_problem *problem,
                        hgate_reason *reason);
/* Bytes that hg_migration_prepare() will keep, at most. */
size_t hg_migration_bytes(const hgate_problem *problem);

/* prepare() and discard() of every kernel of the family. */
int hg_migration_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                         void **prepared);
void hg_migration_discard(void *state, void *prepared);

/* values.c: refuses table entries in device memory as the core does those of the host; waits.
 * `first` is room for HG_CHECKED_TABLES numbers in device memory. */
enum { HG_CHECKED_TABLES = 9 };
int hg_migration_check(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                       unsigned long long *first);

/* aperture.c: offset_row and offset_factor, from copies of the station indices. */
size_t hg_aperture_bytes(const hgate_problem *problem);
int hg_aperture_make(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                     hg_migration_plan *plan);

#endif
