/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin room hands to the rest: the plugins of one engine, usable and refused. */
#ifndef HG_REGISTRY_H
#define HG_REGISTRY_H

#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/config/config.h"

#include <headgate/plugin.h>
#include <stdbool.h>

/* One plugin file as an engine met it. Text belongs to the list. */
typedef struct hg_plugin {
    const char *name; /* NULL where the file did not tell */
    const char *path;
    int status;         /* enum hgate_plugin_status */
    const char *reason; /* "" when usable */
    /* the rest only when status is HGATE_PLUGIN_USABLE */
    const hgate_plugin
        *descriptor;  /* a validated view: fields behind the plugin's own size are 0 */
    hgate_host *host; /* this engine's service table for this plugin */
    void *state;
    int n_kernels;
    const hgate_kernel *const *kernels; /* validated views, sorted by op, then name */
} hg_plugin;

typedef struct hg_plugin_list hg_plugin_list;

/* Finds, checks, loads and probes every plugin that the configuration allows. Fails only for
 * plugins.files that do not exist, plugins.required that are not usable, and memory. */
int hg_plugins_open(const hg_config *config, const hg_allocator *allocator, hg_log *log,
                    hg_plugin_list **list);

/* For a caller that wants each file tried where it can do no harm, before it is mapped here. run()
 * calls step(file, 0), which maps the file, and when that is true step(file, 1), which probes it:
 * in a process that ends afterwards. HGATE_PLUGIN_USABLE; or the status of the file's record, with
 * the cause in `why`, and the file is left alone. */
typedef struct hg_trial {
    int (*run)(void *user, const char *path, bool (*step)(void *file, int i), void *file,
               hg_text *why);
    void *user;
} hg_trial;

/* hg_plugins_open() with a trial of each file; NULL: without. */
int hg_plugins_open_tried(const hg_config *config, const hg_allocator *allocator, hg_log *log,
                          const hg_trial *trial, hg_plugin_list **list);
void hg_plugins_close(hg_plugin_list *list);
int hg_plugins_count(const hg_plugin_list *list);
const hg_plugin *hg_plugins_get(const hg_plugin_list *list, int i);
/* Usable plugin of a name, or NULL. */
const hg_plugin *hg_plugins_find(const hg_plugin_list *list, const char *name);
/* Word of an enum hgate_plugin_status, "load_failed". */
const char *hg_plugin_status_word(int status);

#endif
