/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over the events of a file along the schema; nothing is built in memory but the settings. */
#include "core/config/yaml.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/config/file.h"
#include "core/config/yaml_reader.h"

#include <string.h>

static void read_mapping(hg_yaml_reader *r);

/* The value of the key in r->path, which is a key of the schema or a section. */
static void read_node(hg_yaml_reader *r, const hg_schema_row *row, yaml_mark_t key_mark)
{
    yaml_event_t e;
    if (!hg_yaml_next(r, &e)) {
        return;
    }
    const bool is_list_wanted = row && hg_type_is_list(row->type);
    r->has_version = r->has_version || (row && row->role == HG_KEY_VERSION);
    if (e.type == YAML_MAPPING_START_EVENT && !row) {
        yaml_event_delete(&e);
        read_mapping(r);
    } else if (e.type == YAML_SEQUENCE_START_EVENT && is_list_wanted) {
        const yaml_mark_t mark = e.start_mark;
        yaml_event_delete(&e);
        hg_yaml_read_list(r, row, key_mark, mark);
    } else if (hg_yaml_is_null(&e) && !row) {
        yaml_event_delete(&e); /* a section with nothing in it */
    } else if (e.type == YAML_SCALAR_EVENT && row && (!is_list_wanted || hg_yaml_is_null(&e))) {
        hg_yaml_read_scalar(r, row, &e, key_mark);
        yaml_event_delete(&e);
    } else {
        hg_yaml_refuse_node(r, row, &e);
    }
}

/* Line of an earlier key of the same path; 0 when this is the first. Remembers the key. */
static size_t find_duplicate(hg_yaml_reader *r, size_t line)
{
    const uint64_t hash = hg_hash_text(HG_HASH_START, r->path.data);
    hg_seen_key **chain = &r->seen[hash % HG_YAML_SEEN];
    for (const hg_seen_key *key = *chain; key; key = key->older) {
        if (key->hash == hash && strcmp(key->path, r->path.data) == 0) {
            return key->line;
        }
    }
    hg_seen_key *key = hg_arena_alloc(&r->settings->arena, sizeof *key);
    const char *path = hg_arena_strndup(&r->settings->arena, r->path.data, r->path.length);
    if (!key || !path) {
        hg_yaml_stop_out_of_memory(r);
        return 0;
    }
    *key = (hg_seen_key){*chain, hash, path, line};
    *chain = key;
    return 0;
}

/* What is wrong with the key in r->path; "" for nothing. */
static void check_key(hg_yaml_reader *r, yaml_mark_t mark, const hg_schema_row **row, hg_text *why)
{
    const hg_schema *schema = r->settings->schema;
    const size_t before = find_duplicate(r, mark.line + 1);
    if (before > 0) {
        hg_text_printf(why, "duplicate key \"%s\", first in line %zu", r->path.data, before);
    } else if (hg_schema_step(schema, r->path.data, r->path.length, row) == HG_STEP_UNKNOWN) {
        hg_schema_put_unknown(schema, r->path.data, r->path.length, why);
    } else if (*row) {
        hg_settings_allow(*row, HG_LAYER_FILE, r->path.data, why);
    }
}

/* The value of the key in r->path, or of one that is refused. */
static void read_value(hg_yaml_reader *r, yaml_mark_t mark, bool has_dot)
{
    char buffer[HG_PROBLEM_BYTES];
    hg_text why = hg_text_over(buffer, sizeof buffer);
    const hg_schema_row *row = NULL;
    if (has_dot) {
        hg_text_put(&why, "a dot in a key: write one key below the other");
    } else {
        check_key(r, mark, &row, &why);
    }
    if (why.length == 0) {
        read_node(r, row, mark);
        return;
    }
    yaml_event_t value;
    if (hg_yaml_next(r, &value)) {
        hg_yaml_skip(r, &value);
    }
    if (!r->is_over) {
        hg_yaml_problem(r, mark, buffer);
    }
}

/* One key and its value; deletes the key. */
static void read_member(hg_yaml_reader *r, yaml_event_t *key)
{
    const yaml_mark_t mark = key->start_mark;
    const size_t outside = r->path.length;
    const char *word = key->type == YAML_SCALAR_EVENT ? (const char *)key->data.scalar.value : NULL;
    bool has_dot = false;
    if (!word) {
        hg_yaml_stop(r, mark, "a key must be a single word");
    } else if (strcmp(word, "<<") == 0) {
        hg_yaml_stop(r, mark, "merge keys are not allowed");
    } else {
        has_dot = strchr(word, '.') != NULL;
        hg_text_put(&r->path, outside ? "." : "");
        hg_text_put(&r->path, word);
        if (r->path.is_cut) {
            hg_yaml_stop_out_of_memory(r);
        }
    }
    yaml_event_delete(key);
    if (!r->is_over) {
        read_value(r, mark, has_dot);
        hg_text_cut_to(&r->path, outside);
    }
}

static void read_mapping(hg_yaml_reader *r)
{
    yaml_event_t e;
    while (hg_yaml_next(r, &e)) {
        if (e.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&e);
            return;
        }
        read_member(r, &e);
    }
}

/* The next event's type and place; YAML_NO_EVENT when reading is over. */
static yaml_event_type_t take(hg_yaml_reader *r, yaml_mark_t *mark)
{
    yaml_event_t e;
    if (!hg_yaml_next(r, &e)) {
        return YAML_NO_EVENT;
    }
    const yaml_event_type_t type = e.type;
    *mark = e.start_mark;
    yaml_event_delete(&e);
    return type;
}

static void read_root(hg_yaml_reader *r)
{
    yaml_event_t e;
    if (!hg_yaml_next(r, &e)) {
        return;
    }
    if (e.type == YAML_MAPPING_START_EVENT) {
        yaml_event_delete(&e);
        read_mapping(r);
    } else if (hg_yaml_is_null(&e)) {
        yaml_event_delete(&e); /* "---" alone; the version is missed below */
    } else {
        hg_yaml_stop(r, e.start_mark, "expected keys and values");
        yaml_event_delete(&e);
    }
}

static void miss_version(hg_yaml_reader *r)
{
    const hg_schema *schema = r->settings->schema;
    size_t i = 0;
    while (i + 1 < schema->n_rows && schema->rows[i].role != HG_KEY_VERSION) {
        i++;
    }
    char what[HG_PROBLEM_BYTES];
    hg_text text = hg_text_over(what, sizeof what);
    hg_text_printf(&text, "\"%s: %s\" is missing", schema->rows[i].key, schema->rows[i].fallback);
    hg_yaml_problem(r, (yaml_mark_t){0, 0, 0}, what);
}

static void read_stream(hg_yaml_reader *r)
{
    yaml_mark_t mark;
    take(r, &mark); /* start of the stream */
    if (take(r, &mark) == YAML_DOCUMENT_START_EVENT) {
        read_root(r);
        take(r, &mark); /* end of the document */
        if (take(r, &mark) == YAML_DOCUMENT_START_EVENT) {
            hg_yaml_stop(r, mark, "more than one document");
        }
    }
    if (!r->is_over && !r->has_version) {
        miss_version(r);
    }
}

static int read_with_parser(hg_yaml_reader *r)
{
    if (!yaml_parser_initialize(&r->parser)) {
        return hg_error_memory(r->label, sizeof r->parser);
    }
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)r->text, r->n);
    read_stream(r);
    yaml_parser_delete(&r->parser);
    if (r->is_out_of_memory) {
        return hg_error(HGATE_ENOMEM, "%s: no memory to read it", r->label);
    }
    return hg_problems_status(&r->problems);
}

int hg_yaml_read(hg_settings *settings, const char *text, size_t n, const char *label, long *events)
{
    char safe_label[HG_PROBLEM_BYTES / 2];
    hg_text safe = hg_text_over(safe_label, sizeof safe_label);
    hg_text_put_untrusted(&safe, label, strlen(label), sizeof safe_label);
    static const char byte_order_mark[] = "\xef\xbb\xbf"; /* some editors put it first */
    if (n >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        n -= 3;
    }
    const hg_settings_mark before = hg_settings_here(settings);
    const hg_allocator *allocator = settings->arena.allocator;
    hg_yaml_reader reader = {.settings = settings,
                             .label = safe_label,
                             .text = text,
                             .n = n,
                             .problems = hg_problems_none(allocator),
                             .path = hg_text_growing(allocator)};
    int status;
    if (hg_yaml_scan(text, n, safe_label, &reader.problems)) {
        status = read_with_parser(&reader);
    } else {
        status = hg_problems_status(&reader.problems);
    }
    if (status != HGATE_OK) {
        hg_settings_undo(settings, before);
    }
    if (events) {
        *events = reader.events;
    }
    hg_problems_release(&reader.problems);
    hg_text_release(&reader.path);
    return status;
}

int hg_yaml_read_file(hg_settings *settings, const char *path)
{
    hg_file file;
    const hg_allocator *allocator = settings->arena.allocator;
    int status = hg_file_read(path, HG_YAML_BYTES, allocator, &file);
    if (status == HGATE_OK) {
        status = hg_yaml_read(settings, file.text, file.n, path, NULL);
        hg_free(allocator, file.text);
    }
    return status;
}
