/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are lists, and the text of values as it must stand in a file. */
#include "core/config/value.h"

#include <headgate/status.h>
#include <string.h>

static bool is_plain_scalar(const char *text, size_t n)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_.+-";
    const bool starts_well =
        text[0] != '+' && text[0] != '.' && (text[0] != '-' || (text[1] >= '0' && text[1] <= '9'));
    return starts_well && strspn(text, plain) == n && !hg_is_null_word(text, n);
}

void hg_put_scalar(hg_text *out, const char *text)
{
    const size_t n = strlen(text);
    if (is_plain_scalar(text, n)) {
        hg_text_put(out, text);
    } else {
        hg_text_put_json(out, text, n);
    }
}

/* "[a, b]" with quotes where an item needs them. */
static const char *list_text(const char *const *items, size_t n, hg_arena *arena)
{
    hg_text text = hg_text_growing(arena->allocator);
    hg_text_put_char(&text, '[');
    for (size_t i = 0; i < n; i++) {
        hg_text_put(&text, i ? ", " : "");
        hg_put_scalar(&text, items[i]);
    }
    hg_text_put_char(&text, ']');
    const char *kept = text.is_cut ? NULL : hg_arena_strndup(arena, text.data, text.length);
    hg_text_release(&text);
    return kept;
}

int hg_value_read_list(const hg_schema_row *row, const hg_item *items, size_t n, hg_arena *arena,
                       hg_value *out, size_t *bad, hg_text *why)
{
    if ((double)n > row->max) {
        *bad = n;
        hg_text_put(why, "expected ");
        hg_schema_put_values(row, why);
        hg_text_printf(why, ", found %zu", n);
        return HGATE_ECONFIG;
    }
    const char **kept = hg_arena_array(arena, n, sizeof *kept);
    if (!kept) {
        return HGATE_ENOMEM;
    }
    hg_value value = {.n_items = n, .items = kept};
    for (size_t i = 0; i < n; i++) {
        *bad = i;
        const int status = hg_value_read_scalar(row, items[i].text, items[i].n, &value, why);
        if (status != HGATE_OK) {
            return status;
        }
        kept[i] = hg_arena_strndup(arena, items[i].text, items[i].n);
        if (!kept[i]) {
            return HGATE_ENOMEM;
        }
    }
    value.text = list_text(kept, n, arena);
    if (!value.text) {
        return HGATE_ENOMEM;
    }
    *out = value;
    return HGATE_OK;
}

static hg_item trimmed(const char *text, size_t n)
{
    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    return (hg_item){text, n};
}

int hg_value_read_list_text(const hg_schema_row *row, const char *text, size_t n, hg_arena *arena,
                            hg_value *out, hg_text *why)
{
    hg_item all = trimmed(text, n);
    if (all.n >= 2 && all.text[0] == '[' && all.text[all.n - 1] == ']') {
        all = trimmed(all.text + 1, all.n - 2);
    }
    size_t count = all.n > 0;
    for (size_t i = 0; i < all.n; i++) {
        count += all.text[i] == ',';
    }
    hg_item *items = hg_arena_array(arena, count, sizeof *items);
    if (!items) {
        return HGATE_ENOMEM;
    }
    const char *at = all.text, *end = all.text + all.n;
    for (size_t i = 0; i < count; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        items[i] = trimmed(at, (size_t)(stop - at));
        at = comma ? comma + 1 : end;
    }
    size_t bad;
    return hg_value_read_list(row, items, count, arena, out, &bad, why);
}
