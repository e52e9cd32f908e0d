/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over the events of a file along the schema; nothing is built in memory but the settings. */
#include "core/config/yaml.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/config/file.h"
#include "core/config/yaml_reader.h"

#include <string.h>

static bool is_null(const yaml_event_t *e)
{
    return e->type == YAML_SCALAR_EVENT && e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           hg_is_null_word((const char *)e->data.scalar.value, e->data.scalar.length);
}

static void add_value(hg_yaml_reader *r, const hg_schema_row *row, const hg_value *value,
                      yaml_mark_t at)
{
    char origin[HG_PROBLEM_BYTES];
    hg_text text = hg_text_over(origin, sizeof origin);
    hg_yaml_put_position(&text, r, at);
    if (hg_settings_add(r->settings, r->path.data, row, value, origin, HG_LAYER_FILE) != HGATE_OK) {
        hg_yaml_stop_out_of_memory(r);
    }
}

/* What a reading function found: keeps the value, or the problem with its position. */
static void take_result(hg_yaml_reader *r, int status, const hg_schema_row *row,
                        const hg_value *value, yaml_mark_t key_mark, yaml_mark_t value_mark,
                        const char *why)
{
    if (status == HGATE_OK) {
        add_value(r, row, value, key_mark);
    } else if (status == HGATE_ENOMEM) {
        hg_yaml_stop_out_of_memory(r);
    } else {
        char what[HG_PROBLEM_BYTES];
        hg_text text = hg_text_over(what, sizeof what);
        hg_text_printf(&text, "%s: %s", r->path.data, why);
        hg_yaml_problem(r, value_mark, what);
    }
}

static void read_scalar(hg_yaml_reader *r, const hg_schema_row *row, const yaml_event_t *e,
                        yaml_mark_t key_mark)
{
    char buffer[HG_PROBLEM_BYTES];
    hg_text why = hg_text_over(buffer, sizeof buffer);
    hg_value value;
    int status;
    if (is_null(e)) {
        status = hg_value_default(row, &r->settings->arena, &value);
    } else {
        status = hg_value_read(row, (const char *)e->data.scalar.value, e->data.scalar.length,
                               &r->settings->arena, &value, &why);
    }
    take_result(r, status, row, &value, key_mark, e->start_mark, buffer);
}

/* Says "expected a list of ..., found keys below it", and perhaps the key that was meant, once the
 * node is read over; a limit or refused thing in there is the better thing to say. */
static void refuse_node(hg_yaml_reader *r, const hg_schema_row *row, yaml_event_t *e)
{
    const yaml_mark_t mark = e->start_mark;
    const char *found = e->type == YAML_SCALAR_EVENT           ? "a single value"
                        : e->type == YAML_SEQUENCE_START_EVENT ? "a list"
                                                               : "keys below it";
    hg_yaml_skip(r, e);
    if (r->is_over) {
        return;
    }
    char buffer[HG_PROBLEM_BYTES];
    hg_text what = hg_text_over(buffer, sizeof buffer);
    hg_text_printf(&what, "%s: expected ", r->path.data);
    if (row) {
        hg_schema_put_values(row, &what);
    } else {
        hg_text_put(&what, "keys below it");
    }
    hg_text_printf(&what, ", found %s", found);
    if (!row) {
        hg_schema_put_suggestion(r->settings->schema, r->path.data, r->path.length, &what);
    }
    hg_yaml_problem(r, mark, buffer);
}

static void read_list(hg_yaml_reader *r, const hg_schema_row *row, yaml_mark_t key_mark,
                      yaml_mark_t list_mark)
{
    hg_arena *arena = &r->settings->arena;
    const size_t room = (size_t)row->max; /* more items are counted only, and refused by number */
    hg_item *items = hg_arena_array(arena, room, sizeof *items);
    yaml_mark_t *marks = hg_arena_array(arena, room, sizeof *marks);
    if (!items || !marks) {
        hg_yaml_stop_out_of_memory(r);
        return;
    }
    const int problems_before = r->problems.count;
    size_t n = 0;
    yaml_event_t e;
    for (; hg_yaml_next(r, &e) && e.type != YAML_SEQUENCE_END_EVENT; n++) {
        if (e.type != YAML_SCALAR_EVENT) {
            refuse_node(r, row, &e);
            continue;
        }
        if (n < room) {
            marks[n] = e.start_mark;
            items[n].n = e.data.scalar.length;
            items[n].text = hg_arena_strndup(arena, (const char *)e.data.scalar.value, items[n].n);
            if (!items[n].text) {
                hg_yaml_stop_out_of_memory(r);
            }
        }
        yaml_event_delete(&e);
    }
    if (r->is_over || r->problems.count > problems_before) {
        return;
    }
    char buffer[HG_PROBLEM_BYTES];
    hg_text why = hg_text_over(buffer, sizeof buffer);
    hg_value value;
    size_t bad = n;
    const int status = hg_value_read_list(row, items, n, arena, &value, &bad, &why);
    take_result(r, status, row, &value, key_mark, bad < n ? marks[bad] : list_mark, buffer);
}

/* ---- mappings -----------------------------------------------------------------------------------
 */

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
        read_list(r, row, key_mark, mark);
    } else if (is_null(&e) && !row) {
        yaml_event_delete(&e); /* a section with nothing in it */
    } else if (e.type == YAML_SCALAR_EVENT && row && (!is_list_wanted || is_null(&e))) {
        read_scalar(r, row, &e, key_mark);
        yaml_event_delete(&e);
    } else {
        refuse_node(r, row, &e);
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

/* ---- the document -------------------------------------------------------------------------------
 */

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
    } else if (is_null(&e)) {
        yaml_event_delete(&e); /* "---" alone; the version is missed below */
    } else {
        hg_yaml_stop(r, e.start_mark, "expected keys and values");
        yaml_event_delete(&e);
    }
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
        hg_yaml_problem(r, (yaml_mark_t){0, 0, 0}, "\"version: 1\" is missing");
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
