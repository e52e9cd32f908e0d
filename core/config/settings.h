/* SPDX-License-Identifier: BSD-3-Clause */
/* What files, environment and API have set, in the order of setting and not yet merged. */
#ifndef HG_CONFIG_SETTINGS_H
#define HG_CONFIG_SETTINGS_H

#include "core/base/arena.h"
#include "core/config/schema.h"
#include "core/config/value.h"

/** Later ones win over earlier ones, key by key. */
typedef enum hg_layer {
    HG_LAYER_DEFAULT,
    HG_LAYER_FILE,
    HG_LAYER_SET_VARIABLE, /* HEADGATE_SET */
    HG_LAYER_ENVIRONMENT,  /* variables with names of their own, HEADGATE_DISABLE, HEADGATE_FORCE */
    HG_LAYER_API
} hg_layer;

typedef struct hg_setting {
    struct hg_setting *next;
    const char *key;
    const hg_schema_row *row;
    hg_value value;
    const char *origin;
    hg_layer layer;
} hg_setting;

/** A remark that is no error: a name that looks mistyped. */
typedef struct hg_note {
    struct hg_note *next;
    const char *text;
} hg_note;

typedef struct hg_settings {
    const hg_schema *schema;
    hg_arena arena; /* of all that follows */
    hg_setting *first, *last;
    hg_note *first_note, *last_note;
    size_t count;
} hg_settings;

void hg_settings_init(hg_settings *settings, const hg_schema *schema,
                      const hg_allocator *allocator);
void hg_settings_release(hg_settings *settings);

/** Where the lists end now; hg_settings_undo takes off what was added since. */
typedef struct hg_settings_mark {
    hg_setting *last;
    hg_note *last_note;
    size_t count;
} hg_settings_mark;

hg_settings_mark hg_settings_here(const hg_settings *settings);
void hg_settings_undo(hg_settings *settings, hg_settings_mark mark);

/* HGATE_OK, HGATE_ENOMEM, or HGATE_ECONFIG with the reason in `why`. */

/** Is this layer allowed to set the row? */
int hg_settings_allow(const hg_schema_row *row, hg_layer layer, const char *key, hg_text *why);

/** Adds a value that is in the settings' arena already; `key` and `origin` are copied. */
int hg_settings_add(hg_settings *settings, const char *key, const hg_schema_row *row,
                    const hg_value *value, const char *origin, hg_layer layer);

/** Finds the key, reads the text (NULL or a null word: the default) and adds it. */
int hg_settings_set(hg_settings *settings, const char *key, const char *text, const char *origin,
                    hg_layer layer, hg_text *why);

/** Adds a remark; untrusted text must be escaped. */
int hg_settings_note(hg_settings *settings, const char *format, ...) HG_PRINTF(2, 3);

#endif
