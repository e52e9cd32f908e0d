/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes UTF-8 strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef HG_BASE_UTF8_H
#define HG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of the code point at the front of `n` bytes, 1 to 4, and the code point; 0 when the bytes
 *  are not UTF-8 or n is 0. */
size_t hg_utf8_next(const char *bytes, size_t n, uint32_t *code_point);

/** C0 and C1 controls and DEL, which a terminal may obey; and the marks that change the order in
 *  which text is shown, with which a message can be made to read as another. */
static inline bool hg_is_control(uint32_t code_point)
{
    const uint32_t c = code_point;
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

#endif
