/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of a problem. The axis of an array is found by making its shape for n and for n + 1
 * items: they differ in one axis, by the extent of one item. */
#include "tools/split.h"

#include "core/base/text.h"
#include "core/tensor/shape_rule.h"
#include "tools/report.h"

#include <string.h>

typedef struct split_row {
    int op, dim;
    const char *items;
} split_row;

enum { FREQUENCIES = -1 }; /* no size of the operation: a call for each */

static const split_row rows[] = {
    {HGATE_OP_KIRCHHOFF_FORWARD, HGATE_DIM_KIRCHHOFF_NS, "sources"},
    {HGATE_OP_KIRCHHOFF_ADJOINT, HGATE_DIM_KIRCHHOFF_NS, "sources"},
    {HGATE_OP_EMI, HGATE_DIM_EMI_BATCH, "points"},
    {HGATE_OP_EVD, HGATE_DIM_EMI_BATCH, "points"},
    {HGATE_OP_DS_TEMP_COH, HGATE_DIM_EMI_BATCH, "points"},
    {HGATE_OP_VISIBILITY, FREQUENCIES, "frequencies"},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static const split_row *find_row(int op)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (rows[i].op == op) {
            return &rows[i];
        }
    }
    return NULL;
}

int cli_split_items(const cli_op *op, const char **items)
{
    const split_row *row = find_row(op->op);
    if (row) {
        *items = row->items;
        return CLI_DONE;
    }
    char list[256];
    hg_text text = hg_text_over(list, sizeof list);
    for (int i = 0; i < N_ROWS; i++) {
        hg_text_printf(&text, "%s %s", i ? "," : "", hgate_op_name(rows[i].op));
    }
    return cli_usage("%s cannot be divided among workers; those that can:%s", hgate_op_name(op->op),
                     list);
}

int64_t cli_split_count(const cli_case *c)
{
    const split_row *row = find_row(c->op->op);
    if (row->dim == FREQUENCIES) {
        return c->freq_hz.is_given ? c->freq_hz.count : 1;
    }
    return c->dims[row->dim] > 0 ? c->dims[row->dim] : 0;
}

void cli_split_twin(cli_case *to, const cli_case *from)
{
    *to = *from;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        to->arrays[i].dl.data = NULL;
        to->arrays[i].dl.shape = to->arrays[i].shape;
    }
    to->freq_hz.is_borrowed = true;
    to->freq_hz.dl.shape = to->freq_hz.shape;
}

/* The axis of an argument along which `dim` counts, and the extent of one; -1: none. */
static int find_axis(const cli_case *c, int arg, int dim, int64_t *extent)
{
    const cli_array *array = &c->arrays[arg];
    int64_t dims[HGATE_MAX_DIMS], shape[HG_MAX_NDIM], more[HG_MAX_NDIM];
    memcpy(dims, c->dims, sizeof dims);
    const hg_sizes sizes = {c->row, dims, c->layouts};
    const char *rule = c->row->args[arg].shape;
    if (hg_shape_make(&sizes, rule, array->dl.ndim, shape) != array->dl.ndim) {
        return -1;
    }
    dims[dim]++;
    if (hg_shape_make(&sizes, rule, array->dl.ndim, more) != array->dl.ndim) {
        return -1;
    }
    for (int axis = 0; axis < array->dl.ndim; axis++) {
        if (more[axis] != shape[axis] && shape[axis] == array->shape[axis]) {
            *extent = more[axis] - shape[axis];
            return axis;
        }
    }
    return -1;
}

static void narrow_array(cli_case *c, int arg, int dim, int64_t first, int64_t count)
{
    cli_array *array = &c->arrays[arg];
    int64_t extent = 0;
    const int axis = find_axis(c, arg, dim, &extent);
    if (axis < 0) {
        return;
    }
    c->slabs[arg] = (cli_slab){axis, first * extent};
    array->shape[axis] = count * extent;
    array->count = 1;
    for (int i = 0; i < array->dl.ndim; i++) {
        array->count *= array->shape[i]; /* less than the whole, which did not overflow */
    }
    array->bytes = (size_t)array->count * cli_type_bytes(array->type);
}

void cli_split_narrow(cli_case *c, int64_t first, int64_t count)
{
    const split_row *row = find_row(c->op->op);
    const bool has_steps = row->dim == FREQUENCIES && c->freq_hz.is_given;
    for (int i = 0; i < c->row->n_args; i++) {
        if (!c->arrays[i].is_given) {
            continue;
        }
        if (row->dim != FREQUENCIES) {
            narrow_array(c, i, row->dim, first, count);
        } else if (c->arrays[i].steps > 0) {
            c->slabs[i] = (cli_slab){0, first};
            c->arrays[i].steps = count;
        }
    }
    if (has_steps) {
        c->freq_hz.dl.byte_offset += (uint64_t)first * sizeof(double);
        c->freq_hz.shape[0] = c->freq_hz.count = count;
    } else if (row->dim != FREQUENCIES) {
        c->dims[row->dim] = count;
    }
}

size_t cli_split_offset(const cli_case *c, int arg)
{
    const cli_array *array = &c->arrays[arg];
    const cli_slab slab = c->slabs[arg];
    if (slab.axis != 0) {
        return 0;
    }
    if (array->steps > 0) {
        return (size_t)slab.first * array->bytes;
    }
    size_t row_bytes = cli_type_bytes(array->type);
    for (int i = 1; i < array->dl.ndim; i++) {
        row_bytes *= (size_t)array->shape[i];
    }
    return (size_t)slab.first * row_bytes;
}
