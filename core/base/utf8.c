/* SPDX-License-Identifier: BSD-3-Clause */
/* Strict UTF-8 decoding. */
#include "core/base/utf8.h"

/* First bytes of more than one, and the smallest code point that needs so many bytes (RFC 3629). */
static const struct {
    unsigned char mask, lead, length;
    uint32_t smallest;
} forms[] = {
    {0xe0, 0xc0, 2, 0x80},
    {0xf0, 0xe0, 3, 0x800},
    {0xf8, 0xf0, 4, 0x10000},
};

size_t hg_utf8_next(const char *bytes, size_t n, uint32_t *code_point)
{
    if (n == 0) {
        return 0;
    }
    const unsigned char *p = (const unsigned char *)bytes;
    if (p[0] < 0x80) {
        *code_point = p[0];
        return 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if ((p[0] & forms[i].mask) != forms[i].lead) {
            continue;
        }
        if (forms[i].length > n) {
            return 0;
        }
        uint32_t c = p[0] & (unsigned char)~forms[i].mask;
        for (size_t k = 1; k < forms[i].length; k++) {
            if ((p[k] & 0xc0) != 0x80) {
                return 0;
            }
            c = c << 6 | (p[k] & 0x3fu);
        }
        if (c < forms[i].smallest || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
            return 0;
        }
        *code_point = c;
        return forms[i].length;
    }
    return 0;
}
