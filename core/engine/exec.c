/* SPDX-License-Identifier: BSD-3-Clause */
/* The execution context: stream, threads, hooks, and the memory that calls reuse. */
#include "core/engine/engine_int.h"

#include "core/base/error.h"

#include <headgate/engine.h>

enum { most_threads = 4096 };

static int missing(const char *argument)
{
    return hg_error(HGATE_EINVAL, "%s: is NULL", argument);
}

int hgate_exec_new(hgate_engine *engine, hgate_exec **out)
{
    if (!engine || !out) {
        return missing(engine ? "exec" : "engine");
    }
    hgate_exec *exec = hg_calloc(&engine->allocator, 1, sizeof *exec);
    if (!exec) {
        return hg_error_memory("exec", sizeof *exec);
    }
    const int status = hg_engine_trace(engine, -1, &exec->trace);
    if (status != HGATE_OK) {
        hg_free(&engine->allocator, exec);
        return status;
    }
    exec->engine = engine;
    exec->device_id = -1;
    exec->hooks.struct_size = sizeof exec->hooks;
    hg_workspace_init(&exec->workspace, &engine->allocator);
    hg_engine_hold(engine);
    *out = exec;
    return HGATE_OK;
}

void hgate_exec_free(hgate_exec *exec)
{
    if (!exec) {
        return;
    }
    hgate_engine *engine = exec->engine;
    hg_workspace_release(&exec->workspace);
    hg_trace_delete(exec->trace);
    hg_free(&engine->allocator, exec);
    hg_engine_let_go(engine);
}

int hgate_exec_set_stream(hgate_exec *exec, int device_id, void *stream)
{
    if (!exec) {
        return missing("exec");
    }
    if (device_id < 0) {
        return hg_error(HGATE_EVALUE, "device_id: is %d, must not be negative", device_id);
    }
    if (exec->stream != stream || exec->device_id != device_id) {
        /* work that still runs on the old stream must not meet that of the new one in the same
         * memory */
        hg_workspace_drop_device(&exec->workspace);
    }
    exec->device_id = device_id;
    exec->stream = stream;
    return HGATE_OK;
}

int hgate_exec_set_threads(hgate_exec *exec, int threads)
{
    if (!exec) {
        return missing("exec");
    }
    if (threads < 0 || threads > most_threads) {
        return hg_error(HGATE_EVALUE, "threads: is %d, expected 0 to %d", threads, most_threads);
    }
    exec->threads = threads;
    return HGATE_OK;
}

int hgate_exec_set_hooks(hgate_exec *exec, const hgate_hooks *hooks)
{
    if (!exec) {
        return missing("exec");
    }
    if (!hooks) {
        exec->hooks = (hgate_hooks){.struct_size = sizeof exec->hooks};
    } else if (hooks->struct_size != sizeof *hooks) {
        return hg_error(HGATE_EABI, "hooks: struct_size is %zu, expected %zu", hooks->struct_size,
                        sizeof *hooks);
    } else {
        exec->hooks = *hooks;
    }
    exec->ranges = (hg_range_sink){exec->hooks.range_push, exec->hooks.range_pop, exec->hooks.user};
    return HGATE_OK;
}

int hgate_exec_last_trace(const hgate_exec *exec, const hgate_trace **trace)
{
    if (!exec || !trace) {
        return missing(exec ? "trace" : "exec");
    }
    if (exec->trace->id == 0) {
        return hg_error(HGATE_ESTATE, "exec: no operation has run with it yet");
    }
    *trace = exec->trace;
    return HGATE_OK;
}

static int sync_plugin(hgate_exec *exec, const hg_plugin *plugin, int index)
{
    const int device = exec->device_id >= 0 ? exec->device_id : 0;
    const unsigned before = hg_error_count();
    const int status = plugin->descriptor->sync(plugin->state, device, exec->stream);
    if (status == HGATE_EDEVICE_LOST) {
        hg_catalog_lose(exec->engine->catalog, index, device);
    }
    if (status != HGATE_OK && hg_error_count() == before) {
        hg_error(status, "%s: %s", plugin->name, hgate_status_text(status));
    }
    return status;
}

int hgate_exec_sync(hgate_exec *exec)
{
    if (!exec) {
        return missing("exec");
    }
    int first = HGATE_OK;
    for (int i = 0; i < exec->engine->n_usable; i++) {
        const hg_plugin *plugin = exec->engine->usable[i];
        if ((exec->unfinished >> (i & 63) & 1) && plugin->descriptor->sync) {
            const int status = sync_plugin(exec, plugin, i);
            first = first != HGATE_OK ? first : status;
        }
    }
    exec->unfinished = 0;
    return first;
}
