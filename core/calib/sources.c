/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calibration file counts, and whether it may be trusted. */
#include "core/calib/calib_int.h"

#include "core/base/error.h"

#include <headgate/status.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Files that ship: constants of a kind of processor or GPU, whoever owns it. */
static const char *const shipped[] = {
    HG_SYSCONF_DIR "/calibration-avx2.yaml",
    HG_SYSCONF_DIR "/calibration-avx512.yaml",
    HG_SYSCONF_DIR "/calibration-h200.yaml",
};

/* ---- trust -------------------------------------------------------------- */

/* What is wrong with one constant of a file; nothing for plugins that are not here. */
static bool is_trusted_value(hg_calib *calib, const hg_setting *setting, hg_text *why)
{
    const char *plugin, *name;
    size_t plugin_n, name_n;
    if (!hg_calib_file_is_value(setting->key, &plugin, &plugin_n, &name, &name_n)) {
        return true;
    }
    const hg_constant_set *set = hg_calib_find_set(calib, plugin, plugin_n);
    if (!set) {
        return true;
    }
    const int k = hg_constant_find(set, name, name_n);
    if (k < 0) {
        hg_text_printf(why, "%s: plugin %s has no constant %.*s", setting->origin,
                       set->plugin->name, (int)name_n, name);
        return false;
    }
    const hgate_constant *constant = set->plugin->descriptor->constants[k];
    const double value = setting->value.real;
    if (value >= constant->lowest && value <= constant->highest) {
        return true;
    }
    hg_text_printf(why, "%s: %s is %g, believable is %g ... %g", setting->origin, constant->name,
                   value, constant->lowest, constant->highest);
    return false;
}

/* Constants of another version of a plugin may mean something else. */
static bool is_same_version(hg_calib *calib, const hg_setting *setting, hg_text *why)
{
    size_t n, plugin_n;
    if (strcmp(hg_key_part(setting->key, 2, &n), "plugin_version") != 0) {
        return true;
    }
    const char *plugin = hg_key_part(setting->key, 1, &plugin_n);
    const hg_constant_set *set = hg_calib_find_set(calib, plugin, plugin_n);
    const char *version = set ? set->plugin->descriptor->version : NULL;
    if (!set || (version && strcmp(version, setting->value.text) == 0)) {
        return true;
    }
    hg_text_printf(why, "%s: it is for version %s of plugin %s, here is %s", setting->origin,
                   setting->value.text, set->plugin->name, version ? version : "none");
    return false;
}

static bool is_trusted(hg_calib *calib, const hg_calib_file *file, hg_text *why)
{
    for (const hg_setting *s = file->settings.first; s; s = s->next) {
        if (strncmp(s->key, "plugins.", strlen("plugins.")) == 0 &&
            (!is_same_version(calib, s, why) || !is_trusted_value(calib, s, why))) {
            return false;
        }
    }
    return true;
}

static void take(hg_calib *calib, const hg_calib_file *file)
{
    for (const hg_setting *s = file->settings.first; s; s = s->next) {
        const char *plugin, *name;
        size_t plugin_n, name_n;
        if (!hg_calib_file_is_value(s->key, &plugin, &plugin_n, &name, &name_n)) {
            continue;
        }
        hg_constant_set *set = hg_calib_find_set(calib, plugin, plugin_n);
        const int k = set ? hg_constant_find(set, name, name_n) : -1;
        if (k >= 0) {
            set->values[k] = s->value.real;
            set->sources[k] = HG_CONSTANT_FILE;
        }
    }
}

/* ---- one file ----------------------------------------------------------- */

typedef enum file_fate { FILE_USED, FILE_REFUSED, FILE_NO_MEMORY } file_fate;

static file_fate use_file(hg_calib *calib, const hg_machine *machine, const char *path,
                          hg_text *why)
{
    hg_calib_file file;
    const int status = hg_calib_file_read(path, calib->allocator, &file);
    if (status != HGATE_OK) {
        hg_text_put(why, hgate_last_error());
        return status == HGATE_ENOMEM ? FILE_NO_MEMORY : FILE_REFUSED;
    }
    file_fate fate = FILE_REFUSED;
    char reason[512];
    hg_text text = hg_text_over(reason, sizeof reason);
    if (!hg_calib_file_matches(&file, machine, &text)) {
        hg_text_printf(why, "%s: %s", path, reason);
    } else if (is_trusted(calib, &file, why)) {
        take(calib, &file);
        fate = FILE_USED;
    }
    hg_calib_file_release(&file);
    return fate;
}

static int note_used(hg_calib *calib, const char *path)
{
    hg_free(calib->allocator, calib->origin);
    calib->origin = hg_strdup(calib->allocator, path);
    return calib->origin ? HGATE_OK : hg_error_memory("calibration", strlen(path));
}

static int note_refused(hg_calib *calib, const hg_config *config, const char *why, hg_log *log)
{
    static const char key[] = "calibration.on_mismatch";
    if (strcmp(hg_config_text(config, key), "error") == 0) {
        return hg_error(HGATE_ECONFIG, "calibration: %s", why);
    }
    hg_log_line(log, HGATE_LOG_WARN, "calib", "%s; the default constants are used", why);
    calib->refusal = hg_strdup(calib->allocator, why);
    return calib->refusal ? HGATE_OK : hg_error_memory("calibration", strlen(why));
}

/* A file that somebody made for this machine: refusing it is worth a warning. */
static int use_named(hg_calib *calib, const hg_config *config, const hg_machine *machine,
                     const char *path, hg_log *log)
{
    char why[1024];
    hg_text text = hg_text_over(why, sizeof why);
    switch (use_file(calib, machine, path, &text)) {
    case FILE_USED:
        return note_used(calib, path);
    case FILE_NO_MEMORY:
        return hg_error(HGATE_ENOMEM, "%s", why);
    default:
        return note_refused(calib, config, why, log);
    }
}

/* Files that ship are for some machines; that they are not for this one is no news. */
static int use_shipped(hg_calib *calib, const hg_machine *machine, hg_log *log)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char why[1024];
        hg_text text = hg_text_over(why, sizeof why);
        if (access(shipped[i], F_OK) != 0) {
            continue;
        }
        const file_fate fate = use_file(calib, machine, shipped[i], &text);
        if (fate == FILE_NO_MEMORY) {
            return hg_error(HGATE_ENOMEM, "%s", why);
        }
        if (fate == FILE_REFUSED) {
            hg_log_line(log, HGATE_LOG_DEBUG, "calib", "%s", why);
        } else if (note_used(calib, shipped[i]) != HGATE_OK) {
            return HGATE_ENOMEM;
        }
    }
    return HGATE_OK;
}

int hg_calib_use_files(hg_calib *calib, const hg_config *config, const hg_machine *machine,
                       hg_log *log)
{
    const char *named = hg_config_text(config, "calibration.file");
    if (named) {
        return use_named(calib, config, machine, named, log);
    }
    int status = use_shipped(calib, machine, log);
    char path[PATH_MAX];
    hg_text text = hg_text_over(path, sizeof path);
    if (status == HGATE_OK && hg_calib_user_path(machine, &text) && access(path, F_OK) == 0) {
        status = use_named(calib, config, machine, path, log);
    }
    return status;
}
