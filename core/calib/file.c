/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a calibration file and compares it with the machine. */
#include "core/calib/file.h"

#include "core/base/error.h"
#include "core/config/file.h"
#include "core/config/yaml.h"

#include <headgate/status.h>
#include <string.h>

int hg_calib_file_read_text(const char *text, size_t n, const char *label,
                            const hg_allocator *allocator, hg_calib_file *out)
{
    hg_settings_init(&out->settings, hg_calib_schema(), allocator);
    int status = hg_yaml_read(&out->settings, text, n, label, NULL);
    if (status == HGATE_OK) {
        const hg_setting *end = hg_calib_file_find(out, "end");
        if (!end || !end->value.integer) {
            status = hg_error(HGATE_ECONFIG, "%s: \"end: true\" is missing, the file was cut short",
                              label);
        }
    }
    if (status != HGATE_OK) {
        hg_settings_release(&out->settings);
    }
    return status;
}

int hg_calib_file_read(const char *path, const hg_allocator *allocator, hg_calib_file *out)
{
    hg_file file;
    int status = hg_file_read(path, HG_YAML_BYTES, allocator, &file);
    if (status == HGATE_OK) {
        status = hg_calib_file_read_text(file.text, file.n, path, allocator, out);
        hg_free(allocator, file.text);
    }
    return status;
}

void hg_calib_file_release(hg_calib_file *file)
{
    hg_settings_release(&file->settings);
}

const hg_setting *hg_calib_file_find(const hg_calib_file *file, const char *key)
{
    const hg_setting *setting = file->settings.first;
    while (setting && strcmp(setting->key, key) != 0) {
        setting = setting->next;
    }
    return setting;
}

/* ---- the machine -------------------------------------------------------- */

static bool differs(const char *what, const char *file, const char *machine, hg_text *why)
{
    if (strcmp(file, machine) == 0) {
        return false;
    }
    hg_text_printf(why, "it is for %s ", what);
    hg_text_put_untrusted(why, file[0] ? file : "none", file[0] ? strlen(file) : 4, 120);
    hg_text_printf(why, ", this machine has %s", machine[0] ? machine : "none");
    return true;
}

/* Is a text one of the machine's "A; B; B"? */
static bool has_gpu(const char *gpus, const char *name, size_t n)
{
    for (;;) {
        const char *end = strstr(gpus, "; ");
        const size_t length = end ? (size_t)(end - gpus) : strlen(gpus);
        if (length == n && memcmp(gpus, name, n) == 0) {
            return true;
        }
        if (!end) {
            return false;
        }
        gpus = end + 2;
    }
}

/* The models count, not how many there are of each. */
static bool gpus_differ(const hg_setting *setting, const hg_machine *machine, hg_text *why)
{
    char joined[1024];
    hg_text text = hg_text_over(joined, sizeof joined);
    bool is_same = true;
    for (size_t i = 0; i < setting->value.n_items; i++) {
        const char *item = setting->value.items[i];
        hg_text_printf(&text, "%s%s", i ? "; " : "", item);
        is_same = is_same && has_gpu(machine->gpus, item, strlen(item));
    }
    for (const char *at = machine->gpus; *at && is_same;) {
        const size_t n = strcspn(at, ";");
        is_same = has_gpu(joined, at, n);
        at += n + (at[n] ? 2 : 0);
    }
    return !is_same && differs("GPUs", joined, machine->gpus, why);
}

static bool cores_differ(const hg_setting *setting, const hg_machine *machine, hg_text *why)
{
    if (setting->value.integer == machine->cores) {
        return false;
    }
    hg_text_printf(why, "it is for %lld cores, this machine has %lld",
                   (long long)setting->value.integer, (long long)machine->cores);
    return true;
}

bool hg_calib_file_matches(const hg_calib_file *file, const hg_machine *machine, hg_text *why)
{
    static const char prefix[] = "fingerprint.";
    int n = 0;
    for (const hg_setting *s = file->settings.first; s; s = s->next) {
        if (strncmp(s->key, prefix, sizeof prefix - 1) != 0) {
            continue;
        }
        const char *part = s->key + sizeof prefix - 1;
        const char *text = s->value.text ? s->value.text : "";
        n++;
        if ((strcmp(part, "cpu") == 0 && differs("processor", text, machine->cpu, why)) ||
            (strcmp(part, "isa") == 0 && differs("instruction set", text, machine->isa, why)) ||
            (strcmp(part, "blas") == 0 && differs("BLAS", text, machine->blas, why)) ||
            (strcmp(part, "cores") == 0 && cores_differ(s, machine, why)) ||
            (strcmp(part, "gpu") == 0 && gpus_differ(s, machine, why))) {
            return false;
        }
    }
    if (n == 0) {
        hg_text_put(why, "it has no fingerprint");
    }
    return n > 0;
}

/* ---- constants ---------------------------------------------------------- */

bool hg_calib_file_is_value(const char *key, const char **plugin, size_t *plugin_n,
                            const char **constant, size_t *constant_n)
{
    size_t n;
    const char *first = hg_key_part(key, 0, &n);
    if (n != strlen("plugins") || strncmp(first, "plugins", n) != 0) {
        return false;
    }
    const char *third = hg_key_part(key, 2, &n);
    if (n != strlen("constants") || strncmp(third, "constants", n) != 0) {
        return false;
    }
    const char *last = hg_key_part(key, 4, &n);
    if (n != strlen("value") || strncmp(last, "value", n) != 0) {
        return false;
    }
    *plugin = hg_key_part(key, 1, plugin_n);
    *constant = hg_key_part(key, 3, constant_n);
    return true;
}
