/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of an execution context or a plan. */
#include "core/engine/workspace.h"

#include "core/base/error.h"
#include "core/base/mathx.h"

#include <headgate/status.h>
#include <string.h>

enum { alignment = 64, guard_bytes = 64, guard_byte = 0xa5 };

void hg_workspace_init(hg_workspace *workspace, const hg_allocator *allocator)
{
    *workspace = (hg_workspace){.allocator = allocator};
}

void hg_workspace_release(hg_workspace *workspace)
{
    hg_free(workspace->allocator, workspace->host);
    workspace->host = NULL;
    workspace->host_bytes = 0;
    hg_workspace_drop_device(workspace);
}

static int grow_host(hg_workspace *workspace, size_t bytes)
{
    /* the old one first: both at once might not fit, and nothing of it is needed */
    hg_free(workspace->allocator, workspace->host);
    workspace->host = NULL;
    workspace->host_bytes = 0;
    size_t with_guard;
    if (!hg_size_add(bytes, guard_bytes, &with_guard)) {
        return hg_error_memory("workspace", bytes);
    }
    workspace->host = hg_alloc_aligned(workspace->allocator, with_guard, alignment);
    if (!workspace->host) {
        return hg_error_memory("workspace", bytes);
    }
    workspace->host_bytes = bytes;
    return HGATE_OK;
}

int hg_workspace_host(hg_workspace *workspace, size_t bytes, void **out)
{
    *out = NULL;
    if (bytes == 0) {
        return HGATE_OK;
    }
    if (bytes > workspace->host_bytes) {
        const int status = grow_host(workspace, bytes);
        if (status != HGATE_OK) {
            return status;
        }
    }
    memset(workspace->host + bytes, guard_byte, guard_bytes);
    *out = workspace->host;
    return HGATE_OK;
}

bool hg_workspace_is_intact(const hg_workspace *workspace, size_t bytes)
{
    for (size_t i = 0; bytes > 0 && i < guard_bytes; i++) {
        if (workspace->host[bytes + i] != guard_byte) {
            return false;
        }
    }
    return true;
}

/* ---- device ------------------------------------------------------------- */

static void free_memory(hg_device_block *block)
{
    if (block->memory) {
        block->plugin->descriptor->ws_free(block->plugin->state, block->memory, block->device_id,
                                           block->stream);
    }
    block->memory = NULL;
    block->bytes = 0;
}

static hg_device_block *find_block(hg_workspace *workspace, const hg_plugin *plugin, int device_id)
{
    hg_device_block *block = workspace->blocks;
    while (block && (block->plugin != plugin || block->device_id != device_id)) {
        block = block->next;
    }
    if (block) {
        return block;
    }
    block = hg_calloc(workspace->allocator, 1, sizeof *block);
    if (block) {
        block->plugin = plugin;
        block->device_id = device_id;
        block->next = workspace->blocks;
        workspace->blocks = block;
    }
    return block;
}

int hg_workspace_device(hg_workspace *workspace, const hg_plugin *plugin, int device_id,
                        void *stream, size_t bytes, void **out)
{
    *out = NULL;
    if (bytes == 0) {
        return HGATE_OK;
    }
    hg_device_block *block = find_block(workspace, plugin, device_id);
    if (!block) {
        return hg_error_memory("workspace", sizeof *block);
    }
    if (bytes > block->bytes || stream != block->stream) {
        free_memory(block);
        void *memory = NULL;
        const int status =
            plugin->descriptor->ws_alloc(plugin->state, bytes, device_id, stream, &memory);
        if (status != HGATE_OK || !memory) {
            return status != HGATE_OK ? status : HGATE_ENOMEM;
        }
        block->memory = memory;
        block->bytes = bytes;
        block->stream = stream;
    }
    *out = block->memory;
    return HGATE_OK;
}

void hg_workspace_drop_device(hg_workspace *workspace)
{
    hg_device_block *block = workspace->blocks;
    workspace->blocks = NULL;
    while (block) {
        hg_device_block *next = block->next;
        free_memory(block);
        hg_free(workspace->allocator, block);
        block = next;
    }
}
