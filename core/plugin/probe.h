/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a plugin whether it can work on this machine. */
#ifndef HG_PLUGIN_PROBE_H
#define HG_PLUGIN_PROBE_H

#include "core/base/text.h"

#include <headgate/plugin.h>

/* HGATE_PLUGIN_USABLE with *state, or HGATE_PLUGIN_UNAVAILABLE or _MALFORMED with the cause in
 * `why`. */
int hg_probe(const hgate_plugin *plugin, const hgate_host *host, void **state, hg_text *why);

#endif
