/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugins of one engine: each file of the search path, and what became of it. */
#include "core/plugin/registry.h"

#include "core/base/error.h"
#include "core/base/fp_mode.h"
#include "core/plugin/fork_guard.h"
#include "core/plugin/host_services.h"
#include "core/plugin/loaded.h"
#include "core/plugin/path.h"
#include "core/plugin/probe.h"

#include <stdlib.h>
#include <string.h>

/* Where the installed plugins are. */
#ifndef HG_PLUGIN_DIR
#error "HG_PLUGIN_DIR comes from the build"
#endif

typedef struct slot {
    hg_plugin plugin;
    hg_host host;
    hg_loaded *loaded; /* NULL: not held */
} slot;

struct hg_plugin_list {
    const hg_config *config;
    const hg_allocator *allocator;
    hg_log *log;
    const hg_trial *trial; /* while it is filled; NULL: none */
    hg_arena arena;
    slot *slots;
    int n;
};

static const char component[] = "plugin";

/* Words of enum hgate_plugin_status, and how loud the log is about one that was not wished for. */
static const struct {
    const char *word;
    int level;
} statuses[] = {
    [HGATE_PLUGIN_USABLE] = {"usable", HGATE_LOG_DEBUG},
    [HGATE_PLUGIN_LOAD_FAILED] = {"load_failed", HGATE_LOG_WARN},
    [HGATE_PLUGIN_NO_DESCRIPTOR] = {"no_descriptor", HGATE_LOG_WARN},
    [HGATE_PLUGIN_BAD_MAGIC] = {"bad_magic", HGATE_LOG_WARN},
    [HGATE_PLUGIN_BAD_ABI] = {"abi_major", HGATE_LOG_WARN},
    [HGATE_PLUGIN_BAD_SIZE] = {"bad_size", HGATE_LOG_WARN},
    [HGATE_PLUGIN_MALFORMED] = {"malformed", HGATE_LOG_WARN},
    [HGATE_PLUGIN_SHADOWED] = {"shadowed", HGATE_LOG_INFO},
    [HGATE_PLUGIN_DISABLED] = {"disabled", HGATE_LOG_INFO},
    [HGATE_PLUGIN_UNAVAILABLE] = {"unavailable", HGATE_LOG_INFO},
    [HGATE_PLUGIN_PERMISSION] = {"permission", HGATE_LOG_WARN},
};

const char *hg_plugin_status_word(int status)
{
    size_t n = sizeof statuses / sizeof *statuses;
    return status >= 0 && (size_t)status < n ? statuses[status].word : "unknown";
}

/* ---- one file -------------------------------------------------------------------------------- */

/* Names are settled before a plugin runs: is it switched off, or is there one of this name? */
static int check_name(const hg_plugin_list *list, const char *name, hg_text *why)
{
    const char *key;
    const char *origin;
    if (hg_config_killed_plugin(list->config, name, &key, &origin)) {
        hg_text_printf(why, "switched off by %s (%s)", key, origin);
        return HGATE_PLUGIN_DISABLED;
    }
    const hg_plugin *first = hg_plugins_find(list, name);
    if (first) {
        hg_text_put(why, "shadowed by ");
        hg_text_put_untrusted(why, first->path, strlen(first->path), SIZE_MAX);
        return HGATE_PLUGIN_SHADOWED;
    }
    return HGATE_PLUGIN_USABLE;
}

static int load(hg_plugin_list *list, slot *s, const char *folder, hg_text *why)
{
    bool is_lenient = hg_config_bool(list->config, "plugins.allow_insecure_path");
    hg_vetted file;
    int status = hg_vet(s->plugin.path, folder, is_lenient, &file, why);
    if (status != HGATE_PLUGIN_USABLE) {
        return status;
    }
    if (why->length > 0) {
        hg_log_line(list->log, HGATE_LOG_WARN, component,
                    "%s is loaded because of plugins.allow_insecure_path, though: %s",
                    s->plugin.path, why->data);
        hg_text_clear(why);
    }
    status = hg_loaded_take(&file, &s->loaded, why);
    hg_vetted_release(&file);
    return status;
}

static int start(hg_plugin_list *list, slot *s, hg_text *why)
{
    const hg_view *view = hg_loaded_view(s->loaded);
    hg_plugin *plugin = &s->plugin;
    plugin->name = view->plugin.name;
    int status = check_name(list, plugin->name, why);
    if (status != HGATE_PLUGIN_USABLE) {
        return status;
    }
    if (view->note.length > 0) {
        hg_log_line(list->log, HGATE_LOG_INFO, component, "%s: %s", plugin->name, view->note.data);
    }
    hg_host_init(&s->host, list->config, list->allocator, list->log, plugin->name);
    status = hg_probe(&view->plugin, &s->host.table, &plugin->state, why);
    if (status == HGATE_PLUGIN_USABLE) {
        plugin->descriptor = &view->plugin;
        plugin->host = &s->host.table;
        plugin->n_kernels = (int)view->plugin.n_kernels;
        plugin->kernels = view->plugin.kernels;
    }
    return status;
}

static void let_go(slot *s, int status)
{
    if (status == HGATE_PLUGIN_USABLE) {
        s->plugin.descriptor->release(s->plugin.state);
    }
    if (s->loaded) {
        hg_loaded_give_back(s->loaded);
    }
}

/* ---- trials ---------------------------------------------------------------------------------- */

typedef struct tried {
    hg_plugin_list *list;
    slot slot; /* a copy: what happens to it stays in the trial */
    const char *folder;
} tried;

static bool try_step(void *file, int i)
{
    tried *t = file;
    hg_text why = hg_text_growing(NULL);
    hg_log *log = t->list->log;
    t->list->log = NULL; /* what there is to tell is told when the file is loaded for good */
    const int status =
        i == 0 ? load(t->list, &t->slot, t->folder, &why) : start(t->list, &t->slot, &why);
    if (i == 1) {
        let_go(&t->slot, status);
    }
    t->list->log = log;
    hg_text_release(&why);
    return i == 0 && status == HGATE_PLUGIN_USABLE;
}

static int try_outside(hg_plugin_list *list, const slot *s, const char *folder, hg_text *why)
{
    tried file = {.list = list, .slot = *s, .folder = folder};
    return list->trial ? list->trial->run(list->trial->user, s->plugin.path, try_step, &file, why)
                       : HGATE_PLUGIN_USABLE;
}

/* Fills the next slot. Negative only for memory: whatever is wrong with a file is its record. */
static int open_candidate(hg_plugin_list *list, const hg_candidate *candidate)
{
    slot *s = &list->slots[list->n];
    *s = (slot){.plugin = {.name = candidate->name, .path = candidate->path}};
    hg_text why = hg_text_growing(list->allocator);
    hg_fp_mode mode;
    hg_fp_mode_keep(&mode);
    /* What the name of the file tells is enough to leave a file alone. */
    int status = candidate->name ? check_name(list, candidate->name, &why) : HGATE_PLUGIN_USABLE;
    if (status == HGATE_PLUGIN_USABLE) {
        status = try_outside(list, s, candidate->folder, &why);
    }
    if (status == HGATE_PLUGIN_USABLE) {
        status = load(list, s, candidate->folder, &why);
    }
    if (status == HGATE_PLUGIN_USABLE) {
        status = start(list, s, &why);
    }
    if (hg_fp_mode_put_back(&mode)) {
        hg_log_line(list->log, HGATE_LOG_WARN, component,
                    "%s: changed the floating-point mode while it was loaded; it is put back",
                    s->plugin.path);
    }
    s->plugin.status = status;
    s->plugin.reason = hg_arena_strdup(&list->arena, why.data);
    hg_text_release(&why);
    list->n++; /* from here on closing the list cleans it up */
    if (status < 0 || !s->plugin.reason) {
        return hg_error_memory("record of a plugin", sizeof *s);
    }
    hg_log_line(list->log, statuses[status].level, component, "%s: %s%s%s", s->plugin.path,
                statuses[status].word, *s->plugin.reason ? ": " : "", s->plugin.reason);
    return HGATE_OK;
}

/* ---- all files ------------------------------------------------------------------------------- */

static int list_of(const hg_config *config, const char *key, hg_arena *arena,
                   const char *const **items, size_t *n)
{
    *n = hg_config_count(config, key);
    const char **copy = hg_arena_array(arena, *n, sizeof *copy);
    if (!copy) {
        return hg_error_memory(key, *n * sizeof *copy);
    }
    for (size_t i = 0; i < *n; i++) {
        copy[i] = hg_config_item(config, key, i);
    }
    *items = copy;
    return HGATE_OK;
}

/* HEADGATE_PLUGIN_PATH comes in as the first folders of plugins.path. */
static int find_candidates(hg_plugin_list *list, const hg_candidate **candidates, size_t *n)
{
    const hg_config *config = list->config;
    hg_search search = {0};
    int status = list_of(config, "plugins.files", &list->arena, &search.files, &search.n_files);
    if (status == HGATE_OK) {
        status = list_of(config, "plugins.path", &list->arena, &search.folders, &search.n_folders);
    }
    if (status != HGATE_OK) {
        return status;
    }
    if (hg_config_bool(config, "plugins.use_default_path")) {
        search.default_folder = HG_PLUGIN_DIR;
    }
    return hg_search_run(&search, &list->arena, list->log, candidates, n);
}

/* plugins.required: "a GPU or nothing". */
static int check_required(const hg_plugin_list *list)
{
    static const char key[] = "plugins.required";
    for (size_t i = 0; i < hg_config_count(list->config, key); i++) {
        const char *name = hg_config_item(list->config, key, i);
        if (hg_plugins_find(list, name)) {
            continue;
        }
        for (int k = 0; k < list->n; k++) {
            const hg_plugin *plugin = &list->slots[k].plugin;
            if (plugin->name && strcmp(plugin->name, name) == 0) {
                return hg_error(HGATE_EUNAVAILABLE, "%s: %s is not usable: %s: %s: %s", key, name,
                                plugin->path, statuses[plugin->status].word, plugin->reason);
            }
        }
        return hg_error(HGATE_EUNAVAILABLE, "%s: no plugin %s was found", key, name);
    }
    return HGATE_OK;
}

static int fill(hg_plugin_list *list)
{
    const hg_candidate *candidates;
    size_t n;
    int status = find_candidates(list, &candidates, &n);
    if (status != HGATE_OK) {
        return status;
    }
    list->slots = hg_arena_array(&list->arena, n, sizeof *list->slots);
    if (!list->slots) {
        return hg_error_memory("list of plugins", n * sizeof *list->slots);
    }
    for (size_t i = 0; i < n && status == HGATE_OK; i++) {
        status = open_candidate(list, &candidates[i]);
    }
    return status == HGATE_OK ? check_required(list) : status;
}

static void empty(hg_plugin_list *list)
{
    while (list->n > 0) {
        slot *s = &list->slots[--list->n];
        let_go(s, s->plugin.status);
    }
    hg_arena_release(&list->arena);
    hg_free(list->allocator, list);
}

int hg_plugins_open(const hg_config *config, const hg_allocator *allocator, hg_log *log,
                    hg_plugin_list **out)
{
    return hg_plugins_open_tried(config, allocator, log, NULL, out);
}

int hg_plugins_open_tried(const hg_config *config, const hg_allocator *allocator, hg_log *log,
                          const hg_trial *trial, hg_plugin_list **out)
{
    hg_plugin_list *list = hg_calloc(allocator, 1, sizeof *list);
    if (!list) {
        return hg_error_memory("list of plugins", sizeof *list);
    }
    list->config = config;
    list->allocator = allocator;
    list->log = log;
    list->trial = trial;
    hg_arena_init(&list->arena, allocator);
    hg_fork_watch();
    int status = hg_loader_lock();
    if (status != HGATE_OK) {
        hg_free(allocator, list);
        return status;
    }
    status = fill(list);
    if (status == HGATE_OK) {
        *out = list;
    } else {
        empty(list);
    }
    hg_loader_unlock();
    return status;
}

void hg_plugins_close(hg_plugin_list *list)
{
    if (list && hg_loader_lock() == HGATE_OK) {
        empty(list);
        hg_loader_unlock();
    }
}

int hg_plugins_count(const hg_plugin_list *list)
{
    return list->n;
}

const hg_plugin *hg_plugins_get(const hg_plugin_list *list, int i)
{
    return i >= 0 && i < list->n ? &list->slots[i].plugin : NULL;
}

const hg_plugin *hg_plugins_find(const hg_plugin_list *list, const char *name)
{
    for (int i = 0; i < list->n; i++) {
        const hg_plugin *plugin = &list->slots[i].plugin;
        if (plugin->status == HGATE_PLUGIN_USABLE && strcmp(plugin->name, name) == 0) {
            return plugin;
        }
    }
    return NULL;
}
