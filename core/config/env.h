/* SPDX-License-Identifier: BSD-3-Clause */
/* HEADGATE_* variables to settings. */
#ifndef HG_CONFIG_ENV_H
#define HG_CONFIG_ENV_H

#include "core/config/problems.h"
#include "core/config/settings.h"

/** The environment of the process ("NAME=value", NULL-terminated); NULL in a process that runs with
 *  more rights than its user has, where nothing of it may count. */
const char *const *hg_env_of_process(void);

/** Value of a variable; NULL where it is not set or empty. */
const char *hg_env_get(const char *const *environment, const char *name);

/** Adds what the variables set, and problems with them. Unknown HEADGATE_* variables become notes
 *  of `unknown`, which has a schema and an arena of its own. HGATE_OK or HGATE_ENOMEM. */
int hg_env_read(hg_settings *settings, const char *const *environment, hg_problems *problems,
                hg_settings *unknown);

/** Adds a note when "NAME=value" is no variable of the schema or of others of our programs.
 * HGATE_OK or HGATE_ENOMEM. */
int hg_env_note_unknown(hg_settings *unknown, const char *variable);

#endif
