/* SPDX-License-Identifier: BSD-3-Clause */
/* The last pass over F: one triangle becomes the whole, or F = A + A'. */
#ifndef HG_CURVATURE_TRIANGLE_H
#define HG_CURVATURE_TRIANGLE_H

#include "plugins/cpu/cpu.h"
#include "plugins/cpu/view.h"

/* rank NULL: F = F + F'. Otherwise F[c, s] = F[s, c] where rank[c] > rank[s]. F (n, n). */
void hg_triangle_finish(const hg_cpu *cpu, int workers, hg_reals f, int64_t n, const int64_t *rank);

#endif
