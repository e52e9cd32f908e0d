/* SPDX-License-Identifier: BSD-3-Clause */
/* Hermitian products through BLAS: V = alpha Z Z^H + beta V in three steps, so that chunks can be
 * added in between. */
#ifndef HG_CPU_GRAM_BLAS_H
#define HG_CPU_GRAM_BLAS_H

#include "headgate/plugin_util.h"

/* What all steps need to know. Between begin and end only the lower triangle of V means something.
 */
typedef struct hg_gram {
    int matprod; /* HGATE_MATPROD_HERK, _GEMM or _GEMM3M */
    int is_64;
    int is_conj; /* convention conj: the conjugate is kept until hg_gram_end() */
    int64_t M;
    void *V; /* (M, M) */
} hg_gram;

/* Makes V fit to be scaled by beta: zeros for beta 0 (NaN would survive a product with 0), else the
 * imaginary parts of the diagonal go and convention conj turns the triangle over. */
void hg_gram_begin(const hg_gram *gram, double beta);
/* V = alpha Z Z^H + beta V for K columns of rows that are `stride` numbers apart. Between
 * hg_blas_enter() and hg_blas_leave(). */
void hg_gram_add(const hg_gram *gram, int64_t K, const void *Z, int64_t stride, double alpha,
                 double beta);
/* Adds rows [from, to) of the lower triangle of another matrix. */
void hg_gram_add_part(const hg_gram *gram, const void *part, int64_t from, int64_t to);
/* Mirrors the lower triangle; the diagonal gets imaginary part +0. */
void hg_gram_end(const hg_gram *gram);

/* Sizes that BLAS with 32-bit integers takes. */
int hg_gram_fits(int64_t M, int64_t K, hgate_reason *reason);

/* C = alpha A B^H + beta C for A (m, k), B (n, k) with rows `stride` apart, C (m, n). matprod is
 * GEMM or GEMM3M; C is not read for beta 0. Between hg_blas_enter() and hg_blas_leave(). */
void hg_gemm(int matprod, int is_64, int64_t m, int64_t n, int64_t k, int64_t stride,
             const double alpha[2], const void *A, const void *B, const double beta[2], void *C);

#endif
