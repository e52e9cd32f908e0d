/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a JSON document into a tree; for the documents that the command itself writes. */
#ifndef CLI_JSON_READ_H
#define CLI_JSON_READ_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_json_kind {
    CLI_JSON_NULL,
    CLI_JSON_BOOL, /* number is 0 or 1 */
    CLI_JSON_NUMBER,
    CLI_JSON_STRING,
    CLI_JSON_ARRAY,
    CLI_JSON_OBJECT
} cli_json_kind;

typedef struct cli_json {
    cli_json_kind kind;
    double number;                 /* NaN where it is none */
    const char *text;              /* of a string, and of a number as it was written */
    const char *key;               /* of a member of an object */
    struct cli_json *first, *next; /* elements or members; the next of the same parent */
} cli_json;

/** Parses n bytes, called `label` in messages. Values live in the arena. CLI_DATA with line and
 *  column, or HGATE_ENOMEM. */
int cli_json_read(const char *text, size_t n, const char *label, hg_arena *arena, cli_json **out);

/** Member of an object; NULL where there is none, or no object. */
const cli_json *cli_json_member(const cli_json *object, const char *key);
/** Text of a string member; "" where there is none. */
const char *cli_json_text(const cli_json *object, const char *key);
/** Number of a member; NaN where there is none. */
double cli_json_number(const cli_json *object, const char *key);

#endif
