/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes between a file, a word and the scalars of a problem. */
#include "tools/attribute.h"

#include "tools/report.h"

#include <math.h>
#include <string.h>

int cli_attribute_set_word(cli_case *c, const hg_option *option, const char *word)
{
    for (int i = 0; option->words[i]; i++) {
        if (strcmp(option->words[i], word) == 0) {
            hg_option_put(option, &c->scalars, i);
            return CLI_DONE;
        }
    }
    return hg_error(HGATE_EINVAL, "%s: unknown word '%s'; the first of the known ones is '%s'",
                    option->name, word, option->words[0]);
}

static bool is_whole(hg_option_kind kind)
{
    return kind != HG_OPTION_REAL && kind != HG_OPTION_LIMITS;
}

/* A float that an integer cannot hold must not become one by rounding. */
static int set_number(cli_case *c, const hg_option *option, double value)
{
    const double most = option->kind == HG_OPTION_INT64 || option->kind == HG_OPTION_SIZE
                            ? 0x1p53
                            : (double)INT32_MAX;
    if (is_whole(option->kind) && (value != floor(value) || fabs(value) > most)) {
        return hg_error(HGATE_EVALUE, "%s: is %g, expected a whole number", option->name, value);
    }
    if ((option->kind == HG_OPTION_FLAG || option->kind == HG_OPTION_BIT) && value != 0.0 &&
        value != 1.0) {
        return hg_error(HGATE_EINVAL, "%s: is %g, expected 0 or 1", option->name, value);
    }
    if (option->kind == HG_OPTION_SIZE && value < 0.0) {
        return hg_error(HGATE_EVALUE, "%s: is %g, expected 0 or more", option->name, value);
    }
    hg_option_put(option, &c->scalars, value);
    return CLI_DONE;
}

int cli_attribute_load(cli_case *c, h5io_file *file, const hg_option *option, bool *is_found)
{
    char word[64];
    double values[2] = {0.0, 0.0};
    int status;
    switch (option->kind) {
    case HG_OPTION_CHOICE:
        status = h5io_read_text(file, option->name, word, sizeof word, is_found);
        return status == CLI_DONE && *is_found ? cli_attribute_set_word(c, option, word) : status;
    case HG_OPTION_LIMITS:
        status = h5io_read_numbers(file, option->name, 2, values, is_found);
        if (status == CLI_DONE && *is_found) {
            memcpy((char *)&c->scalars + option->offset, values, sizeof values);
        }
        return status;
    default:
        status = h5io_read_numbers(file, option->name, 1, values, is_found);
        return status == CLI_DONE && *is_found ? set_number(c, option, values[0]) : status;
    }
}

int cli_attribute_store(const cli_case *c, const hg_option *option, h5io_file *file)
{
    const double values[2] = {
        hg_option_get(option, &c->scalars, 0),
        option->kind == HG_OPTION_LIMITS ? hg_option_get(option, &c->scalars, 1) : 0.0};
    switch (option->kind) {
    case HG_OPTION_CHOICE:
        return h5io_write_text(file, option->name, option->words[(int)values[0]]);
    case HG_OPTION_REAL:
        return h5io_write_reals(file, option->name, 1, values);
    case HG_OPTION_LIMITS:
        return h5io_write_reals(file, option->name, 2, values);
    default:
        return h5io_write_int(file, option->name, (int64_t)values[0]);
    }
}
