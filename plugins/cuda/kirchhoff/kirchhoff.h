/* SPDX-License-Identifier: BSD-3-Clause */
/* The kirchhoff family of the cuda plugin: kernels and cost constants. */
#ifndef HG_CUDA_KIRCHHOFF_H
#define HG_CUDA_KIRCHHOFF_H

#include "headgate/plugin_util.h"

#define HG_CUDA_KIRCHHOFF_KERNELS(X)                                                               \
    X(hg_cuda_kirchhoff_forward_scatter)                                                           \
    X(hg_cuda_kirchhoff_forward_atomic)                                                            \
    X(hg_cuda_kirchhoff_adjoint_window)                                                            \
    X(hg_cuda_kirchhoff_adjoint_gather)                                                            \
    X(hg_cuda_kirchhoff_traveltime_direct)                                                         \
    X(hg_cuda_kirchhoff_angles_direct)                                                             \
    X(hg_cuda_kirchhoff_spreading_direct)                                                          \
    X(hg_cuda_kirchhoff_station_index_direct)                                                      \
    X(hg_cuda_kirchhoff_wavelet_direct)                                                            \
    X(hg_cuda_kirchhoff_convolve)

#define HG_CUDA_KIRCHHOFF_DECLARE(KERNEL) extern const hgate_kernel KERNEL;
HG_CUDA_KIRCHHOFF_KERNELS(HG_CUDA_KIRCHHOFF_DECLARE)
#undef HG_CUDA_KIRCHHOFF_DECLARE

/* X(NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP). A pair is one image point and one trace. Rates of
 * pairs from one H200 (ns 64, nr 128, nt 1500, 300x200, and ns 128, nr 256, nt 2000, 300x300); the
 * others are estimates. */
#define HG_CUDA_KIRCHHOFF_CONSTANTS(X)                                                             \
    X(kirchhoff_window_f32, "s/pair", 4.3e-13, 1e-15, 1e-8, "kernel window: a pair, float32")      \
    X(kirchhoff_window_f64, "s/pair", 1.2e-12, 1e-15, 1e-8, "the same in float64")                 \
    X(kirchhoff_window_weighted_f32, "s/pair", 9e-13, 1e-15, 1e-8,                                 \
      "kernel window: a weighted pair, float32")                                                   \
    X(kirchhoff_window_weighted_f64, "s/pair", 2.4e-12, 1e-15, 1e-8, "the same in float64")        \
    X(kirchhoff_gather_f32, "s/pair", 1.2e-12, 1e-15, 1e-8, "kernel gather: a pair, float32")      \
    X(kirchhoff_gather_f64, "s/pair", 2.6e-12, 1e-15, 1e-8, "the same in float64")                 \
    X(kirchhoff_gather_weighted_f32, "s/pair", 2.8e-12, 1e-15, 1e-8,                               \
      "kernel gather: a weighted pair, float32")                                                   \
    X(kirchhoff_gather_weighted_f64, "s/pair", 4e-12, 1e-15, 1e-8, "the same in float64")          \
    X(kirchhoff_scatter_f32, "s/pair", 1.35e-12, 1e-15, 1e-8, "kernel scatter: a pair, float32")   \
    X(kirchhoff_scatter_f64, "s/pair", 3.6e-12, 1e-15, 1e-8, "the same in float64")                \
    X(kirchhoff_scatter_weighted_f32, "s/pair", 3.4e-12, 1e-15, 1e-8,                              \
      "kernel scatter: a weighted pair, float32")                                                  \
    X(kirchhoff_scatter_weighted_f64, "s/pair", 9.5e-12, 1e-15, 1e-8, "the same in float64")       \
    X(kirchhoff_atomic_f32, "s/pair", 8.3e-12, 1e-15, 1e-8, "kernel atomic: a pair, float32")      \
    X(kirchhoff_atomic_f64, "s/pair", 1.4e-11, 1e-15, 1e-8, "the same in float64")                 \
    X(kirchhoff_atomic_weighted_f32, "s/pair", 9.6e-12, 1e-15, 1e-8,                               \
      "kernel atomic: a weighted pair, float32")                                                   \
    X(kirchhoff_atomic_weighted_f64, "s/pair", 1.6e-11, 1e-15, 1e-8, "the same in float64")        \
    X(kirchhoff_entry, "s/entry", 2e-11, 1e-14, 1e-8, "an entry of the tables, packed for a plan") \
    X(kirchhoff_filter_term, "s/madd", 2e-13, 1e-15, 1e-9, "a product of wavelet and sample")      \
    X(kirchhoff_byte, "s/byte", 2.6e-13, 1e-14, 1e-9, "device memory that the family moves")

/* Terms of both directions: launches, pairs by precision without and with weights, entries,
 * products with the wavelet, bytes. */
enum { HG_MIGRATION_TERMS = 8 };
#define HG_MIGRATION_TERM_LIST(KERNEL)                                                             \
    {"launches", HG_CUDA_K_launch}, {"pairs32", HG_CUDA_K_kirchhoff_##KERNEL##_f32},               \
        {"pairs64", HG_CUDA_K_kirchhoff_##KERNEL##_f64},                                           \
        {"weighted32", HG_CUDA_K_kirchhoff_##KERNEL##_weighted_f32},                               \
        {"weighted64", HG_CUDA_K_kirchhoff_##KERNEL##_weighted_f64},                               \
        {"entries", HG_CUDA_K_kirchhoff_entry}, {"filter", HG_CUDA_K_kirchhoff_filter_term},       \
    {                                                                                              \
        "bytes", HG_CUDA_K_kirchhoff_byte                                                          \
    }

#endif
