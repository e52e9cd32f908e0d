/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON writer: commas and nesting are its business, not its callers'. */
#include "core/base/json.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

void hg_json_init(hg_json *json, hgate_write_fn write, void *user)
{
    memset(json, 0, sizeof *json);
    json->write = write;
    json->user = user;
}

static void flush(hg_json *json)
{
    if (json->status == HGATE_OK && json->used > 0 &&
        json->write(json->user, json->buffer, json->used) != 0) {
        json->status = HGATE_ESTOPPED;
    }
    json->used = 0;
}

static void put_n(hg_json *json, const char *text, size_t n)
{
    while (n > 0 && json->status == HGATE_OK) {
        const size_t room = sizeof json->buffer - json->used;
        const size_t part = n < room ? n : room;
        memcpy(json->buffer + json->used, text, part);
        json->used += part;
        text += part;
        n -= part;
        if (json->used == sizeof json->buffer) {
            flush(json);
        }
    }
}

static void put(hg_json *json, const char *text)
{
    put_n(json, text, strlen(text));
}

int hg_json_finish(hg_json *json)
{
    if (json->depth != 0 && json->status == HGATE_OK) {
        json->status = HGATE_EINTERNAL;
    }
    flush(json);
    return json->status;
}

/* What stands before a value: nothing after its key or as the first, else a comma. */
static void begin_value(hg_json *json)
{
    if (json->is_after_key) {
        json->is_after_key = false;
    } else {
        if (json->has_members[json->depth]) {
            put(json, ",");
        }
        json->has_members[json->depth] = true;
    }
}

static void open_level(hg_json *json, const char *bracket)
{
    begin_value(json);
    if (json->depth == HG_JSON_DEPTH) {
        json->status = HGATE_EINTERNAL;
        return;
    }
    put(json, bracket);
    json->depth++;
    json->has_members[json->depth] = false;
}

static void close_level(hg_json *json, const char *bracket)
{
    if (json->depth == 0) {
        json->status = HGATE_EINTERNAL;
        return;
    }
    json->depth--;
    put(json, bracket);
}

void hg_json_object_begin(hg_json *json)
{
    open_level(json, "{");
}

void hg_json_object_end(hg_json *json)
{
    close_level(json, "}");
}

void hg_json_array_begin(hg_json *json)
{
    open_level(json, "[");
}

void hg_json_array_end(hg_json *json)
{
    close_level(json, "]");
}

/* In pieces, so that a text of any length needs no memory. */
static void put_quoted(hg_json *json, const char *text)
{
    enum { piece_bytes = 32, widest = 6 }; /* one byte becomes at most \uXXXX */
    char escaped[piece_bytes * widest + 1];
    size_t n = strlen(text);
    put(json, "\"");
    while (n > 0) {
        size_t part = n < piece_bytes ? n : piece_bytes;
        /* not between the bytes of one code point, unless that is no UTF-8 anyway */
        for (size_t back = 0; part < n && back < 3 && ((unsigned char)text[part] & 0xc0) == 0x80;
             back++) {
            part--;
        }
        hg_text to = hg_text_over(escaped, sizeof escaped);
        hg_text_put_json_part(&to, text, part);
        put_n(json, to.data, to.length);
        text += part;
        n -= part;
    }
    put(json, "\"");
}

void hg_json_key(hg_json *json, const char *key)
{
    begin_value(json);
    put_quoted(json, key);
    put(json, ":");
    json->is_after_key = true;
}

void hg_json_string(hg_json *json, const char *value)
{
    if (!value) {
        hg_json_null(json);
        return;
    }
    begin_value(json);
    put_quoted(json, value);
}

void hg_json_int(hg_json *json, int64_t value)
{
    char digits[32];
    hg_text to = hg_text_over(digits, sizeof digits);
    hg_text_put_int64(&to, value);
    begin_value(json);
    put(json, digits);
}

void hg_json_real(hg_json *json, double value)
{
    if (!isfinite(value)) {
        hg_json_null(json);
        return;
    }
    char digits[HG_REAL_CHARS];
    hg_format_real(digits, value);
    begin_value(json);
    put(json, digits);
}

void hg_json_bool(hg_json *json, bool value)
{
    begin_value(json);
    put(json, value ? "true" : "false");
}

void hg_json_null(hg_json *json)
{
    begin_value(json);
    put(json, "null");
}

void hg_json_raw(hg_json *json, const char *text, size_t n)
{
    begin_value(json);
    put_n(json, text, n);
}

void hg_json_key_string(hg_json *json, const char *key, const char *value)
{
    hg_json_key(json, key);
    hg_json_string(json, value);
}

void hg_json_key_int(hg_json *json, const char *key, int64_t value)
{
    hg_json_key(json, key);
    hg_json_int(json, value);
}

void hg_json_key_real(hg_json *json, const char *key, double value)
{
    hg_json_key(json, key);
    hg_json_real(json, value);
}

void hg_json_key_bool(hg_json *json, const char *key, bool value)
{
    hg_json_key(json, key);
    hg_json_bool(json, value);
}
