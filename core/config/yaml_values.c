/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of one key: a scalar, a list, or what must be refused there. */
#include "core/config/yaml_reader.h"

#include <headgate/status.h>

bool hg_yaml_is_null(const yaml_event_t *e)
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

void hg_yaml_read_scalar(hg_yaml_reader *r, const hg_schema_row *row, const yaml_event_t *e,
                         yaml_mark_t key_mark)
{
    char buffer[HG_PROBLEM_BYTES];
    hg_text why = hg_text_over(buffer, sizeof buffer);
    hg_value value;
    int status;
    if (hg_yaml_is_null(e)) {
        status = hg_value_default(row, &r->settings->arena, &value);
    } else {
        status = hg_value_read(row, (const char *)e->data.scalar.value, e->data.scalar.length,
                               &r->settings->arena, &value, &why);
    }
    take_result(r, status, row, &value, key_mark, e->start_mark, buffer);
}

void hg_yaml_refuse_node(hg_yaml_reader *r, const hg_schema_row *row, yaml_event_t *e)
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

void hg_yaml_read_list(hg_yaml_reader *r, const hg_schema_row *row, yaml_mark_t key_mark,
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
            hg_yaml_refuse_node(r, row, &e);
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
