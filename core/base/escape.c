/* SPDX-License-Identifier: BSD-3-Clause */
/* Text from outside made harmless: for a terminal, and for JSON. */
#include "core/base/text.h"
#include "core/base/utf8.h"

void hg_text_put_untrusted(hg_text *text, const char *add, size_t n, size_t limit)
{
    size_t at = 0;
    while (at < n) {
        uint32_t c;
        const size_t bytes = hg_utf8_next(add + at, n - at, &c);
        const size_t step = bytes ? bytes : 1;
        if (at + step > limit) {
            hg_text_put(text, "...");
            return;
        }
        if (bytes == 0 || hg_is_control(c)) {
            for (size_t i = 0; i < step; i++) {
                hg_text_printf(text, "\\x%02x", (unsigned char)add[at + i]);
            }
        } else {
            hg_text_put_n(text, add + at, bytes);
        }
        at += step;
    }
}

static void put_json_code_point(hg_text *text, uint32_t c, const char *bytes, size_t n)
{
    static const char names[] = "btn\0fr"; /* \b \t \n (no \v) \f \r are codes 8 to 13 */
    if (c == '"' || c == '\\') {
        hg_text_put_char(text, '\\');
        hg_text_put_char(text, (char)c);
    } else if (c >= 8 && c <= 13 && names[c - 8]) {
        hg_text_put_char(text, '\\');
        hg_text_put_char(text, names[c - 8]);
    } else if (hg_is_control(c)) {
        hg_text_printf(text, "\\u%04x", (unsigned)c);
    } else {
        hg_text_put_n(text, bytes, n);
    }
}

void hg_text_put_json_part(hg_text *text, const char *add, size_t n)
{
    size_t at = 0;
    while (at < n) {
        uint32_t c;
        const size_t bytes = hg_utf8_next(add + at, n - at, &c);
        if (bytes == 0) {
            hg_text_put(text, "\\ufffd");
            at++;
        } else {
            put_json_code_point(text, c, add + at, bytes);
            at += bytes;
        }
    }
}

void hg_text_put_json(hg_text *text, const char *add, size_t n)
{
    hg_text_put_char(text, '"');
    hg_text_put_json_part(text, add, n);
    hg_text_put_char(text, '"');
}
