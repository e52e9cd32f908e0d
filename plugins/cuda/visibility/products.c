/* SPDX-License-Identifier: BSD-3-Clause */
/* cuBLAS for row-major arrays. Row-major Z (M, K) is the column-major (K, M) matrix A, and A^H A is
 * the column-major conj(V) = V^T, that is row-major V = Z Z^H; its upper triangle is the lower one
 * of V. */
#include "plugins/cuda/visibility/products.h"
#include "plugins/product_cost.h"
#include <inttypes.h>

/* Columns of one call. cherk sums them in one float32 chain, whose error grows with its length
 * (1.6e-6 of the peak at 2,100 columns), cgemm in a few: longer ones would miss 2e-6 of the peak at
 * K = 65,536. zherk has digits to spare. */
enum { HERK_COLUMNS = 512, GEMM_COLUMNS = 16384 };
/* Below so many rows zgemm, which splits K, is the faster double product. */
enum { ZHERK_ROWS = 384 };
enum { LIBRARY_BYTES = 32 << 20, WIDE_BYTES = 256 << 20 };

/* ---- handles ---- */

void *hg_vis_take_library(hgate_scratch *scratch)
{
    char *memory = hgate_scratch_take(scratch, LIBRARY_BYTES + 256, 1);
    return memory ? memory + (256 - (uintptr_t)memory % 256) : NULL;
}

/* CUBLAS_DEFAULT_MATH computes in the precision of the types; TF32 would be a mode of its own. */
int hg_vis_handle(const hg_vis_call *call, void *library, hg_cuda_handle **handle)
{
    hg_cuda_handle *h = NULL;
    int status = hg_cuda_handle_take(call->state, call->run->device_id, call->stream, false, &h);
    if (status)
        return status;
    int code = (int)h->calls->cublasSetWorkspace_v2(h->blas, library, LIBRARY_BYTES);
    if (!code)
        code = (int)h->calls->cublasSetMathMode(h->blas, CUBLAS_DEFAULT_MATH);
    status =
        hg_cuda_library_status(call->state, call->run->device_id, code, "set up a library handle");
    if (status)
        hg_cuda_handle_give(call->state, h);
    else
        *handle = h;
    return status;
}

int hg_vis_library_supports(const hg_cuda_state *state, const hgate_problem *problem,
                            hgate_reason *reason)
{
    const int status = hg_vis_supports(state, problem, reason);
    return status ? status : hg_cuda_libs_can(state->libs, HG_CUDA_CUBLAS, reason);
}

/* ---- rectangular ---- */

static int general_block(const hg_vis_call *call, hg_cuda_handle *h, const hg_vis_general *g,
                         int64_t from, int64_t k, const double beta[2])
{
    const int64_t ld = g->k > 0 ? g->k : 1;
    const int is_3m = g->matprod == HGATE_MATPROD_GEMM3M;
    int code;
    if (g->is_64) {
        const cuDoubleComplex a = {g->alpha[0], g->alpha[1]}, b = {beta[0], beta[1]};
        const cuDoubleComplex *A = (const cuDoubleComplex *)g->A + from;
        const cuDoubleComplex *B = (const cuDoubleComplex *)g->B + from;
        code = (int)(is_3m ? h->calls->cublasZgemm3m_64 : h->calls->cublasZgemm_v2_64)(
            h->blas, CUBLAS_OP_C, CUBLAS_OP_N, g->n, g->m, k, &a, B, ld, A, ld, &b, g->C, g->n);
    } else {
        const cuComplex a = {(float)g->alpha[0], (float)g->alpha[1]};
        const cuComplex b = {(float)beta[0], (float)beta[1]};
        const cuComplex *A = (const cuComplex *)g->A + from;
        const cuComplex *B = (const cuComplex *)g->B + from;
        code = (int)(is_3m ? h->calls->cublasCgemm3m_64 : h->calls->cublasCgemm_v2_64)(
            h->blas, CUBLAS_OP_C, CUBLAS_OP_N, g->n, g->m, k, &a, B, ld, A, ld, &b, g->C, g->n);
    }
    return hg_cuda_library_status(call->state, call->run->device_id, code,
                                  is_3m ? "cublas gemm3m" : "cublas gemm");
}

int hg_vis_general_run(const hg_vis_call *call, hg_cuda_handle *handle, const hg_vis_general *g)
{
    static const double one[2] = {1.0, 0.0};
    const int64_t block = g->is_64 || g->k < GEMM_COLUMNS ? (g->k > 0 ? g->k : 1) : GEMM_COLUMNS;
    int status = HGATE_OK;
    for (int64_t from = 0; !status && (from < g->k || from == 0); from += block)
        status = general_block(call, handle, g, from, g->k - from < block ? g->k - from : block,
                               from == 0 ? g->beta : one);
    return status;
}

/* ---- Hermitian ---- */

void hg_vis_lay_out_product(hgate_scratch *scratch, hg_vis_product *p, int64_t K)
{
    p->sum = hgate_scratch_take(scratch, p->M * p->M, hg_vis_sum_is_64(p) ? 16 : 8);
    if (hg_vis_is_split(p->matprod)) {
        char *memory =
            hgate_scratch_take(scratch, (int64_t)hg_split_plan_bytes(&p->split) + 128, 1);
        p->split_memory = memory ? memory + (128 - (uintptr_t)memory % 128) : NULL;
        return;
    }
    p->is_wide = p->matprod == HGATE_MATPROD_ZHERK && K > 0;
    if (p->is_wide) {
        const int64_t most = WIDE_BYTES / 16 / p->M + 1;
        p->columns = K < most ? K : most;
        p->wide = hgate_scratch_take(scratch, p->M * p->columns, 16);
    }
    p->library = hg_vis_take_library(scratch);
}

int hg_vis_product_begin(const hg_vis_call *call, hg_vis_product *p)
{
    p->has_sum = 0;
    if (hg_vis_is_split(p->matprod))
        return HGATE_OK;
    return hg_vis_handle(call, p->library, &p->handle);
}

void hg_vis_product_end(const hg_vis_call *call, hg_vis_product *p)
{
    if (p->handle)
        hg_cuda_handle_give(call->state, p->handle);
    p->handle = NULL;
}

/* One call for K columns of the precision of the sum. */
static int add_block(const hg_vis_call *call, const hg_vis_product *p, const void *Z, int64_t K,
                     int64_t stride, double alpha, double beta)
{
    const hg_cuda_handle *h = p->handle;
    const int is_64 = hg_vis_sum_is_64(p);
    const int is_herk = p->matprod == HGATE_MATPROD_HERK ||
                        (p->matprod == HGATE_MATPROD_ZHERK && p->M >= ZHERK_ROWS);
    const int is_3m = p->matprod == HGATE_MATPROD_GEMM3M;
    const float alpha32 = (float)alpha, beta32 = (float)beta;
    const cuDoubleComplex a = {alpha, 0.0}, b = {beta, 0.0};
    const cuComplex a32 = {alpha32, 0.0f}, b32 = {beta32, 0.0f};
    int code;
    if (is_herk && is_64)
        code = (int)h->calls->cublasZherk_v2_64(h->blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, p->M,
                                                K, &alpha, Z, stride, &beta, p->sum, p->M);
    else if (is_herk)
        code = (int)h->calls->cublasCherk_v2_64(h->blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, p->M,
                                                K, &alpha32, Z, stride, &beta32, p->sum, p->M);
    else if (is_64)
        code = (int)(is_3m ? h->calls->cublasZgemm3m_64 : h->calls->cublasZgemm_v2_64)(
            h->blas, CUBLAS_OP_C, CUBLAS_OP_N, p->M, p->M, K, &a, Z, stride, Z, stride, &b, p->sum,
            p->M);
    else
        code = (int)(is_3m ? h->calls->cublasCgemm3m_64 : h->calls->cublasCgemm_v2_64)(
            h->blas, CUBLAS_OP_C, CUBLAS_OP_N, p->M, p->M, K, &a32, Z, stride, Z, stride, &b32,
            p->sum, p->M);
    return hg_cuda_library_status(call->state, call->run->device_id, code,
                                  is_herk ? "cublas herk" : "cublas gemm");
}

static int64_t block_of(const hg_vis_product *p, int64_t K)
{
    if (p->is_wide)
        return p->columns;
    if (hg_vis_sum_is_64(p))
        return K;
    return p->matprod == HGATE_MATPROD_HERK ? HERK_COLUMNS : GEMM_COLUMNS;
}

int hg_vis_product_add(const hg_vis_call *call, hg_vis_product *p, const void *Z, int64_t K,
                       int64_t stride, double alpha)
{
    if (hg_vis_is_split(p->matprod)) {
        const double beta = p->has_sum ? 1.0 : 0.0;
        p->has_sum = 1;
        return hg_vis_status(call, hg_split_plan_run(&p->split, Z, stride, p->sum, alpha, beta, 0,
                                                     p->split_memory, call->stream));
    }
    const int64_t block = block_of(p, K);
    int status = HGATE_OK;
    for (int64_t from = 0; !status && from < K; from += block) {
        const int64_t n = K - from < block ? K - from : block;
        const char *part = (const char *)Z + (size_t)from * (p->is_wide ? 8 : p->is_64 ? 16 : 8);
        const double beta = p->has_sum ? 1.0 : 0.0;
        if (p->is_wide) {
            status =
                hg_vis_status(call, hg_vis_widen(part, stride, p->M, n, p->wide, call->stream));
            if (!status)
                status = add_block(call, p, p->wide, n, n, alpha, beta);
        } else {
            status = add_block(call, p, part, n, stride, alpha, beta);
        }
        p->has_sum = 1;
    }
    return status;
}

/* ---- cost ---- */

void hg_vis_product_terms(hgate_estimate *est, int matprod, int is_64, double M, double K,
                          double calls)
{
    const hg_product_work work = hg_product_count(M, M, K);
    const int is_zherk = matprod == HGATE_MATPROD_ZHERK;
    const double block = is_64 ? K : matprod == HGATE_MATPROD_HERK ? HERK_COLUMNS : GEMM_COLUMNS;
    /* a call of cuBLAS is about two kernels */
    est->terms[HG_VIS_TERM_LAUNCHES] += calls * (2.0 + 2.0 * (K > block ? K / block : 1.0));
    est->terms[HG_VIS_TERM_V] += M * M;
    if (is_zherk && M < ZHERK_ROWS) {
        est->terms[HG_VIS_TERM_GEMM64] += calls * work.flop;
        return;
    }
    est->terms[is_64 || is_zherk ? HG_VIS_TERM_FLOP64 : HG_VIS_TERM_FLOP32] += calls * work.flop;
    est->terms[is_64 || is_zherk ? HG_VIS_TERM_DEPTH64 : HG_VIS_TERM_DEPTH32] += calls * work.depth;
}
