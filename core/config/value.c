/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the text of one value as the type of its key; nothing is guessed. */
#include "core/config/value.h"

#include "core/base/number.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

/* "expected WHAT, found "TEXT"", perhaps with a hint. */
static int refuse(const hg_schema_row *row, const char *text, size_t n, const char *hint,
                  hg_text *why)
{
    hg_text_put(why, "expected ");
    hg_schema_put_values(row, why);
    hg_text_put(why, ", found \"");
    hg_text_put_untrusted(why, text, n, 60);
    hg_text_put_char(why, '"');
    hg_text_put(why, hint);
    return HGATE_ECONFIG;
}

static bool is_word(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

bool hg_is_null_word(const char *text, size_t n)
{
    static const char words[] = "~ null Null NULL";
    return n == 0 || hg_words_have(words, text, n);
}

bool hg_type_is_list(hg_key_type type)
{
    return type == HG_TYPE_PATHS || type == HG_TYPE_NAMES || type == HG_TYPE_TEXTS;
}

static int read_bool(const hg_schema_row *row, const char *text, size_t n, hg_value *value,
                     hg_text *why)
{
    static const char refused[] =
        "yes no on off y n Yes No On Off True False TRUE FALSE YES NO ON OFF 1 0";
    const bool is_true = is_word(text, n, "true");
    if (!is_true && !is_word(text, n, "false")) {
        const char *hint = hg_words_have(refused, text, n)
                               ? "; only these two words mean the same in all versions of YAML"
                               : "";
        return refuse(row, text, n, hint, why);
    }
    value->integer = is_true;
    value->real = is_true;
    return HGATE_OK;
}

static bool is_in_range(const hg_schema_row *row, double value)
{
    const bool is_high_enough = row->is_min_open ? value > row->min : value >= row->min;
    const bool is_low_enough = row->is_max_open ? value < row->max : value <= row->max;
    return is_high_enough && is_low_enough;
}

/* Digits and a unit, with one space between them if wanted. */
static hg_parse parse_bytes(const char *text, size_t n, int64_t *out)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"B", 0}};
    int shift = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t length = strlen(units[i].name);
        if (n > length && memcmp(text + n - length, units[i].name, length) == 0) {
            n -= length;
            n -= n > 1 && text[n - 1] == ' ';
            shift = units[i].shift;
            break;
        }
    }
    int64_t count;
    const hg_parse result = hg_parse_int64(text, n, &count);
    if (result != HG_PARSE_OK) {
        return result;
    }
    return __builtin_mul_overflow(count, INT64_C(1) << shift, out) ? HG_PARSE_RANGE : HG_PARSE_OK;
}

static int read_number(const hg_schema_row *row, const char *text, size_t n, hg_value *value,
                       hg_text *why)
{
    hg_parse result;
    if (row->type == HG_TYPE_REAL) {
        result = hg_parse_real(text, n, &value->real);
    } else {
        result = row->type == HG_TYPE_BYTES ? parse_bytes(text, n, &value->integer)
                                            : hg_parse_int64(text, n, &value->integer);
        value->real = (double)value->integer;
    }
    if (result == HG_PARSE_OK && is_in_range(row, value->real)) {
        return HGATE_OK;
    }
    return refuse(row, text, n, "", why);
}

static int read_choice(const hg_schema_row *row, const char *text, size_t n, hg_text *why)
{
    const char *slash = memchr(text, '/', n);
    const size_t plugin_n = slash ? (size_t)(slash - text) : n;
    const bool is_plugin = hg_schema_is_name("<plugin>", text, plugin_n);
    const bool is_kernel = !slash || hg_schema_is_name("<kernel>", slash + 1, n - plugin_n - 1);
    return is_plugin && is_kernel ? HGATE_OK : refuse(row, text, n, "", why);
}

static int read_path(const hg_schema_row *row, const char *text, size_t n, hg_text *why)
{
    return n > 0 && text[0] == '/' ? HGATE_OK : refuse(row, text, n, "", why);
}

/* Checks a scalar and fills the numbers. */
int hg_value_read_scalar(const hg_schema_row *row, const char *text, size_t n, hg_value *value,
                         hg_text *why)
{
    switch (row->type) {
    case HG_TYPE_BOOL:
        return read_bool(row, text, n, value, why);
    case HG_TYPE_INT:
    case HG_TYPE_REAL:
    case HG_TYPE_BYTES:
        return read_number(row, text, n, value, why);
    case HG_TYPE_ENUM:
        return refuse(row, text, n, "", why); /* its words were looked for already */
    case HG_TYPE_CHOICE:
        return read_choice(row, text, n, why);
    case HG_TYPE_PATH:
    case HG_TYPE_PATHS:
        return read_path(row, text, n, why);
    case HG_TYPE_NAMES:
        return hg_schema_is_name("<plugin>", text, n) ? HGATE_OK : refuse(row, text, n, "", why);
    case HG_TYPE_TEXTS:
    case HG_TYPE_SCALAR:
        break;
    }
    return HGATE_OK;
}

/* The words that the row allows: all of an enum, `auto` and `off` beside numbers. */
static bool read_word(const hg_schema_row *row, const char *text, size_t n, hg_value *value)
{
    if (!hg_words_have(row->words, text, n)) {
        return false;
    }
    value->is_auto = is_word(text, n, "auto");
    value->is_off = is_word(text, n, "off");
    if (value->is_off) {
        value->real = row->off;
        value->integer = (int64_t)row->off;
    } else if (hg_parse_int64(text, n, &value->integer) == HG_PARSE_OK) {
        value->real = (double)value->integer;
    }
    return true;
}

static void put_bytes(hg_text *out, int64_t bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    int unit = 0;
    while (unit < 3 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    hg_text_put_int64(out, bytes);
    hg_text_put(out, units[unit]);
}

/* The one spelling of a number: 2048MiB and 2GiB are the same, so are 1e5 and 100000. */
static void put_number(const hg_schema_row *row, hg_value *value, hg_text *out)
{
    if (row->type == HG_TYPE_INT) {
        hg_text_put_int64(out, value->integer);
    } else if (row->type == HG_TYPE_REAL) {
        value->real += 0.0; /* no negative zero */
        hg_text_put_real(out, value->real);
    } else if (row->type == HG_TYPE_BYTES) {
        put_bytes(out, value->integer);
    }
}

static bool is_fixed_otherwise(const hg_schema_row *row, const char *text, size_t n)
{
    return row->is_fixed && !is_word(text, n, row->fallback);
}

int hg_value_read(const hg_schema_row *row, const char *text, size_t n, hg_arena *arena,
                  hg_value *out, hg_text *why)
{
    if (hg_type_is_list(row->type)) {
        return hg_value_read_list_text(row, text, n, arena, out, why);
    }
    if (is_fixed_otherwise(row, text, n)) {
        return refuse(row, text, n, "", why);
    }
    char digits[HG_REAL_CHARS];
    hg_text canonical = hg_text_over(digits, sizeof digits);
    hg_value value = {0};
    if (!read_word(row, text, n, &value)) {
        const int status = hg_value_read_scalar(row, text, n, &value, why);
        if (status != HGATE_OK) {
            return status;
        }
        put_number(row, &value, &canonical);
    }
    value.text =
        canonical.length ? hg_arena_strdup(arena, digits) : hg_arena_strndup(arena, text, n);
    if (!value.text) {
        return HGATE_ENOMEM;
    }
    *out = value;
    return HGATE_OK;
}

int hg_value_default(const hg_schema_row *row, hg_arena *arena, hg_value *out)
{
    if (!*row->fallback) {
        *out = (hg_value){0};
        return HGATE_OK;
    }
    char ignored[8];
    hg_text why = hg_text_over(ignored, sizeof ignored);
    return hg_value_read(row, row->fallback, strlen(row->fallback), arena, out, &why);
}

int hg_value_copy(const hg_value *value, hg_arena *arena, hg_value *out)
{
    hg_value copy = *value;
    if (value->text) {
        copy.text = hg_arena_strdup(arena, value->text);
    }
    const char **items = hg_arena_array(arena, value->n_items, sizeof *items);
    if (!items || (value->text && !copy.text)) {
        return HGATE_ENOMEM;
    }
    for (size_t i = 0; i < value->n_items; i++) {
        items[i] = hg_arena_strdup(arena, value->items[i]);
        if (!items[i]) {
            return HGATE_ENOMEM;
        }
    }
    copy.items = items;
    *out = copy;
    return HGATE_OK;
}
