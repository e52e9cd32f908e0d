/* SPDX-License-Identifier: BSD-3-Clause */
/* One row per operation: words, arguments with their roles, names of the sizes. */
#ifndef HG_OP_TABLE_H
#define HG_OP_TABLE_H

#include <stdbool.h>

typedef enum hg_role { HG_IN, HG_OUT, HG_INOUT } hg_role; /* HG_INOUT: read when beta is not 0 */

typedef struct hg_arg {
    const char *name; /* as in names.md: C argument, dataset, Python keyword, message */
    hg_role role;
    bool is_optional;
    bool in_plan; /* the plan keeps it; it is no argument of _run */
} hg_arg;

typedef struct hg_op {
    const char *word;
    const char *family;
    int n_args;
    const hg_arg *args; /* in the order of the enums of plugin.h */
    int n_dims;
    const char *const *dims; /* the words of KEY=VALUE and of the trace's "problem" */
} hg_op;

/* Row of an operation (enum hgate_op); NULL for other numbers. */
const hg_op *hg_op_row(int op);

#endif
