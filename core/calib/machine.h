/* SPDX-License-Identifier: BSD-3-Clause */
/* What the constants of a cost model depend on: the machine's fingerprint. No host name: names are
 * random in containers and shared in clusters. */
#ifndef HG_CALIB_MACHINE_H
#define HG_CALIB_MACHINE_H

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/plugin/registry.h"

#include <stdint.h>

/** Texts live in the arena; "" for what is not known. */
typedef struct hg_machine {
    hg_arena arena;
    const char *cpu;  /* model, in its own words */
    int64_t cores;    /* processors that this process may run on */
    const char *isa;  /* of the CPU kernels: row `isa` of a plugin's description */
    const char *blas; /* row `blas` */
    const char *gpus; /* rows `gpu`, "; " between them */
} hg_machine;

/** Asks the system and n usable plugins. ENOMEM. */
int hg_machine_read(const hg_plugin *const *plugins, int n, const hg_allocator *allocator,
                    hg_machine *out);
void hg_machine_release(hg_machine *machine);

/** The same for the same machine. */
uint64_t hg_machine_hash(const hg_machine *machine);

#endif
