/* SPDX-License-Identifier: BSD-3-Clause */
/* Family curvature: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_CURVATURE_H
#define HG_REFERENCE_CURVATURE_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_CURVATURE_KERNELS(X)                                                          \
    X(curvature) X(curvature_kernel) X(curvature_dirty) X(curvature_data_vector)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_CURVATURE_CONSTANTS(X)                                                        \
    X(REFERENCE_CURVATURE_PAIR, reference_curvature_pair, "s/pair", 2.5e-9, 1e-11, 1e-6,           \
      "one pixel and entry in the reference of curvature")                                         \
    X(REFERENCE_CURVATURE_GATHER, reference_curvature_gather, "s/madd", 1.5e-9, 1e-11, 1e-6,       \
      "one multiply-add of the second sum in the reference of curvature")                          \
    X(REFERENCE_CURVATURE_COSINE, reference_curvature_cosine, "s/cosine", 2e-8, 1e-10, 1e-6,       \
      "one cosine in the reference of curvature_kernel")                                           \
    X(REFERENCE_CURVATURE_PHASOR, reference_curvature_phasor, "s/phasor", 3e-8, 1e-10, 1e-6,       \
      "one sine and cosine in the reference of curvature_dirty")                                   \
    X(REFERENCE_DATA_VECTOR_ENTRY, reference_data_vector_entry, "s/entry", 3e-9, 1e-11, 1e-6,      \
      "one entry of M in the reference of curvature_data_vector")

#endif
