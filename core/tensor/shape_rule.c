/* SPDX-License-Identifier: BSD-3-Clause */
/* Alternatives of a shape rule, compared with a shape and put in words. */
#include "core/tensor/shape_rule.h"

#include "core/base/mathx.h"
#include "core/tensor/shape_term.h"

#include <headgate/plugin.h>
#include <headgate/status.h>
#include <string.h>

static bool has_word(const char *words, const char *word, int n)
{
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (length == n && strncmp(words, word, (size_t)n) == 0) {
            return true;
        }
        words += length + (words[length] == ' ');
    }
    return false;
}

bool hg_has_word(const char *words, const char *word)
{
    return has_word(words, word, (int)strlen(word));
}

/* First term of the next alternative in force; *rule moves behind it. NULL when there is none. */
static const char *next_alternative(const char **rule, const char *layouts)
{
    while (*rule) {
        const char *start = *rule;
        const char *bar = strchr(start, '|');
        const char *colon = strchr(start, ':');
        *rule = bar ? bar + 2 : NULL;
        if (!colon || (bar && colon > bar)) {
            return start;
        }
        if (has_word(layouts, start, (int)(colon - start))) {
            return colon + 2;
        }
    }
    return NULL;
}

/* Whether an alternative can have ndim dimensions: it has a term for each, or leads with "n...". */
static bool has_rank(const char *text, int ndim)
{
    int count = 1;
    bool is_open = false;
    for (; *text && *text != '|'; text++) {
        count += text[0] == ' ' && text[1] != '|';
        is_open = is_open || *text == '.';
    }
    return is_open ? ndim >= count - 1 : ndim == count;
}

/* ---- matching ------------------------------------------------------------------------------ */

static hg_match match_alternative(const hg_op *row, const char *text, int64_t *dims, int ndim,
                                  const int64_t *shape)
{
    int at = 0;
    for (hg_term t; text; text = hg_term_next(&t)) {
        t = hg_term_read(row, text);
        int64_t n = shape[at];
        if (t.kind == HG_TERM_LEADING) {
            n = 1;
            for (; at < ndim - 1; at++) {
                if (!hg_int64_mul(n, shape[at], &n)) {
                    return HG_MATCH_OVERFLOW;
                }
            }
        } else {
            at++;
        }
        hg_match match = hg_term_match(&t, dims, n);
        if (match != HG_MATCH_AGREES) {
            return match;
        }
    }
    return HG_MATCH_AGREES;
}

hg_match hg_shape_match(const hg_sizes *sizes, const char *rule, int ndim, const int64_t *shape)
{
    hg_match match = HG_MATCH_DIFFERS;
    for (const char *text; (text = next_alternative(&rule, sizes->layouts));) {
        if (!has_rank(text, ndim)) {
            continue;
        }
        int64_t dims[HGATE_MAX_DIMS];
        size_t bytes = (size_t)sizes->row->n_dims * sizeof *dims;
        memcpy(dims, sizes->dims, bytes);
        match = match_alternative(sizes->row, text, dims, ndim, shape);
        if (match == HG_MATCH_AGREES) {
            memcpy(sizes->dims, dims, bytes);
        }
        if (match != HG_MATCH_DIFFERS) {
            return match;
        }
    }
    return match;
}

/* ---- making -------------------------------------------------------------------------------- */

static int make_alternative(const hg_sizes *sizes, const char *text, int64_t *shape)
{
    int n = 0;
    for (hg_term t; text; text = hg_term_next(&t)) {
        t = hg_term_read(sizes->row, text);
        if (t.kind == HG_TERM_ANY || !hg_term_is_known(&t, sizes->dims)) {
            return -1;
        }
        if (!hg_term_value(&t, sizes->dims, &shape[n++])) {
            return HGATE_ESHAPE;
        }
    }
    return n;
}

int hg_shape_make(const hg_sizes *sizes, const char *rule, int ndim, int64_t *shape)
{
    for (const char *text; (text = next_alternative(&rule, sizes->layouts));) {
        if (ndim == 0 || has_rank(text, ndim)) {
            int made = make_alternative(sizes, text, shape);
            if (made != -1) {
                return made;
            }
        }
    }
    return -1;
}

/* ---- words --------------------------------------------------------------------------------- */

static void describe_alternative(hg_text *text, const hg_sizes *sizes, const char *rule)
{
    const char *separator = "(";
    for (hg_term t; rule; rule = hg_term_next(&t)) {
        int64_t value;
        t = hg_term_read(sizes->row, rule);
        hg_text_put(text, separator);
        separator = ", ";
        if (t.kind == HG_TERM_ANY || t.kind == HG_TERM_LEADING) {
            hg_text_put(text, t.kind == HG_TERM_ANY ? "any" : "...");
        } else if (hg_term_is_known(&t, sizes->dims) && hg_term_value(&t, sizes->dims, &value)) {
            hg_text_put_int64(text, value);
        } else {
            hg_text_put_n(text, t.text, (size_t)t.length);
        }
    }
    hg_text_put(text, ")");
}

void hg_shape_describe_rule(hg_text *text, const hg_sizes *sizes, const char *rule, int ndim)
{
    bool has_any = false;
    const char *rest = rule;
    for (const char *at; (at = next_alternative(&rest, sizes->layouts));) {
        has_any = has_any || has_rank(at, ndim);
    }
    const char *separator = "";
    for (const char *at; (at = next_alternative(&rule, sizes->layouts));) {
        if (!has_any || has_rank(at, ndim)) {
            hg_text_put(text, separator);
            describe_alternative(text, sizes, at);
            separator = " or ";
        }
    }
}

void hg_shape_describe(hg_text *text, int ndim, const int64_t *shape)
{
    hg_text_put(text, "(");
    for (int i = 0; i < ndim; i++) {
        hg_text_put(text, i ? ", " : "");
        hg_text_put_int64(text, shape[i]);
    }
    hg_text_put(text, ")");
}
