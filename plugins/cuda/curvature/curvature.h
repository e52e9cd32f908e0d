/* SPDX-License-Identifier: BSD-3-Clause */
/* The curvature family of the cuda plugin: kernels and cost constants. */
#ifndef HG_CUDA_CURVATURE_H
#define HG_CUDA_CURVATURE_H

#include "plugins/cuda/runtime/state.h"

#define HG_CUDA_CURVATURE_KERNELS(X)                                                               \
    X(hg_cuda_curvature_full)                                                                      \
    X(hg_cuda_curvature_symmetric)                                                                 \
    X(hg_cuda_curvature_pair)                                                                      \
    X(hg_cuda_curvature_fft)                                                                       \
    X(hg_cuda_curvature_kernel_gemm)                                                               \
    X(hg_cuda_curvature_dirty)                                                                     \
    X(hg_cuda_curvature_data_vector)

extern const hgate_kernel hg_cuda_curvature_full, hg_cuda_curvature_symmetric,
    hg_cuda_curvature_pair, hg_cuda_curvature_fft, hg_cuda_curvature_kernel_gemm,
    hg_cuda_curvature_dirty, hg_cuda_curvature_data_vector;

/* hgate_plugin.derive: work fractions and finite values of M in device memory. */
int hg_cuda_curvature_derive(void *state, const hgate_problem *problem, hgate_run *run,
                             void *facts);

/* Values from one H200: extents of 128 to 680 cells, 48 to 750 entries a column. */
#define HG_CUDA_CURVATURE_CONSTANTS(X)                                                             \
    X(curvature_cell, "s/madd", 9.8e-14, 1e-16, 1e-9, "one multiply-add of direct convolution")    \
    X(curvature_cell_f32, "s/madd", 6.4e-14, 1e-16, 1e-9, "the same in float32")                   \
    X(curvature_plane, "s/cell", 3.4e-12, 1e-15, 1e-8,                                             \
      "one cell of the U of a column: its part of w is fetched, it is stored")                     \
    X(curvature_gather, "s/madd", 1.4e-12, 1e-15, 1e-8,                                            \
      "one multiply-add of the gather after a convolution")                                        \
    X(curvature_element, "s/element", 3.3e-11, 1e-14, 1e-7, "one element of F, gathered")          \
    X(curvature_entry, "s/entry", 1e-10, 1e-13, 1e-6, "one entry of M, put in order")              \
    X(curvature_fft_point, "s/point", 1.05e-12, 1e-16, 1e-9,                                       \
      "one point of an inverse transform, times the binary logarithm of the points")               \
    X(curvature_fft_piece, "s/madd", 1.25e-12, 1e-16, 1e-9,                                        \
      "one bin of one row of a column in its transform")                                           \
    X(curvature_phasor, "s/phasor", 4e-12, 1e-14, 1e-7, "one sine and cosine for w")               \
    X(curvature_kernel_flop, "s/flop", 5e-14, 1e-16, 1e-9, "one operation of the products for w")  \
    X(curvature_wave, "s/wave", 2.7e-12, 1e-14, 1e-7,                                              \
      "one visibility at one pixel of the dirty image")                                            \
    X(curvature_data_entry, "s/entry", 1e-11, 1e-14, 1e-7, "one entry of M for the data vector")

#endif
