/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of the arguments against the rules of their rows, and against each other. */
#include "core/tensor/arguments.h"

#include "core/base/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/shape_rule.h"

enum { TEXT_BYTES = 256 };

static int refuse(const hg_sizes *sizes, const hg_arg *arg, const DLTensor *tensor, hg_match match)
{
    char found[TEXT_BYTES], expected[TEXT_BYTES];
    hg_text shape = hg_text_over(found, sizeof found);
    hg_text rule = hg_text_over(expected, sizeof expected);
    hg_shape_describe(&shape, tensor->ndim, tensor->shape);
    hg_shape_describe_rule(&rule, sizes, arg->shape, tensor->ndim);
    if (match == HG_MATCH_OVERFLOW) {
        return hg_error(HGATE_ESHAPE, "%s: shape is %s, and %s is more than 2^63-1", arg->name,
                        shape.data, rule.data);
    }
    return hg_error(HGATE_ESHAPE, "%s: shape is %s, expected %s", arg->name, shape.data, rule.data);
}

/* The sizes that an argument has just set, and that may not be 0. */
static int check_positive(const hg_sizes *sizes, const hg_arg *arg)
{
    const hg_op *row = sizes->row;
    for (int i = 0; i < row->n_dims; i++) {
        if (sizes->dims[i] == 0 && hg_has_word(row->positive, row->dims[i])) {
            return hg_error(HGATE_ESHAPE, "%s: %s is 0, expected 1 or more", arg->name,
                            row->dims[i]);
        }
    }
    return HGATE_OK;
}

/* Some shapes can only be read when others have set their sizes, so there are two rounds. Bits of
 * `waiting` are arguments still to be read. */
static int match_round(hg_problem *problem, const hg_sizes *sizes, bool is_last, uint32_t *waiting)
{
    const hg_op *row = sizes->row;
    for (int i = 0; i < row->n_args; i++) {
        const DLTensor *tensor = problem->args[i];
        if (!tensor || !(*waiting >> i & 1)) {
            continue;
        }
        hg_match match =
            hg_shape_match(sizes, row->args[i].shape, tensor->ndim, problem->tensors[i].shape);
        if (match == HG_MATCH_UNDECIDED && !is_last) {
            continue;
        }
        if (match != HG_MATCH_AGREES) {
            return refuse(sizes, &row->args[i], tensor, match);
        }
        int status = check_positive(sizes, &row->args[i]);
        if (status != HGATE_OK) {
            return status;
        }
        *waiting &= ~(UINT32_C(1) << i);
    }
    return HGATE_OK;
}

int hg_arguments_match(hg_problem *problem, const char *layouts)
{
    hg_sizes sizes = {hg_op_row(problem->p.op), problem->dims, layouts};
    uint32_t waiting = UINT32_MAX;
    int status = match_round(problem, &sizes, false, &waiting);
    return status == HGATE_OK ? match_round(problem, &sizes, true, &waiting) : status;
}

void hg_arguments_put_shape(hg_problem *problem, int index, uint32_t dtype, int ndim,
                            const int64_t *shape)
{
    DLTensor tensor = {.ndim = ndim, .dtype = hg_dtype_dlpack(dtype), .shape = (int64_t *)shape};
    for (int i = 0; i < problem->p.n_args; i++) {
        if (problem->args[i]) {
            tensor.device = problem->args[i]->device;
            break;
        }
    }
    hg_problem_set_arg(problem, index, &tensor);
}
