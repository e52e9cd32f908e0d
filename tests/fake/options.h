/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fake plugin is told to do: options of the configuration over defaults of the plugin. */
#ifndef HG_TESTS_FAKE_OPTIONS_H
#define HG_TESTS_FAKE_OPTIONS_H

#include <headgate/plugin_util.h>
#include <stdlib.h>
#include <string.h>

/* Of one kernel. Texts live as long as the engine. */
typedef struct fake_options {
    double seconds, sleep, fill, drift, work_fraction;
    const char *estimate, *ws_lie, *refuse, *probe, *habit;
    long ws_bytes, ws_device_bytes, prepared_bytes, device_memory;
    long fail_status, fail_times, fail_after_write, fail_prepare, sync_status;
    long progress, vals_finite, write;
} fake_options;

/* Value of "key=" in "key=value;key=value", copied into `value`. */
static int fake_find_default(const char *defaults, const char *key, char *value, size_t size)
{
    size_t n = strlen(key);
    while (*defaults) {
        size_t length = strcspn(defaults, ";");
        if (strncmp(defaults, key, n) == 0 && defaults[n] == '=') {
            snprintf(value, size, "%.*s", (int)(length - n - 1), defaults + n + 1);
            return 1;
        }
        defaults += length + (defaults[length] == ';');
    }
    return 0;
}

typedef struct fake_source {
    const hgate_host *host;
    const char *defaults;
    const char *kernel;
    char value[200];
} fake_source;

/* The text of an option: for this kernel, for all, the plugin's default; NULL when there is none.
 * Texts of the host live on, the others until the next call. */
static const char *fake_text(fake_source *source, const char *key)
{
    char narrow[80];
    snprintf(narrow, sizeof narrow, "%s_%s", key, source->kernel);
    const char *text = source->host->option(source->host, narrow);
    if (!text) {
        text = source->host->option(source->host, key);
    }
    if (!text &&
        (fake_find_default(source->defaults, narrow, source->value, sizeof source->value) ||
         fake_find_default(source->defaults, key, source->value, sizeof source->value))) {
        text = source->value;
    }
    return text;
}

static double fake_real(fake_source *source, const char *key, double otherwise)
{
    const char *text = fake_text(source, key);
    return text ? strtod(text, NULL) : otherwise;
}

static long fake_long(fake_source *source, const char *key, long otherwise)
{
    const char *text = fake_text(source, key);
    return text ? strtol(text, NULL, 10) : otherwise;
}

/* Words are few; those of the defaults are copied once and live on as the plugin does. */
static const char *fake_word(fake_source *source, const char *key, const char *otherwise)
{
    const char *text = fake_text(source, key);
    if (text == source->value) {
        static char kept[16][200];
        static int n;
        for (int i = 0; i < n; i++) {
            if (strcmp(kept[i], text) == 0) {
                return kept[i];
            }
        }
        strcpy(kept[n], text); /* probes run under the loader lock */
        return kept[n++];
    }
    return text ? text : otherwise;
}

static void fake_read_options(fake_source *source, fake_options *o)
{
    o->seconds = fake_real(source, "seconds", 1e-3);
    o->sleep = fake_real(source, "sleep", 0);
    o->fill = fake_real(source, "fill", 1);
    o->drift = fake_real(source, "drift", 0);
    o->work_fraction = fake_real(source, "work_fraction", 0.5);
    o->estimate = fake_word(source, "estimate", "ok");
    o->ws_lie = fake_word(source, "ws_lie", "no");
    o->refuse = fake_word(source, "refuse", "");
    o->probe = fake_word(source, "probe", "ok");
    o->habit = fake_word(source, "habit", "none");
    o->ws_bytes = fake_long(source, "ws_bytes", 0);
    o->ws_device_bytes = fake_long(source, "ws_device_bytes", 0);
    o->prepared_bytes = fake_long(source, "prepared_bytes", 0);
    o->device_memory = fake_long(source, "device_memory", 0);
    o->fail_status = fake_long(source, "fail_status", 0);
    o->fail_times = fake_long(source, "fail_times", -1);
    o->fail_after_write = fake_long(source, "fail_after_write", 0);
    o->fail_prepare = fake_long(source, "fail_prepare", 0);
    o->sync_status = fake_long(source, "sync_status", 0);
    o->progress = fake_long(source, "progress", 0);
    o->write = fake_long(source, "write", 1);
    o->vals_finite = fake_long(source, "vals_finite", 1);
}

#endif
