// SPDX-License-Identifier: BSD-3-Clause
// The largest shape of kernel `rows`.
#include "plugins/cuda/emi/launch.cuh"

//                                lanes real cols warps split fold chunk points blocks
extern const hg_emi_shape hg_emi_rows_196 = shape_row<RowShape<32, 196, 104, 7, 1, 1, 16, 1, 1>>();
