/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of one reading, and its source of events: counted, limited, each looked at. */
#ifndef HG_CONFIG_YAML_READER_H
#define HG_CONFIG_YAML_READER_H

#include "core/config/problems.h"
#include "core/config/settings.h"
#include "core/config/yaml.h"

#include <stdbool.h>
#include <yaml.h>

/* A key that was read, for the search for duplicates. */
typedef struct hg_seen_key {
    struct hg_seen_key *older;
    uint64_t hash;
    const char *path;
    size_t line;
} hg_seen_key;

enum { HG_YAML_SEEN = 256 }; /* chains: a file can have 10 000 keys */

typedef struct hg_yaml_reader {
    yaml_parser_t parser;
    hg_settings *settings;
    const char *label; /* escaped */
    const char *text;
    size_t n;
    hg_problems problems;
    hg_text path;                    /* dotted key that is read */
    hg_seen_key *seen[HG_YAML_SEEN]; /* by hash; in the settings' arena */
    long events;
    int depth;
    bool has_version;
    bool is_over; /* a limit, a syntax error, too many problems or no memory: read no further */
    bool is_out_of_memory;
} hg_yaml_reader;

/** The next event. False: reading is over, and there is nothing to delete. */
bool hg_yaml_next(hg_yaml_reader *reader, yaml_event_t *event);

/** Reads to the end of the node that begins with this event, and deletes the event. */
void hg_yaml_skip(hg_yaml_reader *reader, yaml_event_t *event);

/** Adds a problem at a position; reading goes on until there are too many. */
void hg_yaml_problem(hg_yaml_reader *reader, yaml_mark_t mark, const char *what);

/** Adds a problem, and reading is over. */
void hg_yaml_stop(hg_yaml_reader *reader, yaml_mark_t mark, const char *what);
void hg_yaml_stop_out_of_memory(hg_yaml_reader *reader);

/** "LABEL:LINE:COLUMN", counted from 1. */
void hg_yaml_put_position(hg_text *out, const hg_yaml_reader *reader, yaml_mark_t mark);

/** Is it a plain scalar that means "the default"? */
bool hg_yaml_is_null(const yaml_event_t *event);

/** Reads the value of the key in reader->path, whose row this is; the event stays the caller's. */
void hg_yaml_read_scalar(hg_yaml_reader *reader, const hg_schema_row *row,
                         const yaml_event_t *event, yaml_mark_t key_mark);

/** Reads a list, whose first event was read (at list_mark), to its end. */
void hg_yaml_read_list(hg_yaml_reader *reader, const hg_schema_row *row, yaml_mark_t key_mark,
                       yaml_mark_t list_mark);

/** Says "expected a list of ..., found keys below it", and perhaps the key that was meant, once the
 *  node is read over: a limit passed or a refused thing in there is the better thing to say. Row
 *  NULL: a section was expected. Deletes the event. */
void hg_yaml_refuse_node(hg_yaml_reader *reader, const hg_schema_row *row, yaml_event_t *event);

#endif
