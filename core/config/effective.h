/* SPDX-License-Identifier: BSD-3-Clause */
/* The merged configuration as its own files see it. */
#ifndef HG_CONFIG_EFFECTIVE_H
#define HG_CONFIG_EFFECTIVE_H

#include "core/base/arena.h"
#include "core/config/config.h"
#include "core/config/settings.h"

typedef struct hg_effective {
    const char *key;
    const hg_schema_row *row;
    hg_value value;
    const char *origin;
} hg_effective;

/* A plugin, kernel, operation or family that is switched off. */
typedef struct hg_kill {
    hg_key_role role;
    const char *word;            /* plugin, or word of an operation or family */
    const char *plugin, *kernel; /* of a kernel, whose operation is `word` */
    const char *key, *origin;
} hg_kill;

typedef struct hg_forced {
    const char *op, *plugin;
    const char *kernel; /* NULL: any of the plugin */
    const char *key, *origin;
} hg_forced;

struct hg_config {
    const hg_schema *schema;
    const hg_allocator *allocator;
    hg_arena arena; /* of all that follows */
    size_t n_entries;
    hg_effective *entries; /* by key */
    size_t n_kills;
    hg_kill *kills;
    size_t n_forced;
    hg_forced *forced;
    uint64_t hash;
};

/** Entry of a key; NULL for dynamic keys that nobody set, and for what is no key. */
const hg_effective *hg_effective_find(const hg_config *config, const char *key);

/** Makes the entries from two lists of settings (the second may be NULL), then what is derived from
 *  them. HGATE_OK or HGATE_ENOMEM. */
int hg_effective_merge(hg_config *config, const hg_settings *first, const hg_settings *second);

/** Fills kills, forced choices and hash from the entries. HGATE_OK or HGATE_ENOMEM. */
int hg_effective_derive(hg_config *config);

#endif
