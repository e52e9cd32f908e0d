// SPDX-License-Identifier: BSD-3-Clause
// Prints the plugins that a process finds, for tests that need a process of its own: "status path"
// a line.
#include "core/plugin/registry.h"

#include <headgate/headgate.h>
#include <stdio.h>

int main(void)
{
    hg_config *config;
    hg_plugin_list *list;
    if (hg_config_resolve(NULL, NULL, NULL, &config) != HGATE_OK ||
        hg_plugins_open(config, NULL, NULL, &list) != HGATE_OK) {
        fprintf(stderr, "%s\n", hgate_last_error());
        return 1;
    }
    for (int i = 0; i < hg_plugins_count(list); i++) {
        const hg_plugin *plugin = hg_plugins_get(list, i);
        printf("%s %s\n", hg_plugin_status_word(plugin->status), plugin->path);
    }
    hg_plugins_close(list);
    hg_config_release(config);
    return 0;
}
