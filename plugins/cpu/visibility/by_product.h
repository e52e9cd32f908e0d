/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel for each way to make the product: its functions are those of the operation, told which.
 */
#ifndef HG_CPU_VISIBILITY_BY_PRODUCT_H
#define HG_CPU_VISIBILITY_BY_PRODUCT_H

#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/matprod.h"

/* Defines the kernel SYMBOL_word of operation OP. supports() and estimate() of the file and RUN
 * take the product's number (HGATE_MATPROD_WORD) before their last argument; the terms of the cost
 * come last. */
#define HG_PRODUCT_KERNEL(SYMBOL, OP, RUN, word, WORD, ...)                                        \
    static int supports_##word(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        return supports(state, problem, HGATE_MATPROD_##WORD, reason);                             \
    }                                                                                              \
    static int estimate_##word(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)k;                                                                                   \
        estimate(state, problem, HGATE_MATPROD_##WORD, est);                                       \
        return HGATE_OK;                                                                           \
    }                                                                                              \
    static int run_##word(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        (void)prepared;                                                                            \
        return RUN(state, problem, HGATE_MATPROD_##WORD, run);                                     \
    }                                                                                              \
    static const hgate_term terms_##word[] = {__VA_ARGS__};                                        \
    HG_CPU_KERNEL(SYMBOL##_##word, .op = OP, .name = #word, .dtypes = HGATE_C64 | HGATE_C128,      \
                  .n_terms = HGATE_LENGTH_OF(terms_##word), .terms = terms_##word,                 \
                  .supports = supports_##word, .estimate = estimate_##word, .run = run_##word)

#endif
