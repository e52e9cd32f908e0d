// SPDX-License-Identifier: BSD-3-Clause
// Shapes of kernel `rows` above 96 images: two threads a row, then more registers and one point a
// multiprocessor.
#include "plugins/cuda/emi/launch.cuh"

//                                lanes real cols warps split fold chunk points blocks
extern const hg_emi_shape hg_emi_rows_128 = shape_row<RowShape<32, 64, 32, 4, 2, 1, 16, 1, 2>>();
extern const hg_emi_shape hg_emi_rows_160 = shape_row<RowShape<32, 80, 48, 5, 2, 1, 16, 1, 1>>();
