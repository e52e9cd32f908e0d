/* SPDX-License-Identifier: BSD-3-Clause */
/* All arguments of a call against their rows: presence, types, devices, memory, shapes. */
#ifndef HG_TENSOR_ARGUMENTS_H
#define HG_TENSOR_ARGUMENTS_H

#include "core/tensor/problem.h"

/* Which arguments must have data. */
typedef enum hg_need {
    HG_NEED_SHAPES, /* none: explain */
    HG_NEED_PLAN,   /* those that the plan keeps */
    HG_NEED_DATA,   /* all: run */
    HG_NEED_GIVEN   /* all that are there, and any may be missing: functions without an engine */
} hg_need;

/* Checks each argument alone and all of them together (one precision, one device, no output over
 * another array) and puts them into the problem with type, space and device. `args` are in the
 * order of the row. EINVAL, ESHAPE, EDTYPE, EDEVICE, ESTRIDE, EOVERLAP. */
int hg_arguments_take(hg_problem *problem, const DLTensor *const *args, hg_need need);

/* Reads the shapes of the arguments taken: sizes that are known must agree, the others are set.
 * `layouts`: words of shape rules in force. ESHAPE. */
int hg_arguments_match(hg_problem *problem, const char *layouts);

/* Puts an array that has no data yet, where a plan is made before the array is known. */
void hg_arguments_put_shape(hg_problem *problem, int index, uint32_t dtype, int ndim,
                            const int64_t *shape);

/* Whether any output has an element. */
bool hg_arguments_have_output(const hg_problem *problem);

#endif
