/* SPDX-License-Identifier: BSD-3-Clause */
/* Files by the tables of core/tensor: which datasets and attributes an operation has. */
#include "tools/case_file.h"

#include "tools/attribute.h"
#include "tools/report.h"

#include <string.h>

/* The library checks what it is given; these attributes it never sees as numbers. */
static int check_extra(const cli_case *c, const hg_option *option)
{
    const double value = hg_option_get(option, &c->scalars, 0);
    if (!option->expected || (value >= option->least && value <= option->most)) {
        return CLI_DONE;
    }
    return hg_error(HGATE_EVALUE, "%s: is %g, expected %s", option->name, value, option->expected);
}

/* A visibility at many frequencies has a dataset of them in place of the attribute. */
static const char FREQUENCIES[] = "freq_hz";

static int load_attributes(cli_case *c, h5io_file *file, const char *path)
{
    const hg_option *option;
    for (int i = 0; (option = cli_op_attribute(c->op, i)); i++) {
        bool is_found = false;
        int status = cli_attribute_load(c, file, option, &is_found);
        if (c->freq_hz.is_given && strcmp(option->name, FREQUENCIES) == 0) {
            if (is_found) {
                return hg_error(HGATE_EINVAL, "%s: %s is a dataset and an attribute", path,
                                FREQUENCIES);
            }
            is_found = true;
        }
        if (status == CLI_DONE && is_found && i < c->op->n_extras) {
            status = check_extra(c, option);
        }
        if (status != CLI_DONE) {
            return status;
        }
        if (is_found) {
            c->is_set |= (uint64_t)1 << i;
        } else if (option->is_required) {
            return hg_error(HGATE_EINVAL, "%s: attribute %s is missing", path, option->name);
        }
    }
    return CLI_DONE;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* Arguments of one type only are read as that type; the others as what the file has. */
static cli_type wanted_type(hg_type type)
{
    switch (type) {
    case HG_TYPE_F64:
        return CLI_F64;
    case HG_TYPE_C128:
        return CLI_C128;
    case HG_TYPE_INT32:
        return CLI_I32;
    case HG_TYPE_INT64:
        return CLI_I64;
    default:
        return CLI_N_TYPES;
    }
}

static int survey_arrays(cli_case *c, h5io_file *file, const char *path)
{
    for (int i = 0; i < c->row->n_args; i++) {
        const hg_arg *arg = &c->row->args[i];
        bool is_found = false;
        if (!cli_case_is_input(c, i)) {
            continue;
        }
        const char *name = cli_case_dataset(c, i);
        const int status = h5io_shape(file, name, wanted_type(arg->type), &c->arrays[i], &is_found);
        if (status != CLI_DONE) {
            return status;
        }
        if (!is_found && !arg->is_optional) {
            return hg_error(HGATE_EINVAL, "%s: dataset %s is missing", path, name);
        }
    }
    return CLI_DONE;
}

/* ---- many frequencies -------------------------------------------------------------------- */

static int load_frequencies(cli_case *c, h5io_file *file)
{
    bool is_found = false;
    if (c->op->op != HGATE_OP_VISIBILITY) {
        return CLI_DONE;
    }
    int status = h5io_shape(file, FREQUENCIES, CLI_F64, &c->freq_hz, &is_found);
    if (status != CLI_DONE || !is_found) {
        return status;
    }
    if (c->freq_hz.type != CLI_F64 || c->freq_hz.dl.ndim != 1 || c->freq_hz.count < 1) {
        return hg_error(HGATE_ESHAPE, "%s: expected a list of at least one number", FREQUENCIES);
    }
    status = h5io_fill(file, FREQUENCIES, &c->freq_hz, -1, 0);
    if (status == CLI_DONE) {
        cli_case_at_step(c, 0);
    }
    return status;
}

/* Arrays with one dimension more than a single call takes have the frequencies in front. Where the
 * number differs the library refuses what is there; but an output that is read must have them. */
static int find_steps(cli_case *c)
{
    const bool is_listed = c->arrays[HGATE_VISIBILITY_PAIRS].is_given;
    const struct {
        int arg, ndim;
    } with[] = {{HGATE_VISIBILITY_FLUX, 1},
                {HGATE_VISIBILITY_GRID, 5},
                {HGATE_VISIBILITY_V, is_listed ? 3 : 2}};
    for (size_t i = 0; c->freq_hz.is_given && i < sizeof with / sizeof with[0]; i++) {
        cli_array *array = &c->arrays[with[i].arg];
        if (array->is_given && array->dl.ndim == with[i].ndim + 1 &&
            array->shape[0] == c->freq_hz.count) {
            int64_t shape[HG_MAX_NDIM];
            memcpy(shape, array->shape, sizeof shape);
            /* a part of what fitted */
            (void)cli_array_set(array, "", array->type, with[i].ndim, shape + 1);
            array->steps = shape[0];
        }
    }
    const cli_array *output = &c->arrays[HGATE_VISIBILITY_V];
    if (c->freq_hz.is_given && output->is_given && output->steps == 0) {
        return hg_error(HGATE_ESHAPE, "%s: expected one for each of the %lld frequencies",
                        cli_case_dataset(c, HGATE_VISIBILITY_V), (long long)c->freq_hz.count);
    }
    return CLI_DONE;
}

/* ---- the whole file ---------------------------------------------------------------------- */

static int check_head(const cli_case *c, h5io_file *file, const char *path)
{
    char word[64] = "";
    double format = 0.0;
    bool has_format = false, has_op = false;
    int status = h5io_read_numbers(file, "headgate_format", 1, &format, &has_format);
    if (status == CLI_DONE) {
        status = h5io_read_text(file, "op", word, sizeof word, &has_op);
    }
    if (status != CLI_DONE) {
        return status;
    }
    if (!has_format || !has_op) {
        return hg_error(HGATE_EINVAL, "%s: attribute %s is missing", path,
                        has_format ? "op" : "headgate_format");
    }
    if (format != 1.0) {
        return hg_error(HGATE_EINVAL, "%s: headgate_format is %g, this program reads 1", path,
                        format);
    }
    if (strcmp(word, c->row->word) != 0) {
        return hg_error(HGATE_EINVAL, "%s: op is '%s', not '%s'", path, word, c->row->word);
    }
    return CLI_DONE;
}

typedef struct reader {
    const cli_case *c;
    const char *path;
} reader;

static bool is_known_dataset(const hg_op *row, const char *name)
{
    if (row == hg_op_row(HGATE_OP_VISIBILITY) &&
        (strcmp(name, "Vpairs") == 0 || strcmp(name, FREQUENCIES) == 0)) {
        return true;
    }
    for (int i = 0; i < row->n_args; i++) {
        if (strcmp(row->args[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The head, and what run leaves in its output: that may be the input of a next run. */
static bool is_known_attribute(const cli_op *op, const char *name)
{
    static const char *const always[] = {"headgate_format", "op",      "plugin", "kernel",
                                         "reason",          "version", "seconds"};
    const hg_option *option;
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (strcmp(always[i], name) == 0) {
            return true;
        }
    }
    for (int i = 0; (option = cli_op_attribute(op, i)); i++) {
        if (strcmp(option->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void warn_unknown(void *user, const char *name, bool is_attribute)
{
    const reader *r = user;
    if (is_attribute ? !is_known_attribute(r->c->op, name) : !is_known_dataset(r->c->row, name)) {
        cli_warn("%s: unknown %s '%s' is ignored", r->path, is_attribute ? "attribute" : "dataset",
                 name);
    }
}

int cli_case_survey(cli_case *c, const char *path, bool is_quiet)
{
    h5io_file *file = NULL;
    reader r = {c, path};
    int status = h5io_open(path, &file);
    if (status == CLI_DONE) {
        status = check_head(c, file, path);
    }
    if (status == CLI_DONE && !is_quiet) {
        status = h5io_each(file, warn_unknown, &r);
    }
    if (status == CLI_DONE) {
        status = load_frequencies(c, file);
    }
    if (status == CLI_DONE) {
        status = load_attributes(c, file, path);
    }
    if (status == CLI_DONE) {
        status = survey_arrays(c, file, path);
    }
    h5io_close(file);
    return status == CLI_DONE ? find_steps(c) : status;
}

int cli_case_read(cli_case *c, const char *path, uint32_t which)
{
    return cli_case_read_watched(c, path, which, NULL, NULL);
}

int cli_case_read_watched(cli_case *c, const char *path, uint32_t which,
                          bool (*is_stopped)(void *user), void *user)
{
    h5io_file *file = NULL;
    int status = h5io_open(path, &file);
    if (status == CLI_DONE) {
        h5io_watch(file, is_stopped, user);
    }
    for (int i = 0; status == CLI_DONE && i < c->row->n_args; i++) {
        if (which >> i & 1 && c->arrays[i].is_given && cli_case_is_input(c, i)) {
            const cli_slab slab = c->slabs[i];
            status = h5io_fill(file, cli_case_dataset(c, i), &c->arrays[i], slab.axis, slab.first);
        }
    }
    h5io_close(file);
    return status;
}

int cli_case_read_rows(cli_case *c, const char *path, int arg, int64_t first, int64_t count,
                       bool (*is_stopped)(void *user), void *user)
{
    h5io_file *file = NULL;
    cli_array rows = c->arrays[arg];
    const int64_t n = rows.shape[0];
    if (count == 0 || rows.count == 0) {
        return CLI_DONE;
    }
    rows.dl.shape = rows.shape;
    rows.dl.data = (char *)rows.dl.data + (size_t)first * (rows.bytes / (size_t)n);
    rows.shape[0] = count;
    rows.count = rows.count / n * count;
    rows.bytes = rows.bytes / (size_t)n * (size_t)count;
    int status = h5io_open(path, &file);
    if (status == CLI_DONE) {
        h5io_watch(file, is_stopped, user);
        status = h5io_fill(file, cli_case_dataset(c, arg), &rows, 0, first);
    }
    h5io_close(file);
    return status;
}

int cli_case_store(const cli_case *c, h5io_file *file)
{
    const hg_option *option;
    int status = h5io_write_int(file, "headgate_format", 1);
    if (status == CLI_DONE) {
        status = h5io_write_text(file, "op", c->row->word);
    }
    for (int i = 0; status == CLI_DONE && (option = cli_op_attribute(c->op, i)); i++) {
        if (c->is_set >> i & 1) {
            status = cli_attribute_store(c, option, file);
        }
    }
    for (int i = 0; status == CLI_DONE && i < c->row->n_args; i++) {
        if (c->arrays[i].is_given && cli_case_is_input(c, i)) {
            status = h5io_write(file, c->row->args[i].name, &c->arrays[i]);
        }
    }
    return status;
}
