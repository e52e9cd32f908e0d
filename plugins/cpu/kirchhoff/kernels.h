/* SPDX-License-Identifier: BSD-3-Clause */
/* Family kirchhoff: the shared kernels and the constants of their cost. */
#ifndef HG_CPU_KIRCHHOFF_KERNELS_H
#define HG_CPU_KIRCHHOFF_KERNELS_H

/* X(SYMBOL): records hg_serial_SYMBOL and hg_team_SYMBOL. */
#define HG_CPU_KIRCHHOFF_KERNELS(X)                                                                \
    X(kirchhoff_forward_scatter)                                                                   \
    X(kirchhoff_adjoint_window)                                                                    \
    X(kirchhoff_adjoint_gather)                                                                    \
    X(kirchhoff_traveltime_direct)                                                                 \
    X(kirchhoff_angles_direct)                                                                     \
    X(kirchhoff_spreading_direct)                                                                  \
    X(kirchhoff_convolve_direct)

/* X(NAME, word, unit, value, lowest, highest, help). A pair is one image point and one trace. */
#define HG_CPU_KIRCHHOFF_CONSTANTS(X)                                                              \
    X(KIRCHHOFF_SCATTER_F32, kirchhoff_scatter_f32, "s/pair", 8e-10, 1e-12, 1e-6,                  \
      "a pair of the forward direction, float32")                                                  \
    X(KIRCHHOFF_SCATTER_F64, kirchhoff_scatter_f64, "s/pair", 1e-9, 1e-12, 1e-6,                   \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_SCATTER_DYNAMIC_F32, kirchhoff_scatter_dynamic_f32, "s/pair", 9e-10, 1e-12, 1e-6,  \
      "a weighted pair of the forward direction, float32")                                         \
    X(KIRCHHOFF_SCATTER_DYNAMIC_F64, kirchhoff_scatter_dynamic_f64, "s/pair", 1.1e-9, 1e-12, 1e-6, \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_WINDOW_F32, kirchhoff_window_f32, "s/pair", 1e-10, 1e-12, 1e-6,                    \
      "a pair of the adjoint by windows in registers, float32")                                    \
    X(KIRCHHOFF_WINDOW_F64, kirchhoff_window_f64, "s/pair", 2e-10, 1e-12, 1e-6,                    \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_WINDOW_DYNAMIC_F32, kirchhoff_window_dynamic_f32, "s/pair", 2e-10, 1e-12, 1e-6,    \
      "a weighted pair by windows in registers, float32")                                          \
    X(KIRCHHOFF_WINDOW_DYNAMIC_F64, kirchhoff_window_dynamic_f64, "s/pair", 4e-10, 1e-12, 1e-6,    \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_WINDOW_REACH_F32, kirchhoff_window_reach_f32, "s/pair", 2e-10, 1e-12, 1e-6,        \
      "a pair whose samples reach beyond a window, float32")                                       \
    X(KIRCHHOFF_WINDOW_REACH_F64, kirchhoff_window_reach_f64, "s/pair", 4e-10, 1e-12, 1e-6,        \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_GATHER_F32, kirchhoff_gather_f32, "s/pair", 6e-10, 1e-12, 1e-6,                    \
      "a pair of the adjoint by gathers, float32")                                                 \
    X(KIRCHHOFF_GATHER_F64, kirchhoff_gather_f64, "s/pair", 7e-10, 1e-12, 1e-6,                    \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_GATHER_DYNAMIC_F32, kirchhoff_gather_dynamic_f32, "s/pair", 7e-10, 1e-12, 1e-6,    \
      "a weighted pair by gathers, float32")                                                       \
    X(KIRCHHOFF_GATHER_DYNAMIC_F64, kirchhoff_gather_dynamic_f64, "s/pair", 9e-10, 1e-12, 1e-6,    \
      "the same in float64")                                                                       \
    X(KIRCHHOFF_SAMPLE, kirchhoff_sample, "s/sample", 1e-9, 1e-12, 1e-6,                           \
      "a sample of the data, read or written")                                                     \
    X(KIRCHHOFF_WAVELET_TERM, kirchhoff_wavelet_term, "s/madd", 5e-11, 1e-13, 1e-7,                \
      "a product of wavelet and sample")                                                           \
    X(KIRCHHOFF_ENTRY, kirchhoff_entry, "s/entry", 5e-9, 1e-11, 1e-6,                              \
      "an entry of the tables, packed for the plan")                                               \
    X(KIRCHHOFF_TRAVELTIME_ENTRY, kirchhoff_traveltime_entry, "s/entry", 8e-10, 1e-12, 1e-6,       \
      "an entry of a table of traveltimes")                                                        \
    X(KIRCHHOFF_ANGLE_ENTRY, kirchhoff_angle_entry, "s/entry", 1.2e-9, 1e-12, 1e-6,                \
      "an entry of a table of ray angles")                                                         \
    X(KIRCHHOFF_SPREADING_ENTRY, kirchhoff_spreading_entry, "s/entry", 1.8e-9, 1e-12, 1e-6,        \
      "an entry of a table of amplitudes")

#endif
