/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in the C locale. */
#include "core/base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

locale_t hg_c_locale(void)
{
    /* glibc and musl answer with a static object for "C": nothing is allocated, nothing to free. */
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Where the digits at `from` end. */
static size_t skip_digits(const char *text, size_t n, size_t from)
{
    while (from < n && text[from] >= '0' && text[from] <= '9') {
        from++;
    }
    return from;
}

/* End of an optional sign and the digits after it; 0 when there are none or they begin with a
 * zero that means nothing (which some readers take for octal). */
static size_t skip_integer(const char *text, size_t n)
{
    const size_t start = n > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t end = skip_digits(text, n, start);
    if (end == start || (end - start > 1 && text[start] == '0')) {
        return 0;
    }
    return end;
}

hg_parse hg_parse_int64(const char *text, size_t n, int64_t *out)
{
    const size_t end = skip_integer(text, n);
    if (end == 0 || end != n) {
        return HG_PARSE_SYNTAX;
    }
    const bool is_negative = text[0] == '-';
    int64_t value = 0;
    for (size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0; i < n; i++) {
        const int64_t digit = text[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, is_negative ? -digit : digit, &value)) {
            return HG_PARSE_RANGE;
        }
    }
    *out = value;
    return HG_PARSE_OK;
}

/* Is all of the text sign, digits, and perhaps a fraction and an exponent? */
static bool is_real(const char *text, size_t n)
{
    size_t at = skip_integer(text, n);
    if (at == 0) {
        return false;
    }
    if (at < n && text[at] == '.') {
        const size_t start = at + 1;
        at = skip_digits(text, n, start);
        if (at == start) {
            return false;
        }
    }
    if (at < n && (text[at] == 'e' || text[at] == 'E')) {
        size_t start = at + 1;
        if (start < n && (text[start] == '-' || text[start] == '+')) {
            start++;
        }
        at = skip_digits(text, n, start);
        if (at == start) {
            return false;
        }
    }
    return at == n;
}

hg_parse hg_parse_real(const char *text, size_t n, double *out)
{
    /* Longer texts are legal numbers, but nobody writes them; the limit spares an allocation. */
    char copy[128];
    if (n >= sizeof copy || !is_real(text, n)) {
        return HG_PARSE_SYNTAX;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    const int errno_before = errno;
    errno = 0;
    const double value = strtod_l(copy, NULL, hg_c_locale());
    const bool is_out_of_range = errno == ERANGE && (value == 0 || isinf(value));
    errno = errno_before;
    if (is_out_of_range) {
        return HG_PARSE_RANGE;
    }
    *out = value;
    return HG_PARSE_OK;
}

void hg_format_real(char out[HG_REAL_CHARS], double value)
{
    if (!isfinite(value)) {
        strcpy(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    const locale_t c_locale = hg_c_locale();
    const locale_t before = uselocale(c_locale);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, HG_REAL_CHARS, "%.*g", digits, value);
        if (strtod_l(out, NULL, c_locale) == value) {
            break;
        }
    }
    uselocale(before);
}
