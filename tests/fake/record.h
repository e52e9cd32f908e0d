/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: what a fake plugin noted since its engine was opened (README.md). */
#ifndef HG_TESTS_FAKE_RECORD_H
#define HG_TESTS_FAKE_RECORD_H

#include "core/plugin/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fake_record {
    const char *key;
    char value[64]; /* "" when there is no such row */
} fake_record;

static inline void fake_record_row(void *user, const char *key, const char *value)
{
    fake_record *record = user;
    if (strcmp(key, record->key) == 0) {
        snprintf(record->value, sizeof record->value, "%s", value);
    }
}

static inline fake_record fake_record_of(const hg_plugin *plugin, const char *key)
{
    fake_record record = {.key = key};
    plugin->descriptor->describe(plugin->state, fake_record_row, &record);
    return record;
}

/* A count or a number: fake_count(plugin, "run"). -1 when there is no such row. */
static inline long fake_count(const hg_plugin *plugin, const char *key)
{
    fake_record record = fake_record_of(plugin, key);
    return record.value[0] ? strtol(record.value, NULL, 10) : -1;
}

#endif
