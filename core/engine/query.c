/* SPDX-License-Identifier: BSD-3-Clause */
/* What an engine has: plugins, usable and refused, and kernels. */
#include "core/engine/engine_int.h"

#include "core/base/error.h"

#include <headgate/engine.h>

static int bad_index(const char *what, int i, int n)
{
    return hg_error(HGATE_EVALUE, "i: is %d, there are %d %s", i, n, what);
}

int hgate_plugin_count(const hgate_engine *engine)
{
    return engine ? hg_plugins_count(engine->plugins) : 0;
}

static int find_plugin(const hgate_engine *engine, int i, const hg_plugin **out)
{
    if (!engine) {
        return hg_error(HGATE_EINVAL, "engine: is NULL");
    }
    const int n = hg_plugins_count(engine->plugins);
    if (i < 0 || i >= n) {
        return bad_index("plugins", i, n);
    }
    *out = hg_plugins_get(engine->plugins, i);
    return HGATE_OK;
}

int hgate_plugin_get(const hgate_engine *engine, int i, hgate_plugin_info *info)
{
    const hg_plugin *plugin;
    const int status = find_plugin(engine, i, &plugin);
    if (status != HGATE_OK) {
        return status;
    }
    if (!info) {
        return hg_error(HGATE_EINVAL, "info: is NULL");
    }
    if (info->struct_size != sizeof *info) {
        return hg_error(HGATE_EABI, "info: struct_size is %zu, expected %zu", info->struct_size,
                        sizeof *info);
    }
    const hgate_plugin *descriptor =
        plugin->status == HGATE_PLUGIN_USABLE ? plugin->descriptor : NULL;
    *info = (hgate_plugin_info){
        .struct_size = sizeof *info,
        .name = plugin->name,
        .path = plugin->path,
        .version = descriptor ? descriptor->version : NULL,
        .license = descriptor ? descriptor->license : NULL,
        .description = descriptor ? descriptor->description : NULL,
        .status = plugin->status,
        .status_name = hg_plugin_status_word(plugin->status),
        .reason = plugin->reason,
        .n_kernels = descriptor ? plugin->n_kernels : 0,
    };
    return HGATE_OK;
}

int hgate_plugin_describe(const hgate_engine *engine, int i,
                          void (*row)(void *user, const char *key, const char *value), void *user)
{
    const hg_plugin *plugin;
    const int status = find_plugin(engine, i, &plugin);
    if (status != HGATE_OK) {
        return status;
    }
    if (!row) {
        return hg_error(HGATE_EINVAL, "row: is NULL");
    }
    if (plugin->status == HGATE_PLUGIN_USABLE && plugin->descriptor->describe) {
        plugin->descriptor->describe(plugin->state, row, user);
    }
    return HGATE_OK;
}

int hgate_kernel_count(const hgate_engine *engine, int op)
{
    return engine && op >= 0 && op < HGATE_OP_COUNT ? hg_catalog_list(engine->catalog, op).n : 0;
}

int hgate_kernel_get(const hgate_engine *engine, int op, int i, hgate_kernel_info *info)
{
    if (!engine || !info) {
        return hg_error(HGATE_EINVAL, "%s: is NULL", engine ? "info" : "engine");
    }
    if (op < 0 || op >= HGATE_OP_COUNT) {
        return hg_error(HGATE_EINVAL, "op: %d is no operation", op);
    }
    const hg_candidates list = hg_catalog_list(engine->catalog, op);
    if (i < 0 || i >= list.n) {
        return bad_index("kernels", i, list.n);
    }
    if (info->struct_size != sizeof *info) {
        return hg_error(HGATE_EABI, "info: struct_size is %zu, expected %zu", info->struct_size,
                        sizeof *info);
    }
    const hg_candidate *candidate = &list.items[i];
    *info = (hgate_kernel_info){
        .struct_size = sizeof *info,
        .plugin = candidate->backend->plugin->name,
        .name = candidate->kernel->name,
        .dtypes = candidate->kernel->dtypes,
        .spaces = candidate->kernel->spaces,
        .flags = candidate->kernel->flags,
    };
    return HGATE_OK;
}
