/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints an effective configuration as YAML. */
#include "core/config/print.h"

#include "core/base/error.h"
#include "core/config/effective.h"

#include <string.h>

/* Bytes of the sections that both keys are in, dots included. */
static size_t common_sections(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++) {
        if (a[i] == '.') {
            common = i + 1;
        }
    }
    return common;
}

/* Lines of the sections that begin with this key; then its own line. */
static void put_entry(hg_text *out, const char *previous, const hg_effective *entry)
{
    const char *key = entry->key;
    const size_t common = common_sections(previous, key);
    size_t depth = 0;
    for (const char *part = key, *dot; (dot = strchr(part, '.')); part = dot + 1, depth++) {
        if ((size_t)(part - key) >= common) {
            hg_text_put_repeated(out, ' ', 2 * depth);
            hg_text_put_n(out, part, (size_t)(dot - part));
            hg_text_put(out, ":\n");
        }
    }
    const char *last = strrchr(key, '.');
    hg_text_put_repeated(out, ' ', 2 * depth);
    hg_text_printf(out, "%s: ", last ? last + 1 : key);
    if (!entry->value.text) {
        hg_text_put_char(out, '~');
    } else if (hg_type_is_list(entry->row->type)) {
        hg_text_put(out, entry->value.text);
    } else {
        hg_put_scalar(out, entry->value.text);
    }
    hg_text_printf(out, "  # %s\n", entry->origin);
}

int hg_config_print(const hg_config *config, hgate_write_fn write, void *user)
{
    hg_text out = hg_text_growing(config->allocator);
    const char *previous = "";
    for (int is_version = 1; is_version >= 0; is_version--) { /* the version comes first */
        for (size_t i = 0; i < config->n_entries; i++) {
            const hg_effective *entry = &config->entries[i];
            if ((entry->row->role == HG_KEY_VERSION) == is_version) {
                put_entry(&out, previous, entry);
                previous = entry->key;
            }
        }
    }
    int status = HGATE_OK;
    if (out.is_cut) {
        status = hg_error_memory("configuration", out.length);
    } else if (write(user, out.data, out.length) != 0) {
        status = hg_error(HGATE_ESTOPPED, "configuration: stopped by the caller");
    }
    hg_text_release(&out);
    return status;
}
