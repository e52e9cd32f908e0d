/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical problem that the ops room fills, the route room reads and the kernels serve. */
#ifndef HG_PROBLEM_H
#define HG_PROBLEM_H

#include "core/base/text.h"

#include <headgate/plugin.h>
#include <stdbool.h>

enum { HG_MAX_NDIM = 8 };

/* A private copy of the caller's DLTensor: the struct and its shape, never the data. The copy has
 * no strides (it is contiguous) and no byte_offset (data points to the first element). */
typedef struct hg_tensor {
    DLTensor dl;
    int64_t shape[HG_MAX_NDIM];
} hg_tensor;

typedef struct hg_problem {
    hgate_problem p; /* what kernels see; its pointers lead into this struct */
    hg_tensor tensors[HGATE_MAX_ARGS];
    const DLTensor *args[HGATE_MAX_ARGS];
    int64_t dims[HGATE_MAX_DIMS];
    union {
        hgate_curvature_params curvature;
        hgate_emi_params emi;
        hgate_visibility_params visibility;
        hgate_kirchhoff_params kirchhoff;
        hgate_kirchhoff_setup setup;
    } params;
    hgate_curvature_facts facts;
} hg_problem;

/* A plan is made before some arrays are known. They are there all the same, with shapes and without
 * data: in `curvature` indptr, rows, vals and F of a matrix with s = 0 and nnz = 0; in
 * `kirchhoff_forward` and `kirchhoff_adjoint` model (ni) and data (ns, nr, nt). */

/* Empties a problem for an operation and sets the inner pointers; sizes are -1, alpha is 1. */
void hg_problem_init(hg_problem *problem, int op);
/* Copies one problem into another and repairs the inner pointers. */
void hg_problem_copy(hg_problem *to, const hg_problem *from);
/* Puts an argument (NULL: absent optional one). The tensor was checked before. */
void hg_problem_set_arg(hg_problem *problem, int index, const DLTensor *tensor);
/* Word of an element type ("c64", "int32"), NULL when there is none. */
const char *hg_dtype_word(uint32_t dtype);
/* Mask value HGATE_F32 ... of a word; 0 when there is none. */
uint32_t hg_dtype_find(const char *word);
/* Bytes of one element of a mask value HGATE_F32 ... */
size_t hg_dtype_bytes(uint32_t dtype);
/* Where the arrays of a problem are: "host", "pinned", "cuda:0", "managed:0". */
void hg_problem_describe_space(hg_text *text, const hg_problem *problem);
/* Stable hash of operation, sizes, types, space and options, not of data. */
uint64_t hg_problem_hash(const hg_problem *problem);

#endif
