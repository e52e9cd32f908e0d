/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive JSON parser over one text. */
#include "tools/json_read.h"

#include "core/base/number.h"
#include "tools/report.h"

#include <headgate/status.h>
#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct reader {
    const char *start, *at, *end;
    const char *label;
    hg_arena *arena;
    int depth;
} reader;

static int bad(const reader *r, const char *what)
{
    int line = 1, column = 1;
    for (const char *c = r->start; c < r->at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    return hg_error(CLI_DATA, "%s:%d:%d: not JSON: %s", r->label, line, column, what);
}

static int no_memory(void)
{
    return hg_error_memory("document", sizeof(cli_json));
}

static void skip_space(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at)) {
        r->at++;
    }
}

static bool take(reader *r, char c)
{
    skip_space(r);
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    return false;
}

/* ---- strings ------------------------------------------------------------ */

static int hex(const reader *r, const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *digit = at + i < r->end && at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit) {
            return -1;
        }
        const int d = (int)(digit - digits);
        value = 16 * value + (d < 16 ? d : d - 6);
    }
    return value;
}

/* A code point as UTF-8; half a pair becomes '?', as no text of ours has one. */
static char *put_code(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code >= 0xd800 && code < 0xe000) {
        *to++ = '?';
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* Behind the opening quote. What is written is never longer than what is read. */
static int read_string(reader *r, const char **out)
{
    const char *close = r->at;
    while (close < r->end && *close != '"') {
        close += *close == '\\' ? 2 : 1;
    }
    if (close >= r->end) {
        return bad(r, "a string has no end");
    }
    char *text = hg_arena_alloc(r->arena, (size_t)(close - r->at) + 1), *to = text;
    if (!text) {
        return no_memory();
    }
    for (; r->at < close; r->at++) {
        static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
        if ((unsigned char)*r->at < ' ') {
            return bad(r, "a control character in a string");
        }
        if (*r->at != '\\') {
            *to++ = *r->at;
            continue;
        }
        r->at++;
        const char *which = *r->at ? strchr(from, *r->at) : NULL;
        if (which) {
            *to++ = into[which - from];
        } else if (*r->at == 'u' && hex(r, r->at + 1) > 0) {
            to = put_code(to, hex(r, r->at + 1));
            r->at += 4;
        } else {
            return bad(r, "an unknown escape");
        }
    }
    r->at = close + 1;
    *to = '\0';
    *out = text;
    return CLI_DONE;
}

/* ---- values ------------------------------------------------------------- */

static int read_value(reader *r, cli_json *value);

/* Elements or members up to the closing bracket. */
static int read_children(reader *r, cli_json *parent, char close)
{
    cli_json **link = &parent->first;
    if (take(r, close)) {
        return CLI_DONE;
    }
    do {
        int status = CLI_DONE;
        cli_json *child = hg_arena_alloc(r->arena, sizeof *child);
        if (!child) {
            return no_memory();
        }
        *child = (cli_json){.number = NAN, .text = ""};
        if (parent->kind == CLI_JSON_OBJECT) {
            status = take(r, '"') ? read_string(r, &child->key) : bad(r, "a name is missing");
            if (status == CLI_DONE && !take(r, ':')) {
                status = bad(r, "':' is missing");
            }
        }
        if (status == CLI_DONE) {
            status = read_value(r, child);
        }
        if (status != CLI_DONE) {
            return status;
        }
        *link = child;
        link = &child->next;
    } while (take(r, ','));
    return take(r, close) ? CLI_DONE : bad(r, close == '}' ? "'}' is missing" : "']' is missing");
}

/* true, false, null or a number. */
static int read_word(reader *r, cli_json *value)
{
    const char *begin = r->at;
    while (r->at < r->end && !strchr(" \t\r\n,:]}[{\"", *r->at)) {
        r->at++;
    }
    const size_t n = (size_t)(r->at - begin);
    value->text = hg_arena_strndup(r->arena, begin, n);
    if (!value->text) {
        return no_memory();
    }
    if (strcmp(value->text, "null") == 0) {
        value->kind = CLI_JSON_NULL;
    } else if (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0) {
        value->kind = CLI_JSON_BOOL;
        value->number = value->text[0] == 't';
    } else if (hg_parse_real(begin, n, &value->number) == HG_PARSE_OK) {
        value->kind = CLI_JSON_NUMBER;
    } else {
        r->at = begin;
        return bad(r, "no value");
    }
    return CLI_DONE;
}

static int read_value(reader *r, cli_json *value)
{
    int status;
    if (++r->depth > MAX_DEPTH) {
        return bad(r, "nested too deeply");
    }
    if (take(r, '{')) {
        value->kind = CLI_JSON_OBJECT;
        status = read_children(r, value, '}');
    } else if (take(r, '[')) {
        value->kind = CLI_JSON_ARRAY;
        status = read_children(r, value, ']');
    } else if (take(r, '"')) {
        value->kind = CLI_JSON_STRING;
        status = read_string(r, &value->text);
    } else {
        status = read_word(r, value);
    }
    r->depth--;
    return status;
}

int cli_json_read(const char *text, size_t n, const char *label, hg_arena *arena, cli_json **out)
{
    reader r = {text, text, text + n, label, arena, 0};
    cli_json *value = hg_arena_alloc(arena, sizeof *value);
    if (!value) {
        return no_memory();
    }
    *value = (cli_json){.number = NAN, .text = ""};
    const int status = read_value(&r, value);
    skip_space(&r);
    if (status == CLI_DONE && r.at < r.end) {
        return bad(&r, "more text behind the document");
    }
    *out = status == CLI_DONE ? value : NULL;
    return status;
}

/* ---- questions ---------------------------------------------------------- */

const cli_json *cli_json_member(const cli_json *object, const char *key)
{
    const cli_json *member = object && object->kind == CLI_JSON_OBJECT ? object->first : NULL;
    while (member && strcmp(member->key, key) != 0) {
        member = member->next;
    }
    return member;
}

const char *cli_json_text(const cli_json *object, const char *key)
{
    const cli_json *member = cli_json_member(object, key);
    return member && member->kind == CLI_JSON_STRING ? member->text : "";
}

double cli_json_number(const cli_json *object, const char *key)
{
    const cli_json *member = cli_json_member(object, key);
    return member && member->kind == CLI_JSON_NUMBER ? member->number : NAN;
}
