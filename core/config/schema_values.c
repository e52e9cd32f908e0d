/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row allows, in words: one text for error messages, lists of keys and documentation. */
#include "core/config/schema.h"

#include <math.h>
#include <string.h>

bool hg_words_have(const char *words, const char *word, size_t n)
{
    if (!words || n == 0) {
        return false;
    }
    for (const char *at = words; *at;) {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

/* "a, b, c" with `last` before the last one. */
static void put_words(hg_text *out, const char *words, const char *between, const char *last)
{
    for (const char *at = words; *at;) {
        const size_t length = strcspn(at, " ");
        const char *next = at + length + (at[length] == ' ');
        if (at != words) {
            hg_text_put(out, *next ? between : last);
        }
        hg_text_put_n(out, at, length);
        at = next;
    }
}

static void put_number(hg_text *out, const hg_schema_row *row, double value)
{
    if (row->type == HG_TYPE_REAL) {
        hg_text_put_real(out, value);
    } else {
        hg_text_put_int64(out, (int64_t)value);
    }
}

static void put_range(hg_text *out, const hg_schema_row *row)
{
    const bool has_min = isfinite(row->min), has_max = isfinite(row->max);
    if (has_min && has_max && !row->is_min_open && !row->is_max_open) {
        hg_text_put(out, " from ");
        put_number(out, row, row->min);
        hg_text_put(out, " to ");
        put_number(out, row, row->max);
        return;
    }
    if (has_min) {
        hg_text_put(out, row->is_min_open ? " above " : " of at least ");
        put_number(out, row, row->min);
    }
    if (has_max) {
        hg_text_put(out, has_min ? " and" : "");
        hg_text_put(out, row->is_max_open ? " below " : has_min ? " at most " : " of at most ");
        put_number(out, row, row->max);
    }
}

static void put_numeric(hg_text *out, const hg_schema_row *row, const char *what)
{
    if (row->min == row->max) {
        put_number(out, row, row->min);
        return;
    }
    hg_text_put(out, what);
    if (row->type != HG_TYPE_BYTES || row->min != 0 || isfinite(row->max)) {
        put_range(out, row);
    }
    if (row->words) {
        hg_text_put(out, ", or ");
        put_words(out, row->words, ", ", " or ");
    }
}

void hg_schema_put_values(const hg_schema_row *row, hg_text *out)
{
    if (row->is_fixed) {
        hg_text_printf(out, "%s, which is fixed", row->fallback);
        return;
    }
    switch (row->type) {
    case HG_TYPE_BOOL:
        hg_text_put(out, "true or false");
        break;
    case HG_TYPE_INT:
        put_numeric(out, row, "an integer");
        break;
    case HG_TYPE_REAL:
        put_numeric(out, row, "a number");
        break;
    case HG_TYPE_BYTES:
        put_numeric(out, row, "bytes (12345, 64KiB, 512MiB, 2GiB)");
        break;
    case HG_TYPE_ENUM:
        put_words(out, row->words, ", ", " or ");
        break;
    case HG_TYPE_PATH:
        hg_text_put(out, "an absolute path");
        break;
    case HG_TYPE_PATHS:
        hg_text_printf(out, "a list of at most %d absolute paths", (int)row->max);
        break;
    case HG_TYPE_NAMES:
        hg_text_printf(out, "a list of at most %d plugin names", (int)row->max);
        break;
    case HG_TYPE_TEXTS:
        hg_text_printf(out, "a list of at most %d texts", (int)row->max);
        break;
    case HG_TYPE_CHOICE:
        hg_text_put(out, "PLUGIN or PLUGIN/KERNEL");
        break;
    case HG_TYPE_SCALAR:
        hg_text_put(out, "a word or a number");
        break;
    }
}
