/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges what all layers have set: key by key the later layer wins, except that kill switches add
 * up and folders of the environment go in front. */
#include "core/config/effective.h"

#include <headgate/status.h>
#include <stdlib.h>
#include <string.h>

typedef struct ranked {
    const hg_setting *setting;
    size_t rank; /* order of setting, for those of the same key and layer */
} ranked;

static int compare(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    const int keys = strcmp(a->setting->key, b->setting->key);
    if (keys != 0) {
        return keys;
    }
    if (a->setting->layer != b->setting->layer) {
        return a->setting->layer < b->setting->layer ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : 1;
}

static bool is_kill(const hg_setting *setting)
{
    switch (setting->row->role) {
    case HG_KEY_ENABLE_PLUGIN:
    case HG_KEY_ENABLE_KERNEL:
    case HG_KEY_ENABLE_OP:
        return setting->value.integer == 0;
    case HG_KEY_GATE:
        return setting->value.is_off;
    default:
        return false;
    }
}

/* The setting that counts among n of one key, latest last. */
static const hg_setting *find_winner(const ranked *settings, size_t n)
{
    for (size_t i = n; i > 0; i--) {
        if (is_kill(settings[i - 1].setting)) {
            return settings[i - 1].setting;
        }
    }
    return settings[n - 1].setting;
}

static bool has_item(const hg_value *list, const char *item)
{
    for (size_t i = 0; i < list->n_items; i++) {
        if (strcmp(list->items[i], item) == 0) {
            return true;
        }
    }
    return false;
}

/* The items of `front`, then those of `back` that are not among them, as a new list. */
static int join_lists(const hg_schema_row *row, const hg_setting *front, const hg_setting *back,
                      hg_arena *arena, hg_effective *out)
{
    const size_t most = front->value.n_items + back->value.n_items;
    hg_item *items = hg_arena_array(arena, most, sizeof *items);
    hg_text origin = hg_text_growing(arena->allocator);
    hg_text_printf(&origin, "%s, %s", front->origin, back->origin);
    out->origin = origin.is_cut ? NULL : hg_arena_strdup(arena, origin.data);
    hg_text_release(&origin);
    if (!items || !out->origin) {
        return HGATE_ENOMEM;
    }
    size_t n = 0;
    for (size_t i = 0; i < most; i++) {
        const bool is_front = i < front->value.n_items;
        const char *item =
            is_front ? front->value.items[i] : back->value.items[i - front->value.n_items];
        if (is_front || !has_item(&front->value, item)) {
            items[n++] = (hg_item){item, strlen(item)};
        }
    }
    hg_schema_row unlimited = *row; /* each layer kept to the limit; together they may pass it */
    unlimited.max = (double)most;
    char unused[8];
    hg_text why = hg_text_over(unused, sizeof unused);
    size_t bad;
    return hg_value_read_list(&unlimited, items, n, arena, &out->value, &bad, &why);
}

/* The environment's setting of a list of folders, and what it goes in front of. */
static bool find_pair(const ranked *settings, size_t n, const hg_setting **front,
                      const hg_setting **back)
{
    *front = *back = NULL;
    for (size_t i = 0; i < n; i++) {
        const hg_setting *s = settings[i].setting;
        *(s->layer == HG_LAYER_ENVIRONMENT ? front : back) = s;
    }
    return *front && *back;
}

static int merge_key(hg_config *config, const ranked *settings, size_t n)
{
    const hg_setting *winner = find_winner(settings, n), *front, *back;
    hg_effective entry = {.row = winner->row};
    int status;
    if (winner->row->role == HG_KEY_PATHS && find_pair(settings, n, &front, &back)) {
        status = join_lists(winner->row, front, back, &config->arena, &entry);
    } else {
        status = hg_value_copy(&winner->value, &config->arena, &entry.value);
        entry.origin = hg_arena_strdup(&config->arena, winner->origin);
    }
    entry.key = hg_arena_strdup(&config->arena, winner->key);
    if (status != HGATE_OK || !entry.origin || !entry.key) {
        return HGATE_ENOMEM;
    }
    config->entries[config->n_entries++] = entry;
    return HGATE_OK;
}

static int add_default(hg_config *config, const hg_schema_row *row)
{
    hg_effective entry = {.key = row->key, .row = row, .origin = "default"};
    const int status = hg_value_default(row, &config->arena, &entry.value);
    if (status == HGATE_OK) {
        config->entries[config->n_entries++] = entry;
    }
    return status;
}

static int compare_entries(const void *left, const void *right)
{
    return strcmp(((const hg_effective *)left)->key, ((const hg_effective *)right)->key);
}

/* Entries from sorted settings, and defaults for the static keys that nobody set. */
static int make_entries(hg_config *config, const ranked *settings, size_t n)
{
    const hg_schema *schema = config->schema;
    config->entries = hg_arena_array(&config->arena, n + schema->n_rows, sizeof *config->entries);
    if (!config->entries) {
        return HGATE_ENOMEM;
    }
    int status = HGATE_OK;
    for (size_t i = 0, next; i < n && status == HGATE_OK; i = next) {
        next = i + 1;
        while (next < n && strcmp(settings[next].setting->key, settings[i].setting->key) == 0) {
            next++;
        }
        status = merge_key(config, settings + i, next - i);
    }
    const size_t n_set = config->n_entries;
    for (size_t i = 0; i < schema->n_rows && status == HGATE_OK; i++) {
        const hg_schema_row *row = &schema->rows[i];
        const hg_effective wanted = {.key = row->key};
        if (!strchr(row->key, '<') &&
            !bsearch(&wanted, config->entries, n_set, sizeof *config->entries, compare_entries)) {
            status = add_default(config, row);
        }
    }
    qsort(config->entries, config->n_entries, sizeof *config->entries, compare_entries);
    return status;
}

static size_t rank_all(ranked *to, size_t at, const hg_settings *settings)
{
    for (const hg_setting *s = settings->first; s; s = s->next, at++) {
        to[at] = (ranked){s, at};
    }
    return at;
}

int hg_effective_merge(hg_config *config, const hg_settings *first, const hg_settings *second)
{
    const size_t most = first->count + (second ? second->count : 0);
    ranked *settings = hg_calloc(config->allocator, most, sizeof *settings);
    if (!settings) {
        return HGATE_ENOMEM;
    }
    size_t n = rank_all(settings, 0, first);
    n = second ? rank_all(settings, n, second) : n;
    qsort(settings, n, sizeof *settings, compare);
    const int status = make_entries(config, settings, n);
    hg_free(config->allocator, settings);
    return status == HGATE_OK ? hg_effective_derive(config) : status;
}
