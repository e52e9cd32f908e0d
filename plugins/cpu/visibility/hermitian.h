/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing one element of a Hermitian product into both triangles. */
#ifndef HG_CPU_HERMITIAN_H
#define HG_CPU_HERMITIAN_H

#include "headgate/visibility.h"
#include "plugins/cpu/view.h"

/* V = alpha P + beta V for element (i, j), j <= i, of a Hermitian M x M matrix; sum is P[i,j] of
 * P = Z Z^H. V is read in its lower triangle only, and not at all for beta 0. Both elements have
 * the same bits up to the sign of the imaginary part; the diagonal has +0 there. */
static inline void hg_hermitian_put(hg_reals V, int64_t M, int64_t i, int64_t j, double complex sum,
                                    double alpha, double beta, int convention)
{
    double re = alpha * creal(sum);
    double im = alpha * (convention == HGATE_VISIBILITY_CONJ ? -cimag(sum) : cimag(sum));
    if (beta != 0.0) {
        double complex old = hg_complex(V, i * M + j);
        re += beta * creal(old);
        im += beta * cimag(old);
    }
    if (i == j)
        im = 0.0;
    hg_complex_put(V, i * M + j, CMPLX(re, im));
    if (i != j)
        hg_complex_put(V, j * M + i, CMPLX(re, -im));
}

/* Vpairs = alpha sum + beta Vpairs for one element; not read for beta 0. */
static inline void hg_pair_put(hg_reals Vpairs, int64_t at, double complex sum, double alpha,
                               double beta)
{
    double re = alpha * creal(sum), im = alpha * cimag(sum);
    if (beta != 0.0) {
        double complex old = hg_complex(Vpairs, at);
        re += beta * creal(old);
        im += beta * cimag(old);
    }
    hg_complex_put(Vpairs, at, CMPLX(re, im));
}

/* Element (a, b) of the block of pair (i, j) as V[x, y]: which rows of Z are meant. */
typedef struct hg_block_rows {
    int64_t left, right; /* the sum is over Z[left] conj(Z[right]) */
} hg_block_rows;

static inline hg_block_rows hg_block_element(int64_t i, int64_t j, int64_t a, int64_t b,
                                             int64_t nfeed, int convention)
{
    switch (convention) {
    case HGATE_VISIBILITY_CONJ: /* conj(Z[i,a]) Z[j,b] */
        return (hg_block_rows){j * nfeed + b, i * nfeed + a};
    case HGATE_VISIBILITY_PAIRS_MATVIS:
        return (hg_block_rows){j * nfeed + a, i * nfeed + b};
    default:
        return (hg_block_rows){i * nfeed + a, j * nfeed + b};
    }
}

#endif
