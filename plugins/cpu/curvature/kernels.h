/* SPDX-License-Identifier: BSD-3-Clause */
/* Family curvature: the shared kernels and the constants of their cost. */
#ifndef HG_CPU_CURVATURE_KERNELS_H
#define HG_CPU_CURVATURE_KERNELS_H

/* X(SYMBOL): records hg_serial_SYMBOL and hg_team_SYMBOL. */
#define HG_CPU_CURVATURE_KERNELS(X)                                                                \
    X(curvature_full)                                                                              \
    X(curvature_symmetric)                                                                         \
    X(curvature_pair) X(curvature_kernel_gemm) X(curvature_dirty) X(curvature_data_vector)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_CPU_CURVATURE_CONSTANTS(X)                                                              \
    X(CURVATURE_COLUMN, curvature_column, "s/column", 2e-7, 1e-9, 1e-2,                            \
      "one column of M in direct convolution: its strips and runs")                                \
    X(CURVATURE_CELL, curvature_cell, "s/madd", 2.5e-11, 1e-12, 1e-7,                              \
      "one multiply-add of direct convolution")                                                    \
    X(CURVATURE_CELL_F32, curvature_cell_f32, "s/madd", 1.4e-11, 1e-12, 1e-7,                      \
      "the same in float32")                                                                       \
    X(CURVATURE_RUN, curvature_run, "s/madd", 3e-11, 1e-13, 1e-7,                                  \
      "one cell that a vertical run of entries passes, beside its multiply-adds")                  \
    X(CURVATURE_RUN_F32, curvature_run_f32, "s/madd", 1.5e-11, 1e-13, 1e-7, "the same in float32") \
    X(CURVATURE_GATHER, curvature_gather, "s/madd", 4.5e-10, 1e-12, 1e-7,                          \
      "one multiply-add of the gather after a convolution")                                        \
    X(CURVATURE_PHASOR, curvature_phasor, "s/phasor", 2e-9, 1e-11, 1e-6,                           \
      "one sine and cosine for w")                                                                 \
    X(CURVATURE_KERNEL_FLOP, curvature_kernel_flop, "s/flop", 2.5e-11, 1e-13, 1e-8,                \
      "one operation of the products for w")                                                       \
    X(CURVATURE_KERNEL_STORE, curvature_kernel_store, "s/element", 2e-9, 1e-11, 1e-6,              \
      "one element of w, put together and stored")                                                 \
    X(CURVATURE_SYMMETRIC_CELL, curvature_symmetric_cell, "s/madd", 2.5e-11, 1e-12, 1e-7,          \
      "one multiply-add of direct convolution that is cut to the rows above")                      \
    X(CURVATURE_SYMMETRIC_CELL_F32, curvature_symmetric_cell_f32, "s/madd", 1.4e-11, 1e-12, 1e-7,  \
      "the same in float32")                                                                       \
    X(CURVATURE_PLANE, curvature_plane, "s/cell", 5e-10, 1e-13, 1e-7,                              \
      "one cell of a convolved column: it is stored and put beside those of others")               \
    X(CURVATURE_ENTRY, curvature_entry, "s/entry", 4e-8, 1e-10, 1e-6,                              \
      "one entry of M, put in order for a convolution")                                            \
    X(CURVATURE_WAVE, curvature_wave, "s/wave", 2.5e-9, 1e-11, 1e-6,                               \
      "one visibility at one pixel of the dirty image")                                            \
    X(CURVATURE_DATA_ENTRY, curvature_data_entry, "s/entry", 1.5e-9, 1e-11, 1e-6,                  \
      "one entry of M for the data vector")

#endif
