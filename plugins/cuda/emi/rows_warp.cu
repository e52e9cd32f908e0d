// SPDX-License-Identifier: BSD-3-Clause
// Shapes of kernel `warp`: 16 or 32 lanes a point, all columns in registers. Best of several
// measured on an H200.
#include "plugins/cuda/emi/launch.cuh"

//                               lanes real cols warps split fold chunk points blocks
extern const hg_emi_shape hg_emi_warp_12 = shape_row<RowShape<16, 12, 12, 1, 1, 1, 4, 8, 6>>();
extern const hg_emi_shape hg_emi_warp_16 = shape_row<RowShape<16, 16, 16, 1, 1, 1, 4, 8, 4>>();
extern const hg_emi_shape hg_emi_warp_20 = shape_row<RowShape<32, 20, 20, 1, 1, 1, 4, 4, 5>>();
extern const hg_emi_shape hg_emi_warp_32 = shape_row<RowShape<32, 32, 32, 1, 1, 1, 4, 4, 4>>();
