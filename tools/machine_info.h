/* SPDX-License-Identifier: BSD-3-Clause */
/* What machine numbers were taken on. */
#ifndef CLI_MACHINE_INFO_H
#define CLI_MACHINE_INFO_H

#include "core/base/json.h"

/** Calls row for each fact: cpu, cores, memory, system. */
void cli_machine_each(void (*row)(void *user, const char *key, const char *value), void *user);
/** Member "machine" of the open object. */
void cli_machine_put(hg_json *json);

#endif
