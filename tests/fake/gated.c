/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of the names that gates know. */
#define FAKE_NAME "fake-gated"
#define FAKE_DEFAULTS "seconds=1e-3"

#define FAKE_NAMES                                                                                 \
    FAKE_N(full)                                                                                   \
    FAKE_N(symmetric)                                                                              \
    FAKE_N(pair)                                                                                   \
    FAKE_N(fft)                                                                                    \
    FAKE_N(interleaved)                                                                            \
    FAKE_N(single)                                                                                 \
    FAKE_N(pivoted)                                                                                \
    FAKE_N(warp)                                                                                   \
    FAKE_N(rows)                                                                                   \
    FAKE_N(block)                                                                                  \
    FAKE_N(library)                                                                                \
    FAKE_N(herk)                                                                                   \
    FAKE_N(gemm)                                                                                   \
    FAKE_N(gemm3m) FAKE_N(zherk) FAKE_N(dot) FAKE_N(window) FAKE_N(gather) FAKE_N(scatter)

#define FAKE_G(NUMBER, NAME, PLAIN)                                                                \
    FAKE_K(NUMBER, NAME, HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE, PLAIN, 0)
#define FAKE_EMI(NUMBER)                                                                           \
    FAKE_G(NUMBER, interleaved, NULL)                                                              \
    FAKE_G(NUMBER, single, NULL)                                                                   \
    FAKE_G(NUMBER, pivoted, NULL)                                                                  \
    FAKE_G(NUMBER, warp, NULL)                                                                     \
    FAKE_G(NUMBER, rows, NULL) FAKE_G(NUMBER, block, NULL) FAKE_G(NUMBER, library, NULL)
#define FAKE_PRODUCT(NUMBER)                                                                       \
    FAKE_G(NUMBER, herk, NULL)                                                                     \
    FAKE_G(NUMBER, gemm, NULL) FAKE_G(NUMBER, gemm3m, NULL) FAKE_G(NUMBER, zherk, NULL)

#define FAKE_KERNELS                                                                               \
    FAKE_G(CURVATURE, full, NULL)                                                                  \
    FAKE_G(CURVATURE, symmetric, "full")                                                           \
    FAKE_G(CURVATURE, pair, "full")                                                                \
    FAKE_G(CURVATURE, fft, "full")                                                                 \
    FAKE_EMI(EMI)                                                                                  \
    FAKE_EMI(EVD)                                                                                  \
    FAKE_PRODUCT(VISIBILITY_GRAM)                                                                  \
    FAKE_PRODUCT(VISIBILITY_PAIRS)                                                                 \
    FAKE_PRODUCT(VISIBILITY)                                                                       \
    FAKE_G(VISIBILITY_PAIRS, dot, NULL)                                                            \
    FAKE_G(VISIBILITY, dot, NULL)                                                                  \
    FAKE_G(KIRCHHOFF_ADJOINT, window, NULL)                                                        \
    FAKE_G(KIRCHHOFF_ADJOINT, gather, NULL) FAKE_G(KIRCHHOFF_FORWARD, scatter, NULL)

#include "tests/fake/good.c"
