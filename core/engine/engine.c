/* SPDX-License-Identifier: BSD-3-Clause */
/* Open and close: the one place where an engine is put together. Nothing of it changes afterwards.
 */
#include "core/engine/engine_int.h"

#include "core/base/error.h"
#include "core/engine/dispatch.h"
#include "core/tensor/op_table.h"

#include <headgate/engine.h>
#include <string.h>

/* ---- life --------------------------------------------------------------- */

static void destroy(hgate_engine *engine)
{
    const hg_allocator allocator = engine->allocator; /* outlives the engine that holds it */
    hg_catalog_free(engine->catalog);
    hg_calib_free(engine->calib);
    hg_free(&allocator, (void *)engine->usable);
    hg_plugins_close(engine->plugins);
    hg_config_release(engine->config);
    hg_log_free(engine->log);
    hg_log_sink_close(&engine->sink);
    hg_free(&allocator, engine);
}

void hg_engine_hold(hgate_engine *engine)
{
    atomic_fetch_add_explicit(&engine->holders, 1, memory_order_relaxed);
}

void hg_engine_let_go(hgate_engine *engine)
{
    if (atomic_fetch_sub_explicit(&engine->holders, 1, memory_order_acq_rel) == 1) {
        destroy(engine);
    }
}

void hgate_close(hgate_engine *engine)
{
    if (!engine) {
        return;
    }
    if (atomic_load_explicit(&engine->holders, memory_order_acquire) > 1) {
        /* Contexts, plans or traces are left. They stay valid until they are freed, but the host
         * application may take its log callback away now. */
        hg_log_set_level(engine->log, HGATE_LOG_OFF);
    }
    hg_engine_let_go(engine);
}

/* ---- open --------------------------------------------------------------- */

int hgate_options_init(hgate_options *options)
{
    if (!options) {
        return hg_error(HGATE_EINVAL, "options: is NULL");
    }
    *options = (hgate_options){.struct_size = sizeof *options};
    return HGATE_OK;
}

static int check_options(const hgate_options *options)
{
    if (options->struct_size != sizeof *options) {
        return hg_error(HGATE_EABI,
                        "options: struct_size is %zu, expected %zu; call hgate_options_init first",
                        options->struct_size, sizeof *options);
    }
    if (!options->allocator.alloc != !options->allocator.free) {
        return hg_error(HGATE_EINVAL,
                        "options: allocator.alloc and allocator.free must be set together");
    }
    return HGATE_OK;
}

static int open_log(hgate_engine *engine)
{
    return hg_log_new(hg_log_sink_write, &engine->sink, HGATE_LOG_WARN, &engine->allocator,
                      &engine->log);
}

static int log_level(const hg_config *config)
{
    static const char *const words[] = {"off", "error", "warn", "info", "debug", "trace"};
    const char *word = hg_config_text(config, "log.level");
    for (int level = HGATE_LOG_OFF; level <= HGATE_LOG_TRACE; level++) {
        if (strcmp(word, words[level]) == 0) {
            return level;
        }
    }
    return HGATE_LOG_WARN;
}

static int read_settings(hgate_engine *engine, const hgate_config *api)
{
    int status = hg_config_resolve(api, &engine->allocator, engine->log, &engine->config);
    if (status != HGATE_OK) {
        return status;
    }
    status = hg_log_sink_open(&engine->sink, engine->config);
    if (status != HGATE_OK) {
        return status;
    }
    const bool is_heard = engine->sink.callback || engine->sink.file >= 0;
    hg_log_set_level(engine->log, is_heard ? log_level(engine->config) : HGATE_LOG_OFF);
    hg_rules_read(engine->config, &engine->rules);
    return HGATE_OK;
}

static int load_plugins(hgate_engine *engine, const hg_trial *trial)
{
    int status = hg_plugins_open_tried(engine->config, &engine->allocator, engine->log, trial,
                                       &engine->plugins);
    if (status != HGATE_OK) {
        return status;
    }
    const int n = hg_plugins_count(engine->plugins);
    engine->usable = hg_calloc(&engine->allocator, (size_t)n, sizeof *engine->usable);
    if (!engine->usable) {
        return hg_error_memory("engine", (size_t)n * sizeof *engine->usable);
    }
    for (int i = 0; i < n; i++) {
        const hg_plugin *plugin = hg_plugins_get(engine->plugins, i);
        if (plugin->status == HGATE_PLUGIN_USABLE) {
            engine->usable[engine->n_usable++] = plugin;
        }
    }
    return HGATE_OK;
}

/* A forced plugin that is not there leaves its operation without a kernel: better said at once. */
static void warn_of_forces(const hgate_engine *engine)
{
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        const hg_force *force = &engine->rules.force[op];
        if (force->plugin && !hg_plugins_find(engine->plugins, force->plugin)) {
            hg_log_line(engine->log, HGATE_LOG_WARN, "route",
                        "%s: routing.force.%s names plugin %s, which is not usable", force->origin,
                        hg_op_row(op)->word, force->plugin);
        }
    }
}

static int list_kernels(hgate_engine *engine)
{
    int status = hg_calib_new(engine->config, engine->usable, engine->n_usable, engine->log,
                              &engine->allocator, &engine->calib);
    if (status == HGATE_OK) {
        status = hg_catalog_new(&engine->rules, engine->calib, engine->usable, engine->n_usable,
                                &engine->allocator, &engine->catalog);
    }
    return status;
}

static int put_together(hgate_engine *engine, const hgate_options *options, const hg_trial *trial)
{
    if (options) {
        engine->sink.callback = options->log;
        engine->sink.user = options->log_user;
    }
    int status = open_log(engine);
    if (status == HGATE_OK) {
        status = read_settings(engine, options ? options->config : NULL);
    }
    if (status == HGATE_OK) {
        status = load_plugins(engine, trial);
    }
    if (status == HGATE_OK) {
        status = list_kernels(engine);
    }
    return status;
}

int hgate_open(const hgate_options *options, hgate_engine **out)
{
    return hg_engine_open(options, NULL, out);
}

int hg_engine_open(const hgate_options *options, const hg_trial *trial, hgate_engine **out)
{
    if (!out) {
        return hg_error(HGATE_EINVAL, "engine: is NULL");
    }
    int status = options ? check_options(options) : HGATE_OK;
    if (status != HGATE_OK) {
        return status;
    }
    const hg_allocator *allocator =
        options && options->allocator.alloc ? &options->allocator : hg_allocator_default();
    hgate_engine *engine = hg_calloc(allocator, 1, sizeof *engine);
    if (!engine) {
        return hg_error_memory("engine", sizeof *engine);
    }
    engine->allocator = *allocator;
    engine->sink.file = -1;
    atomic_init(&engine->holders, 1);
    status = put_together(engine, options, trial);
    if (status != HGATE_OK) {
        destroy(engine);
        return status;
    }
    warn_of_forces(engine);
    *out = engine;
    return HGATE_OK;
}

/* ---- for the ops room --------------------------------------------------- */

const hg_allocator *hg_engine_allocator(const hgate_engine *engine)
{
    return &engine->allocator;
}

const hg_config *hg_engine_config(const hgate_engine *engine)
{
    return engine->config;
}

int hg_engine_begin(hgate_engine *engine, hgate_exec *exec, int op)
{
    if (!engine) {
        return hg_error(HGATE_EINVAL, "engine: is NULL");
    }
    if (exec && exec->engine != engine) {
        return hg_error(HGATE_EINVAL, "exec: belongs to another engine");
    }
    const hg_cause *off = &engine->rules.op_off[op];
    if (off->key) {
        return hg_error(HGATE_EDISABLED, "%s: %s is false (%s)", hg_op_row(op)->word, off->key,
                        off->origin);
    }
    return HGATE_OK;
}

int hg_engine_trace(hgate_engine *engine, int op, hgate_trace **out)
{
    const int room =
        op < 0 ? hg_catalog_longest(engine->catalog) : hg_catalog_list(engine->catalog, op).n;
    hgate_trace *trace = NULL;
    const int status = hg_trace_new(&engine->allocator, engine->catalog, room, &trace);
    if (status == HGATE_OK) {
        trace->plugins = engine->plugins;
        *out = trace;
    }
    return status;
}

int hg_threads_allowed(const hgate_engine *engine, const hgate_exec *exec)
{
    const int most = engine->rules.max_threads;
    if (engine->n_usable == 0) {
        return 1;
    }
    const hgate_host *host = engine->usable[0]->host;
    if (!exec || exec->threads == 0) {
        return host->thread_hint(host);
    }
    return most > 0 && exec->threads > most ? most : exec->threads;
}
