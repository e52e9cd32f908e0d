/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the table row of an operation among the tables of the families. */
#include "tools/ops/call.h"

const char *const cli_out_dtype_words[] = {"input", "f32", "f64", "c64", "c128", NULL};

const cli_op *cli_op_row(int op)
{
    static const cli_op *const tables[] = {cli_curvature_ops,  cli_emi_ops,
                                           cli_visibility_ops, cli_visibility_product_ops,
                                           cli_kirchhoff_ops,  cli_kirchhoff_setup_ops};
    for (int i = 0; i < CLI_COUNT(tables); i++) {
        for (const cli_op *row = tables[i]; row->op >= 0; row++) {
            if (row->op == op) {
                return row;
            }
        }
    }
    return NULL;
}
