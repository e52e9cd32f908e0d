/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life. */
#ifndef HG_SERIAL_PROBE_H
#define HG_SERIAL_PROBE_H

#include "headgate/plugin.h"

int hg_serial_probe(const hgate_host *host, hgate_reason *reason, void **state);
void hg_serial_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                        void *user);
void hg_serial_release(void *state);

#endif
