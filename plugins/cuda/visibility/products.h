/* SPDX-License-Identifier: BSD-3-Clause */
/* Hermitian products by cuBLAS into a sum in workspace, so that chunks can be added and outputs are
 * written by one pass at the end. */
#ifndef HG_CUDA_VISIBILITY_PRODUCTS_H
#define HG_CUDA_VISIBILITY_PRODUCTS_H

#include "plugins/cuda/runtime/pool.h"
#include "plugins/cuda/visibility/call.h"
#include "plugins/cuda/visibility/split_chunk.h"

typedef struct hg_vis_product {
    int matprod; /* herk, gemm, gemm3m, zherk */
    int is_64;   /* of Z as given to add() */
    int is_wide; /* zherk of a complex64 Z: its columns are converted here, a block at a time */
    int64_t M;
    int64_t columns; /* of a block that is converted */
    void *sum;       /* (M, M), lower triangle */
    void *wide;      /* (M, columns) complex128 */
    void *library;   /* workspace of cuBLAS */
    int has_sum;
    hg_cuda_handle *handle;
    hg_split_plan split; /* of a split product of a given Z */
    void *split_memory;
} hg_vis_product;

/* Whether the sum is complex128. */
static inline int hg_vis_sum_is_64(const hg_vis_product *p)
{
    return p->is_64 || p->matprod == HGATE_MATPROD_ZHERK;
}

/* K: columns of Z that are converted; 0 when Z comes as complex128. */
void hg_vis_lay_out_product(hgate_scratch *scratch, hg_vis_product *p, int64_t K);
int hg_vis_product_begin(const hg_vis_call *call, hg_vis_product *p);
/* sum += alpha Z Z^H over K columns of Z (M, stride). */
int hg_vis_product_add(const hg_vis_call *call, hg_vis_product *p, const void *Z, int64_t K,
                       int64_t stride, double alpha);
void hg_vis_product_end(const hg_vis_call *call, hg_vis_product *p);

/* C = alpha A B^H + beta C, row by row: A (m, k), B (n, k), C (m, n). */
typedef struct hg_vis_general {
    int matprod; /* gemm or gemm3m */
    int is_64;
    int64_t m, n, k;
    const void *A, *B;
    void *C;
    double alpha[2], beta[2];
} hg_vis_general;

int hg_vis_general_run(const hg_vis_call *call, hg_cuda_handle *handle, const hg_vis_general *g);
/* A handle with a workspace of ours, on the stream, in the mathematics of the arrays' types. */
int hg_vis_handle(const hg_vis_call *call, void *library, hg_cuda_handle **handle);
void *hg_vis_take_library(hgate_scratch *scratch);

/* What cuBLAS can do. */
int hg_vis_library_supports(const hg_cuda_state *state, const hgate_problem *problem,
                            hgate_reason *reason);

/* The work of a product in the terms that all product kernels share. */
enum {
    HG_VIS_TERM_LAUNCHES,
    HG_VIS_TERM_Z, /* elements of Z that a chunk kernel makes; bytes of dot */
    HG_VIS_TERM_WIDEN,
    HG_VIS_TERM_V,
    HG_VIS_TERM_FLOP32,
    HG_VIS_TERM_FLOP64,
    HG_VIS_TERM_DEPTH32,
    HG_VIS_TERM_DEPTH64,
    HG_VIS_TERM_GEMM64 /* zherk below M = 350 */
};

/* Fills the terms of `calls` products of (M, K) each. */
void hg_vis_product_terms(hgate_estimate *est, int matprod, int is_64, double M, double K,
                          double calls);

#endif
