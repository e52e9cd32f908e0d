/* SPDX-License-Identifier: BSD-3-Clause */
/* One row per operation: words, arguments with their roles, types and shapes, names of the sizes.
 */
#ifndef HG_OP_TABLE_H
#define HG_OP_TABLE_H

#include <stdbool.h>

typedef enum hg_role {
    HG_IN,
    HG_OUT,
    HG_OUT_PART, /* a call may leave a part of it as it was */
    HG_INOUT     /* read when beta is not 0 */
} hg_role;

/* Element types of an argument. R and C are real and complex of the one precision of a call. */
typedef enum hg_type {
    HG_TYPE_R,
    HG_TYPE_C,
    HG_TYPE_R_OR_C,
    HG_TYPE_R_OR_F64,
    HG_TYPE_C_OR_C64, /* complex64 also where R is float64 */
    HG_TYPE_ANY_REAL_OR_COMPLEX,
    HG_TYPE_F64,
    HG_TYPE_C128,
    HG_TYPE_INDEX, /* int32 or int64, each array its own */
    HG_TYPE_INT32,
    HG_TYPE_INT64
} hg_type;

typedef struct hg_arg {
    const char *name; /* as in names.md: C argument, dataset, Python keyword, message */
    hg_role role;
    bool is_optional;
    bool in_plan; /* the plan keeps it; it is no argument of _run */
    hg_type type;
    const char *shape; /* rule of core/tensor/shape_rule.h over the words of `dims` */
} hg_arg;

typedef struct hg_op {
    const char *word;
    const char *family;
    int n_args;
    const hg_arg *args; /* in the order of the enums of plugin.h */
    int main_arg;       /* the problem's dtype is that of this one */
    int n_dims;
    const char *const *dims; /* the words of KEY=VALUE and of the trace's "problem" */
    const char *positive;    /* words of the sizes that may not be 0; "" for none */
} hg_op;

/* Row of an operation (enum hgate_op); NULL for other numbers. */
const hg_op *hg_op_row(int op);

/* Index of a word among the sizes of an operation, -1 when there is none. The word ends at n bytes.
 */
int hg_op_find_dim(const hg_op *row, const char *word, int n);

#endif
