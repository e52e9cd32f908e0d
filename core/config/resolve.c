/* SPDX-License-Identifier: BSD-3-Clause */
/* From sources to a configuration: finds the file, reads file and environment, merges, checks, and
 * logs what looks mistyped. */
#include "core/config/builder.h"
#include "core/config/effective.h"
#include "core/config/env.h"
#include "core/config/rules.h"
#include "core/config/yaml.h"

#include "core/base/error.h"

#include <stdatomic.h>
#include <unistd.h>

static void log_notes(hg_log *log, const hg_settings *settings)
{
    for (const hg_note *note = settings->first_note; note; note = note->next) {
        hg_log_line(log, HGATE_LOG_WARN, "config", "%s", note->text);
    }
}

/* Misspelt variables belong to the process, not to an engine: each process hears of them once. */
static void log_unknown_variables(hg_log *log, const hg_settings *unknown)
{
    static atomic_flag is_done = ATOMIC_FLAG_INIT;
    if (unknown->first_note && hg_log_is_on(log, HGATE_LOG_WARN) &&
        !atomic_flag_test_and_set(&is_done)) {
        log_notes(log, unknown);
    }
}

/* The file that counts when the host has loaded none; NULL: there is none. */
static const char *find_file(const hg_sources *sources)
{
    const char *named = hg_env_get(sources->environment, "HEADGATE_CONFIG");
    if (named) {
        return named;
    }
    const bool is_there = sources->system_file && access(sources->system_file, F_OK) == 0;
    return is_there ? sources->system_file : NULL;
}

/* Reads file and environment. Problems of the environment are collected, those of the file end it.
 */
static int read_sources(const hg_sources *sources, hg_settings *settings, hg_problems *problems,
                        hg_log *log)
{
    const char *file = sources->api && sources->api->has_file ? NULL : find_file(sources);
    if (file) {
        const int status = hg_yaml_read_file(settings, file);
        if (status != HGATE_OK) {
            return status;
        }
    }
    hg_settings unknown;
    hg_settings_init(&unknown, settings->schema, settings->arena.allocator);
    const int status = hg_env_read(settings, sources->environment, problems, &unknown);
    if (status == HGATE_OK) {
        log_unknown_variables(log, &unknown);
        log_notes(log, settings);
    }
    hg_settings_release(&unknown);
    return status == HGATE_OK ? HGATE_OK : hg_error(status, "configuration: out of memory");
}

static int merge_into(hg_config *config, const hg_sources *sources, hg_log *log)
{
    hg_settings settings;
    hg_settings_init(&settings, sources->schema, config->allocator);
    hg_problems problems = hg_problems_none(config->allocator);
    int status = read_sources(sources, &settings, &problems, log);
    if (status == HGATE_OK) {
        const hg_settings *api = sources->api ? &sources->api->settings : NULL;
        status = hg_effective_merge(config, &settings, api);
        if (status != HGATE_OK) {
            status = hg_error(status, "configuration: out of memory");
        } else {
            hg_rules_check(config, &problems);
            status = hg_problems_status(&problems);
        }
    }
    hg_problems_release(&problems);
    hg_settings_release(&settings);
    return status;
}

int hg_config_merge(const hg_sources *sources, const hg_allocator *allocator, hg_log *log,
                    hg_config **out)
{
    hg_config *config = hg_calloc(allocator, 1, sizeof *config);
    if (!config) {
        return hg_error_memory("configuration", sizeof *config);
    }
    config->schema = sources->schema;
    config->allocator = allocator;
    hg_arena_init(&config->arena, allocator);
    const int status = merge_into(config, sources, log);
    if (status != HGATE_OK) {
        hg_config_release(config);
        return status;
    }
    if (sources->api) {
        log_notes(log, &sources->api->settings);
    }
    *out = config;
    return HGATE_OK;
}

void hg_config_release(hg_config *config)
{
    if (config) {
        hg_arena_release(&config->arena);
        hg_free(config->allocator, config);
    }
}
