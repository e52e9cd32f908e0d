/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants in force: one array of numbers for each plugin, filled once. */
#include "core/calib/calib.h"

#include "core/base/error.h"
#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct constant_set {
    const hg_plugin *plugin;
    int n;
    double *values;
    unsigned char *sources; /* hg_constant_source */
} constant_set;

struct hg_calib {
    const hg_allocator *allocator;
    int n;
    constant_set sets[];
};

static int make_set(constant_set *set, const hg_plugin *plugin, const hg_allocator *allocator)
{
    const hgate_plugin *descriptor = plugin->descriptor;
    const size_t n = descriptor->n_constants;
    set->plugin = plugin;
    set->n = (int)n;
    set->values = hg_calloc(allocator, n, sizeof *set->values);
    set->sources = hg_calloc(allocator, n, sizeof *set->sources);
    if (!set->values || !set->sources) {
        return hg_error_memory("constants of the cost model", n * sizeof *set->values);
    }
    for (size_t k = 0; k < n; k++) {
        set->values[k] = descriptor->constants[k]->value;
        set->sources[k] = HG_CONSTANT_DEFAULT;
    }
    return HGATE_OK;
}

static int find_constant(const constant_set *set, const char *name)
{
    for (int k = 0; k < set->n; k++) {
        if (strcmp(set->plugin->descriptor->constants[k]->name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* One entry of the configuration, calibration.constants.<plugin>.<constant>. */
static int apply_setting(hg_calib *calib, const hg_config *config, const hg_config_entry *entry,
                         const char *rest)
{
    for (int i = 0; i < calib->n; i++) {
        constant_set *set = &calib->sets[i];
        const char *plugin = set->plugin->name;
        const size_t length = strlen(plugin);
        if (strncmp(rest, plugin, length) != 0 || rest[length] != '.') {
            continue;
        }
        const char *name = rest + length + 1;
        const int k = find_constant(set, name);
        if (k < 0) {
            return hg_error(HGATE_ECONFIG, "%s: %s: plugin %s has no constant of that name",
                            entry->origin, entry->key, plugin);
        }
        const hgate_constant *constant = set->plugin->descriptor->constants[k];
        double value = 0;
        hg_config_constant(config, plugin, name, &value);
        if (!(value >= constant->lowest && value <= constant->highest)) {
            return hg_error(HGATE_ECONFIG, "%s: %s: %g is outside %g ... %g %s", entry->origin,
                            entry->key, value, constant->lowest, constant->highest,
                            constant->unit ? constant->unit : "");
        }
        set->values[k] = value;
        set->sources[k] = HG_CONSTANT_SETTING;
        return HGATE_OK;
    }
    return HGATE_OK; /* of a plugin that is not usable here */
}

static int apply_settings(hg_calib *calib, const hg_config *config)
{
    static const char prefix[] = "calibration.constants.";
    const size_t n = hg_config_entry_count(config);
    for (size_t i = 0; i < n; i++) {
        const hg_config_entry entry = hg_config_entry_at(config, i);
        if (strncmp(entry.key, prefix, sizeof prefix - 1) == 0) {
            const int status = apply_setting(calib, config, &entry, entry.key + sizeof prefix - 1);
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return HGATE_OK;
}

int hg_calib_new(const hg_config *config, const hg_plugin *const *plugins, int n,
                 const hg_allocator *allocator, hg_calib **out)
{
    const size_t bytes = sizeof(hg_calib) + (size_t)n * sizeof(constant_set);
    hg_calib *calib = hg_calloc(allocator, 1, bytes);
    if (!calib) {
        return hg_error_memory("calibration", bytes);
    }
    calib->allocator = allocator;
    int status = HGATE_OK;
    for (int i = 0; i < n && status == HGATE_OK; i++) {
        calib->n = i + 1;
        status = make_set(&calib->sets[i], plugins[i], allocator);
    }
    if (status == HGATE_OK) {
        status = apply_settings(calib, config);
    }
    if (status != HGATE_OK) {
        hg_calib_free(calib);
        return status;
    }
    *out = calib;
    return HGATE_OK;
}

void hg_calib_free(hg_calib *calib)
{
    if (!calib) {
        return;
    }
    for (int i = 0; i < calib->n; i++) {
        hg_free(calib->allocator, calib->sets[i].values);
        hg_free(calib->allocator, calib->sets[i].sources);
    }
    hg_free(calib->allocator, calib);
}

const double *hg_calib_constants(const hg_calib *calib, int i)
{
    return calib->sets[i].values;
}

hg_constant_source hg_calib_source(const hg_calib *calib, int i, int k)
{
    return (hg_constant_source)calib->sets[i].sources[k];
}

const char *hg_calib_origin(const hg_calib *calib)
{
    (void)calib;
    return "defaults";
}

bool hg_calib_matches(const hg_calib *calib)
{
    (void)calib;
    return true;
}

uint64_t hg_calib_hash(const hg_calib *calib)
{
    uint64_t hash = HG_HASH_START;
    for (int i = 0; i < calib->n; i++) {
        const constant_set *set = &calib->sets[i];
        hash = hg_hash_text(hash, set->plugin->name);
        hash = hg_hash_bytes(hash, set->values, (size_t)set->n * sizeof *set->values);
    }
    return hash;
}
