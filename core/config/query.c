/* SPDX-License-Identifier: BSD-3-Clause */
/* The questions that other rooms ask. No memory is taken here. */
#include "core/config/effective.h"

#include "core/base/number.h"

#include <string.h>

const hg_effective *hg_effective_find(const hg_config *config, const char *key)
{
    size_t low = 0, high = config->n_entries;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(config->entries[middle].key, key);
        if (order == 0) {
            return &config->entries[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static const hg_value *find_value(const hg_config *config, const char *key)
{
    static const hg_value none = {0};
    const hg_effective *entry = hg_effective_find(config, key);
    return entry ? &entry->value : &none;
}

bool hg_config_bool(const hg_config *config, const char *key)
{
    const hg_effective *entry = hg_effective_find(config, key);
    if (entry) {
        return entry->value.integer != 0;
    }
    const hg_schema_row *row = hg_schema_find(config->schema, key, NULL);
    return row && strcmp(row->fallback, "true") == 0;
}

int64_t hg_config_int(const hg_config *config, const char *key)
{
    return find_value(config, key)->integer;
}

double hg_config_real(const hg_config *config, const char *key)
{
    return find_value(config, key)->real;
}

size_t hg_config_bytes(const hg_config *config, const char *key)
{
    const int64_t bytes = hg_config_int(config, key);
    return bytes > 0 ? (size_t)bytes : 0;
}

const char *hg_config_text(const hg_config *config, const char *key)
{
    return find_value(config, key)->text;
}

size_t hg_config_count(const hg_config *config, const char *key)
{
    return find_value(config, key)->n_items;
}

const char *hg_config_item(const hg_config *config, const char *key, size_t i)
{
    const hg_value *value = find_value(config, key);
    return i < value->n_items ? value->items[i] : NULL;
}

bool hg_config_is_off(const hg_config *config, const char *key)
{
    return find_value(config, key)->is_off;
}

bool hg_config_is_auto(const hg_config *config, const char *key)
{
    return find_value(config, key)->is_auto;
}

const char *hg_config_origin(const hg_config *config, const char *key)
{
    const hg_effective *entry = hg_effective_find(config, key);
    return entry ? entry->origin : "default";
}

static bool tell_kill(const hg_kill *kill, const char **key, const char **origin)
{
    if (key) {
        *key = kill->key;
    }
    if (origin) {
        *origin = kill->origin;
    }
    return true;
}

bool hg_config_killed_plugin(const hg_config *config, const char *plugin, const char **key,
                             const char **origin)
{
    for (size_t i = 0; i < config->n_kills; i++) {
        const hg_kill *kill = &config->kills[i];
        if (kill->role == HG_KEY_ENABLE_PLUGIN && strcmp(kill->word, plugin) == 0) {
            return tell_kill(kill, key, origin);
        }
    }
    return false;
}

bool hg_config_killed_kernel(const hg_config *config, const char *op, const char *plugin,
                             const char *kernel, const char **key, const char **origin)
{
    for (size_t i = 0; i < config->n_kills; i++) {
        const hg_kill *kill = &config->kills[i];
        if (kill->role == HG_KEY_ENABLE_KERNEL && strcmp(kill->word, op) == 0 &&
            strcmp(kill->plugin, plugin) == 0 && strcmp(kill->kernel, kernel) == 0) {
            return tell_kill(kill, key, origin);
        }
    }
    return false;
}

bool hg_config_killed_op(const hg_config *config, const char *op, const char *family,
                         const char **key, const char **origin)
{
    for (size_t i = 0; i < config->n_kills; i++) {
        const hg_kill *kill = &config->kills[i];
        if (kill->role == HG_KEY_ENABLE_OP &&
            (strcmp(kill->word, op) == 0 || strcmp(kill->word, family) == 0)) {
            return tell_kill(kill, key, origin);
        }
    }
    return false;
}

bool hg_config_force(const hg_config *config, const char *op, const char **plugin,
                     const char **kernel, const char **origin)
{
    for (size_t i = 0; i < config->n_forced; i++) {
        const hg_forced *forced = &config->forced[i];
        if (strcmp(forced->op, op) != 0) {
            continue;
        }
        if (plugin) {
            *plugin = forced->plugin;
        }
        if (kernel) {
            *kernel = forced->kernel;
        }
        if (origin) {
            *origin = forced->origin;
        }
        return true;
    }
    return false;
}

/* Value of the key "HEAD.NAME.TAIL", put together on the stack: names are short. */
static const hg_value *find_built(const hg_config *config, const char *head, const char *name,
                                  const char *middle, const char *tail)
{
    char buffer[256];
    hg_text key = hg_text_over(buffer, sizeof buffer);
    hg_text_put(&key, head);
    hg_text_put(&key, name);
    hg_text_put(&key, middle);
    hg_text_put(&key, tail);
    return find_value(config, buffer);
}

const char *hg_config_plugin_option(const hg_config *config, const char *plugin, const char *name)
{
    return find_built(config, "plugins.", plugin, ".options.", name)->text;
}

bool hg_config_constant(const hg_config *config, const char *plugin, const char *constant,
                        double *value)
{
    const hg_value *found = find_built(config, "calibration.constants.", plugin, ".", constant);
    if (!found->text) {
        return false;
    }
    *value = found->real;
    return true;
}

size_t hg_config_entry_count(const hg_config *config)
{
    return config->n_entries;
}

hg_config_entry hg_config_entry_at(const hg_config *config, size_t i)
{
    const hg_effective *entry = &config->entries[i];
    return (hg_config_entry){entry->key, entry->value.text, entry->origin};
}

uint64_t hg_config_hash(const hg_config *config)
{
    return config->hash;
}
