/* SPDX-License-Identifier: BSD-3-Clause */
/* Family curvature: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_CURVATURE_H
#define HG_REFERENCE_CURVATURE_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_CURVATURE_KERNELS(X) X(curvature_data_vector)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_CURVATURE_CONSTANTS(X)                                                        \
    X(REFERENCE_DATA_VECTOR_ENTRY, reference_data_vector_entry, "s/entry", 3e-9, 1e-11, 1e-6,      \
      "one entry of M in the reference of curvature_data_vector")

#endif
