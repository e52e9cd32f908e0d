/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems of the command: finding the table row, keeping scalars and arrays. */
#include "tools/case.h"

#include "core/base/mathx.h"
#include "core/base/text.h"
#include "core/tensor/shape_rule.h"
#include "tools/report.h"

#include <string.h>

int cli_op_find(const char *word, const cli_op **op)
{
    const int found = hgate_op_find(word);
    *op = found >= 0 ? cli_op_row(found) : NULL;
    if (*op) {
        return CLI_DONE;
    }
    char list[2048];
    hg_text text = hg_text_over(list, sizeof list);
    for (int i = 0; i < HGATE_OP_COUNT; i++) {
        hg_text_printf(&text, "%s %s", i ? "," : "", hgate_op_name(i));
    }
    return cli_usage("unknown operation '%s'; there are%s", word, list);
}

const hg_option *cli_op_attribute(const cli_op *op, int i)
{
    if (i < op->n_extras) {
        return &op->extras[i];
    }
    i -= op->n_extras;
    const hg_option_list *list = hg_option_list_of(op->op);
    for (int k = 0; k < list->n; k++) {
        if (hg_option_is_read(&list->options[k], op->op) && i-- == 0) {
            return &list->options[k];
        }
    }
    return NULL;
}

void cli_case_init(cli_case *c, const cli_op *op)
{
    *c = (cli_case){.op = op, .row = hg_op_row(op->op), .device = -1, .seed = 1};
    c->is_double = op->is_double;
    hg_options_preset(hg_option_list_of(op->op), &c->scalars);
    if (op->op >= HGATE_OP_KIRCHHOFF_TRAVELTIME) {
        (void)hgate_kirchhoff_grid_init(&c->scalars.params.setup.grid); /* a struct in a struct */
    }
    for (int i = 0; i < op->n_extras; i++) {
        hg_option_put(&op->extras[i], &c->scalars, op->extras[i].preset);
    }
    for (int i = 0; i < op->n_keys; i++) {
        c->keys[i] = op->keys[i].fallback;
    }
    for (int i = 0; i < HGATE_MAX_DIMS; i++) {
        c->dims[i] = HG_SIZE_UNKNOWN;
    }
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        c->slabs[i].axis = -1;
    }
}

void cli_case_free(cli_case *c)
{
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        cli_array_free(&c->arrays[i]);
    }
    cli_array_free(&c->freq_hz);
}

int64_t cli_case_key(const cli_case *c, const char *name)
{
    for (int i = 0; i < c->op->n_keys; i++) {
        if (strcmp(c->op->keys[i].name, name) == 0) {
            return c->keys[i];
        }
    }
    return 0;
}

void cli_case_mark(cli_case *c, const char *attribute)
{
    const hg_option *option;
    for (int i = 0; (option = cli_op_attribute(c->op, i)); i++) {
        if (strcmp(option->name, attribute) == 0) {
            c->is_set |= (uint64_t)1 << i;
        }
    }
}

void cli_case_set_dim(cli_case *c, int dim, int64_t size)
{
    c->dims[dim] = size >= 0 ? size : HG_SIZE_UNKNOWN;
}

int64_t cli_case_mul(cli_case *c, int64_t a, int64_t b)
{
    int64_t product = 0;
    if (!hg_int64_mul(a, b, &product) && c->status == HGATE_OK) {
        c->status = hg_error(HGATE_ESHAPE, "%lld times %lld overflows", (long long)a, (long long)b);
    }
    return product;
}

int64_t cli_case_extent(const cli_case *c, int arg, int axis)
{
    const cli_array *array = &c->arrays[arg];
    return array->is_given && axis < array->dl.ndim ? array->shape[axis] : 0;
}

void cli_case_layout(cli_case *c, const char *word)
{
    hg_text text =
        hg_text_over(c->layouts + strlen(c->layouts), sizeof c->layouts - strlen(c->layouts));
    hg_text_printf(&text, "%s%s", c->layouts[0] ? " " : "", word);
}

/* The factors of an output that is read: beta, or its two parts. */
static bool reads_output(const cli_case *c)
{
    const hg_option *option;
    for (int i = 0; (option = cli_op_attribute(c->op, i)); i++) {
        if (option->kind == HG_OPTION_REAL && strncmp(option->name, "beta", 4) == 0 &&
            hg_option_get(option, &c->scalars, 0) != 0.0) {
            return true;
        }
    }
    return false;
}

bool cli_case_is_input(const cli_case *c, int arg)
{
    const hg_role role = c->row->args[arg].role;
    return role == HG_IN || (role == HG_INOUT && reads_output(c));
}

bool cli_case_is_output(const cli_case *c, int arg)
{
    return c->arrays[arg].is_given && c->row->args[arg].role != HG_IN;
}

const char *cli_case_dataset(const cli_case *c, int arg)
{
    const bool is_pairs = c->op->op == HGATE_OP_VISIBILITY && arg == HGATE_VISIBILITY_V &&
                          c->arrays[HGATE_VISIBILITY_PAIRS].is_given;
    return is_pairs ? "Vpairs" : c->row->args[arg].name;
}

int cli_case_allocate(cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++) {
        cli_array *array = &c->arrays[i];
        if (array->is_given && !array->dl.data) {
            const int status = cli_array_allocate(array, c->row->args[i].name);
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return HGATE_OK;
}

void cli_case_arguments(cli_case *c, cli_call *call)
{
    call->scalars = &c->scalars;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        call->args[i] = c->arrays[i].is_given ? &c->arrays[i].dl : NULL;
    }
}

int64_t cli_case_steps(const cli_case *c)
{
    return c->freq_hz.is_given ? c->freq_hz.count : 1;
}

void cli_case_at_step(cli_case *c, int64_t step)
{
    if (!c->freq_hz.is_given) {
        return;
    }
    const char *frequencies = c->freq_hz.dl.data;
    memcpy(&c->scalars.params.visibility.freq_hz,
           frequencies + c->freq_hz.dl.byte_offset + (size_t)step * sizeof(double), sizeof(double));
    for (int i = 0; i < c->row->n_args; i++) {
        if (c->arrays[i].steps > 0) {
            c->arrays[i].dl.byte_offset = (uint64_t)step * c->arrays[i].bytes;
        }
    }
}
