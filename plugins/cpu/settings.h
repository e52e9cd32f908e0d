/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the configuration through the host. */
#ifndef HG_CPU_SETTINGS_H
#define HG_CPU_SETTINGS_H

#include "headgate/plugin.h"

/* Whether a key has this text; false where the host does not know the key. */
int hg_setting_is(const hgate_host *host, const char *key, const char *text);
/* Number of a key; otherwise where it is unknown or a word ("auto"). The host's locale has no say.
 * Not for estimate() and supports(): it allocates. */
double hg_setting_real(const hgate_host *host, const char *key, double otherwise);
int64_t hg_setting_integer(const hgate_host *host, const char *key, int64_t otherwise);

#endif
