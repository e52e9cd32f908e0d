/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs work in: grown when a run needs more, kept for the next one. */
#ifndef HG_ENGINE_WORKSPACE_H
#define HG_ENGINE_WORKSPACE_H

#include "core/base/alloc.h"
#include "core/plugin/registry.h"

#include <stdbool.h>
#include <stddef.h>

/** Device memory of one plugin on one device. */
typedef struct hg_device_block {
    struct hg_device_block *next;
    const hg_plugin *plugin;
    int device_id;
    void *stream; /* that the memory was allocated on */
    void *memory;
    size_t bytes;
} hg_device_block;

typedef struct hg_workspace {
    const hg_allocator *allocator;
    unsigned char *host;
    size_t host_bytes; /* usable; a guard stands behind them */
    hg_device_block *blocks;
} hg_workspace;

void hg_workspace_init(hg_workspace *workspace, const hg_allocator *allocator);
void hg_workspace_release(hg_workspace *workspace);

/** Bytes of host memory, aligned to 64, with a guard right behind them; NULL for 0 bytes. ENOMEM.
 */
int hg_workspace_host(hg_workspace *workspace, size_t bytes, void **out);

/** Did the last user of `bytes` host bytes leave the guard alone? */
bool hg_workspace_is_intact(const hg_workspace *workspace, size_t bytes);

/** Bytes of device memory from a plugin; NULL for 0 bytes. What ws_alloc returns. */
int hg_workspace_device(hg_workspace *workspace, const hg_plugin *plugin, int device_id,
                        void *stream, size_t bytes, void **out);

/** Gives the device memory back, in the order of the streams it was used on. */
void hg_workspace_drop_device(hg_workspace *workspace);

#endif
