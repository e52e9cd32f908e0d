/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a call: types, devices and memory. Shapes are read in arguments_match.c. */
#include "core/tensor/arguments.h"

#include "core/base/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/tensor.h"

/* Types of an argument in a call of single and of double precision. An array of a type that bears
 * the precision sets it for the arguments behind it. */
static const struct {
    bool bears_precision;
    uint32_t single, twice;
} types[] = {
    [HG_TYPE_R] = {true, HGATE_F32, HGATE_F64},
    [HG_TYPE_C] = {true, HGATE_C64, HGATE_C128},
    [HG_TYPE_R_OR_C] = {true, HGATE_F32 | HGATE_C64, HGATE_F64 | HGATE_C128},
    [HG_TYPE_R_OR_F64] = {false, HGATE_F32 | HGATE_F64, HGATE_F64},
    [HG_TYPE_C_OR_C64] = {false, HGATE_C64, HGATE_C64 | HGATE_C128},
    [HG_TYPE_ANY_REAL_OR_COMPLEX] = {false, HG_FLOAT_TYPES, HG_FLOAT_TYPES},
    [HG_TYPE_F64] = {false, HGATE_F64, HGATE_F64},
    [HG_TYPE_C128] = {false, HGATE_C128, HGATE_C128},
    [HG_TYPE_INDEX] = {false, HG_I32 | HG_I64, HG_I32 | HG_I64},
    [HG_TYPE_INT32] = {false, HG_I32, HG_I32},
    [HG_TYPE_INT64] = {false, HG_I64, HG_I64},
};

/* Types allowed where the arguments seen so far had types `seen` of either precision (0: none). */
static uint32_t allowed_types(hg_type type, uint32_t seen)
{
    if (!seen) {
        return types[type].single | types[type].twice;
    }
    return seen & HG_DOUBLE_TYPES ? types[type].twice : types[type].single;
}

static int check_types(const hg_op *row, const DLTensor *const *args)
{
    uint32_t seen = 0;
    for (int i = 0; i < row->n_args; i++) {
        const hg_arg *arg = &row->args[i];
        if (!args[i]) {
            continue;
        }
        int status = hg_tensor_check_dtype(arg->name, args[i], allowed_types(arg->type, seen));
        if (status != HGATE_OK) {
            return status;
        }
        if (types[arg->type].bears_precision) {
            seen = hg_dtype_of(args[i]->dtype);
        }
    }
    return HGATE_OK;
}

/* An operation whose plan keeps arrays gets the others with each run. */
static bool may_miss(const hg_op *row, const hg_arg *arg, hg_need need)
{
    return arg->is_optional || need == HG_NEED_GIVEN ||
           (need == HG_NEED_PLAN && !arg->in_plan && row->args[row->main_arg].in_plan);
}

static int check_present(const hg_op *row, const DLTensor *const *args, hg_need need)
{
    for (int i = 0; i < row->n_args; i++) {
        if (args[i] || !may_miss(row, &row->args[i], need)) {
            int status = hg_tensor_check_shape(row->args[i].name, args[i]);
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return HGATE_OK;
}

/* Host memory is one place, pinned or not; a device and its managed memory are two. */
static bool share_space(DLDevice a, DLDevice b)
{
    uint32_t both = hg_space_of(a) | hg_space_of(b);
    return (both & ~(uint32_t)HG_HOST_SPACES) == 0 ||
           (hg_space_of(a) == hg_space_of(b) && a.device_id == b.device_id);
}

static int check_devices(hg_problem *problem, const hg_op *row, const DLTensor *const *args)
{
    int first = -1;
    for (int i = 0; i < row->n_args; i++) {
        if (!args[i]) {
            continue;
        }
        int status = hg_tensor_check_device(row->args[i].name, args[i]);
        if (status != HGATE_OK) {
            return status;
        }
        uint32_t space = hg_space_of(args[i]->device);
        if (first < 0) {
            first = i;
            problem->p.space = space;
            problem->p.device_id = space & HG_HOST_SPACES ? 0 : (int)args[i]->device.device_id;
        } else if (!share_space(args[first]->device, args[i]->device)) {
            char bytes[2][48];
            hg_text here = hg_text_over(bytes[0], sizeof bytes[0]);
            hg_text there = hg_text_over(bytes[1], sizeof bytes[1]);
            hg_space_describe(&here, args[i]->device);
            hg_space_describe(&there, args[first]->device);
            return hg_error(HGATE_EDEVICE, "%s: is in %s memory, %s in %s", row->args[i].name,
                            here.data, row->args[first].name, there.data);
        } else if (space == HGATE_SPACE_HOST) {
            problem->p.space = space; /* pinned only when every array is */
        }
    }
    return HGATE_OK;
}

static bool needs_data(const hg_arg *arg, hg_need need)
{
    return need >= HG_NEED_DATA || (need == HG_NEED_PLAN && arg->in_plan);
}

static int check_overlap(const hg_op *row, const hg_extent *extents)
{
    for (int i = 0; i < row->n_args; i++) {
        for (int j = 0; row->args[i].role != HG_IN && j < row->n_args; j++) {
            if (i != j && hg_extents_overlap(&extents[i], &extents[j])) {
                return hg_error(HGATE_EOVERLAP, "%s: shares memory with %s", row->args[i].name,
                                row->args[j].name);
            }
        }
    }
    return HGATE_OK;
}

static int check_memory(const hg_op *row, const DLTensor *const *args, hg_need need)
{
    hg_extent extents[HGATE_MAX_ARGS] = {{0, 0}};
    for (int i = 0; i < row->n_args; i++) {
        if (args[i]) {
            int status = hg_tensor_check_memory(row->args[i].name, args[i],
                                                needs_data(&row->args[i], need), &extents[i]);
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return check_overlap(row, extents);
}

int hg_arguments_take(hg_problem *problem, const DLTensor *const *args, hg_need need)
{
    const hg_op *row = hg_op_row(problem->p.op);
    int status = check_present(row, args, need);
    if (status == HGATE_OK) {
        status = check_types(row, args);
    }
    if (status == HGATE_OK) {
        status = check_devices(problem, row, args);
    }
    if (status == HGATE_OK) {
        status = check_memory(row, args, need);
    }
    if (status != HGATE_OK) {
        return status;
    }
    for (int i = 0; i < row->n_args; i++) {
        hg_problem_set_arg(problem, i, args[i]);
    }
    const DLTensor *main = args[row->main_arg];
    problem->p.dtype = main ? hg_dtype_of(main->dtype) : 0;
    return HGATE_OK;
}

bool hg_arguments_have_output(const hg_problem *problem)
{
    const hg_op *row = hg_op_row(problem->p.op);
    for (int i = 0; i < row->n_args; i++) {
        if (row->args[i].role != HG_IN && problem->args[i] && hg_tensor_count(problem->args[i])) {
            return true;
        }
    }
    return false;
}
