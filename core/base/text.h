/* SPDX-License-Identifier: BSD-3-Clause */
/* Text building that never overflows: over a buffer of the caller, or growing on the heap. */
#ifndef HG_BASE_TEXT_H
#define HG_BASE_TEXT_H

#include "core/base/alloc.h"
#include "core/base/attributes.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The text in `data` is terminated at all times. What does not fit, or finds no memory, is left
 *  out from there on, and `is_cut` says so. */
typedef struct hg_text {
    char *data;
    size_t length;
    size_t size; /* bytes at data, terminator included */
    bool is_cut;
    bool is_growing;
    const hg_allocator *allocator;
} hg_text;

/** Over `size` bytes at `buffer`, at least 1. Nothing to release. */
hg_text hg_text_over(char *buffer, size_t size);

/** On the heap; release it. NULL allocator: the default one. */
hg_text hg_text_growing(const hg_allocator *allocator);
void hg_text_release(hg_text *text);

/** Empties the text and keeps its memory. */
void hg_text_clear(hg_text *text);

/** Shortens the text to `length` bytes, when it is longer. */
void hg_text_cut_to(hg_text *text, size_t length);

void hg_text_put(hg_text *text, const char *add);
void hg_text_put_n(hg_text *text, const char *add, size_t n);
void hg_text_put_char(hg_text *text, char c);
void hg_text_put_repeated(hg_text *text, char c, size_t count);

/** Numbers look as in the C locale, whatever the host has set. */
void hg_text_printf(hg_text *text, const char *format, ...) HG_PRINTF(2, 3);
void hg_text_vprintf(hg_text *text, const char *format, va_list arguments) HG_PRINTF(2, 0);

void hg_text_put_int64(hg_text *text, int64_t value);

/** As few digits as bring the same double back: at most 17. */
void hg_text_put_real(hg_text *text, double value);

/** Text from outside, made harmless for a terminal: control characters and bytes that are not
 *  UTF-8 as \xNN; at most `limit` bytes of it, then "...". */
void hg_text_put_untrusted(hg_text *text, const char *add, size_t n, size_t limit);

/** A JSON string with its quotes, or a part of one without. Bytes that are not UTF-8 become U+FFFD.
 */
void hg_text_put_json(hg_text *text, const char *add, size_t n);
void hg_text_put_json_part(hg_text *text, const char *add, size_t n);

#endif
