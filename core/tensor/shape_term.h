/* SPDX-License-Identifier: BSD-3-Clause */
/* One term of a shape rule: read from text, evaluated, solved for its unknown size. */
#ifndef HG_TENSOR_SHAPE_TERM_H
#define HG_TENSOR_SHAPE_TERM_H

#include "core/tensor/shape_rule.h"

typedef enum hg_term_kind {
    HG_TERM_LINEAR,  /* factor * a + plus */
    HG_TERM_PRODUCT, /* a * b */
    HG_TERM_PAIRS,   /* a(a-1)/2 */
    HG_TERM_ANY,
    HG_TERM_LEADING /* the dimensions before the last, a elements together */
} hg_term_kind;

typedef struct hg_term {
    hg_term_kind kind;
    int64_t factor, plus;
    int a, b; /* indices of sizes; -1: none */
    const char *text;
    int length;
} hg_term;

/* Reads the term at text; it ends at a space or with the text. */
hg_term hg_term_read(const hg_op *row, const char *text);
/* Text of the next term of the same alternative, NULL behind the last. */
const char *hg_term_next(const hg_term *term);

bool hg_term_is_known(const hg_term *term, const int64_t *dims);
/* Value of a term whose sizes are known; false when it is no int64. */
bool hg_term_value(const hg_term *term, const int64_t *dims, int64_t *value);
/* Compares a term with n, or sets its unknown size so that it becomes n. */
hg_match hg_term_match(const hg_term *term, int64_t *dims, int64_t n);

#endif
