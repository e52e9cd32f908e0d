/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a kernel's outputs are from those of the reference, in the measure of the operation. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "tools/case.h"

/** Copies of a problem's outputs. */
typedef struct cli_outputs {
    cli_array arrays[HGATE_MAX_ARGS];
    int64_t n_up; /* visibility_horizon: columns that count */
} cli_outputs;

int cli_outputs_keep(cli_outputs *outputs, const cli_case *c);
void cli_outputs_free(cli_outputs *outputs);

/** Fills the outputs with NaN, or with a number that is no answer, so that what a kernel leaves
 *  unwritten is seen. */
void cli_outputs_poison(cli_case *c);

/** Largest error of all compared outputs; infinite where one is NaN and the other is not, or where
 *  counts or statuses differ. */
double cli_outputs_error(const cli_case *c, const cli_outputs *reference);
/** The measure in words. */
const char *cli_outputs_measure(const cli_op *op);
/** The largest error that passes. */
double cli_outputs_tolerance(const cli_case *c);

#endif
