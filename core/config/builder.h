/* SPDX-License-Identifier: BSD-3-Clause */
/* The public configuration under construction, and the sources that one configuration is made of.
 */
#ifndef HG_CONFIG_BUILDER_H
#define HG_CONFIG_BUILDER_H

#include "core/base/log.h"
#include "core/config/config.h"
#include "core/config/settings.h"

#include <stdbool.h>

struct hgate_config {
    hg_settings settings;
    const hg_allocator *allocator;
    bool has_file; /* a file or text was loaded, so that no other is looked for */
};

/** hgate_config_new with another schema and memory. */
int hg_config_builder_new(const hg_schema *schema, const hg_allocator *allocator,
                          hgate_config **out);

/** hgate_config_set with another origin than "api": the command line says what it is. */
int hg_config_builder_set(hgate_config *config, const char *key, const char *value,
                          const char *origin);

/** What a configuration is merged from; anything may be missing. */
typedef struct hg_sources {
    const hg_schema *schema;
    const hgate_config *api;
    const char *const *environment; /* "NAME=value", NULL-terminated */
    const char *system_file;        /* read where it exists, and nobody names another */
} hg_sources;

/** hg_config_resolve from given sources. With nothing but `api`, this checks a file alone. */
int hg_config_merge(const hg_sources *sources, const hg_allocator *allocator, hg_log *log,
                    hg_config **out);

#endif
