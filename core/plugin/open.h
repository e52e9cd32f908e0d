/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a plugin file and finds its descriptor; runs nothing of it but its constructors. */
#ifndef HG_PLUGIN_OPEN_H
#define HG_PLUGIN_OPEN_H

#include "core/plugin/vet.h"

typedef struct hg_object {
    void *handle;           /* NULL: nothing was mapped */
    const void *descriptor; /* set when the result is HGATE_PLUGIN_USABLE */
    size_t bytes;           /* of the descriptor, as the file's symbol table has it */
} hg_object;

/* HGATE_PLUGIN_USABLE, or HGATE_PLUGIN_LOAD_FAILED, _PERMISSION or _NO_DESCRIPTOR with the cause in
 * `why`. A file that was mapped stays mapped, whatever the result. Under the loader lock. */
int hg_object_open(const hg_vetted *file, hg_object *out, hg_text *why);

#endif
