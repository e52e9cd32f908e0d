/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to lines of complex numbers between their transforms; compiled for each instruction
 * set. */
#include "plugins/cpu-fftw/lines.h"

#include "plugins/cpu/vector.h"

#include <stddef.h>
#include <string.h>

/* Lanes of a vector of (re, im) pairs: real parts twice, imaginary parts twice, both swapped. */
#define FIRST_16 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define SECOND_16 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define SWAP_16 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define FIRST_8 0, 0, 2, 2, 4, 4, 6, 6
#define SECOND_8 1, 1, 3, 3, 5, 5, 7, 7
#define SWAP_8 1, 0, 3, 2, 5, 4, 7, 6
#define FIRST_4 0, 0, 2, 2
#define SECOND_4 1, 1, 3, 3
#define SWAP_4 1, 0, 3, 2
#define FIRST_2 0, 0
#define SECOND_2 1, 1
#define SWAP_2 1, 0

#if HG_VECTOR_BYTES == 64
#define LANES_F32(which) which##_16
#define LANES_F64(which) which##_8
#elif HG_VECTOR_BYTES == 32
#define LANES_F32(which) which##_8
#define LANES_F64(which) which##_4
#else
#define LANES_F32(which) which##_4
#define LANES_F64(which) which##_2
#endif

#define REAL float
#define VECTOR hg_f32v
#define LANES HG_F32_LANES
#define ORDER LANES_F32
#define LOAD hg_load_f32
#define STORE hg_store_f32
#define FMA hg_fma_f32
#define ZIP_LOW hg_zip_low_f32
#define ZIP_HIGH hg_zip_high_f32
#define TYPED(base) base##_f32
#include "plugins/cpu-fftw/lines_real.h"

#define REAL double
#define VECTOR hg_f64v
#define LANES HG_F64_LANES
#define ORDER LANES_F64
#define LOAD hg_load_f64
#define STORE hg_store_f64
#define FMA hg_fma_f64
#define ZIP_LOW hg_zip_low_f64
#define ZIP_HIGH hg_zip_high_f64
#define TYPED(base) base##_f64
#include "plugins/cpu-fftw/lines_real.h"

const hg_lines HG_NAME(lines)[2] = {{take_f32, multiply_f32, give_f32},
                                    {take_f64, multiply_f64, give_f64}};
