/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's functions of an engine's life. */
#ifndef HG_FFTW_PROBE_H
#define HG_FFTW_PROBE_H

#include "plugins/cpu/cpu.h"

int hg_fftw_probe(const hgate_host *host, hgate_reason *reason, void **state);
void hg_fftw_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                      void *user);
void hg_fftw_release(void *state);

#endif
