/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of the family: angles, beam values, phases, Z in the forms that the products
 * want, the products; compiled for each instruction set.
 *
 * Work per register of lanes: a beam value 4 loads and 4 multiply-adds per part, a phase some 25
 * operations for the turns (reduced) or 12 (wide) and 20 for sine and cosine, an element of Z 4
 * operations. */
#include "plugins/cpu/visibility/lanes.h"

#include "headgate/visibility.h"
#include "plugins/cpu/vector.h"

#include <math.h>
#include <string.h>

#include "plugins/cpu/visibility/lanes_vector.h"

#include "plugins/cpu/visibility/lanes_angles.h"

#define REAL double
#define IS_64 1
#define VECTOR hg_f64v
#define INTEGER hg_i64v
#define LANES ((int64_t)HG_F64_LANES)
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/visibility/lanes_real.h"

#define REAL float
#define IS_64 0
#define VECTOR hg_f32v
#define INTEGER hg_i32v
#define LANES ((int64_t)HG_F32_LANES)
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/visibility/lanes_real.h"

#define ALL_OF(type, lanes)                                                                        \
    {                                                                                              \
        lanes, count_up_##type, select_##type, angles, interpolate_##type, phases_##type,          \
            weave_##type, scale_##type, times_##type, pack_factors_##type, pack_rows_##type,       \
            product_##type, dot_##type                                                             \
    }

const hg_visibility_lanes HG_NAME(visibility)[2] = {ALL_OF(f32, HG_F32_LANES),
                                                    ALL_OF(f64, HG_F64_LANES)};
