/* SPDX-License-Identifier: BSD-3-Clause */
/* The two inner loops of direct convolution; compiled for each instruction set.
 *
 *      U_s(y, x) = sum_{t in s} vals[t] w(y - iy[t], x - ix[t])
 *      F[s, c] = sum_{t in c} vals[t] U_s(iy[t], ix[t])
 *
 * A tile of cells stays in registers while the loop runs over the entries of the column, so a
 * multiply-add costs one load of w and no store. Every cell is one chain of fused multiply-adds in
 * the given order, whatever the tile: results do not depend on the width of the registers, on the
 * rows that are computed or on the tile that a cell falls into. */
#include "plugins/cpu/curvature/convolve.h"

#include "plugins/cpu/curvature/extent.h"
#include "plugins/cpu/vector.h"

#define REAL float
#define VECTOR hg_f32v
#define LANES HG_F32_LANES
#define LOAD hg_load_f32
#define STORE hg_store_f32
#define SET hg_set_f32
#define FMA hg_fma_f32
#define TYPED(base) base##_f32
#include "plugins/cpu/curvature/convolve_real.h"

#define REAL double
#define VECTOR hg_f64v
#define LANES HG_F64_LANES
#define LOAD hg_load_f64
#define STORE hg_store_f64
#define SET hg_set_f64
#define FMA hg_fma_f64
#define TYPED(base) base##_f64
#include "plugins/cpu/curvature/convolve_real.h"

const hg_convolve HG_NAME(convolve)[2] = {{row_f32, gather_f32}, {row_f64, gather_f64}};
