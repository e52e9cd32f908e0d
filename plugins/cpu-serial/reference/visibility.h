/* SPDX-License-Identifier: BSD-3-Clause */
/* Family visibility: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_VISIBILITY_H
#define HG_REFERENCE_VISIBILITY_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_VISIBILITY_KERNELS(X)                                                         \
    X(visibility)                                                                                  \
    X(visibility_horizon)                                                                          \
    X(visibility_angles)                                                                           \
    X(visibility_beam)                                                                             \
    X(visibility_tau)                                                                              \
    X(visibility_z)                                                                                \
    X(visibility_gram)                                                                             \
    X(visibility_product)                                                                          \
    X(visibility_pairs)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_VISIBILITY_CONSTANTS(X)                                                       \
    X(REFERENCE_HORIZON_SOURCE, reference_horizon_source, "s", 5e-9, 1e-11, 1e-5,                  \
      "one source of the reference horizon cut")                                                   \
    X(REFERENCE_ANGLES_SOURCE, reference_angles_source, "s", 1e-7, 1e-10, 1e-5,                    \
      "one source of the reference angles")                                                        \
    X(REFERENCE_BEAM_VALUE, reference_beam_value, "s", 2e-8, 1e-10, 1e-5,                          \
      "one interpolated value of the reference")                                                   \
    X(REFERENCE_TAU_PHASE, reference_tau_phase, "s", 4e-8, 1e-10, 1e-5,                            \
      "one phase of the reference")                                                                \
    X(REFERENCE_Z_ELEMENT, reference_z_element, "s", 1e-8, 1e-10, 1e-5,                            \
      "one element of Z of the reference")                                                         \
    X(REFERENCE_FUSED_ELEMENT, reference_fused_element, "s", 1e-7, 1e-10, 1e-5,                    \
      "one element of Z with its beam and phase")                                                  \
    X(REFERENCE_DOT_TERM, reference_dot_term, "s", 2e-9, 1e-11, 1e-6,                              \
      "one complex multiply-add of the reference products")

#endif
