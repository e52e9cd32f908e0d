/* SPDX-License-Identifier: BSD-3-Clause */
/* What is worked out once from merged entries, so that questions on the way of a call are short:
 * the lists of kill switches and forced choices, and the hash. */
#include "core/config/effective.h"

#include "core/base/hash.h"

#include <headgate/status.h>
#include <string.h>

/* Part i of a key as a text of its own. */
static const char *own_part(hg_config *config, const char *key, int i)
{
    size_t n;
    const char *part = hg_key_part(key, i, &n);
    return hg_arena_strndup(&config->arena, part, n);
}

static int add_kill(hg_config *config, const hg_effective *entry)
{
    hg_kill kill = {entry->row->role, own_part(config, entry->key, 1), "", "", entry->key,
                    entry->origin};
    if (kill.role == HG_KEY_ENABLE_KERNEL) {
        kill.plugin = own_part(config, entry->key, 2);
        kill.kernel = own_part(config, entry->key, 3);
    }
    config->kills[config->n_kills++] = kill;
    return kill.word && kill.plugin && kill.kernel ? HGATE_OK : HGATE_ENOMEM;
}

static int add_forced(hg_config *config, const hg_effective *entry)
{
    const char *choice = entry->value.text;
    const size_t plugin_n = strcspn(choice, "/");
    const hg_forced forced = {
        own_part(config, entry->key, 2), hg_arena_strndup(&config->arena, choice, plugin_n),
        choice[plugin_n] ? choice + plugin_n + 1 : NULL, entry->key, entry->origin};
    config->forced[config->n_forced++] = forced;
    return forced.op && forced.plugin ? HGATE_OK : HGATE_ENOMEM;
}

static int derive_from(hg_config *config, const hg_effective *entry)
{
    switch (entry->row->role) {
    case HG_KEY_ENABLE_PLUGIN:
    case HG_KEY_ENABLE_KERNEL:
    case HG_KEY_ENABLE_OP:
        return entry->value.integer == 0 ? add_kill(config, entry) : HGATE_OK;
    case HG_KEY_FORCE:
        return entry->value.text ? add_forced(config, entry) : HGATE_OK;
    default:
        return HGATE_OK;
    }
}

/* A dynamic key set to its default says the same as none. */
static bool counts_for_hash(const hg_effective *entry)
{
    const char *text = entry->value.text ? entry->value.text : "";
    return !strchr(entry->row->key, '<') || strcmp(text, entry->row->fallback) != 0;
}

int hg_effective_derive(hg_config *config)
{
    config->kills = hg_arena_array(&config->arena, config->n_entries, sizeof *config->kills);
    config->forced = hg_arena_array(&config->arena, config->n_entries, sizeof *config->forced);
    if (!config->kills || !config->forced) {
        return HGATE_ENOMEM;
    }
    config->hash = HG_HASH_START;
    for (size_t i = 0; i < config->n_entries; i++) {
        const hg_effective *entry = &config->entries[i];
        const int status = derive_from(config, entry);
        if (status != HGATE_OK) {
            return status;
        }
        if (counts_for_hash(entry)) {
            config->hash = hg_hash_text(config->hash, entry->key);
            config->hash = hg_hash_text(config->hash, entry->value.text ? entry->value.text : "~");
        }
    }
    return HGATE_OK;
}
