/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of direct convolution; compiled for each instruction set.
 *
 *      U_s(y, x) = sum_{t in s} vals[t] w(y - iy[t], x - ix[t])
 *
 * A tile of 4 rows stays in registers while the loop runs over the entries of the column. Entries
 * that stand one above the other use the same segments of w in neighbouring rows: a run of r of
 * them loads r + 3 segments for 4 r multiply-adds, so the loads, nearly all of which cross a cache
 * line, are no longer what limits. Every cell is one chain of fused multiply-adds in the order of
 * the entries (by x, then falling y), whatever the tile: results do not depend on the width of the
 * registers, on the rows that are computed together or on the tile that a cell falls into. */
#include "plugins/cpu/curvature/convolve.h"

#include "plugins/cpu/curvature/extent.h"
#include "plugins/cpu/vector.h"

/* 4 rows of as many vectors, beside the segment of w and a value, fill the registers. */
enum { WIDEST = HG_VECTOR_BYTES == 64 ? 4 : 2 };
_Static_assert(WIDEST *HG_VECTOR_BYTES <= HG_TILE_BYTES, "tiles read behind the rows of w");

/* Two things that compilers do not find by themselves. Values are loaded in each step, since a
 * broadcast from memory is free: kept in registers from step to step it takes one of the two ports
 * of the multiply-adds. Segments of w are loaded once and stay: as operands in memory they would be
 * loaded again for each row. */
#if defined(__x86_64__) && defined(__GNUC__)
#define HG_FORGET(pointer) __asm__("" : "+r"(pointer))
#define HG_IN_REGISTER(vector) __asm__("" : "+v"(vector))
#else
#define HG_FORGET(pointer) (void)(pointer)
#define HG_IN_REGISTER(vector) (void)(vector)
#endif

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

const hg_strip_fn HG_NAME(strip)[2] = {strip_f32, strip_f64};
