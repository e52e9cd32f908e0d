/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on configurations. */
#include "core/config/builder.h"
#include "core/config/env.h"
#include "core/config/print.h"
#include "core/config/yaml.h"

#include "core/base/error.h"

#include <headgate/engine.h>
#include <string.h>

static const char system_file[] = HG_SYSCONF_DIR "/headgate.yaml";

static int refuse_null(const char *argument)
{
    return hg_error(HGATE_EINVAL, "%s: is NULL", argument);
}

int hg_config_builder_new(const hg_schema *schema, const hg_allocator *allocator,
                          hgate_config **out)
{
    hgate_config *config = hg_calloc(allocator, 1, sizeof *config);
    if (!config) {
        return hg_error_memory("config", sizeof *config);
    }
    config->allocator = allocator;
    hg_settings_init(&config->settings, schema, allocator);
    *out = config;
    return HGATE_OK;
}

int hgate_config_new(hgate_config **config)
{
    if (!config) {
        return refuse_null("config");
    }
    return hg_config_builder_new(hg_schema_headgate(), NULL, config);
}

void hgate_config_free(hgate_config *config)
{
    if (config) {
        hg_settings_release(&config->settings);
        hg_free(config->allocator, config);
    }
}

int hgate_config_load(hgate_config *config, const char *path)
{
    if (!config || !path) {
        return refuse_null(config ? "path" : "config");
    }
    const int status = hg_yaml_read_file(&config->settings, path);
    config->has_file = config->has_file || status == HGATE_OK;
    return status;
}

int hgate_config_load_text(hgate_config *config, const char *yaml, size_t n, const char *label)
{
    if (!config || (!yaml && n > 0)) {
        return refuse_null(config ? "yaml" : "config");
    }
    const int status =
        hg_yaml_read(&config->settings, yaml ? yaml : "", n, label ? label : "text", NULL);
    config->has_file = config->has_file || status == HGATE_OK;
    return status;
}

int hg_config_builder_set(hgate_config *config, const char *key, const char *value,
                          const char *origin)
{
    char buffer[HG_PROBLEM_BYTES];
    hg_text why = hg_text_over(buffer, sizeof buffer);
    const int status = hg_settings_set(&config->settings, key, value, origin, HG_LAYER_API, &why);
    if (status == HGATE_ENOMEM) {
        return hg_error(status, "config: no memory for a setting");
    }
    return status == HGATE_OK ? HGATE_OK : hg_error(status, "%s", buffer);
}

int hgate_config_set(hgate_config *config, const char *key, const char *value)
{
    if (!config || !key) {
        return refuse_null(config ? "key" : "config");
    }
    return hg_config_builder_set(config, key, value, "api");
}

int hg_config_resolve(const hgate_config *api, const hg_allocator *allocator, hg_log *log,
                      hg_config **out)
{
    const hg_sources sources = {.schema = api ? api->settings.schema : hg_schema_headgate(),
                                .api = api,
                                .environment = hg_env_of_process(),
                                .system_file = system_file};
    return hg_config_merge(&sources, allocator, log, out);
}

int hgate_config_dump(const hgate_config *config, hgate_write_fn write, void *user)
{
    if (!write) {
        return refuse_null("write");
    }
    hg_config *effective;
    int status = hg_config_resolve(config, config ? config->allocator : NULL, NULL, &effective);
    if (status == HGATE_OK) {
        status = hg_config_print(effective, write, user);
        hg_config_release(effective);
    }
    return status;
}
