/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel for each way to make the product: its functions are those of the operation, told which.
 */
#ifndef HG_CUDA_VISIBILITY_BY_PRODUCT_H
#define HG_CUDA_VISIBILITY_BY_PRODUCT_H

#include "plugins/cuda/visibility/visibility.h"
#include "plugins/matprod.h"

/* Defines the kernel OBJECT_word of operation OP. SUPPORTS, ESTIMATE and RUN take the product's
 * number (HGATE_MATPROD_WORD) before their last argument; the terms of the cost come last. */
#define HG_VIS_KERNEL(OBJECT, OP, SUPPORTS, ESTIMATE, RUN, word, WORD, TYPES, ...)                 \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        return SUPPORTS(state, problem, HGATE_MATPROD_##WORD, reason);                             \
    }                                                                                              \
    static int estimate_##word(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)k;                                                                                   \
        ESTIMATE(state, problem, HGATE_MATPROD_##WORD, est);                                       \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *r)                                                            \
    {                                                                                              \
        (void)prepared;                                                                            \
        return RUN(state, problem, HGATE_MATPROD_##WORD, r);                                       \
    }                                                                                              \
    static const hgate_term terms_##word[] = {__VA_ARGS__};                                        \
    const hgate_kernel OBJECT##_##word = {                                                         \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = OP,                                                                                  \
        .name = #word,                                                                             \
        .dtypes = TYPES,                                                                           \
        .spaces = HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED,                                     \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC | HGATE_KERNEL_LINEAR_COST,       \
        .n_terms = HGATE_LENGTH_OF(terms_##word),                                                  \
        .terms = terms_##word,                                                                     \
        .supports = supports_##word,                                                               \
        .estimate = estimate_##word,                                                               \
        .run = run_##word,                                                                         \
    };

#endif
