/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants in force: one array of numbers for each plugin, filled once. */
#include "core/calib/calib_int.h"

#include "core/base/error.h"
#include "core/base/hash.h"

#include <string.h>

static int make_set(hg_constant_set *set, const hg_plugin *plugin, const hg_allocator *allocator)
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

hg_constant_set *hg_calib_find_set(hg_calib *calib, const char *plugin, size_t n)
{
    for (int i = 0; i < calib->n; i++) {
        const char *name = calib->sets[i].plugin->name;
        if (strlen(name) == n && memcmp(name, plugin, n) == 0) {
            return &calib->sets[i];
        }
    }
    return NULL;
}

int hg_constant_find(const hg_constant_set *set, const char *constant, size_t n)
{
    for (int k = 0; k < set->n; k++) {
        const char *name = set->plugin->descriptor->constants[k]->name;
        if (strlen(name) == n && memcmp(name, constant, n) == 0) {
            return k;
        }
    }
    return -1;
}

/* ---- settings ----------------------------------------------------------- */

/* One entry of the configuration, calibration.constants.<plugin>.<constant>. */
static int apply_setting(hg_calib *calib, const hg_config *config, const hg_config_entry *entry)
{
    size_t plugin_n, name_n;
    const char *plugin = hg_key_part(entry->key, 2, &plugin_n);
    const char *name = hg_key_part(entry->key, 3, &name_n);
    hg_constant_set *set = hg_calib_find_set(calib, plugin, plugin_n);
    if (!set) {
        return HGATE_OK; /* of a plugin that is not usable here */
    }
    const int k = hg_constant_find(set, name, name_n);
    if (k < 0) {
        return hg_error(HGATE_ECONFIG, "%s: %s: plugin %s has no constant of that name",
                        entry->origin, entry->key, set->plugin->name);
    }
    const hgate_constant *constant = set->plugin->descriptor->constants[k];
    double value = 0;
    hg_config_constant(config, set->plugin->name, name, &value);
    if (!(value >= constant->lowest && value <= constant->highest)) {
        return hg_error(HGATE_ECONFIG, "%s: %s: %g is outside %g ... %g %s", entry->origin,
                        entry->key, value, constant->lowest, constant->highest,
                        constant->unit ? constant->unit : "");
    }
    set->values[k] = value;
    set->sources[k] = HG_CONSTANT_SETTING;
    return HGATE_OK;
}

static int apply_settings(hg_calib *calib, const hg_config *config)
{
    static const char prefix[] = "calibration.constants.";
    const size_t n = hg_config_entry_count(config);
    int status = HGATE_OK;
    for (size_t i = 0; i < n && status == HGATE_OK; i++) {
        const hg_config_entry entry = hg_config_entry_at(config, i);
        if (strncmp(entry.key, prefix, sizeof prefix - 1) == 0) {
            status = apply_setting(calib, config, &entry);
        }
    }
    return status;
}

/* ---- life --------------------------------------------------------------- */

static int fill(hg_calib *calib, const hg_config *config, const hg_plugin *const *plugins, int n,
                hg_log *log)
{
    for (int i = 0; i < n; i++) {
        calib->n = i + 1;
        const int status = make_set(&calib->sets[i], plugins[i], calib->allocator);
        if (status != HGATE_OK) {
            return status;
        }
    }
    hg_machine machine;
    int status = hg_machine_read(plugins, n, calib->allocator, &machine);
    if (status != HGATE_OK) {
        return status;
    }
    status = hg_calib_use_files(calib, config, &machine, log);
    hg_machine_release(&machine);
    return status == HGATE_OK ? apply_settings(calib, config) : status;
}

int hg_calib_new(const hg_config *config, const hg_plugin *const *plugins, int n, hg_log *log,
                 const hg_allocator *allocator, hg_calib **out)
{
    const size_t bytes = sizeof(hg_calib) + (size_t)n * sizeof(hg_constant_set);
    hg_calib *calib = hg_calloc(allocator, 1, bytes);
    if (!calib) {
        return hg_error_memory("calibration", bytes);
    }
    calib->allocator = allocator;
    const int status = fill(calib, config, plugins, n, log);
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
    hg_free(calib->allocator, calib->origin);
    hg_free(calib->allocator, calib->refusal);
    hg_free(calib->allocator, calib);
}

/* ---- queries ------------------------------------------------------------ */

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
    return calib->origin ? calib->origin : "defaults";
}

const char *hg_calib_refusal(const hg_calib *calib)
{
    return calib->refusal;
}

uint64_t hg_calib_hash(const hg_calib *calib)
{
    uint64_t hash = HG_HASH_START;
    for (int i = 0; i < calib->n; i++) {
        const hg_constant_set *set = &calib->sets[i];
        hash = hg_hash_text(hash, set->plugin->name);
        hash = hg_hash_bytes(hash, set->values, (size_t)set->n * sizeof *set->values);
    }
    return hash;
}
