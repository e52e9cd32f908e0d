/* SPDX-License-Identifier: BSD-3-Clause */
/* A streaming JSON writer over a write callback: compact, numbers that round-trip, never a bare
 * NaN. */
#ifndef HG_BASE_JSON_H
#define HG_BASE_JSON_H

#include <headgate/engine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HG_JSON_DEPTH = 32, HG_JSON_BUFFER = 512 };

typedef struct hg_json {
    hgate_write_fn write;
    void *user;
    int status; /* the first failure; nothing is written after it */
    int depth;
    bool has_members[HG_JSON_DEPTH + 1]; /* of the open objects and arrays, outermost first */
    bool is_after_key;
    size_t used;
    char buffer[HG_JSON_BUFFER];
} hg_json;

void hg_json_init(hg_json *json, hgate_write_fn write, void *user);

/** Writes what is buffered. HGATE_OK, HGATE_ESTOPPED when the callback asked to stop, or
 *  HGATE_EINTERNAL for objects or arrays left open, closed too often or nested too deeply. */
int hg_json_finish(hg_json *json);

void hg_json_object_begin(hg_json *json);
void hg_json_object_end(hg_json *json);
void hg_json_array_begin(hg_json *json);
void hg_json_array_end(hg_json *json);

/** Name of the next member of an object. */
void hg_json_key(hg_json *json, const char *key);

/** Values; a NULL string, a NaN and an infinity become null. */
void hg_json_string(hg_json *json, const char *value);
void hg_json_int(hg_json *json, int64_t value);
void hg_json_real(hg_json *json, double value);
void hg_json_bool(hg_json *json, bool value);
void hg_json_null(hg_json *json);

/** A value that is JSON already, such as a whole document. */
void hg_json_raw(hg_json *json, const char *text, size_t n);

/** Members of an object in one call. */
void hg_json_key_string(hg_json *json, const char *key, const char *value);
void hg_json_key_int(hg_json *json, const char *key, int64_t value);
void hg_json_key_real(hg_json *json, const char *key, double value);
void hg_json_key_bool(hg_json *json, const char *key, bool value);

#endif
