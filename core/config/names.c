/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of words; operations come from the public list. */
#include "core/config/names.h"

#include <headgate/ops.h>

#define WORD(NUMBER, WORD_, FAMILY) #WORD_,
const char *const hg_op_words[] = {HGATE_OP_LIST(WORD) NULL};

const char *const hg_family_words[] = {"curvature", "emi", "visibility", "kirchhoff", NULL};

const char *const hg_plugin_words[] = {"cuda", "cpu-fftw", "cpu-openmp", "cpu-serial", NULL};

/* Kernels of both CPU plugins, of cpu-fftw and of cuda; cpu-serial has the reference besides. */
#define CPU(OP, KERNELS)                                                                           \
    {OP, "cpu-serial", "reference " KERNELS},                                                      \
    {                                                                                              \
        OP, "cpu-openmp", KERNELS                                                                  \
    }
#define FFTW(OP, KERNELS)                                                                          \
    {                                                                                              \
        OP, "cpu-fftw", KERNELS                                                                    \
    }
#define CUDA(OP, KERNELS)                                                                          \
    {                                                                                              \
        OP, "cuda", KERNELS                                                                        \
    }
#define SIMPLE(OP) CPU(OP, "direct"), CUDA(OP, "direct")

#define GRAM_CPU "herk gemm gemm3m herk3"
#define GRAM_CUDA "herk gemm gemm3m zherk fp16x3 tf32x3"

const hg_known_kernels hg_known_kernel_rows[] = {
    CPU("curvature", "full symmetric pair"),
    FFTW("curvature", "fft"),
    CUDA("curvature", "full symmetric pair fft"),
    CPU("curvature_kernel", "gemm"),
    CUDA("curvature_kernel", "gemm"),
    SIMPLE("curvature_dirty"),
    SIMPLE("curvature_data_vector"),
    CPU("emi", "interleaved single pivoted"),
    CUDA("emi", "warp rows block library"),
    CPU("evd", "interleaved single"),
    CUDA("evd", "library warp rows block"),
    SIMPLE("ds_temp_coh"),
    CPU("visibility", GRAM_CPU " dot"),
    CUDA("visibility", GRAM_CUDA " dot"),
    SIMPLE("visibility_horizon"),
    SIMPLE("visibility_angles"),
    SIMPLE("visibility_beam"),
    SIMPLE("visibility_tau"),
    SIMPLE("visibility_z"),
    CPU("visibility_gram", GRAM_CPU),
    CUDA("visibility_gram", GRAM_CUDA),
    CPU("visibility_product", "gemm gemm3m"),
    CUDA("visibility_product", "gemm gemm3m"),
    CPU("visibility_pairs", GRAM_CPU " dot"),
    CUDA("visibility_pairs", GRAM_CUDA " dot"),
    CPU("kirchhoff_forward", "scatter"),
    CUDA("kirchhoff_forward", "scatter atomic"),
    CPU("kirchhoff_adjoint", "window gather"),
    CUDA("kirchhoff_adjoint", "window gather"),
    SIMPLE("kirchhoff_traveltime"),
    SIMPLE("kirchhoff_angles"),
    SIMPLE("kirchhoff_spreading"),
    SIMPLE("kirchhoff_station_index"),
    SIMPLE("kirchhoff_wavelet"),
    CPU("kirchhoff_convolve", "direct"),
    FFTW("kirchhoff_convolve", "fft"),
    CUDA("kirchhoff_convolve", "direct fft"),
    {NULL, NULL, NULL},
};
