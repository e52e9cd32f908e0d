/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution of a trace with a wavelet, by registers of samples; compiled for each instruction
 * set.
 *
 * Eight registers of outputs stay put while the loop runs over the wavelet: one multiply-add and
 * one load per product. Sums in the precision of the trace. */
#include "plugins/cpu/kirchhoff/filter.h"

#include "plugins/cpu/vector.h"

#include <float.h>

#define REAL float
#define LEAST FLT_MIN
#define VECTOR hg_f32v
#define LANES ((int64_t)HG_F32_LANES)
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/kirchhoff/filter_real.h"

#define REAL double
#define LEAST DBL_MIN
#define VECTOR hg_f64v
#define LANES ((int64_t)HG_F64_LANES)
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/kirchhoff/filter_real.h"

const hg_filter_fn HG_NAME(filter)[2] = {filter_f32, filter_f64};
