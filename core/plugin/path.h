/* SPDX-License-Identifier: BSD-3-Clause */
/* Where plugins are looked for: the search path as an ordered list of files. Opens none of them. */
#ifndef HG_PLUGIN_PATH_H
#define HG_PLUGIN_PATH_H

#include "core/base/arena.h"
#include "core/base/log.h"

#include <stdbool.h>

/* The parts of a search path, in their order. */
typedef struct hg_search {
    const char *const *files; /* absolute paths; each has to exist */
    size_t n_files;
    const char *const *folders;
    size_t n_folders;
    const char *default_folder; /* or NULL */
} hg_search;

/* A file that may be a plugin. */
typedef struct hg_candidate {
    const char *path;
    const char *folder; /* where it was found: permissions count up to here */
    const char *name;   /* what "headgate-NAME.so" tells; NULL when it tells nothing */
} hg_candidate;

/* Lists the files; folders give theirs named headgate-*.so in the order of strcmp. What is left out
 * is told to the log: an absent folder as a note, a relative one as a warning. HGATE_ECONFIG for
 * one of `files` that is not there, HGATE_ENOMEM. The list belongs to the arena. */
int hg_search_run(const hg_search *search, hg_arena *arena, hg_log *log, const hg_candidate **list,
                  size_t *n);

#endif
