/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars by their rows: default, read, store, check. */
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/tensor/option_table.h"

#include <headgate/status.h>
#include <string.h>

double hg_option_get(const hg_option *option, const void *params, int part)
{
    const char *at = (const char *)params + option->offset;
    switch (option->kind) {
    case HG_OPTION_BIT:
        return (*(const int *)at & option->bit) != 0;
    case HG_OPTION_INT64:
        return (double)*(const int64_t *)at;
    case HG_OPTION_SIZE:
        return (double)*(const size_t *)at;
    case HG_OPTION_REAL:
    case HG_OPTION_LIMITS:
        return ((const double *)at)[part];
    default:
        return *(const int *)at;
    }
}

void hg_option_put(const hg_option *option, void *params, double value)
{
    char *at = (char *)params + option->offset;
    switch (option->kind) {
    case HG_OPTION_BIT:
        *(int *)at = value != 0 ? *(int *)at | option->bit : *(int *)at & ~option->bit;
        break;
    case HG_OPTION_INT64:
        *(int64_t *)at = (int64_t)value;
        break;
    case HG_OPTION_SIZE:
        *(size_t *)at = (size_t)value;
        break;
    case HG_OPTION_LIMITS:
        ((double *)at)[1] = value;
        ((double *)at)[0] = value;
        break;
    case HG_OPTION_REAL:
        *(double *)at = value;
        break;
    default:
        *(int *)at = (int)value;
    }
}

void hg_options_preset(const hg_option_list *list, void *params)
{
    memset(params, 0, list->size);
    memcpy(params, &list->size, sizeof list->size); /* struct_size is the first member */
    for (int i = 0; i < list->n; i++) {
        hg_option_put(&list->options[i], params, list->options[i].preset);
    }
}

static int check_choice(const hg_option *option, int value)
{
    int n = 0;
    while (option->words[n]) {
        n++;
    }
    if (value >= 0 && value < n) {
        return HGATE_OK;
    }
    return hg_error(HGATE_EINVAL, "%s: is %d, expected 0 (%s) to %d (%s)", option->name, value,
                    option->words[0], n - 1, option->words[n - 1]);
}

static int check_limits(const hg_option *option, double lower, double upper)
{
    if (lower >= 0 && upper >= lower) {
        return HGATE_OK;
    }
    char texts[2][HG_REAL_CHARS];
    hg_format_real(texts[0], lower);
    hg_format_real(texts[1], upper);
    return hg_error(HGATE_EVALUE, "%s: is (%s, %s), expected 0 <= lower <= upper", option->name,
                    texts[0], texts[1]);
}

static int check_number(const hg_option *option, double value)
{
    if (!option->expected ||
        (value >= option->least && value <= option->most && !(option->is_not_zero && value == 0))) {
        return HGATE_OK;
    }
    char text[HG_REAL_CHARS];
    hg_format_real(text, value);
    return hg_error(option->kind == HG_OPTION_FLAG ? HGATE_EINVAL : HGATE_EVALUE,
                    "%s: is %s, expected %s", option->name, text, option->expected);
}

static int check_option(const hg_option *option, const void *params)
{
    double value = hg_option_get(option, params, 0);
    switch (option->kind) {
    case HG_OPTION_CHOICE:
        return check_choice(option, (int)value);
    case HG_OPTION_LIMITS:
        return check_limits(option, value, hg_option_get(option, params, 1));
    default:
        return check_number(option, value);
    }
}

int hg_options_check(int op, const void *params)
{
    const hg_option_list *list = hg_option_list_of(op);
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && i < list->n; i++) {
        if (hg_option_is_read(&list->options[i], op)) {
            status = check_option(&list->options[i], params);
        }
    }
    return status;
}
