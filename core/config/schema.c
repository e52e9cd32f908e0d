/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds dotted keys in a schema whose rows may have names in them, and explains what it cannot
 * find. */
#include "core/config/schema.h"

#include "core/config/suggest.h"

#include <string.h>

/* Parts in <> that stand for names: which characters beside a-z and 0-9, and how many. */
typedef struct name_kind {
    const char *placeholder;
    char extra;
    size_t longest;
    const char *rule;
} name_kind;

static const name_kind name_kinds[] = {
    {"<plugin>", '-', 31, "a plugin's name (a-z, 0-9 and -, at most 31)"},
    {"<kernel>", '_', 31, "a kernel's name (a-z, 0-9 and _, at most 31)"},
    {"<constant>", '_', 47, "a constant's name (a-z, 0-9 and _, at most 47)"},
    {"<key>", '_', 31, "an option's name (a-z, 0-9 and _, at most 31)"},
};

static bool is_part(const char *part, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(part, word, n) == 0;
}

static bool is_listed(const char *const *list, const char *word, size_t n)
{
    for (size_t i = 0; list[i]; i++) {
        if (is_part(word, n, list[i])) {
            return true;
        }
    }
    return false;
}

static const name_kind *kind_of(const char *placeholder, size_t n)
{
    for (size_t i = 0; i < sizeof name_kinds / sizeof name_kinds[0]; i++) {
        if (is_part(placeholder, n, name_kinds[i].placeholder)) {
            return &name_kinds[i];
        }
    }
    return NULL;
}

static bool fits_kind(const name_kind *kind, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == kind->extra)) {
            return false;
        }
    }
    return n > 0 && n <= kind->longest;
}

bool hg_schema_is_name(const char *placeholder, const char *name, size_t n)
{
    const name_kind *kind = kind_of(placeholder, strlen(placeholder));
    return kind && fits_kind(kind, name, n);
}

static bool fits_placeholder(const hg_schema *schema, const char *placeholder, size_t n,
                             const char *name, size_t name_n)
{
    if (is_part(placeholder, n, "<op>")) {
        return is_listed(schema->ops, name, name_n);
    }
    if (is_part(placeholder, n, "<word>")) {
        return is_listed(schema->ops, name, name_n) || is_listed(schema->families, name, name_n);
    }
    const name_kind *kind = kind_of(placeholder, n);
    return kind && fits_kind(kind, name, name_n);
}

const char *hg_key_part(const char *key, int i, size_t *n)
{
    for (; i > 0; i--) {
        key += strcspn(key, ".") + 1;
    }
    *n = strcspn(key, ".");
    return key;
}

static size_t part_length(const char *part, const char *end)
{
    const char *dot = memchr(part, '.', (size_t)(end - part));
    return (size_t)((dot ? dot : end) - part);
}

/* How well a path goes along a pattern. */
typedef struct match {
    bool is_match;    /* every part of the path has its part of the pattern */
    int literals;     /* parts that are equal, and not just names where names may stand */
    const char *rest; /* the pattern's part after them; "" at its end */
} match;

static match match_path(const hg_schema *schema, const char *pattern, const char *path, size_t n)
{
    static const match none = {false, 0, NULL};
    match m = {true, 0, pattern};
    if (n == 0) {
        return m;
    }
    const char *p = pattern, *q = path, *end = path + n;
    for (;;) {
        if (*p == '<') {
            const size_t p_length = strcspn(p, "."), q_length = part_length(q, end);
            if (!fits_placeholder(schema, p, p_length, q, q_length)) {
                return none;
            }
            p += p_length;
            q += q_length;
        } else {
            while (q < end && *q != '.' && *p != '\0' && *p == *q) {
                p++;
                q++;
            }
            if ((q < end && *q != '.') || (*p != '.' && *p != '\0')) {
                return none;
            }
            m.literals++;
        }
        m.rest = p + (*p == '.');
        if (q == end) {
            return m;
        }
        if (*p == '\0') {
            return none;
        }
        p++;
        q++;
    }
}

hg_step hg_schema_step(const hg_schema *schema, const char *path, size_t n,
                       const hg_schema_row **row)
{
    hg_step step = HG_STEP_UNKNOWN;
    int literals = -1;
    for (size_t i = 0; i < schema->n_rows; i++) {
        const match m = match_path(schema, schema->rows[i].key, path, n);
        if (m.is_match && m.literals > literals) {
            literals = m.literals;
            step = *m.rest ? HG_STEP_SECTION : HG_STEP_LEAF;
            *row = *m.rest ? NULL : &schema->rows[i];
        }
    }
    return step;
}

/* The part of a pattern that `rest` begins with. */
static size_t first_part(const char *rest)
{
    return part_length(rest, rest + strlen(rest));
}

static void offer_list(hg_suggestion *suggestion, const char *const *list)
{
    for (size_t i = 0; list[i]; i++) {
        hg_suggest_offer(suggestion, list[i], strlen(list[i]));
    }
}

/* Offers what may stand after the first `parent_n` bytes of the path. Notes the kind of name that
 * may stand there too. */
static void offer_siblings(const hg_schema *schema, const char *path, size_t parent_n,
                           hg_suggestion *suggestion, const char **placeholder)
{
    for (size_t i = 0; i < schema->n_rows; i++) {
        const match m = match_path(schema, schema->rows[i].key, path, parent_n);
        if (!m.is_match || !*m.rest) {
            continue;
        }
        const size_t length = first_part(m.rest);
        if (*m.rest != '<') {
            hg_suggest_offer(suggestion, m.rest, length);
            continue;
        }
        *placeholder = m.rest;
        if (is_part(m.rest, length, "<op>") || is_part(m.rest, length, "<word>")) {
            offer_list(suggestion, schema->ops);
        }
        if (is_part(m.rest, length, "<word>")) {
            offer_list(suggestion, schema->families);
        }
    }
}

/* The key elsewhere in the schema whose last part is the word; NULL when there is none. */
static const char *find_elsewhere(const hg_schema *schema, const char *word, size_t n)
{
    for (size_t i = 0; i < schema->n_rows; i++) {
        const char *key = schema->rows[i].key;
        const char *last = strrchr(key, '.');
        if (last && is_part(word, n, last + 1) && !strchr(key, '<')) {
            return key;
        }
    }
    return NULL;
}

static void put_quoted(hg_text *out, const char *text, size_t n)
{
    hg_text_put_char(out, '"');
    hg_text_put_untrusted(out, text, n, 80);
    hg_text_put_char(out, '"');
}

/* Bytes of the path before its last part, the dot included. */
static size_t parent_length(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '.') {
        n--;
    }
    return n;
}

bool hg_schema_put_suggestion(const hg_schema *schema, const char *path, size_t n, hg_text *why)
{
    const size_t parent_n = parent_length(path, n);
    const char *word = path + parent_n;
    hg_suggestion suggestion = hg_suggest(word, n - parent_n);
    const char *placeholder = "";
    offer_siblings(schema, path, parent_n ? parent_n - 1 : 0, &suggestion, &placeholder);
    const char *elsewhere = find_elsewhere(schema, word, n - parent_n);
    if (suggestion.best && suggestion.distance > 0) {
        hg_text_put(why, "; did you mean \"");
        hg_text_put_n(why, path, parent_n);
        hg_text_put_n(why, suggestion.best, suggestion.best_length);
        hg_text_put(why, "\"?");
    } else if (elsewhere) {
        hg_text_printf(why, "; did you mean \"%s\"?", elsewhere);
    } else {
        return false;
    }
    return true;
}

void hg_schema_put_unknown(const hg_schema *schema, const char *path, size_t n, hg_text *why)
{
    const size_t parent_n = parent_length(path, n);
    hg_suggestion unused = hg_suggest("", 0);
    const char *placeholder = "";
    offer_siblings(schema, path, parent_n ? parent_n - 1 : 0, &unused, &placeholder);
    const size_t placeholder_n = first_part(placeholder);
    const name_kind *kind = kind_of(placeholder, placeholder_n);

    hg_text_put(why, "unknown key ");
    put_quoted(why, path, n);
    if (!hg_schema_put_suggestion(schema, path, n, why) && placeholder_n > 0) {
        hg_text_printf(why, "; expected %s there", kind ? kind->rule : "the word of an operation");
    }
}

const hg_schema_row *hg_schema_find(const hg_schema *schema, const char *key, hg_text *why)
{
    const char *end = key + strlen(key);
    const char *at = key;
    for (;;) {
        at += part_length(at, end);
        const size_t n = (size_t)(at - key);
        const hg_schema_row *row = NULL;
        const hg_step step = n > 0 ? hg_schema_step(schema, key, n, &row) : HG_STEP_UNKNOWN;
        if (step == HG_STEP_LEAF && at == end) {
            return row;
        }
        if (step != HG_STEP_SECTION || at == end) {
            if (why && step == HG_STEP_SECTION) {
                put_quoted(why, key, n);
                hg_text_put(why, " is a section, not a key");
            } else if (why && step == HG_STEP_LEAF) {
                put_quoted(why, key, n);
                hg_text_put(why, " has no keys below it");
            } else if (why) {
                hg_schema_put_unknown(schema, key, n, why);
            }
            return NULL;
        }
        at++;
    }
}
