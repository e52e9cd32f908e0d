/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: the plugins of a configuration given as text, opened as an engine opens them. */
#ifndef HG_TESTS_PLUGIN_LIST_H
#define HG_TESTS_PLUGIN_LIST_H

#include "core/plugin/registry.h"

#include <check.h>
#include <headgate/headgate.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A resolved configuration from YAML made like printf. Release it. */
__attribute__((format(printf, 1, 2))) static inline hg_config *make_config(const char *format, ...)
{
    char yaml[16384];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(yaml, sizeof yaml, format, arguments);
    va_end(arguments);
    ck_assert_int_lt(n, (int)sizeof yaml);
    hgate_config *api;
    hg_config *config;
    ck_assert_int_eq(hgate_config_new(&api), HGATE_OK);
    ck_assert_msg(hgate_config_load_text(api, yaml, (size_t)n, "test.yaml") == HGATE_OK, "%s\n%s",
                  hgate_last_error(), yaml);
    ck_assert_msg(hg_config_resolve(api, NULL, NULL, &config) == HGATE_OK, "%s",
                  hgate_last_error());
    hgate_config_free(api);
    return config;
}

/* What every test configuration begins with: nothing is found that the test did not name. */
#define ONLY_NAMED "version: 1\nplugins:\n  use_default_path: false\n"

static inline hg_plugin_list *open_plugins(const hg_config *config, hg_log *log)
{
    hg_plugin_list *list;
    ck_assert_msg(hg_plugins_open(config, NULL, log, &list) == HGATE_OK, "%s", hgate_last_error());
    return list;
}

/* The record of the file of this name (without its folder), or NULL. */
static inline const hg_plugin *record_of(const hg_plugin_list *list, const char *file)
{
    for (int i = 0; i < hg_plugins_count(list); i++) {
        const hg_plugin *plugin = hg_plugins_get(list, i);
        const char *slash = strrchr(plugin->path, '/');
        if (strcmp(slash + 1, file) == 0) {
            return plugin;
        }
    }
    return NULL;
}

#endif
