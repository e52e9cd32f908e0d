/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical problem that the ops room fills, the route room reads and the kernels serve. */
#ifndef HG_PROBLEM_H
#define HG_PROBLEM_H

#include "headgate/plugin.h"
#include <stdbool.h>

enum { HG_MAX_NDIM = 8 };

/* A private copy of the caller's DLTensor: the struct and its shape, never the data. */
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

/* Empties a problem for an operation and sets the inner pointers. */
void hg_problem_init(hg_problem *problem, int op);
/* Copies one problem into another and repairs the inner pointers. */
void hg_problem_copy(hg_problem *to, const hg_problem *from);
/* Puts an argument (NULL: absent optional one). The tensor was checked before. */
void hg_problem_set_arg(hg_problem *problem, int index, const DLTensor *tensor);
/* Word of an element type ("c64") and of a space ("host", "cuda:0"). */
const char *hg_dtype_word(uint32_t dtype);
uint32_t hg_dtype_find(const char *word); /* 0 when there is none */
/* Bytes of one element of a mask value HGATE_F32 ... */
size_t hg_dtype_bytes(uint32_t dtype);
/* Stable hash of operation, sizes, types, space and options, not of data. */
uint64_t hg_problem_hash(const hg_problem *problem);

#endif
