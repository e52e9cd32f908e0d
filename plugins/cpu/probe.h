/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the state of a CPU plugin, and what `headgate info` tells about it. */
#ifndef HG_CPU_PROBE_H
#define HG_CPU_PROBE_H

#include "plugins/cpu/cpu.h"

/* Fills cpu->host and cpu->isa. EUNAVAILABLE with a reason when the option `isa` cannot be served.
 */
int hg_cpu_open(const hgate_host *host, hgate_reason *reason, hg_cpu *cpu);
/* Rows on processor, instruction set and BLAS. */
void hg_cpu_describe(const hg_cpu *cpu, void (*row)(void *user, const char *key, const char *value),
                     void *user);

#endif
