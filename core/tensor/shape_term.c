/* SPDX-License-Identifier: BSD-3-Clause */
/* Reader and arithmetic of terms. Rules are our own text, so a malformed one is a fault that the
 * test of the table finds, not an error. */
#include "core/tensor/shape_term.h"

#include "core/base/mathx.h"

static int word_length(const char *text)
{
    int n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || text[n] == '_') {
        n++;
    }
    return n;
}

static int term_length(const char *text)
{
    int n = 0;
    while (text[n] && text[n] != ' ') {
        n++;
    }
    return n;
}

hg_term hg_term_read(const hg_op *row, const char *text)
{
    hg_term t = {HG_TERM_LINEAR, 0, 0, -1, -1, text, term_length(text)};
    if (*text == '*') {
        t.kind = HG_TERM_ANY;
        return t;
    }
    while (*text >= '0' && *text <= '9') {
        t.factor = 10 * t.factor + (*text++ - '0');
    }
    int n = word_length(text);
    if (n == 0) {
        t.plus = t.factor;
        return t;
    }
    t.factor = t.factor ? t.factor : 1;
    t.a = hg_op_find_dim(row, text, n);
    text += n;
    if (*text == '*') {
        t.kind = HG_TERM_PRODUCT;
        t.b = hg_op_find_dim(row, text + 1, word_length(text + 1));
    } else if (*text == '(') {
        t.kind = HG_TERM_PAIRS;
    } else if (*text == '.') {
        t.kind = HG_TERM_LEADING;
    } else if (*text == '+') {
        t.plus = text[1] - '0';
    }
    return t;
}

const char *hg_term_next(const hg_term *t)
{
    const char *end = t->text + t->length;
    return end[0] == ' ' && end[1] != '|' ? end + 1 : NULL;
}

bool hg_term_is_known(const hg_term *t, const int64_t *dims)
{
    return (t->a < 0 || dims[t->a] >= 0) && (t->b < 0 || dims[t->b] >= 0);
}

bool hg_term_value(const hg_term *t, const int64_t *dims, int64_t *value)
{
    int64_t a = t->a < 0 ? 0 : dims[t->a];
    switch (t->kind) {
    case HG_TERM_PRODUCT:
        return hg_int64_mul(a, dims[t->b], value);
    case HG_TERM_PAIRS: /* the even one of a and a-1 is halved */
        return a == 0 ? (*value = 0, true)
                      : hg_int64_mul(a % 2 ? a : a / 2, a % 2 ? (a - 1) / 2 : a - 1, value);
    default:
        return hg_int64_mul(t->factor, a, value) && hg_int64_add(*value, t->plus, value);
    }
}

/* Sets the one unknown size of a term so that it becomes n. */
static hg_match solve(const hg_term *t, int64_t *dims, int64_t n)
{
    if (t->kind == HG_TERM_PAIRS) {
        return HG_MATCH_UNDECIDED;
    }
    if (t->kind == HG_TERM_PRODUCT) {
        int known = dims[t->a] >= 0 ? t->a : t->b;
        int other = known == t->a ? t->b : t->a;
        if (dims[known] < 0) {
            return HG_MATCH_UNDECIDED;
        }
        if (dims[known] == 0 || n % dims[known]) {
            return HG_MATCH_DIFFERS;
        }
        dims[other] = n / dims[known];
        return HG_MATCH_AGREES;
    }
    if (n < t->plus || (n - t->plus) % t->factor) {
        return HG_MATCH_DIFFERS;
    }
    dims[t->a] = (n - t->plus) / t->factor;
    return HG_MATCH_AGREES;
}

hg_match hg_term_match(const hg_term *t, int64_t *dims, int64_t n)
{
    int64_t expected;
    if (t->kind == HG_TERM_ANY) {
        return HG_MATCH_AGREES;
    }
    if (!hg_term_is_known(t, dims)) {
        return solve(t, dims, n);
    }
    if (!hg_term_value(t, dims, &expected)) {
        return HG_MATCH_OVERFLOW;
    }
    return expected == n ? HG_MATCH_AGREES : HG_MATCH_DIFFERS;
}
