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

/** C0 and C1 controls and DEL: what a terminal may obey. */
static inline bool hg_is_control(uint32_t code_point)
{
    return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

#endif
