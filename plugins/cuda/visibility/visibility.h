/* SPDX-License-Identifier: BSD-3-Clause */
/* The visibility family of the cuda plugin: kernels and cost constants. */
#ifndef HG_CUDA_VISIBILITY_H
#define HG_CUDA_VISIBILITY_H

#include "headgate/plugin.h"

#define HG_CUDA_VISIBILITY_KERNELS(X)                                                              \
    X(hg_cuda_visibility_horizon_direct)                                                           \
    X(hg_cuda_visibility_angles_direct)                                                            \
    X(hg_cuda_visibility_beam_direct)                                                              \
    X(hg_cuda_visibility_tau_direct)                                                               \
    X(hg_cuda_visibility_z_direct)                                                                 \
    X(hg_cuda_visibility_gram_herk)                                                                \
    X(hg_cuda_visibility_gram_gemm)                                                                \
    X(hg_cuda_visibility_gram_gemm3m)                                                              \
    X(hg_cuda_visibility_gram_zherk)                                                               \
    X(hg_cuda_visibility_product_gemm)                                                             \
    X(hg_cuda_visibility_product_gemm3m)                                                           \
    X(hg_cuda_visibility_pairs_dot)                                                                \
    X(hg_cuda_visibility_pairs_herk)                                                               \
    X(hg_cuda_visibility_pairs_gemm)                                                               \
    X(hg_cuda_visibility_pairs_gemm3m)                                                             \
    X(hg_cuda_visibility_pairs_zherk)                                                              \
    X(hg_cuda_visibility_pairs_fp16x3)                                                             \
    X(hg_cuda_visibility_pairs_tf32x3)                                                             \
    X(hg_cuda_visibility_dot)                                                                      \
    X(hg_cuda_visibility_herk)                                                                     \
    X(hg_cuda_visibility_gemm)                                                                     \
    X(hg_cuda_visibility_gemm3m)                                                                   \
    X(hg_cuda_visibility_zherk)                                                                    \
    X(hg_cuda_visibility_fp16x3)                                                                   \
    X(hg_cuda_visibility_tf32x3)

#define HG_CUDA_VISIBILITY_DECLARE(NAME) extern const hgate_kernel NAME;
HG_CUDA_VISIBILITY_KERNELS(HG_CUDA_VISIBILITY_DECLARE)

/* Products count 8 M^2 K operations whatever they do inside; depth is K. From one H200. */
#define HG_CUDA_VISIBILITY_CONSTANTS(X)                                                            \
    X(visibility_source, "s", 2e-11, 1e-13, 1e-7, "one source: horizon, angles")                   \
    X(visibility_byte, "s/byte", 3e-13, 1e-14, 1e-9, "device memory touched by single steps")      \
    X(visibility_z, "s", 4.8e-12, 1e-14, 1e-8, "one element of Z, complex64; complex128 is two")   \
    X(visibility_widen, "s", 3.5e-12, 1e-14, 1e-8, "one element of Z made complex128")             \
    X(visibility_v, "s", 1.6e-11, 1e-14, 1e-8, "one element of V finished")                        \
    X(visibility_dot, "s/byte", 1.0e-13, 1e-14, 1e-9, "a byte of Z brought to row products")       \
    X(visibility_herk_f32, "s/flop", 1.4e-14, 1e-16, 1e-9, "cherk, 8 M^2 K")                       \
    X(visibility_herk_f64, "s/flop", 6.8e-15, 1e-16, 1e-9, "zherk, 8 M^2 K")                       \
    X(visibility_herk_depth_f32, "s/column", 4.9e-8, 1e-12, 1e-5, "cherk: a column of Z")          \
    X(visibility_herk_depth_f64, "s/column", 1.43e-8, 1e-12, 1e-5, "zherk: a column of Z")         \
    X(visibility_gemm_f32, "s/flop", 1.9e-14, 1e-16, 1e-9, "cgemm, 8 m n k")                       \
    X(visibility_gemm_f64, "s/flop", 1.87e-14, 1e-16, 1e-9, "zgemm, 8 m n k")                      \
    X(visibility_gemm_depth_f32, "s/column", 9.7e-10, 1e-12, 1e-5, "cgemm: a column of Z")         \
    X(visibility_gemm_depth_f64, "s/column", 5e-10, 1e-12, 1e-5, "zgemm: a column of Z")           \
    X(visibility_gemm3m_f32, "s/flop", 1.92e-14, 1e-16, 1e-9, "cgemm3m, 8 m n k")                  \
    X(visibility_gemm3m_f64, "s/flop", 1.8e-14, 1e-16, 1e-9, "zgemm3m, 8 m n k")                   \
    X(visibility_gemm3m_depth_f32, "s/column", 8.2e-10, 1e-12, 1e-5, "cgemm3m: a column of Z")     \
    X(visibility_gemm3m_depth_f64, "s/column", 6e-10, 1e-12, 1e-5, "zgemm3m: a column of Z")

/* Terms of the product kernels, in the order of HG_VIS_TERM_... */
#define HG_VIS_TERMS(word)                                                                         \
    {"launches", HG_CUDA_K_launch}, {"z", HG_CUDA_K_visibility_z},                                 \
        {"widen", HG_CUDA_K_visibility_widen}, {"v", HG_CUDA_K_visibility_v},                      \
        {"flop32", HG_CUDA_K_visibility_##word##_f32},                                             \
        {"flop64", HG_CUDA_K_visibility_##word##_f64},                                             \
        {"depth32", HG_CUDA_K_visibility_##word##_depth_f32},                                      \
        {"depth64", HG_CUDA_K_visibility_##word##_depth_f64},                                      \
    {                                                                                              \
        "gemm64", HG_CUDA_K_visibility_gemm_f64                                                    \
    }

/* The same for split products; widen has no part in them. */
#define HG_VIS_SPLIT_TERMS(word)                                                                   \
    {"launches", HG_CUDA_K_launch}, {"z", HG_CUDA_K_visibility_z},                                 \
        {"bytes", HG_CUDA_K_visibility_split_byte}, {"v", HG_CUDA_K_visibility_v},                 \
    {                                                                                              \
        "steps", HG_CUDA_K_visibility_##word##_step                                                \
    }
enum { HG_VIS_SPLIT_BYTES = 2, HG_VIS_SPLIT_STEPS = 4 };

/* The same places for row products: bytes of Z where the others have elements. */
#define HG_VIS_DOT_TERMS                                                                           \
    {"launches", HG_CUDA_K_launch}, {"bytes", HG_CUDA_K_visibility_dot},                           \
        {"widen", HG_CUDA_K_visibility_widen},                                                     \
    {                                                                                              \
        "v", HG_CUDA_K_visibility_v                                                                \
    }
#define HG_VIS_FUSED_DOT_TERMS                                                                     \
    {"launches", HG_CUDA_K_launch}, {"z", HG_CUDA_K_visibility_z},                                 \
        {"bytes", HG_CUDA_K_visibility_dot},                                                       \
    {                                                                                              \
        "v", HG_CUDA_K_visibility_v                                                                \
    }

#endif
