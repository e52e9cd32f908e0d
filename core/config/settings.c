/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of settings, and one key set from text. */
#include "core/config/settings.h"

#include "core/config/notes.h"

#include <headgate/status.h>
#include <stdarg.h>
#include <string.h>

void hg_settings_init(hg_settings *settings, const hg_schema *schema, const hg_allocator *allocator)
{
    *settings = (hg_settings){.schema = schema};
    hg_arena_init(&settings->arena, allocator);
}

void hg_settings_release(hg_settings *settings)
{
    hg_arena_release(&settings->arena);
    hg_settings_init(settings, settings->schema, settings->arena.allocator);
}

hg_settings_mark hg_settings_here(const hg_settings *settings)
{
    return (hg_settings_mark){settings->last, settings->last_note, settings->count};
}

void hg_settings_undo(hg_settings *settings, hg_settings_mark mark)
{
    settings->last = mark.last;
    settings->last_note = mark.last_note;
    settings->count = mark.count;
    if (mark.last) {
        mark.last->next = NULL;
    } else {
        settings->first = NULL;
    }
    if (mark.last_note) {
        mark.last_note->next = NULL;
    } else {
        settings->first_note = NULL;
    }
}

int hg_settings_allow(const hg_schema_row *row, hg_layer layer, const char *key, hg_text *why)
{
    static const struct {
        unsigned bit;
        const char *name;
    } layers[] = {
        [HG_LAYER_FILE] = {HG_SET_BY_FILE, "a file"},
        [HG_LAYER_SET_VARIABLE] = {HG_SET_BY_ENVIRONMENT, "the environment"},
        [HG_LAYER_ENVIRONMENT] = {HG_SET_BY_ENVIRONMENT, "the environment"},
        [HG_LAYER_API] = {HG_SET_BY_API, "a call"},
    };
    if (row->where & layers[layer].bit) {
        return HGATE_OK;
    }
    hg_text_printf(why, "\"%s\" may not be set by %s", key, layers[layer].name);
    return HGATE_ECONFIG;
}

int hg_settings_add(hg_settings *settings, const char *key, const hg_schema_row *row,
                    const hg_value *value, const char *origin, hg_layer layer)
{
    hg_setting *setting = hg_arena_alloc(&settings->arena, sizeof *setting);
    const char *own_key = hg_arena_strdup(&settings->arena, key);
    const char *own_origin = hg_arena_strdup(&settings->arena, origin);
    if (!setting || !own_key || !own_origin) {
        return HGATE_ENOMEM;
    }
    *setting = (hg_setting){NULL, own_key, row, *value, own_origin, layer};
    if (settings->last) {
        settings->last->next = setting;
    } else {
        settings->first = setting;
    }
    settings->last = setting;
    settings->count++;
    return hg_note_names(settings, setting);
}

int hg_settings_set(hg_settings *settings, const char *key, const char *text, const char *origin,
                    hg_layer layer, hg_text *why)
{
    const hg_schema_row *row = hg_schema_find(settings->schema, key, why);
    if (!row) {
        return HGATE_ECONFIG;
    }
    int status = hg_settings_allow(row, layer, key, why);
    if (status != HGATE_OK) {
        return status;
    }
    hg_value value;
    if (!text || hg_is_null_word(text, strlen(text))) {
        status = hg_value_default(row, &settings->arena, &value);
    } else {
        hg_text_printf(why, "%s: ", key);
        status = hg_value_read(row, text, strlen(text), &settings->arena, &value, why);
    }
    return status == HGATE_OK ? hg_settings_add(settings, key, row, &value, origin, layer) : status;
}

int hg_settings_note(hg_settings *settings, const char *format, ...)
{
    char line[512];
    hg_text text = hg_text_over(line, sizeof line);
    va_list arguments;
    va_start(arguments, format);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    hg_note *note = hg_arena_alloc(&settings->arena, sizeof *note);
    const char *own = hg_arena_strdup(&settings->arena, line);
    if (!note || !own) {
        return HGATE_ENOMEM;
    }
    *note = (hg_note){NULL, own};
    if (settings->last_note) {
        settings->last_note->next = note;
    } else {
        settings->first_note = note;
    }
    settings->last_note = note;
    return HGATE_OK;
}
