// SPDX-License-Identifier: BSD-3-Clause
// Shapes of kernel `rows` up to 96 images: two or three warps a point, every thread a part of two
// or three rows; part of the complex matrix in shared memory. Occupancy decides: the register file
// is four quarters, so 8 warps at 255 registers, 12 at 168, 16 at 128.
#include "plugins/cuda/emi/launch.cuh"

//                               lanes real cols warps split fold chunk points blocks
extern const hg_emi_shape hg_emi_rows_64 = shape_row<RowShape<32, 32, 16, 2, 1, 2, 4, 1, 6>>();
extern const hg_emi_shape hg_emi_rows_96 = shape_row<RowShape<32, 32, 16, 3, 1, 3, 4, 1, 4>>();
