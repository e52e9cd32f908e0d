/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the plugin and kernel names of kill switches and forced choices. */
#include "core/config/notes.h"

#include "core/config/suggest.h"

#include <headgate/status.h>
#include <string.h>

typedef struct part {
    const char *text;
    size_t n;
} part;

static part key_part(const char *key, int i)
{
    part p;
    p.text = hg_key_part(key, i, &p.n);
    return p;
}

static bool is_word(part p, const char *word)
{
    return strlen(word) == p.n && memcmp(p.text, word, p.n) == 0;
}

static bool is_listed(const char *const *list, part p)
{
    for (size_t i = 0; list[i]; i++) {
        if (is_word(p, list[i])) {
            return true;
        }
    }
    return false;
}

/* A plugin that is not ours, but nearly. */
static int note_plugin(hg_settings *settings, const hg_setting *setting, part plugin)
{
    hg_suggestion near = hg_suggest(plugin.text, plugin.n);
    for (size_t i = 0; settings->schema->plugins[i]; i++) {
        hg_suggest_offer(&near, settings->schema->plugins[i], strlen(settings->schema->plugins[i]));
    }
    if (!near.best) {
        return HGATE_OK;
    }
    return hg_settings_note(settings,
                            "%s: %s: no plugin \"%.*s\" comes with this library; did you "
                            "mean \"%s\"?",
                            setting->origin, setting->key, (int)plugin.n, plugin.text, near.best);
}

/* A kernel that a plugin of ours does not have for the operation. */
static int note_kernel(hg_settings *settings, const hg_setting *setting, part op, part plugin,
                       part kernel)
{
    for (const hg_known_kernels *row = settings->schema->kernels; row->op; row++) {
        if (!is_word(op, row->op) || !is_word(plugin, row->plugin)) {
            continue;
        }
        if (hg_words_have(row->kernels, kernel.text, kernel.n)) {
            return HGATE_OK;
        }
        return hg_settings_note(settings,
                                "%s: %s: no kernel \"%.*s\" of %s for %s is known; known: %s",
                                setting->origin, setting->key, (int)kernel.n, kernel.text,
                                row->plugin, row->op, row->kernels);
    }
    return hg_settings_note(settings, "%s: %s: plugin %.*s is not known to serve %.*s",
                            setting->origin, setting->key, (int)plugin.n, plugin.text, (int)op.n,
                            op.text);
}

/* The part of the setting's key where its row has this placeholder; no text when it has none. */
static part named_part(const hg_setting *setting, const char *placeholder)
{
    const char *pattern = setting->row->key;
    for (int i = 0; *pattern; i++) {
        const part p = {pattern, strcspn(pattern, ".")};
        if (is_word(p, placeholder)) {
            return key_part(setting->key, i);
        }
        pattern += p.n + (pattern[p.n] == '.');
    }
    return (part){NULL, 0};
}

int hg_note_names(hg_settings *settings, const hg_setting *setting)
{
    const part op = named_part(setting, "<op>");
    part plugin = named_part(setting, "<plugin>");
    part kernel = named_part(setting, "<kernel>");
    if (setting->row->type == HG_TYPE_CHOICE && setting->value.text) {
        plugin = (part){setting->value.text, strcspn(setting->value.text, "/")};
        if (plugin.text[plugin.n] == '/') {
            kernel.text = plugin.text + plugin.n + 1;
            kernel.n = strlen(kernel.text);
        }
    }
    if (!plugin.text) {
        return HGATE_OK;
    }
    if (!is_listed(settings->schema->plugins, plugin)) {
        return note_plugin(settings, setting, plugin);
    }
    return kernel.text ? note_kernel(settings, setting, op, plugin, kernel) : HGATE_OK;
}
