/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounded and growing text. */
#include "core/base/text.h"

#include "core/base/attributes.h"
#include "core/base/mathx.h"
#include "core/base/number.h"
#include "core/base/utf8.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static char nothing[1]; /* what a growing text shows before its first byte; never written */

hg_text hg_text_over(char *buffer, size_t size)
{
    hg_text text = {.data = buffer, .size = size};
    buffer[0] = '\0';
    return text;
}

hg_text hg_text_growing(const hg_allocator *allocator)
{
    return (hg_text){.data = nothing, .is_growing = true, .allocator = allocator};
}

void hg_text_release(hg_text *text)
{
    if (text->is_growing && text->size > 0) {
        hg_free(text->allocator, text->data);
    }
    *text = hg_text_growing(text->allocator);
}

void hg_text_clear(hg_text *text)
{
    text->length = 0;
    text->is_cut = false;
    if (text->size > 0) {
        text->data[0] = '\0';
    }
}

void hg_text_cut_to(hg_text *text, size_t length)
{
    if (length < text->length) {
        text->length = length;
        text->data[length] = '\0';
    }
}

/* Room for n more bytes and the terminator, if it can be had. */
static bool reserve(hg_text *text, size_t n)
{
    size_t need;
    if (!hg_size_add(text->length, n, &need) || !hg_size_add(need, 1, &need)) {
        return false;
    }
    if (need <= text->size) {
        return true;
    }
    if (!text->is_growing) {
        return false;
    }
    size_t size;
    if (!hg_size_add(need, need / 2, &size) || !hg_size_add(size, 64, &size)) {
        return false;
    }
    char *larger = hg_alloc(text->allocator, size);
    if (!larger) {
        return false;
    }
    memcpy(larger, text->data, text->length + 1);
    if (text->size > 0) {
        hg_free(text->allocator, text->data);
    }
    text->data = larger;
    text->size = size;
    return true;
}

/* Takes a code point off the end that the buffer's end has cut in two. */
static void drop_split_code_point(hg_text *text)
{
    size_t start = text->length;
    while (start > 0 && text->length - start < 4) {
        const unsigned char byte = (unsigned char)text->data[--start];
        if ((byte & 0xc0) == 0x80) {
            continue;
        }
        uint32_t code_point;
        if (byte >= 0xc0 &&
            hg_utf8_next(text->data + start, text->length - start, &code_point) == 0) {
            hg_text_cut_to(text, start);
        }
        return;
    }
}

void hg_text_put_n(hg_text *text, const char *add, size_t n)
{
    if (text->is_cut || n == 0) {
        return;
    }
    size_t fits = n;
    if (!reserve(text, n)) {
        text->is_cut = true;
        fits = text->size > 0 ? text->size - 1 - text->length : 0;
        fits = fits < n ? fits : n;
    }
    if (fits > 0) {
        memcpy(text->data + text->length, add, fits);
        text->length += fits;
        text->data[text->length] = '\0';
    }
    if (text->is_cut) {
        drop_split_code_point(text);
    }
}

void hg_text_put(hg_text *text, const char *add)
{
    hg_text_put_n(text, add, strlen(add));
}

void hg_text_put_char(hg_text *text, char c)
{
    hg_text_put_n(text, &c, 1);
}

void hg_text_put_repeated(hg_text *text, char c, size_t count)
{
    for (size_t i = 0; i < count && !text->is_cut; i++) {
        hg_text_put_char(text, c);
    }
}

/* vsnprintf in the C locale: the host's decimal comma must not reach our output. */
HG_PRINTF(3, 0)
static int format_in_c_locale(char *to, size_t size, const char *format, va_list arguments)
{
    const locale_t before = uselocale(hg_c_locale());
    const int n = vsnprintf(to, size, format, arguments);
    uselocale(before);
    return n;
}

void hg_text_vprintf(hg_text *text, const char *format, va_list arguments)
{
    if (text->is_cut) {
        return;
    }
    va_list again;
    va_copy(again, arguments);
    const size_t room = text->size > 0 ? text->size - text->length : 0;
    const int n =
        format_in_c_locale(room ? text->data + text->length : NULL, room, format, arguments);
    if (n < 0) {
        text->is_cut = true;
        if (room > 0) {
            text->data[text->length] = '\0';
        }
    } else if ((size_t)n < room) {
        text->length += (size_t)n;
    } else if (reserve(text, (size_t)n)) {
        format_in_c_locale(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    } else {
        text->is_cut = true;
        text->length += room > 0 ? room - 1 : 0;
        drop_split_code_point(text);
    }
    va_end(again);
}

void hg_text_printf(hg_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hg_text_vprintf(text, format, arguments);
    va_end(arguments);
}

void hg_text_put_int64(hg_text *text, int64_t value)
{
    hg_text_printf(text, "%lld", (long long)value);
}

void hg_text_put_real(hg_text *text, double value)
{
    char digits[HG_REAL_CHARS];
    hg_format_real(digits, value);
    hg_text_put(text, digits);
}
