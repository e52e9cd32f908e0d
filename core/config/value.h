/* SPDX-License-Identifier: BSD-3-Clause */
/* One typed value of a key, and how text becomes one. */
#ifndef HG_CONFIG_VALUE_H
#define HG_CONFIG_VALUE_H

#include "core/base/arena.h"
#include "core/config/schema.h"

#include <stdint.h>

typedef struct hg_value {
    const char *text; /* canonical, as in a file; NULL: none is set */
    bool is_off;      /* the word `off`; the numbers then are what the row says it stands for */
    bool is_auto;     /* the word `auto`; the numbers then are 0 */
    int64_t integer;  /* of integers, bytes, booleans and enums whose word is a number */
    double real;
    size_t n_items; /* of lists */
    const char *const *items;
} hg_value;

/** Text of one item of a list. */
typedef struct hg_item {
    const char *text;
    size_t n;
} hg_item;

/* Each of these gives HGATE_OK and *out in the arena's memory; or HGATE_ECONFIG and, in `why`,
 * "expected ..., found ..."; or HGATE_ENOMEM. `out` is set on success only. */

/** Reads n bytes of text. */
int hg_value_read(const hg_schema_row *row, const char *text, size_t n, hg_arena *arena,
                  hg_value *out, hg_text *why);

/** Makes a list. *bad is the item that is wrong, or n when there are too many. */
int hg_value_read_list(const hg_schema_row *row, const hg_item *items, size_t n, hg_arena *arena,
                       hg_value *out, size_t *bad, hg_text *why);

/** The same from one text: "[a, b]" or "a, b". */
int hg_value_read_list_text(const hg_schema_row *row, const char *text, size_t n, hg_arena *arena,
                            hg_value *out, hg_text *why);

/** Checks one scalar, or one item of a list, and fills the numbers of `value`; keeps no text. */
int hg_value_read_scalar(const hg_schema_row *row, const char *text, size_t n, hg_value *value,
                         hg_text *why);

/** The row's default. */
int hg_value_default(const hg_schema_row *row, hg_arena *arena, hg_value *out);

/** A copy in another arena's memory. */
int hg_value_copy(const hg_value *value, hg_arena *arena, hg_value *out);

/** Does the text mean "the default": ~, null, or nothing? */
bool hg_is_null_word(const char *text, size_t n);

bool hg_type_is_list(hg_key_type type);

/** A scalar as it must stand in a file: in quotes where it needs them. */
void hg_put_scalar(hg_text *out, const char *text);

#endif
