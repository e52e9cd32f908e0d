/* SPDX-License-Identifier: BSD-3-Clause */
/* Hermitian products through BLAS: V = alpha Z Z^H + beta V in three steps, so that chunks can be
 * added in between.
 *
 * Row-major Z (M, K) goes to the C interface as it is; a test with a case without any symmetry
 * holds the order and the conjugation. OpenBLAS sums float32 products in blocks of some hundred
 * columns, so its error stays below 1e-6 of the peak for K up to 1e5 (a test) and no blocking of K
 * is needed here. */
#include "plugins/cpu/visibility/gram_blas.h"

#include <cblas.h>
#include <limits.h>
#include <string.h>

enum { TILE = 32 }; /* of the mirror pass: two tiles of complex128 fill half a first-level cache */

#define R float
#define NAME(word) word##_c64
#include "plugins/cpu/visibility/triangle_real.h"

#define R double
#define NAME(word) word##_c128
#include "plugins/cpu/visibility/triangle_real.h"

void hg_gram_begin(const hg_gram *gram, double beta)
{
    if (beta == 0.0)
        memset(gram->V, 0, (size_t)gram->M * (size_t)gram->M * (gram->is_64 ? 16 : 8));
    else if (gram->is_64)
        begin_c128(gram->V, gram->M, gram->is_conj);
    else
        begin_c64(gram->V, gram->M, gram->is_conj);
}

void hg_gram_end(const hg_gram *gram)
{
    if (gram->is_64)
        end_c128(gram->V, gram->M, gram->is_conj);
    else
        end_c64(gram->V, gram->M, gram->is_conj);
}

void hg_gram_add_part(const hg_gram *gram, const void *part, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++)
        if (gram->is_64)
            add_row_c128(gram->V, part, gram->M, i);
        else
            add_row_c64(gram->V, part, gram->M, i);
}

void hg_gram_add(const hg_gram *gram, int64_t K, const void *Z, int64_t stride, double alpha,
                 double beta)
{
    blasint M = (blasint)gram->M, k = (blasint)K, length = stride > 0 ? (blasint)stride : 1;
    if (gram->matprod != HGATE_MATPROD_HERK)
        hg_gemm(gram->matprod, gram->is_64, M, M, k, stride, (double[]){alpha, 0.0}, Z, Z,
                (double[]){beta, 0.0}, gram->V);
    else if (gram->is_64)
        cblas_zherk(CblasRowMajor, CblasLower, CblasNoTrans, M, k, alpha, Z, length, beta, gram->V,
                    M);
    else
        cblas_cherk(CblasRowMajor, CblasLower, CblasNoTrans, M, k, (float)alpha, Z, length,
                    (float)beta, gram->V, M);
}

void hg_gemm(int matprod, int is_64, int64_t m, int64_t n, int64_t k, int64_t stride,
             const double alpha[2], const void *A, const void *B, const double beta[2], void *C)
{
    blasint rows = (blasint)m, columns = (blasint)n, depth = (blasint)k;
    blasint length = stride > 0 ? (blasint)stride : 1;
    const float alpha32[2] = {(float)alpha[0], (float)alpha[1]};
    const float beta32[2] = {(float)beta[0], (float)beta[1]};
    int is_3m = matprod == HGATE_MATPROD_GEMM3M;
    if (is_64)
        (is_3m ? cblas_zgemm3m : cblas_zgemm)(CblasRowMajor, CblasNoTrans, CblasConjTrans, rows,
                                              columns, depth, alpha, A, length, B, length, beta, C,
                                              columns);
    else
        (is_3m ? cblas_cgemm3m : cblas_cgemm)(CblasRowMajor, CblasNoTrans, CblasConjTrans, rows,
                                              columns, depth, alpha32, A, length, B, length, beta32,
                                              C, columns);
}

int hg_gram_fits(int64_t M, int64_t K, hgate_reason *reason)
{
    int64_t most = M > K ? M : K;
    if (most > INT_MAX)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)most, INT_MAX,
                            "dimension %lld, BLAS takes at most %d", (long long)most, INT_MAX);
    return HGATE_OK;
}
