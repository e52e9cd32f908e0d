/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances, spreading and ray angles by registers of table entries; compiled for each instruction
 * set. Work per register: a square root, a root and a division, two divisions and a polynomial. */
#include "plugins/cpu/kirchhoff/setup_lanes.h"

#include "plugins/cpu/vector.h"

#include <float.h>
#include <string.h>

/* (atan(z) - z) / z^3 as a polynomial in z^2 up to tan(pi/8): to 7e-10 of z, and to 4e-18. */
static const float arctangent_f32[] = {-0.333333155F, 0.199984894F, -0.142438486F, 0.105960003F,
                                       -0.060834506F};
static const double arctangent_f64[] = {
    -0.333333333333333332,   0.1999999999999978377,   -0.1428571428565463894,
    0.1111111110465225482,   -0.09090908728587459038, 0.07692295658327873508,
    -0.06666412077725274345, 0.05878782469443981179,  -0.05229380473781840592,
    0.04546719509555166541,  -0.03444584442357738493, 0.01614822854677186957};

#define REAL float
#define LARGEST FLT_MAX
#define TERMS 5
#define VECTOR hg_f32v
#define MASK hg_i32v
#define LANES ((int64_t)HG_F32_LANES)
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/kirchhoff/setup_real.h"

#define REAL double
#define LARGEST DBL_MAX
#define TERMS 12
#define VECTOR hg_f64v
#define MASK hg_i64v
#define LANES ((int64_t)HG_F64_LANES)
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/kirchhoff/setup_real.h"

const hg_setup_lanes HG_NAME(setup)[2] = {{HG_F32_LANES, distances_f32, spreading_f32, angles_f32},
                                          {HG_F64_LANES, distances_f64, spreading_f64, angles_f64}};
