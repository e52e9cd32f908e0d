/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin files that this process has mapped, usable or not. They are never unmapped, so neither
 * is the table ever emptied; all engines share it. */
#ifndef HG_PLUGIN_LOADED_H
#define HG_PLUGIN_LOADED_H

#include "core/plugin/check.h"
#include "core/plugin/vet.h"

typedef struct hg_loaded hg_loaded;

/* The one lock of opening and closing. HGATE_ESTATE, with a message, when this thread has it
 * already: a plugin opens an engine while it is being loaded. */
int hg_loader_lock(void);
void hg_loader_unlock(void);

/* Around fork(), so that a child never finds the lock in the hands of a thread it does not have. */
void hg_loader_before_fork(void);
void hg_loader_after_fork(void);

/* The rest under the lock. */

/* Maps and checks a file, unless that was done before. HGATE_PLUGIN_USABLE: give *out back some
 * day. Another status: the cause is in `why`; a file that was mapped in vain is remembered with it.
 * HGATE_ENOMEM. */
int hg_loaded_take(const hg_vetted *file, hg_loaded **out, hg_text *why);
void hg_loaded_give_back(hg_loaded *loaded);

const hg_view *hg_loaded_view(const hg_loaded *loaded);

/* Engines that hold it now. */
long hg_loaded_users(const hg_loaded *loaded);

#endif
