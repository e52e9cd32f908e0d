/* SPDX-License-Identifier: BSD-3-Clause */
/* Types and shapes of a problem's arrays, from the shape rules of the operation's row. */
#include "core/tensor/shape_rule.h"
#include "tools/case.h"
#include "tools/report.h"

#include <string.h>

/* Element type of an argument where nothing else decides it: the precision of the problem. */
static cli_type type_of(const cli_case *c, hg_type type)
{
    switch (type) {
    case HG_TYPE_C:
    case HG_TYPE_R_OR_C:
    case HG_TYPE_C_OR_C64:
    case HG_TYPE_ANY_REAL_OR_COMPLEX:
        return cli_complex(c->is_double);
    case HG_TYPE_F64:
        return CLI_F64;
    case HG_TYPE_C128:
        return CLI_C128;
    case HG_TYPE_INDEX:
    case HG_TYPE_INT32:
        return CLI_I32;
    case HG_TYPE_INT64:
        return CLI_I64;
    default:
        return cli_real(c->is_double);
    }
}

/* Shape by the rule; sizes that nobody knows count as 0, and the library says what is missing. */
static void put_by_rule(cli_case *c, int arg, cli_type type, int ndim)
{
    const hg_arg *row = &c->row->args[arg];
    int64_t shape[HG_MAX_NDIM] = {0}, dims[HGATE_MAX_DIMS];
    for (int i = 0; i < HGATE_MAX_DIMS; i++) {
        dims[i] = c->dims[i] == HG_SIZE_UNKNOWN ? 0 : c->dims[i];
    }
    hg_sizes known = {c->row, c->dims, c->layouts}, any = {c->row, dims, c->layouts};
    int made = hg_shape_make(&known, row->shape, ndim, shape);
    if (made == -1) {
        made = hg_shape_make(&any, row->shape, ndim, shape);
    }
    if (made == -1) {
        made = hg_shape_make(&any, row->shape, 0, shape);
    }
    c->status = made == HGATE_ESHAPE ? hg_error(HGATE_ESHAPE, "%s: the size overflows", row->name)
                                     : cli_array_set(&c->arrays[arg], row->name, type, made, shape);
}

void cli_case_shape_inputs(cli_case *c)
{
    for (int i = 0; i < c->op->n_keys; i++) {
        const char *word = c->op->keys[i].name;
        const int dim = hg_op_find_dim(c->row, word, (int)strlen(word));
        if (dim >= 0) {
            cli_case_set_dim(c, dim, c->keys[i]);
        }
    }
    c->op->prepare(c);
    if (c->op->sizes && c->status == HGATE_OK) {
        c->op->sizes(c);
    }
    for (int i = 0; i < c->row->n_args && c->status == HGATE_OK; i++) {
        const hg_arg *arg = &c->row->args[i];
        const bool is_wanted = !arg->is_optional || c->included >> i & 1;
        if (arg->role == HG_IN && is_wanted && !c->arrays[i].dl.data) {
            put_by_rule(c, i, type_of(c, arg->type), 0);
        }
    }
}

/* Reads the sizes off the inputs, twice: a product needs one of its factors first. What does not
 * fit is left to the library, which tells it better. */
static void match_inputs(cli_case *c)
{
    const hg_sizes sizes = {c->row, c->dims, c->layouts};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->row->n_args; i++) {
            const cli_array *array = &c->arrays[i];
            const hg_role role = c->row->args[i].role;
            if (array->is_given && (role == HG_IN || role == HG_INOUT)) {
                (void)hg_shape_match(&sizes, c->row->args[i].shape, array->dl.ndim, array->shape);
            }
        }
    }
}

/* The precision of a call is that of its first array of type R or C. */
static void read_precision(cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *array = &c->arrays[i];
        const hg_type type = c->row->args[i].type;
        if (array->is_given && (type == HG_TYPE_R || type == HG_TYPE_C)) {
            c->is_double = array->type == CLI_F64 || array->type == CLI_C128;
            return;
        }
    }
}

static cli_type output_type(const cli_case *c, int arg)
{
    const hg_type type = c->row->args[arg].type;
    if (c->scalars.out_dtype > 0) {
        return (cli_type)(c->scalars.out_dtype - 1);
    }
    /* the beam is of the grid's type */
    return type == HG_TYPE_ANY_REAL_OR_COMPLEX ? c->arrays[0].type : type_of(c, type);
}

/* An input that follows the same rule: what it leaves open is open for both. */
static int twin_of(const cli_case *c, int arg)
{
    for (int i = 0; i < arg; i++) {
        if (c->row->args[i].role == HG_IN && c->arrays[i].is_given &&
            strcmp(c->row->args[i].shape, c->row->args[arg].shape) == 0) {
            return i;
        }
    }
    return -1;
}

void cli_case_shape_outputs(cli_case *c)
{
    if (c->op->sizes && c->status == HGATE_OK) {
        c->op->sizes(c);
    }
    match_inputs(c);
    read_precision(c);
    for (int i = 0; i < c->row->n_args && c->status == HGATE_OK; i++) {
        if (c->row->args[i].role == HG_IN || c->arrays[i].is_given) {
            continue;
        }
        const int twin = twin_of(c, i);
        if (twin >= 0) {
            const cli_array *like = &c->arrays[twin];
            c->status = cli_array_set(&c->arrays[i], c->row->args[i].name, output_type(c, i),
                                      like->dl.ndim, like->shape);
        } else {
            put_by_rule(c, i, output_type(c, i), c->out_ndim);
        }
        if (c->freq_hz.is_given) {
            c->arrays[i].steps = c->freq_hz.count;
        }
    }
}
