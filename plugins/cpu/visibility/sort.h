/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of a call in the order of the cells of the beam grid. */
#ifndef HG_CPU_VISIBILITY_SORT_H
#define HG_CPU_VISIBILITY_SORT_H

#include "plugins/cpu/cpu.h"
#include "plugins/cpu/visibility/inputs.h"
#include "plugins/cpu/visibility/lanes.h"
#include "plugins/cpu/visibility/sources.h"

void hg_sort_lay_out(hgate_scratch *scratch, const hg_visibility_inputs *in, hg_sources *sources);
/* Sorts sources->up, sources of positive and of negative flux apart. */
void hg_sort_sources(const hg_cpu *cpu, int threads, const hg_visibility_inputs *in,
                     const hg_visibility_lanes *lanes, hg_sources *sources);

#endif
