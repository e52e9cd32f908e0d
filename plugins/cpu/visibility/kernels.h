/* SPDX-License-Identifier: BSD-3-Clause */
/* Family visibility: the shared kernels and the constants of their cost. */
#ifndef HG_CPU_VISIBILITY_KERNELS_H
#define HG_CPU_VISIBILITY_KERNELS_H

/* X(SYMBOL): records hg_serial_SYMBOL and hg_team_SYMBOL. */
#define HG_CPU_VISIBILITY_KERNELS(X)                                                               \
    X(visibility_horizon_direct)                                                                   \
    X(visibility_angles_direct)                                                                    \
    X(visibility_beam_direct)                                                                      \
    X(visibility_tau_direct)                                                                       \
    X(visibility_z_direct)                                                                         \
    X(visibility_gram_herk)                                                                        \
    X(visibility_gram_gemm)                                                                        \
    X(visibility_gram_gemm3m)                                                                      \
    X(visibility_gram_herk3)                                                                       \
    X(visibility_product_gemm)                                                                     \
    X(visibility_product_gemm3m)                                                                   \
    X(visibility_pairs_dot)                                                                        \
    X(visibility_pairs_herk)                                                                       \
    X(visibility_pairs_gemm)                                                                       \
    X(visibility_pairs_gemm3m)                                                                     \
    X(visibility_pairs_herk3)                                                                      \
    X(visibility_herk)                                                                             \
    X(visibility_gemm)                                                                             \
    X(visibility_gemm3m)                                                                           \
    X(visibility_herk3)                                                                            \
    X(visibility_dot)

/* X(NAME, word, unit, value, lowest, highest, help). The products count 8 M^2 K operations whatever
 * they do inside. */
#define HG_CPU_VISIBILITY_CONSTANTS(X)                                                             \
    X(VISIBILITY_HERK_F32, visibility_herk_f32, "s/flop", 5e-12, 1e-14, 1e-8,                      \
      "Hermitian product by cherk, 8 M^2 K")                                                       \
    X(VISIBILITY_HERK_F64, visibility_herk_f64, "s/flop", 1e-11, 1e-14, 1e-8,                      \
      "Hermitian product by zherk, 8 M^2 K")                                                       \
    X(VISIBILITY_HERK_PANEL_F32, visibility_herk_panel_f32, "s/element", 2e-10, 1e-14, 1e-6,       \
      "an element of Z brought to the product by cherk")                                           \
    X(VISIBILITY_HERK_PANEL_F64, visibility_herk_panel_f64, "s/element", 4e-10, 1e-14, 1e-6,       \
      "the same by zherk")                                                                         \
    X(VISIBILITY_GEMM_F32, visibility_gemm_f32, "s/flop", 9e-12, 1e-14, 1e-8,                      \
      "product by cgemm, 8 m n k")                                                                 \
    X(VISIBILITY_GEMM_F64, visibility_gemm_f64, "s/flop", 1.8e-11, 1e-14, 1e-8,                    \
      "product by zgemm, 8 m n k")                                                                 \
    X(VISIBILITY_GEMM_PANEL_F32, visibility_gemm_panel_f32, "s/element", 1e-10, 1e-14, 1e-6,       \
      "an element of Z brought to the product by cgemm")                                           \
    X(VISIBILITY_GEMM_PANEL_F64, visibility_gemm_panel_f64, "s/element", 2e-10, 1e-14, 1e-6,       \
      "the same by zgemm")                                                                         \
    X(VISIBILITY_GEMM3M_F32, visibility_gemm3m_f32, "s/flop", 7e-12, 1e-14, 1e-8,                  \
      "product by cgemm3m, 8 m n k")                                                               \
    X(VISIBILITY_GEMM3M_F64, visibility_gemm3m_f64, "s/flop", 1.4e-11, 1e-14, 1e-8,                \
      "product by zgemm3m, 8 m n k")                                                               \
    X(VISIBILITY_GEMM3M_PANEL_F32, visibility_gemm3m_panel_f32, "s/element", 1e-09, 1e-14, 1e-6,   \
      "an element of Z brought to the product by cgemm3m")                                         \
    X(VISIBILITY_GEMM3M_PANEL_F64, visibility_gemm3m_panel_f64, "s/element", 1e-09, 1e-14, 1e-6,   \
      "the same by zgemm3m")                                                                       \
    X(VISIBILITY_HERK3_F32, visibility_herk3_f32, "s/flop", 2.5e-12, 1e-14, 1e-8,                  \
      "Hermitian product in three real ones, 8 M^2 K, float32")                                    \
    X(VISIBILITY_HERK3_F64, visibility_herk3_f64, "s/flop", 5e-12, 1e-14, 1e-8,                    \
      "Hermitian product in three real ones, 8 M^2 K, float64")                                    \
    X(VISIBILITY_HERK3_PANEL_F32, visibility_herk3_panel_f32, "s/element", 3e-10, 1e-14, 1e-6,     \
      "an element of Z brought to the product in three real ones, float32")                        \
    X(VISIBILITY_HERK3_PANEL_F64, visibility_herk3_panel_f64, "s/element", 6e-10, 1e-14, 1e-6,     \
      "the same in float64")                                                                       \
    X(VISIBILITY_DOT_F32, visibility_dot_f32, "s/byte", 3e-11, 1e-14, 1e-8,                        \
      "row products of pairs, 2 nfeed K npairs 8 bytes")                                           \
    X(VISIBILITY_DOT_F64, visibility_dot_f64, "s/byte", 3e-11, 1e-14, 1e-8,                        \
      "row products of pairs, 2 nfeed K npairs 16 bytes")                                          \
    X(VISIBILITY_MIRROR, visibility_mirror, "s", 1e-9, 1e-12, 1e-6,                                \
      "an element of V through the passes over it")                                                \
    X(VISIBILITY_SELECT, visibility_select, "s", 1.2e-9, 1e-12, 1e-6,                              \
      "horizon cut of a source, float32; float64 is two")                                          \
    X(VISIBILITY_ANGLE, visibility_angle, "s", 6e-9, 1e-12, 1e-6, "both angles of a source")       \
    X(VISIBILITY_ELEMENT, visibility_element, "s", 5e-10, 1e-12, 1e-6,                             \
      "one element of Z, in float32 lanes")                                                        \
    X(VISIBILITY_STORED_ELEMENT, visibility_stored_element, "s", 5e-10, 1e-12, 1e-5,               \
      "one element of Z by visibility_z, through memory, in float32 lanes")                        \
    X(VISIBILITY_STORED_VALUE, visibility_stored_value, "s", 5e-9, 1e-12, 1e-5,                    \
      "one beam value by visibility_beam, through memory, in float32 lanes")                       \
    X(VISIBILITY_PHASE, visibility_phase, "s", 1e-9, 1e-12, 1e-5,                                  \
      "one phase of an antenna, in float32 lanes")                                                 \
    X(VISIBILITY_VALUE, visibility_value, "s", 2e-9, 1e-12, 1e-5,                                  \
      "one interpolated beam value, in float32 lanes")

#endif
