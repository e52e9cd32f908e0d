/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of one engine, as the other rooms see them: merged once, immutable, with origins.
 *
 * No function here allocates. A key of the schema is always answered, by its default if nobody set
 * it; another key is a mistake of ours. All text belongs to the configuration. MT-Safe. */
#ifndef HG_CONFIG_CONFIG_H
#define HG_CONFIG_CONFIG_H

#include "core/base/alloc.h"
#include "core/base/log.h"

#include <headgate/engine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hg_config hg_config;

/** Merges defaults, file, environment and `api` (NULL: nothing set there). Reads the file that
 *  HEADGATE_CONFIG names, else the system's, unless `api` has loaded one. ECONFIG lists what is
 * wrong with all of them; ENOMEM. Warnings go to `log`. */
int hg_config_resolve(const hgate_config *api, const hg_allocator *allocator, hg_log *log,
                      hg_config **out);

/** NULL is fine. */
void hg_config_release(hg_config *config);

/* ---- values -----------------------------------------------------------------------------------
 */

bool hg_config_bool(const hg_config *config, const char *key);

/** Numbers. `auto` gives 0, `off` the number that means the same (names of gates: 0, -1 or 1). */
int64_t hg_config_int(const hg_config *config, const char *key);
double hg_config_real(const hg_config *config, const char *key);
size_t hg_config_bytes(const hg_config *config, const char *key);

/** The value as text: the word of a choice, a path, a number; NULL where none is set. */
const char *hg_config_text(const hg_config *config, const char *key);

/** Lists. */
size_t hg_config_count(const hg_config *config, const char *key);
const char *hg_config_item(const hg_config *config, const char *key, size_t i);

/** Is it the word `off`, or `auto`? */
bool hg_config_is_off(const hg_config *config, const char *key);
bool hg_config_is_auto(const hg_config *config, const char *key);

/** "default", "headgate.yaml:12:5", "env HEADGATE_THREADS" or "api". */
const char *hg_config_origin(const hg_config *config, const char *key);

/* ---- kill switches, forced choices, settings of plugins -----------------------------------------
 */

/** Switched off? Then, where wanted (not NULL), the key that does it and where it was set. `op` and
 *  `family` are words: "visibility_gram", "visibility". */
bool hg_config_killed_plugin(const hg_config *config, const char *plugin, const char **key,
                             const char **origin);
bool hg_config_killed_kernel(const hg_config *config, const char *op, const char *plugin,
                             const char *kernel, const char **key, const char **origin);
bool hg_config_killed_op(const hg_config *config, const char *op, const char *family,
                         const char **key, const char **origin);

/** routing.force.<op>: is a choice forced? *kernel is NULL where only the plugin is. Any of the
 *  pointers may be NULL. */
bool hg_config_force(const hg_config *config, const char *op, const char **plugin,
                     const char **kernel, const char **origin);

/** plugins.<plugin>.options.<name>: NULL where nobody set it and the schema has no default. */
const char *hg_config_plugin_option(const hg_config *config, const char *plugin, const char *name);

/** calibration.constants.<plugin>.<constant>: is it set? Then *value. */
bool hg_config_constant(const hg_config *config, const char *plugin, const char *constant,
                        double *value);

/* ---- the whole ----------------------------------------------------------------------------------
 */

typedef struct hg_config_entry {
    const char *key;
    const char *text; /* as hg_config_text, lists as "[a, b]"; NULL: none */
    const char *origin;
} hg_config_entry;

/** All keys in the order of strcmp: those of the schema and the dynamic ones that are set. */
size_t hg_config_entry_count(const hg_config *config);
hg_config_entry hg_config_entry_at(const hg_config *config, size_t i);

/** The same for the same effective values, wherever they came from. */
uint64_t hg_config_hash(const hg_config *config);

#endif
