// SPDX-License-Identifier: BSD-3-Clause
// Device copies of a call's arrays. They start at an odd multiple of the element size, as host
// arrays do.
#include "tests/kernels/conformance_device.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

int conf_is_device(const conf_kernel *k)
{
    return !(k->kernel->spaces & HGATE_SPACE_HOST) && (k->kernel->spaces & HGATE_SPACE_CUDA) &&
           k->plugin->copy && k->plugin->ws_alloc && k->plugin->ws_free && k->plugin->sync;
}

static void copy(const conf_kernel *k, int direction, void *device, void *host, size_t bytes)
{
    if (bytes > 0)
        ck_assert_int_eq(k->plugin->copy(k->state, direction, device, host, bytes, 0, NULL),
                         HGATE_OK);
}

void conf_mirror_open(conf_mirror *m, const conf_kernel *k, const conf_call *call)
{
    memset(m, 0, sizeof *m);
    m->kernel = k;
    m->problem = call->problem;
    m->problem.space = HGATE_SPACE_CUDA;
    m->problem.args = m->args;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        const array *a = call->arrays[i];
        if (!a)
            continue;
        const size_t offset = a->element;
        ck_assert_int_eq(
            k->plugin->ws_alloc(k->state, offset + a->bytes + 1, 0, NULL, &m->memory[i]), HGATE_OK);
        copy(k, HGATE_COPY_IN, (char *)m->memory[i] + offset, a->data, a->bytes);
        m->tensors[i] = a->dl;
        m->tensors[i].device.device_type = (DLDeviceType)HGATE_DL_CUDA;
        m->tensors[i].data = m->memory[i];
        m->tensors[i].byte_offset = offset;
        m->args[i] = &m->tensors[i];
    }
}

void *conf_mirror_workspace(conf_mirror *m, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *pattern = malloc(bytes);
    ck_assert_ptr_nonnull(pattern);
    memset(pattern, 0xFF, bytes);
    ck_assert_int_eq(m->kernel->plugin->ws_alloc(m->kernel->state, bytes, 0, NULL, &m->workspace),
                     HGATE_OK);
    copy(m->kernel, HGATE_COPY_IN, m->workspace, pattern, bytes);
    free(pattern);
    return m->workspace;
}

int conf_mirror_close(conf_mirror *m, const conf_call *call)
{
    const hgate_plugin *plugin = m->kernel->plugin;
    const int status = plugin->sync(m->kernel->state, 0, NULL);
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        const array *a = call->arrays[i];
        if (!a)
            continue;
        if (call->is_output[i] && status != HGATE_EDEVICE_LOST)
            copy(m->kernel, HGATE_COPY_OUT, (char *)m->memory[i] + a->element, a->data, a->bytes);
        plugin->ws_free(m->kernel->state, m->memory[i], 0, NULL);
    }
    if (m->workspace)
        plugin->ws_free(m->kernel->state, m->workspace, 0, NULL);
    return status;
}
