/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables of the families share: the four forms of a call from one list of arguments. */
#ifndef CLI_OPS_CALL_H
#define CLI_OPS_CALL_H

#include "tools/case.h"

#define CLI_UNWRAP(...) __VA_ARGS__

/** Calls hgate_OP, or its _plan, _run or _explain. scalars and arrays are lists in parentheses. For
 *  operations whose scalars stand before all arrays and whose run takes every array again. */
#define CLI_FORMS(op, scalars, arrays)                                                             \
    switch (c->form) {                                                                             \
    case CLI_ONCE:                                                                                 \
        return hgate_##op(c->engine, c->exec, CLI_UNWRAP scalars, CLI_UNWRAP arrays);              \
    case CLI_PLAN:                                                                                 \
        return hgate_##op##_plan(c->engine, c->exec, CLI_UNWRAP scalars, CLI_UNWRAP arrays,        \
                                 &c->plan);                                                        \
    case CLI_RUN:                                                                                  \
        return hgate_##op##_run(c->plan, c->exec, CLI_UNWRAP arrays);                              \
    default:                                                                                       \
        return hgate_##op##_explain(c->engine, c->exec, CLI_UNWRAP scalars, CLI_UNWRAP arrays,     \
                                    &c->trace);                                                    \
    }

#define CLI_COUNT(table) (int)(sizeof table / sizeof table[0])
#define CLI_BIT(arg) ((uint32_t)1 << (arg))

/** Attribute out_dtype, for an operation number. */
#define CLI_OUT_DTYPE(number)                                                                      \
    {                                                                                              \
        .name = "out_dtype", .kind = HG_OPTION_CHOICE, .ops = CLI_BIT(number),                     \
        .offset = offsetof(cli_scalars, out_dtype), .words = cli_out_dtype_words                   \
    }

/** Rows of the families, each ended by op = -1. */
extern const cli_op cli_curvature_ops[];
extern const cli_op cli_emi_ops[];
extern const cli_op cli_visibility_ops[];
extern const cli_op cli_visibility_product_ops[];
extern const cli_op cli_kirchhoff_ops[];
extern const cli_op cli_kirchhoff_setup_ops[];

#endif
