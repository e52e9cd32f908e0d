// SPDX-License-Identifier: BSD-3-Clause
// How setup.cu packs a vertical run and convolve.cu reads it.
#pragma once
#include "plugins/cuda/curvature/arrays.h"

// Bits 0-3: rows from the run's lowest entry down to the bottom of its box; 4-7: cells to its right
// edge; 8-11: length - 1; from 12: place of its first value in the box.
static __device__ __forceinline__ unsigned hg_pack_run(int rows, int cells, int length_1, int value)
{
    return (unsigned)rows | (unsigned)cells << 4 | (unsigned)length_1 << 8 | (unsigned)value << 12;
}
