/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins tried in a process of their own before this one loads them: how a crash, an exit or a
 * plugin that never answers becomes a line of the report. */
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "tools/options.h"

#include "core/plugin/registry.h"

/** From now on cli_session_open() tries each plugin file once, for no longer than --time-limit,
 * else 30 s. CLI_USAGE. */
int cli_trial_start(const cli_options *options);

/** What cli_session_open() hands on; NULL where nothing was started. */
const hg_trial *cli_trial(void);

/** Did a file end its process, or not answer in time? */
bool cli_trial_failed(const char *path);

#endif
