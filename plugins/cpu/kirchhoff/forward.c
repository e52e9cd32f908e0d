/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of demigration: tiles scattered into pair buffers of some traces; compiled for
 * each instruction set.
 *
 *     a[k] += g m[p],  b[k] += g m[p] f,    k + f = base_s + base_r + time_s[p] + time_r[p]
 *
 * Index, fraction and products are made by registers of points, then each point costs one read, add
 * and write of a pair (a, b) in place of two samples. A trace has its own buffer, so nothing is
 * shared between threads. Points go tile by tile in a fixed order, whatever the group of traces:
 * the bits of a trace depend on its own tables alone. */
#include "plugins/cpu/kirchhoff/forward.h"

#include "plugins/cpu/kirchhoff/lanes.h"

#define REAL float
#define VECTOR hg_f32v
#define LANES ((int64_t)HG_F32_LANES)
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/kirchhoff/forward_real.h"

#define REAL double
#define VECTOR hg_f64v
#define LANES ((int64_t)HG_F64_LANES)
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/kirchhoff/forward_real.h"

const hg_forward_fns HG_NAME(forward)[2] = {{scatter_f32, collect_f32, resolve_f32, output_f32},
                                            {scatter_f64, collect_f64, resolve_f64, output_f64}};
