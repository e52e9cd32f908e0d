/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory without a device library here: the plugin's own functions allocate and copy. */
#include "tools/device.h"

#include "core/engine/engine_int.h"
#include "core/plugin/registry.h"
#include "tools/report.h"

static int copy(const cli_device *device, int direction, int arg, const cli_array *array)
{
    const hg_plugin *plugin = device->plugin;
    return array->bytes == 0
               ? HGATE_OK
               : plugin->descriptor->copy(plugin->state, direction, device->tensors[arg].data,
                                          array->dl.data, array->bytes, device->id, NULL);
}

static int failed(const hg_plugin *plugin, int status, const char *name)
{
    return hg_error(status, "%s: plugin %s cannot put it into device memory", name, plugin->name);
}

static DLTensor on_device(const cli_array *array, int id)
{
    DLTensor tensor = array->dl;
    tensor.data = NULL;
    tensor.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, id};
    return tensor;
}

void cli_device_pretend(const cli_case *c, DLTensor *tensors, cli_call *call)
{
    for (int i = 0; c->device >= 0 && i < c->row->n_args; i++) {
        if (call->args[i]) {
            tensors[i] = on_device(&c->arrays[i], c->device);
            call->args[i] = &tensors[i];
        }
    }
}

static int place(cli_device *device, const cli_case *c, int arg)
{
    const cli_array *array = &c->arrays[arg];
    const hg_plugin *plugin = device->plugin;
    void *memory = NULL;
    device->tensors[arg] = on_device(array, device->id);
    int status = plugin->descriptor->ws_alloc(plugin->state, array->bytes ? array->bytes : 1,
                                              device->id, NULL, &memory);
    if (status == HGATE_OK) {
        device->tensors[arg].data = memory;
        status = copy(device, HGATE_COPY_IN, arg, array);
    }
    return status == HGATE_OK ? status : failed(plugin, status, c->row->args[arg].name);
}

int cli_device_place(cli_device *device, const cli_case *c, const hgate_engine *engine,
                     const char *plugin, cli_call *call)
{
    const hg_plugin *owner = hg_plugins_find(engine->plugins, plugin);
    *device = (cli_device){.id = c->device};
    if (!owner || !owner->descriptor->ws_alloc || !owner->descriptor->copy) {
        return hg_error(HGATE_EUNAVAILABLE, "plugin %s has no device memory", plugin);
    }
    device->plugin = owner;
    for (int i = 0; i < c->row->n_args; i++) {
        if (c->arrays[i].is_given) {
            const int status = place(device, c, i);
            if (status != HGATE_OK) {
                cli_device_free(device);
                return status;
            }
            call->args[i] = &device->tensors[i];
        }
    }
    return HGATE_OK;
}

int cli_device_fetch(const cli_device *device, cli_case *c)
{
    for (int i = 0; device->plugin && i < c->row->n_args; i++) {
        if (c->arrays[i].is_given && c->row->args[i].role != HG_IN) {
            const int status = copy(device, HGATE_COPY_OUT, i, &c->arrays[i]);
            if (status != HGATE_OK) {
                return failed(device->plugin, status, c->row->args[i].name);
            }
        }
    }
    if (device->plugin && device->plugin->descriptor->sync) {
        return device->plugin->descriptor->sync(device->plugin->state, device->id, NULL);
    }
    return HGATE_OK;
}

void cli_device_free(cli_device *device)
{
    for (int i = 0; device->plugin && i < HGATE_MAX_ARGS; i++) {
        if (device->tensors[i].data) {
            device->plugin->descriptor->ws_free(device->plugin->state, device->tensors[i].data,
                                                device->id, NULL);
        }
    }
    *device = (cli_device){0};
}
