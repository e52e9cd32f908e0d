/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of migration: one tile over all pairs of stations. */
#ifndef HG_CPU_ADJOINT_H
#define HG_CPU_ADJOINT_H

#include "plugins/cpu/kirchhoff/tables.h"

/* image (n tiles, points) = sum over all pairs of g (data[k] (1-f) + data[k+1] f) for tiles [tile,
 * tile + n), at most HG_TASK_POINTS points; data (ns, nr, nt) and image in the precision of the
 * tables. with_windows: short windows of a trace go through registers. */
typedef void (*hg_adjoint_fn)(const hg_tables *t, int64_t tile, int64_t n, const void *data,
                              int with_windows, void *image);

/* By precision, for each instruction set. */
extern const hg_adjoint_fn hg_baseline_adjoint[2], hg_avx2_adjoint[2], hg_avx512_adjoint[2];

#endif
