/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers to text and back in the C locale, whatever locale the host has set. */
#ifndef HG_BASE_NUMBER_H
#define HG_BASE_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HG_REAL_CHARS = 32 }; /* longest text of a double is 24 characters */

typedef enum hg_parse {
    HG_PARSE_OK,
    HG_PARSE_SYNTAX, /* not a number of that kind, or more text after it */
    HG_PARSE_RANGE   /* a number, but the type cannot hold it */
} hg_parse;

/** Reads all n bytes as a decimal integer: an optional sign and digits, no leading zeros. */
hg_parse hg_parse_int64(const char *text, size_t n, int64_t *out);

/** Reads all n bytes as a decimal number, with fraction and exponent if wanted. No NaN, infinity,
 *  hexadecimal digits or leading zeros. A number that would become infinite, or zero though it is
 *  not, is HG_PARSE_RANGE. */
hg_parse hg_parse_real(const char *text, size_t n, double *out);

/** As few digits as bring the same double back, at most 17; "nan", "inf", "-inf" otherwise. */
void hg_format_real(char out[HG_REAL_CHARS], double value);

/** The C locale as an object, for the _l functions and uselocale. Nothing to release. */
locale_t hg_c_locale(void);

#endif
