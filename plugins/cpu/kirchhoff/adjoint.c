/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of migration: one tile over all pairs of stations; compiled for each instruction
 * set.
 *
 *     image[p] = sum_{s,r} g (data[s,r,k] (1-f) + data[s,r,k+1] f),  k + f = base_s + base_r +
 * time_s[p] + time_r[p]
 *
 * A tile is eight registers of points. The times of a source and the sums stay in registers over
 * all receivers; the samples of a register of points lie in a window that starts at base_s +
 * base_r, and if it is short they are picked out of two or four registers by permutation, else they
 * are gathered. Each source is summed by itself first, which keeps float32 chains as short as the
 * number of receivers. The order of the sums is that of the stations, so the bits depend on nothing
 * but the input. Work per pair: 3 operations for the index, 2 picks, 3 for the value, dynamic 3
 * more. */
#include "plugins/cpu/kirchhoff/adjoint.h"

#include "plugins/cpu/kirchhoff/lanes.h"

/* Receivers that all tiles of a task take before the next ones: their windows fit the first-level
 * cache, and neighbouring tiles meet the same parts of the traces. AHEAD: a window is fetched so
 * many receivers early. */
enum { RECEIVERS = 32, AHEAD = 8 };

#define REAL float
#define VECTOR hg_f32v
#define LANES ((int64_t)HG_F32_LANES)
#define PICKS HG_PICKS_F32
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/kirchhoff/adjoint_real.h"

#define REAL double
#define VECTOR hg_f64v
#define LANES ((int64_t)HG_F64_LANES)
#define PICKS HG_PICKS_F64
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/kirchhoff/adjoint_real.h"

const hg_adjoint_fn HG_NAME(adjoint)[2] = {tiles_f32, tiles_f64};
