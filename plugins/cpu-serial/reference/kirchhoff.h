/* SPDX-License-Identifier: BSD-3-Clause */
/* Family kirchhoff: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_KIRCHHOFF_H
#define HG_REFERENCE_KIRCHHOFF_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_KIRCHHOFF_KERNELS(X)                                                          \
    X(kirchhoff_forward)                                                                           \
    X(kirchhoff_adjoint)                                                                           \
    X(kirchhoff_traveltime)                                                                        \
    X(kirchhoff_angles)                                                                            \
    X(kirchhoff_spreading)                                                                         \
    X(kirchhoff_station_index)                                                                     \
    X(kirchhoff_wavelet)                                                                           \
    X(kirchhoff_convolve)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_KIRCHHOFF_CONSTANTS(X)                                                        \
    X(REFERENCE_KIRCHHOFF_PAIR, reference_kirchhoff_pair, "s", 8e-9, 1e-11, 1e-6,                  \
      "one pair of station and image point of the reference")                                      \
    X(REFERENCE_KIRCHHOFF_WEIGHT, reference_kirchhoff_weight, "s", 3e-8, 1e-11, 1e-6,              \
      "its dynamic weight")                                                                        \
    X(REFERENCE_TRAVELTIME_ENTRY, reference_traveltime_entry, "s", 1e-8, 1e-11, 1e-6,              \
      "one table entry of the reference traveltimes")                                              \
    X(REFERENCE_ANGLE_ENTRY, reference_angle_entry, "s", 5e-8, 1e-11, 1e-6,                        \
      "one table entry of the reference angles")                                                   \
    X(REFERENCE_SPREADING_ENTRY, reference_spreading_entry, "s", 1e-8, 1e-11, 1e-6,                \
      "one table entry of the reference spreading")                                                \
    X(REFERENCE_STATION_INDEX, reference_station_index, "s", 1e-8, 1e-11, 1e-6,                    \
      "one station index of the reference")                                                        \
    X(REFERENCE_WAVELET_TERM, reference_wavelet_term, "s", 2e-8, 1e-11, 1e-6,                      \
      "one term of the reference wavelet filter, nwav^2 of them")                                  \
    X(REFERENCE_CONVOLVE_TERM, reference_convolve_term, "s", 2e-9, 1e-11, 1e-6,                    \
      "one multiply-add of the reference convolution")

#endif
