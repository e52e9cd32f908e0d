// SPDX-License-Identifier: BSD-3-Clause
// What must hold of any configuration text: it is refused with positions in it, or it is read and
// every value is one that its key allows. For config.c and config_edits.c.
#ifndef HG_TESTS_FUZZ_CONFIG_CHECKS_H
#define HG_TESTS_FUZZ_CONFIG_CHECKS_H

#include "core/config/builder.h"
#include "core/config/effective.h"
#include "tests/fuzz/fuzz.h"

#include <headgate/headgate.h>
#include <math.h>
#include <string.h>

// Each line of the message says "LABEL:LINE:COLUMN: " first, both from 1; a long message may end in
// half a line and "...".
static inline bool is_located(const char *message, const char *label)
{
    const size_t n = strlen(label), length = strlen(message);
    const bool is_cut = length > 3 && strcmp(message + length - 3, "...") == 0;
    for (const char *line = message; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strcmp(line, "more errors are not shown") == 0) {
            return true;
        }
        char *end = NULL;
        if (strncmp(line, label, n) != 0 || line[n] != ':' || strtol(line + n + 1, &end, 10) < 1 ||
            *end != ':' || strtol(end + 1, &end, 10) < 1 || strncmp(end, ": ", 2) != 0) {
            return is_cut && line != message && !strchr(line, '\n');
        }
    }
    return true;
}

static inline bool is_number_allowed(const hg_schema_row *row, const hg_value *v)
{
    if (v->is_off || v->is_auto) {
        return hg_words_have(row->words, v->text, strlen(v->text));
    }
    const bool is_enough = row->is_min_open ? v->real > row->min : v->real >= row->min;
    const bool is_too_much = row->is_max_open ? v->real >= row->max : v->real > row->max;
    return is_enough && !is_too_much && isfinite(v->real) &&
           (row->type == HG_TYPE_REAL || v->real == (double)v->integer);
}

static inline bool is_value_allowed(const hg_schema_row *row, const hg_value *v)
{
    if (!v->text) {
        return !*row->fallback;
    }
    switch (row->type) {
    case HG_TYPE_BOOL:
        return v->integer == (strcmp(v->text, "true") == 0) &&
               (v->integer || strcmp(v->text, "false") == 0);
    case HG_TYPE_INT:
    case HG_TYPE_REAL:
    case HG_TYPE_BYTES:
        return is_number_allowed(row, v);
    case HG_TYPE_ENUM:
        return hg_words_have(row->words, v->text, strlen(v->text));
    case HG_TYPE_PATH:
        return *v->text == '/';
    case HG_TYPE_PATHS:
    case HG_TYPE_NAMES:
        for (size_t i = 0; i < v->n_items; i++) {
            if (row->type == HG_TYPE_PATHS
                    ? *v->items[i] != '/'
                    : !hg_schema_is_name("<plugin>", v->items[i], strlen(v->items[i]))) {
                return false;
            }
        }
        return (double)v->n_items <= row->max;
    default:
        return true;
    }
}

// Merges what was loaded as the only source; NULL when keys contradict each other.
static inline hg_config *merge_and_check(const hgate_config *loaded, const char *label)
{
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = loaded};
    hg_config *out = NULL;
    const int status = hg_config_merge(&sources, NULL, NULL, &out);
    fuzz_require((status == HGATE_OK) == (out != NULL), "a status and its result");
    fuzz_require(out || status == HGATE_ECONFIG, hgate_last_error());
    fuzz_require(out || is_located(hgate_last_error(), label), hgate_last_error());
    for (size_t i = 0; out && i < out->n_entries; i++) {
        const hg_effective *entry = &out->entries[i];
        fuzz_require(is_value_allowed(entry->row, &entry->value), entry->key);
        fuzz_require(!entry->row->is_fixed || strcmp(entry->value.text, entry->row->fallback) == 0,
                     entry->key);
    }
    return out;
}

#endif
