/* SPDX-License-Identifier: BSD-3-Clause */
/* Who could have written this plugin file? Rules of ownership and permission, before anything of it
 * runs. */
#ifndef HG_PLUGIN_VET_H
#define HG_PLUGIN_VET_H

#include "core/base/text.h"

#include <stdbool.h>
#include <sys/types.h>

/* A file that passed: where it really is, and which file it was. */
typedef struct hg_vetted {
    char *path; /* symbolic links resolved; release with hg_vetted_release() */
    dev_t device;
    ino_t inode;
} hg_vetted;

/* Checks `path`, found in the absolute folder `top`: a regular file; neither it nor a folder
 * between it and `top` writable by others (a folder with the sticky bit may be) or owned by anybody
 * but root and the effective user. A link that leads out of `top` is followed, and then every
 * folder up to the root counts. HGATE_PLUGIN_USABLE, or HGATE_PLUGIN_PERMISSION or
 * HGATE_PLUGIN_LOAD_FAILED with the cause in `why`. With `is_lenient` what would be a lack of
 * permission is told in `why` all the same, and accepted. */
int hg_vet(const char *path, const char *top, bool is_lenient, hg_vetted *out, hg_text *why);

/* Whether the path still leads to the file that was checked. */
bool hg_vetted_is_same(const hg_vetted *file);

void hg_vetted_release(hg_vetted *file);

#endif
