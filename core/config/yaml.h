/* SPDX-License-Identifier: BSD-3-Clause */
/* YAML text to settings. */
#ifndef HG_CONFIG_YAML_H
#define HG_CONFIG_YAML_H

#include "core/config/problems.h"
#include "core/config/settings.h"

#include <stdbool.h>

enum { /* what a configuration may need, and no more: libyaml has no limits of its own */
       HG_YAML_BYTES = 1024 * 1024,
       HG_YAML_DEPTH = 16,
       HG_YAML_EVENTS = 20000,
       HG_YAML_SCALAR_BYTES = 4096
};

/** Reads n bytes and adds what they set, all or nothing; `label` stands for the file's name.
 *  HGATE_OK; HGATE_ENOMEM; HGATE_ECONFIG with up to 20 problems as the last error. *events (may be
 *  NULL) is how many events were looked at. */
int hg_yaml_read(hg_settings *settings, const char *text, size_t n, const char *label,
                 long *events);

/** The same from a file. */
int hg_yaml_read_file(hg_settings *settings, const char *path);

/** Is the text UTF-8 without control characters but tab and line ends? If not, one problem. */
bool hg_yaml_scan(const char *text, size_t n, const char *label, hg_problems *problems);

#endif
