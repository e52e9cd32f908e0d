// SPDX-License-Identifier: BSD-3-Clause
// Shapes of kernel `rows`: several warps a point; from 96 images on, part of the complex matrix in
// shared memory. Occupancy decides: the register file is four quarters, so 8 warps at 255
// registers, 12 at 168, 16 at 128.
#include "plugins/cuda/emi/launch.cuh"

//                               lanes real cols warps split chunk points blocks
extern const hg_emi_shape hg_emi_rows_64 = shape_row<RowShape<32, 64, 64, 2, 1, 16, 1, 6>>();
extern const hg_emi_shape hg_emi_rows_96 = shape_row<RowShape<32, 96, 48, 3, 1, 16, 1, 4>>();
