/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cost of a matrix product depends on, for the kernels of every plugin.
 *
 *   seconds = c0 + c1 k + c2 (m + n) / 2 k + c3 8 m n k            A (m, k), B (n, k)
 *
 * A rate alone would not do: libraries pack panels (c2), and some never split k, so that their time
 * stays the same however small m is (c1; cherk of cuBLAS at m = 128 takes 15 times as long as
 * cgemm). tests/check_product_cost.c holds the form against measured tables. */
#ifndef HG_PRODUCT_COST_H
#define HG_PRODUCT_COST_H

/* Work terms of the form, without the constant one. */
typedef struct hg_product_work {
    double depth; /* k */
    double panel; /* elements of a panel, (m + n) / 2 k */
    double flop;  /* 8 m n k, whatever a kernel does inside */
} hg_product_work;

static inline hg_product_work hg_product_count(double m, double n, double k)
{
    hg_product_work work = {k, 0.5 * (m + n) * k, 8.0 * m * n * k};
    return work;
}

#endif
